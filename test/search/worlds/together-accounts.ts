// Accounts that are chosen, lost and shared, and files and tool versions of a client, beside retries, budgets and turns.

import { type AuthRequired, memoryExecutions } from "../../../src/agents/index.js";
import { allow, budget, memoryBudgets, policy } from "../../../src/agents/policy-entry.js";
import { observe, type ToolLock, toolLock } from "../../../src/index.js";
import type { Definition, World } from "../world.js";
import { toolOf } from "./decisions.js";
import { scripted, thrown } from "./scripted.js";
import { call, done, ended, failure, program, Service, wait } from "./service.js";

const TOOLS = ["PAY", "TIP"].map((slug) => toolOf(slug, "20251023_00", false));
const active = (...ids: string[]) => ids.map((id) => ({ id, status: "ACTIVE" }));
/** A response about the state of an account; with OTHER, about its user. */
const inState = (state: string) => () =>
  state === "OTHER"
    ? failure(400, {}, { slug: "ActionExecute_ConnectedAccountEntityIdMismatch" })
    : failure(400, {}, { message: `Connected account ca_1 is in ${state} state` });
const missing = () => failure(404, {}, { code: 1810, message: "No connected account found" });

/** A program whose user has several accounts of a bank, and a budget. */
async function banking(world: World, options: object = {}) {
  const service = new Service(world);
  service.accounts = active("ca_1", "ca_2");
  const guardrails = policy([allow({}), budget({ id: "calls", maxCalls: 3 })], { budgets: memoryBudgets() });
  const open = (more: object = {}) =>
    program(service, { policy: guardrails, executions: memoryExecutions(), ...options, ...more }, TOOLS);
  const made = await open();
  const used = async () => (await guardrails.budgets.read({ id: "calls", userId: "user-1" }))[0]?.used;
  return { service, open, used, ...made };
}

const reasons = (required: AuthRequired | undefined) => [
  required?.reason,
  required?.accounts.map(({ id }) => id).join(),
];

