import { describe, expect, test } from "vitest";
import { ServerError, type ToolLock, type ToolLockOptions, toolLock, ValidationError } from "../../../src/index.js";
import { clientOf, rejectionOf } from "../../support/client.js";
import { failure, scriptedFetch } from "../../support/scripted-fetch.js";

const BODY = { user_id: "ada", version: "20251023_00", arguments: {} };
const done = () => Response.json({ successful: true, data: {}, error: null });

describe("an execution with effect: none", () => {
  test("is retried like a read, and its error doesn't say that it may have run", async () => {
    const healing = scriptedFetch(failure(503), failure(503), done);
    const run = clientOf(healing).tools.execute("A_LIST", BODY, { effect: "none" });
    expect(await run).toMatchObject({ successful: true });
    expect(healing.sent).toHaveLength(3);
    const error = await rejectionOf(
      ServerError,
      clientOf(scriptedFetch(failure(503))).tools.execute("A_LIST", BODY, { effect: "none", maxRetries: 1 }),
    );
    expect(error).toMatchObject({ attempts: 2, outcome: undefined });
    expect(error.message).not.toContain("may have run");
  });

  test("can be one of a session, or a proxied request", async () => {
    for (const call of ["execute", "executeMeta", "sessionProxy", "proxy"] as const) {
      const fetch = scriptedFetch(failure(502), done);
      const svc = clientOf(fetch);
      const session = svc.toolRouter.use("trs_1");
      const options = { effect: "none" } as const;
      await {
        execute: () => session.execute({ tool_slug: "A_LIST", arguments: {} }, options),
        executeMeta: () => session.executeMeta({ slug: "SVC_SEARCH_TOOLS", arguments: {} }, options),
        sessionProxy: () => session.proxy({ toolkit_slug: "github", endpoint: "/user", method: "GET" }, options),
        proxy: () => svc.tools.proxy({ endpoint: "/user", method: "GET" }, options),
      }[call]();
      expect(fetch.sent, call).toHaveLength(2);
    }
  });

  test("is a mistake in any other call, and with any other value", async () => {
    const fetch = scriptedFetch(done);
    const svc = clientOf(fetch);
    // @ts-expect-error A creation always acts.
    const creation = svc.authConfigs.create({ toolkit: { slug: "github" } }, { effect: "none" });
    expect((await rejectionOf(ValidationError, creation)).message).toContain("Unknown option effect.");
    // @ts-expect-error Only one value exists.
    const execution = svc.tools.execute("A_LIST", BODY, { effect: "read" });
    expect((await rejectionOf(ValidationError, execution)).message).toContain('effect must be "none".');
    expect(fetch.sent).toEqual([]);
  });
});

describe("a tool that only reads, according to its hints in a lock,", () => {
  const locked = (tags: string[]) => ({
    toolkit: "a",
    version: "20251023_00",
    hash: "sha256-x",
    textHash: "sha256-y",
    text: { tags },
  });
  const lock: ToolLock = {
    formatVersion: 1,
    toolkits: { a: { version: "20251023_00" } },
    tools: { A_LIST: locked(["important", "readOnlyHint"]), A_CREATE: locked(["idempotentHint"]) },
  };

  test.each<[string, string, ToolLockOptions | undefined, number, string?]>([
    ["isn't retried", "A_LIST", undefined, 1],
    ["isn't retried if hints aren't trusted", "A_LIST", { trustHints: false }, 1],
    ["is retried if the program trusts hints", "A_LIST", { trustHints: true }, 3],
    ["is the only one that is retried: others act", "A_CREATE", { trustHints: true }, 1],
    ["is the only one that is retried: others aren't in the lock", "constructor", { trustHints: true }, 1],
    ["isn't retried in another version, which may act", "A_LIST", { trustHints: true }, 1, "latest"],
  ])("%s", async (_, slug, options, attempts, version = BODY.version) => {
    const fetch = scriptedFetch(failure(503));
    const svc = clientOf(fetch, { use: [toolLock(lock, options)] });
    const error = await rejectionOf(ServerError, svc.tools.execute(slug, { ...BODY, version }));
    expect(error).toMatchObject({ attempts, outcome: attempts === 1 ? "unknown" : undefined });
  });
});
