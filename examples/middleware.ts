// Adds middleware to a client, including its own. Run it with: node examples/middleware.ts
// #region pieces
import { logCalls, type Middleware, Svc, toolLock } from "svc-sdk";
import { validateArguments } from "svc-sdk/arguments";
import lock from "./svc.lock.json" with { type: "json" };

const locked = new Svc({ use: [logCalls(), toolLock(lock), validateArguments()] });
// #endregion
await locked.tools.execute("GITHUB_STAR_A_REPOSITORY", {
  user_id: "user-4711",
  arguments: { owner: "octo-org", repo: "hello-world" },
});

// #region own
const timed: Middleware = async (call, next) => {
  const startedAt = performance.now();
  try {
    return await next(); // Includes retries, waits and throttling.
  } finally {
    console.log(call.endpoint.name, performance.now() - startedAt);
  }
};
const svc = new Svc({ use: [timed] });
// #endregion
await svc.toolkits.list();

// #region change
const withoutDeletes: Middleware = async (call, next) => {
  if (call.endpoint.method === "DELETE") throw new Error("Deleting is switched off here."); // Nothing is sent.
  return next();
};

const smallPages: Middleware = (call, next) => {
  if (call.endpoint.name === "tools.list") call.input = { ...call.input, query: { limit: 2, ...call.input.query } };
  return next();
};

const careful = new Svc({ use: [withoutDeletes, smallPages] });
// #endregion
const { items } = await careful.tools.list({ toolkit_slug: "github" });
console.log(`${items.length} tools`);
await careful.connectedAccounts.delete("ca_github_demo").catch((error: Error) => console.log(error.message));
