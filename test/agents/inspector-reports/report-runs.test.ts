import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { type ClientToolsetOptions, memoryExecutions, toolset } from "../../../src/agents/index.js";
import { allow, approvals, ask, budget, label, policy } from "../../../src/agents/policy-entry.js";
import { createEmulator } from "../../../src/emulator/index.js";
import { startEmulator } from "../../../src/emulator/node.js";
import { Svc } from "../../../src/index.js";
import { rejection } from "../../support/client.js";
import { heldClock, settle } from "../../support/clock.js";
import { eventually } from "../../support/eventually.js";
import { longTest, stopwatch } from "../../support/size.js";
import { COUNT_WORDS, CREATE_ISSUE, ISSUE, USER } from "../support.js";

const STAR = "GITHUB_STAR_A_REPOSITORY";
const gate = approvals({ keys: [{ id: "1", secret: "s".repeat(32) }] });
const options = (): ClientToolsetOptions => ({
  executions: memoryExecutions(),
  userId: USER,
  tools: [CREATE_ISSUE, COUNT_WORDS, STAR],
  conversationId: "chat-1",
  policy: policy([allow({ tools: [COUNT_WORDS] }), ask({ tools: [CREATE_ISSUE] })]),
  approvals: gate,
});
const CALLS = [
  { callId: "call_1", name: COUNT_WORDS, arguments: { text: "one two" } },
  { callId: "call_2", name: CREATE_ISSUE, arguments: { ...ISSUE, body: "the key is ak_emulator" } },
  { callId: "call_3", name: STAR, arguments: { owner: "octo-org", repo: "hello-world" } },
  { callId: "call_4", name: "GITHUB_NOTHING", arguments: "{}" },
];

/** An emulator in this process, and one on a port. */
const fronts = {
  "in process": async () => createEmulator(),
  "on a port": async () => {
    const emulator = await startEmulator();
    onTestFinished(() => emulator.close());
    return emulator;
  },
};

