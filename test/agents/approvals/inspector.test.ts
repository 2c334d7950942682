import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { memoryExecutions, toolset } from "../../../src/agents/index.js";
import { type AskInspectorOptions, approvals, askInspector } from "../../../src/agents/policy-entry.js";
import { createEmulator } from "../../../src/emulator/index.js";
import { type RunningEmulator, startEmulator } from "../../../src/emulator/node.js";
import { logCalls, Svc } from "../../../src/index.js";
import { rejection } from "../../support/client.js";
import { eventually } from "../../support/eventually.js";
import { CREATE_ISSUE, ISSUE, USER } from "../support.js";
import { asksForIssues, issueCall, KEY } from "./support.js";

const clientOf = (emulator: RunningEmulator) => new Svc({ ...emulator.connection, env: {} });

/** A toolset whose issues wait for a person at the inspector. */
async function asking(svc: Svc, options?: AskInspectorOptions) {
  return toolset(svc, {
    userId: USER,
    tools: [CREATE_ISSUE],
    policy: asksForIssues,
    approvals: approvals({ keys: [KEY], onRequest: askInspector(svc, options) }),
    executions: memoryExecutions(),
  });
}

async function onPort(options?: AskInspectorOptions) {
  const emulator = await startEmulator();
  onTestFinished(() => emulator.close());
  const tools = await asking(clientOf(emulator), options);
  const question = (before?: string) =>
    eventually(() => {
      const call = emulator.runs.at(-1);
      if (!call?.question || call.question.id === before) throw new Error("Nothing is asked.");
      return { run: call.id, ...call.question };
    });
  const decide = (run: string, body: object) =>
    fetch(`${emulator.url}/_emulator/runs/${run}/decision`, { method: "POST", body: JSON.stringify(body) });
  const executions = () => emulator.requests.filter(({ operation }) => operation === "tools.execute").length;
  return { emulator, tools, question, decide, executions };
}

describe("a call that asks the inspector", () => {
  test("runs once after a yes, with everything that a person must see at the emulator, and no secret", async () => {
    const { emulator, tools, question, decide, executions } = await onPort();
    const running = tools.run([issueCall("call_1")]);
    const { run, id, text, expiresAt } = await question();
    for (const part of ["ca_github_demo", ...Object.values(ISSUE), "Issues are public."]) expect(text).toContain(part);
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(300_000);
    expect(executions()).toBe(0);
    expect((await decide(run, { question: id, approved: true })).status).toBe(200);
    expect(await running).toMatchObject([{ status: "succeeded", isReplay: false }]);
    expect(await tools.run([issueCall("call_1")])).toMatchObject([{ status: "succeeded", isReplay: true }]);
    expect(executions()).toBe(1);
    await eventually(() => expect(emulator.runs[0]).toMatchObject({ status: "succeeded", question: null }));
    const approved = { type: "approval", outcome: "approved", approver: "inspector" };
    expect(emulator.runs[0]?.steps).toContainEqual(expect.objectContaining(approved));
    const { items } = await (await fetch(`${emulator.url}/_emulator/runs`)).json();
    expect(JSON.stringify([items, text])).not.toMatch(new RegExp(`${KEY.secret}|v1\\.`));
  });

  test("doesn't run after a no, and the model reads the reason", async () => {
    const { tools, question, decide, executions } = await onPort();
    const running = tools.run([issueCall("call_1")]);
    const { run, id } = await question();
    await decide(run, { question: id, approved: false, reason: "It is fixed already." });
    const [result] = await running;
    expect(result).toMatchObject({ status: "not_run", text: expect.stringContaining("It is fixed already.") });
    expect(executions()).toBe(0);
  });

  test("takes the first decision on its own question, and no other", async () => {
    const { tools, question, decide, executions } = await onPort();
    const running = tools.run([issueCall("call_1")]);
    const { run, id } = await question();
    const decisions = [
      { question: "another", approved: true },
      { question: id, approved: false },
      { question: id, approved: true },
    ];
    const responses = [];
    for (const decision of decisions) responses.push(await decide(run, decision));
    expect(responses.map(({ status }) => status)).toEqual([400, 200, 400]);
    expect(await responses[0]?.json()).toEqual({ message: expect.stringContaining("no longer asks this") });
    expect(await responses[2]?.json()).toEqual({ message: "The call was denied already." });
    expect(await running).toMatchObject([{ status: "not_run" }]);
    expect((await decide(run, { question: id, approved: true })).status).toBe(400);
    expect(executions()).toBe(0);
  });

  test("ends as pending without a decision in time, and a later one changes nothing", async () => {
    const { tools, question, decide, executions } = await onPort({ expiresInMs: 500 });
    const running = tools.run([issueCall("call_1")]);
    const { run, id, expiresAt } = await question();
    await eventually(() => expect(Date.now()).toBeGreaterThan(Date.parse(expiresAt)));
    expect((await decide(run, { question: id, approved: true })).status).toBe(400);
    expect(await running).toMatchObject([{ status: "pending", pendingApproval: { arguments: ISSUE } }]);
    expect(executions()).toBe(0);
  });

  test("is asked again when it runs after its question has expired", async () => {
    const { tools, question, decide, executions } = await onPort({ expiresInMs: 1_000 });
    const running = tools.run([issueCall("call_1")]);
    const first = await question();
    expect(await running).toMatchObject([{ status: "pending" }]);
    const again = tools.run([issueCall("call_1")]);
    const second = await question(first.id);
    expect((await decide(second.run, { question: second.id, approved: true })).status).toBe(200);
    expect(await again).toMatchObject([{ status: "succeeded" }]);
    expect(executions()).toBe(1);
  });

  test("isn't waited for after an abort, and is asked again when it runs again", async () => {
    const { emulator, tools, question, decide, executions } = await onPort();
    const stop = new AbortController();
    const running = tools.run([issueCall("call_1")], { signal: stop.signal });
    const first = await question();
    stop.abort(new Error("The user left."));
    expect(await rejection(running)).toMatchObject({ message: "The user left." });
    await eventually(() => expect(emulator.runs[0]).toMatchObject({ status: "aborted", question: null }));
    expect((await decide(first.run, { question: first.id, approved: true })).status).toBe(400);
    const again = tools.run([issueCall("call_1")]);
    const { run, id } = await question();
    expect(id).not.toBe(first.id);
    await decide(run, { question: id, approved: true });
    expect(await again).toMatchObject([{ status: "succeeded" }]);
    expect(executions()).toBe(1);
  });

  test("ends as pending when the emulator is gone or reset", async () => {
    for (const end of ["reset", "close"] as const) {
      const { emulator, tools, question } = await onPort();
      const running = tools.run([issueCall("call_1")]);
      await question();
      await emulator[end]();
      expect(await running).toMatchObject([{ status: "pending" }]);
    }
  });
});