export const togetherAccounts: readonly Definition[] = [
  scripted("accounts: 1 process, an account that a person chooses for a conversation", async (_, see, world) => {
    const { service, open, used, run } = await banking(world, { conversationId: "chat" });
    const asked = await run("a");
    see("two", [asked.status, ...reasons(asked.authRequired)], ["not_run", "account_required", "ca_1,ca_2"]);
    see("nothing is counted", [await used(), service.ran()], [0, []]);
    see("no other one", (await thrown(() => asked.authRequired?.choose("ca_3"))).includes("not ca_3"), true);
    asked.authRequired?.choose("ca_2");
    see("the chosen one", ended(await run("a")), "succeeded");
    const again = await open();
    see("in another toolset of the conversation", ended(await again.run("b", undefined, "TIP")), "succeeded");
    const other = await open({ conversationId: "other" });
    see("not in another conversation", reasons((await other.run("c")).authRequired)[0], "account_required");
    see("the service ran", [service.ran(), await used()], [["PAY a ca_2", "TIP b ca_2"], 2]);
  }),
  scripted("accounts: 1 process, a chosen account that is lost", async (_, see, world) => {
    const { service, used, run } = await banking(world);
    (await run("a")).authRequired?.choose("ca_2");
    service.answers.push(missing);
    const lost = await run("a");
    see("it is missing", [lost.status, ...reasons(lost.authRequired)], ["not_run", "not_connected", ""]);
    service.accounts = active("ca_1");
    const left = await run("a");
    see("the one that is left isn't necessarily meant", reasons(left.authRequired), ["account_required", "ca_1"]);
    left.authRequired?.choose("ca_1");
    see("it is chosen", [ended(await run("a")), await used()], ["succeeded", 1]);
    see("the service ran", service.ran(), ["PAY a ca_2", "PAY a ca_1"]);
  }),
  scripted(
    "accounts: 1 process, states of an account in a response, and what a program is told",
    async (_, see, world) => {
      const states = {
        EXPIRED: "expired",
        INITIATED: "unfinished",
        FAILED: "failed",
        REVOKED: "revoked",
        INACTIVE: "inactive",
        NEW: "inactive",
        OTHER: "other_user",
      };
      for (const [state, reason] of Object.entries(states)) {
        const told: string[] = [];
        const onAuthRequired = (required: AuthRequired) => {
          told.push(`${required.tool.name} ${required.toolkit} ${required.reason}`);
        };
        const { service, made } = await banking(world, { onAuthRequired, accounts: "newest" });
        service.answers.push(inState(state), inState(state));
        const results = await made.run([call("a"), call("b", undefined, "TIP")]);
        see(
          state,
          results.map((result) => [ended(result), result.authRequired?.reason]),
          [
            ["not_run", reason],
            ["not_run", reason],
          ],
        );
        see(`${state}: told once`, told, [`PAY bank ${reason}`]);
      }
    },
  ),
  scripted("accounts: 1 process, calls of one turn that share a list of accounts", async (_, see, world) => {
    const service = new Service(world);
    service.accounts = active("ca_1");
    const { turn } = await program(service, {}, TOOLS);
    let lists = 0;
    const { accounts } = service;
    Object.defineProperty(service, "accounts", {
      get: () => {
        lists += 1;
        return lists === 1 ? [] : accounts.slice(0, 1);
      },
    });
    see("none, so the service chooses", await turn([call("a"), call("b")]), ["succeeded", "succeeded"]);
    see("one list", [lists, service.ran()], [1, ["PAY a", "PAY b"]]);
    see("an empty one isn't kept", [await turn([call("c")]), lists], [["succeeded"], 2]);
    see("the next one is", [await turn([call("d")]), lists], [["succeeded"], 2]);
    see("its account", service.ran(), ["PAY c ca_1", "PAY d ca_1"]);
  }),
  scripted("accounts: 1 process, a file beside retries, a deadline and an abort", async (_, see, world) => {
    const service = new Service(world, { maxRetries: 1 });
    const upload = (options: object = {}) => {
      const facts = { toolkit_slug: "drive", tool_slug: "SEND", filename: "a.txt", mimetype: "text/plain" };
      return service.svc.files.upload(new TextEncoder().encode("Dear Ada"), facts, options);
    };
    const seen: (string | null)[] = [];
    const target = (key: string) => () =>
      Response.json({
        id: "f_1",
        key,
        new_presigned_url: `https://storage.test/${key}?sig=0123456789abcdef`,
        metadata: { storage_backend: "s3" },
      });
    const put = (respond: () => Response) => (request: Request) => {
      seen.push(`${request.method} ${new URL(request.url).host} ${request.headers.get("x-api-key")}`);
      return respond();
    };
    const stored = () => new Response(null, { status: 200 });
    service.answers.push(
      target("k_1"),
      put(() => failure(503)),
      put(stored),
    );
    see("its argument", await upload(), { name: "a.txt", mimetype: "text/plain", s3key: "k_1" });
    see("the storage is tried again, without a key", seen.splice(0), [
      "PUT storage.test null",
      "PUT storage.test null",
    ]);
    service.sent.length = 0;
    service.answers.push(
      target("k_2"),
      put(() => failure(403)),
    );
    const message = await thrown(() => upload());
    see(
      "an expired one",
      [message.includes("responded 403"), message.includes("0123456789"), seen.splice(0).length],
      [true, false, 1],
    );
    service.slowMs = 1_000;
    service.answers.push(target("k_3"), put(stored));
    const startedAt = world.time.now;
    see(
      "both have one deadline",
      (await upload({ deadlineMs: 1_500 }).catch((error: Error) => error)).name,
      "TimeoutError",
    );
    see("in all", world.time.now - startedAt, 1_500);
    service.answers.length = 0;
    service.answers.push(target("k_4"), put(stored));
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("stop")), 1_200);
    see("an abort", [await thrown(() => upload({ signal: stop.signal })), world.time.now - startedAt], ["stop", 2_700]);
  }),
  scripted("executions: 1 process, a lockfile beside versions of a client and of a call", async (_, see, world) => {
    const locked = {
      version: "20251023_00",
      toolkit: "bank",
      hash: "h",
      textHash: "t",
      text: { tags: ["readOnlyHint"] },
    };
    // Only the fields that toolLock reads.
    const lock = {
      formatVersion: 1,
      toolkits: { bank: { version: "20251023_00" } },
      tools: { PAY: locked },
    } as unknown as ToolLock;
    const sent: unknown[] = [];
    const service = (options: object, more: object = {}) =>
      new Service(world, {
        ...{ maxRetries: 1, use: [toolLock(lock, options)] },
        fetch: async (request) => {
          sent.push((await request.json()).version);
          return sent.length % 2 === 1 ? failure(503) : done();
        },
        ...more,
      });
    const execute = async ({ svc }: Service, slug: string, version?: string) => {
      const body = { user_id: "user-1", arguments: {}, ...(version && { version }) };
      const name = await svc.tools.execute(slug, body as never).then(
        () => "ok",
        (error: Error) => error.name,
      );
      return [name, ...sent.splice(0)];
    };
    const [plain, strict] = [service({}), service({ rejectUnlocked: true })];
    see("the locked version", await execute(plain, "PAY"), ["ServerError", "20251023_00"]);
    see("that of the call", await execute(plain, "PAY", "20251024_00"), ["ServerError", "20251024_00"]);
    see("one that isn't locked", await execute(plain, "TIP"), ["ToolVersionRequiredError"]);
    see("with a version", await execute(plain, "TIP", "20251024_00"), ["ServerError", "20251024_00"]);
    see("which is rejected", await execute(strict, "TIP"), ["ToolLockError"]);
    see("as another version is", await execute(strict, "PAY", "20251024_00"), ["ToolLockError"]);
    see("the locked one", await execute(strict, "PAY", "20251023_00"), ["ServerError", "20251023_00"]);
    const reads = service({ trustHints: true });
    see("one that only reads is tried again", await execute(reads, "PAY"), ["ok", "20251023_00", "20251023_00"]);
    const own = service({}, { toolVersions: { PAY: "20251024_00" } });
    see("a client that contradicts it", await execute(own, "PAY"), ["ConfigError"]);
  }),
  scripted("rate limit: 1 client, deprecations that are told once beside retries", async (_, see, world) => {
    const told: unknown[] = [];
    const listener = observe((event) => {
      if (event.type === "deprecation") told.push(event.deprecation);
    });
    const service = new Service(world, { maxRetries: 1, use: [listener] });
    const headers = { deprecation: "true" };
    const list = () => service.svc.toolkits.list().catch(() => undefined);
    const page = () => Response.json({ items: [], next_cursor: null }, { headers });
    service.answers.push(() => failure(503, headers), page, page);
    await list();
    await list();
    await wait(0);
    see("once", [told, service.sent.length], [["true"], 3]);
  }),
];