/** A server on a port of this machine, and the requests that it got. */
async function server(respond: RequestListener): Promise<{ url: string; paths: string[] }> {
  const paths: string[] = [];
  const listening = createServer((incoming, outgoing) => {
    paths.push(`${incoming.method} ${incoming.url}`);
    respond(incoming, outgoing);
  });
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    listening.closeAllConnections();
    listening.close();
  });
  return { url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}`, paths };
}

describe.each(Object.entries(fronts))("an emulator %s", (_, start) => {
  test("has the labels of a conversation that a rule compared", async () => {
    const emulator = await start();
    const rules = [
      allow({ tools: ["*"] }),
      label("untrusted", { tools: [COUNT_WORDS] }),
      ask({ tools: [STAR], after: ["untrusted"] }),
    ];
    const tools = await toolset(new Svc({ ...emulator.connection, env: {} }), {
      ...options(),
      isNewConversation: true,
      policy: policy(rules),
    });
    const [count, , star] = CALLS;
    for (const call of [count, star]) if (call) await tools.run([call]);
    await eventually(() => expect(emulator.runs.at(-1)?.status).toBe("pending"));
    expect(emulator.runs.at(-1)?.steps[0]).toMatchObject({ outcome: "ask", labels: ["untrusted"] });
  });

  test("has what a call left of each budget that counts it", async () => {
    const emulator = await start();
    const tools = await toolset(new Svc({ ...emulator.connection, env: {} }), {
      ...options(),
      policy: policy([
        allow({ tools: [COUNT_WORDS] }),
        budget({ id: "a minute", maxCalls: 2, windowMs: 60_000 }),
        budget({ name: "words", tools: [COUNT_WORDS], maxCallsPerTool: 5, per: "all" }),
        budget({ tools: [STAR], maxCalls: 1 }),
      ]),
    });
    const count = { name: COUNT_WORDS, arguments: { text: "one two" } };
    for (const callId of ["1", "2", "3"]) await tools.run([{ ...count, callId }]);
    await tools.run(CALLS.slice(2, 3));
    await eventually(() => expect(emulator.runs.map(({ budgets }) => budgets.length)).toEqual([2, 2, 2, 0]));
    const lefts = emulator.runs.map(({ budgets }) => budgets.map(({ used, left }) => `${used} used, ${left} left`));
    const full = ["2 used, 0 left", "2 used, 3 left"];
    expect(lefts).toEqual([["1 used, 1 left", "1 used, 4 left"], full, full, []]);
    const words = { budget: "words", unit: `calls of ${COUNT_WORDS}`, limit: 5, windowMs: null, per: "all" };
    expect(emulator.runs[0]?.budgets).toMatchObject([
      { budget: "a minute", unit: "calls", limit: 2, windowMs: 60_000, per: "user", realTime: expect.any(Number) },
      words,
    ]);
  });

  test("has the time that a call waited for the rate limit", async () => {
    const emulator = await start();
    const clock = heldClock();
    const svc = new Svc({ ...emulator.connection, env: {}, clock, maxRetries: 0 });
    const tools = await toolset(svc, { ...options(), policy: policy([allow({ tools: ["*"] })]) });
    emulator.faults.next("tools.listSlugs", { status: 429, retryAfterSeconds: 10 });
    await rejection(svc.tools.listSlugs());
    const running = tools.run(CALLS.slice(0, 1));
    while (svc.rateLimit.queued === 0) await settle();
    clock.advance(10_000);
    await running;
    await tools.run([{ callId: "call_2", name: COUNT_WORDS, arguments: { text: "one" } }]);
    await eventually(() => expect(emulator.runs.map(({ status }) => status)).toEqual(["succeeded", "succeeded"]));
    const waits = emulator.runs.map(({ steps }) => steps.find(({ type }) => type === "started")?.waitedMs);
    expect(waits).toEqual([10_000, 0]);
  });

  test("has the calls of a toolset, those that never reach the service too", async () => {
    const emulator = await start();
    const tools = await toolset(new Svc({ ...emulator.connection, env: {} }), options());
    const [, waiting] = await tools.run(CALLS);
    await eventually(() => expect(emulator.runs.filter(({ result }) => result !== "")).toHaveLength(4));
    const facts = { conversationId: "chat-1", userId: USER, sessionId: null };
    const [ran, pending, denied, unknown] = emulator.runs;
    expect(ran).toMatchObject({
      ...{ ...facts, callId: "call_1", name: COUNT_WORDS, status: "succeeded", isReplay: false },
      ...{ arguments: '{"text":"one two"}', definitions: { tools: 3, estimatedTokens: expect.any(Number) } },
      tool: { name: COUNT_WORDS, kind: "service", toolkit: "textkit" },
      steps: [
        { type: "decided", outcome: "allow", rule: "rules[0]", tool: COUNT_WORDS },
        { type: "started" },
        { type: "finished", outcome: "succeeded" },
      ],
    });
    expect(pending).toMatchObject({ status: "pending", steps: [{ outcome: "ask" }, { outcome: "pending" }, {}] });
    expect(denied).toMatchObject({ status: "not_run", steps: [{ outcome: "deny" }, { outcome: "not_run" }] });
    expect(denied?.result).toContain(STAR);
    expect(unknown).toMatchObject({ status: "not_run", tool: null, name: "GITHUB_NOTHING", arguments: "{}" });
    expect(new Set(emulator.runs.map(({ turn }) => turn)).size).toBe(1);
    // As the request log masks them.
    expect(pending?.arguments).toContain("the key is ak_e...");
    const sent = emulator.requests.filter(({ headers }) => headers["x-emulator-call"] === ran?.id);
    expect(sent.map(({ operation }) => operation)).toEqual(["tools.execute"]);

    const { pendingApproval: asked } = waiting ?? {};
    if (!asked) throw new Error("It doesn't wait.");
    const waits = { type: "approval", outcome: "pending", requestId: asked.id };
    expect(emulator.runs[1]?.steps).toContainEqual(expect.objectContaining(waits));
    const token = await gate.approve(asked, { approver: "ada", expiresInMs: 60_000 });
    await (await toolset(new Svc({ ...emulator.connection, env: {} }), options())).run([asked.call], {
      approvals: [token],
    });
    await eventually(() => expect(emulator.runs[1]?.status).toBe("succeeded"));
    expect(emulator.runs).toHaveLength(4);
    expect(emulator.runs[1]).toMatchObject({ turn: pending?.turn, accountId: "ca_github_demo" });
    expect(emulator.runs[1]?.steps).toContainEqual(
      expect.objectContaining({ type: "approval", outcome: "approved", approver: "ada" }),
    );
    emulator.reset();
    expect(emulator.runs).toEqual([]);
  });

  test("has the calls of an agent session, and one that was aborted", async () => {
    const emulator = await start();
    const session = await new Svc({ ...emulator.connection, env: {} }).toolRouter.create({ user_id: USER });
    const cut = new AbortController();
    const tools = await toolset(session, { onEvent: ({ type }) => type === "started" && cut.abort() });
    const call = { callId: "1", name: "SVC_SEARCH_TOOLS", arguments: { queries: [{ use_case: "issues" }] } };
    const running = tools.run([call], { signal: cut.signal });
    await expect(running).rejects.toThrow();
    await eventually(() => expect(emulator.runs).toMatchObject([{ sessionId: session.id, status: "aborted" }]));
  });
});

test("an emulator has the steps of a call even if one of its keys is a digit, which numbers contain too", async () => {
  const emulator = createEmulator({ seed: { keys: [{ kind: "apiKey", value: "1" }] } });
  const tools = await toolset(new Svc(emulator.connection), { userId: USER, tools: [COUNT_WORDS] });
  await tools.run([{ callId: "c", name: COUNT_WORDS, arguments: { text: "one" } }]);
  await eventually(() => expect(emulator.runs[0]?.steps.at(-1)?.type).toBe("finished"));
});

describe("a server on this machine that isn't an emulator", () => {
  const result = { data: {}, error: null, successful: true, session_info: null, log_id: "log_1" };

  test.each<[string, RequestListener]>([
    ["responds with 404", (_, outgoing) => void outgoing.writeHead(404).end()],
    ["never responds", () => undefined],
    ["redirects", (_, outgoing) => void outgoing.writeHead(302, { location: "http://example.com/" }).end()],
  ])("is asked once whether it is one, and gets no report: it %s", async (_, respond) => {
    const { url, paths } = await server((incoming, outgoing) => {
      if (incoming.url?.startsWith("/_emulator")) return respond(incoming, outgoing);
      outgoing.writeHead(200, { "content-type": "application/json" });
      outgoing.end(JSON.stringify(result));
    });
    const { toJSON } = await toolset(new Svc(createEmulator().connection), options());
    const svc = new Svc({ baseUrl: url, apiKey: "ak_1", env: {} });
    const tools = await toolset(svc, { userId: USER, from: toJSON() });
    const watch = stopwatch();
    expect(await tools.run(CALLS.slice(0, 1))).toMatchObject([{ status: "succeeded" }]);
    // It waits for no report.
    watch.expectBelow(1_500);
    await eventually(() => expect(paths).toContain("GET /_emulator/health"));
    expect(paths.filter((path) => path.startsWith("POST /_emulator"))).toEqual([]);
  });
});

test("a client of another host, or with its own fetch, reports nothing", async () => {
  const emulator = createEmulator();
  const { toJSON } = await toolset(new Svc(emulator.connection), options());
  const requests: string[] = [];
  for (const baseUrl of ["https://api.example.com", "http://127.0.0.1:4747"]) {
    const fetch = async (request: Request) => {
      requests.push(`${new URL(request.url).pathname} ${request.headers.get("x-emulator-call")}`);
      return emulator.fetch(request);
    };
    const svc = new Svc({ ...emulator.connection, baseUrl, fetch, env: {} });
    await (await toolset(svc, { userId: USER, from: toJSON() })).run(CALLS.slice(0, 1));
  }
  expect(requests).toEqual(Array(2).fill(`/api/v3.1/tools/execute/${COUNT_WORDS} null`));
  expect(emulator.runs).toEqual([]);
});

longTest("keeps the latest 10,000 calls", async () => {
  const emulator = createEmulator();
  const { tools, run } = await toolset(new Svc({ ...emulator.connection, env: {} }), {
    userId: USER,
    tools: [COUNT_WORDS],
  });
  expect(tools).toHaveLength(1);
  for (let turn = 0; turn < 11; turn++) {
    await run(
      Array.from({ length: 1_000 }, (_, index) => ({ callId: `${turn}-${index}`, name: "NOTHING", arguments: {} })),
    );
    await eventually(() => expect(emulator.runs.at(-1)).toMatchObject({ callId: `${turn}-999`, status: "not_run" }));
  }
  expect(emulator.runs).toHaveLength(10_000);
  expect(emulator.runs[0]?.callId).toBe("1-0");
});
