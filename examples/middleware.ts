// Adds pieces to a client, some of its own. Run it with: node examples/middleware.ts
// biome-ignore-all assist/source/organizeImports: what the region doesn't need is imported before it.
import { SvcError, type Middleware } from "svc-sdk";
// #region pieces
import { logCalls, Svc, toolLock } from "svc-sdk";
import { checkArguments } from "svc-sdk/arguments";
import lock from "./svc.lock.json" with { type: "json" };

const svc = new Svc({ use: [logCalls(), toolLock(lock), checkArguments()] });
// #endregion
await svc.tools.execute("GITHUB_STAR_A_REPOSITORY", {
  user_id: "user-4711",
  arguments: { owner: "octo-org", repo: "hello-world" },
});

// #region own
const audited: Middleware = async (call, next) => {
  const { name, repeat } = call.endpoint;
  if (repeat === "safe") return next(); // Reads aren't audited.
  try {
    const result = await next(); // Retries, waits and throttling happen in here.
    console.log(`${name} succeeded after ${result.meta.attempts} attempt`);
    return result;
  } catch (error) {
    console.log(`${name} failed: ${error instanceof SvcError ? error.name : String(error)}`);
    throw error;
  }
};
// #endregion

// #region change
const withoutDeletes: Middleware = async (call, next) => {
  if (call.endpoint.method === "DELETE") throw new Error("Deleting is switched off here."); // Nothing is sent.
  return next();
};

const smallPages: Middleware = (call, next) => {
  if (call.endpoint.name === "tools.list") call.input = { ...call.input, query: { limit: 2, ...call.input.query } };
  return next();
};

const careful = new Svc({ use: [audited, withoutDeletes, smallPages] });
// #endregion

const { items } = await careful.tools.list({ toolkit_slug: "github" });
console.log(`${items.length} tools`);
await careful.tools.execute("TEXTKIT_REVERSE", { user_id: "ada", version: "latest", arguments: { text: "abc" } });
await careful.connectedAccounts.delete("ca_github_demo").catch((error: Error) => console.log(error.message));