describe("a call ends as pending, and no server is asked,", () => {
  test.each([
    ["with an emulator in this process", {}],
    ["with another host", { baseUrl: "https://api.example.com" }],
    ["with a fetch of the client", { baseUrl: "http://127.0.0.1:4747" }],
  ])("%s", async (name, options) => {
    const emulator = createEmulator();
    const paths: string[] = [];
    const fetch = async (request: Request) => {
      paths.push(new URL(request.url).pathname);
      return emulator.fetch(request);
    };
    const own = name.endsWith("process") ? {} : { fetch };
    const svc = new Svc({ ...emulator.connection, ...options, ...own, env: {} });
    expect(await (await asking(svc)).run([issueCall("call_1")])).toMatchObject([{ status: "pending" }]);
    expect(paths.filter((path) => path.startsWith("/_emulator"))).toEqual([]);
  });
});

test("another server on this machine is never asked, and a yes to another question doesn't count", async () => {
  const emulator = createEmulator();
  const { toJSON } = await asking(new Svc({ ...emulator.connection, env: {} }));
  for (const health of [{}, { status: "ok", now: "2026-03-02T09:30:00Z" }]) {
    const paths: string[] = [];
    const server = createServer((incoming, outgoing) => {
      const { url = "" } = incoming;
      paths.push(url);
      const yes = { question: "another", decision: { approved: true, reason: null } };
      const account = { id: "ca_1", toolkit: { slug: "github" } };
      const responses = { "/_emulator/health": health, "/_emulator/runs": {} };
      const fallback = url.startsWith("/_emulator") ? yes : { items: [account] };
      outgoing.end(JSON.stringify({ ...fallback, ...Object(Reflect.get(responses, url)) }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const svc = new Svc({ ...emulator.connection, fetch: undefined, baseUrl, env: {} });
    const tools = await toolset(svc, {
      userId: USER,
      from: toJSON(),
      accounts: { github: "ca_1" },
      policy: asksForIssues,
      approvals: approvals({ keys: [KEY], onRequest: askInspector(svc) }),
      executions: memoryExecutions(),
    });
    expect(await tools.run([issueCall("call_1")])).toMatchObject([{ status: "pending" }]);
    expect(paths.some((path) => path.endsWith("/decision"))).toBe("now" in health);
    expect(paths.some((path) => path === "/_emulator/runs")).toBe("now" in health);
    // Whose account it is.
    const accounts = paths.filter((path) => path.startsWith("/api"));
    expect(accounts).toEqual([expect.stringContaining("connected_account_ids=ca_1")]);
  }
});

test("a wrong option is rejected", async () => {
  const svc = new Svc({ ...createEmulator().connection, env: {} });
  expect(() => askInspector(svc, { expiresInMs: 0 })).toThrow("expiresInMs must be an integer from 1 to 86400000");
  expect(() => askInspector(svc, { expiresMs: 5 } as object)).toThrow("askInspector: ");
  expect(() => askInspector({} as Svc)).toThrow("pass the client or session");
});

test("the log of the client has one line that says where runs are shown, if its level shows it", async () => {
  const emulator = await startEmulator();
  onTestFinished(() => emulator.close());
  const lines: string[] = [];
  const logger = { debug: () => undefined, info: (line: string) => lines.push(line), warn: () => undefined };
  for (const [index, level] of (["warn", "info", "info"] as const).entries()) {
    const svc = new Svc({ ...emulator.connection, env: {}, use: [logCalls({ logger, level })] });
    const tools = await toolset(svc, { userId: USER, toolkits: ["textkit"] });
    await tools.run([{ callId: `call_${index}`, name: "NOTHING", arguments: {} }]);
    await eventually(() => expect(emulator.runs).toHaveLength(index + 1));
    expect(lines).toHaveLength(index === 0 ? 0 : 1);
  }
  expect(lines).toEqual([`svc-sdk: toolsets report their runs to the emulator. Inspector: ${emulator.url}/#/runs`]);
});
