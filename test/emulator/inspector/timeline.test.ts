import { describe, expect, test } from "vitest";
import type { RequestRecord } from "../../../src/emulator/engine/request-schema.js";
import { linesOf, linesOfTurn, type RequestActivity, requestsByCall } from "../../../src/emulator/inspector/lines.js";
import { budgetsOf, endOf, isOpen, labelsOf, ruleName } from "../../../src/emulator/inspector/run-state.js";
import { rangeOf, spansOf, turnsOf } from "../../../src/emulator/inspector/timeline.js";
import type { RunCall } from "../../../src/emulator/node.js";

const NOW = Date.UTC(2026, 0, 1);

function call(changes: Partial<RunCall> = {}): RunCall {
  return {
    ...{ id: "1", callId: "c", name: "TOOL", tool: null, conversationId: "chat", sessionId: null, userId: "ada" },
    ...{ turn: "t1", realTime: NOW, at: "", arguments: "{}", result: "", status: "succeeded", accountId: null },
    ...{ isReplay: false, durationMs: 0, steps: [], question: null, decision: null, budgets: [] },
    definitions: { tools: 0, estimatedTokens: 0 },
    ...changes,
  };
}

type Step = RunCall["steps"][number];
const step = (type: Step["type"], ms: number, outcome?: string): Step => ({ type, ms, realTime: NOW + ms, outcome });
const question = { id: "q", text: "Run TOOL", expiresAt: new Date(NOW + 60_000).toISOString() };

describe("the time of a call", () => {
  test("has checks, waits for approval, and the run, even if it was approved in a later turn", () => {
    const steps = [
      ...[step("decided", 10, "ask"), step("approval", 12, "pending"), step("finished", 13, "pending")],
      ...[step("decided", 5_000, "ask"), step("approval", 5_001, "approved"), step("started", 5_002)],
      step("finished", 5_100, "succeeded"),
    ];
    const spans = spansOf(call({ steps }), NOW + 9_000).map(({ kind, from, to }) => [kind, from - NOW, to - NOW]);
    expect(spans).toEqual([
      ["check", 0, 10],
      ["wait", 10, 5_001],
      ["check", 5_001, 5_002],
      ["run", 5_002, 5_100],
    ]);
  });

  test("never goes back, even if a wait began before the last step", () => {
    const steps = [step("decided", 10, "allow"), { ...step("started", 30), waitedMs: 25 }, step("finished", 40)];
    const spans = spansOf(call({ steps }), NOW).map(({ kind, from, to }) => [kind, from - NOW, to - NOW]);
    expect(spans).toEqual([
      ["check", 0, 10],
      ["wait", 10, 30],
      ["run", 30, 40],
    ]);
  });

  test("lasts until now while the call runs", () => {
    const running = call({ status: "running", steps: [step("decided", 1, "allow"), step("started", 2)] });
    expect(spansOf(running, NOW + 500).at(-1)).toEqual({ kind: "run", from: NOW + 2, to: NOW + 500 });
    expect(rangeOf([running, call()], NOW + 500)).toEqual({ from: NOW, to: NOW + 500 });
  });
});

/** A request of the call `1`. */
function request(id: number, ms: number, changes: Partial<RequestRecord> = {}): RequestActivity {
  const sent = { ...{ method: "POST", path: "/", headers: { "x-emulator-call": "1" } }, at: "", durationMs: 10 };
  return { id, type: "request", request: { ...sent, realTime: NOW + ms, ...changes } } as RequestActivity;
}

/** The lines with their milliseconds. */
const shown = (lines: ReturnType<typeof linesOf>) =>
  lines.map(({ kind, from, to, step, activity, spans }) => {
    const what = spans ? "call" : activity ? `attempt ${activity.request.attempt}` : (step?.type ?? "");
    return `${kind} ${from - NOW} to ${to - NOW} ${what}`.trim();
  });

describe("the waterfall of a call", () => {
  const ran = call({
    steps: [step("decided", 5, "allow"), step("started", 6), step("finished", 1_100, "succeeded")],
    status: "succeeded",
  });

  test("has its requests, and the pause before a retry", () => {
    const requests = [request(1, 10, { attempt: 1, status: 429 }), request(2, 1_020, { attempt: 2, status: 200 })];
    expect(shown(linesOf(ran, requests, NOW))).toEqual([
      "check 0 to 5 decided",
      "run 6 to 1100 finished",
      "request 10 to 20 attempt 1",
      "wait 20 to 1020",
      "request 1020 to 1030 attempt 2",
    ]);
    expect(shown(linesOfTurn([ran], requestsByCall(requests), NOW))).toEqual([
      "run 0 to 1100 call",
      "request 10 to 20 attempt 1",
      "wait 20 to 1020",
      "request 1020 to 1030 attempt 2",
    ]);
  });

  test("shows the wait for the rate limit before its start", () => {
    const started = { ...step("started", 2_005), waitedMs: 2_000 };
    const waited = call({ steps: [step("decided", 4, "allow"), started, step("finished", 2_050, "succeeded")] });
    const requests = [request(1, 2_010, { attempt: 1 })];
    const lines = linesOfTurn([waited], requestsByCall(requests), NOW);
    expect(shown(lines)).toEqual(["run 0 to 2050 call", "wait 5 to 2005", "request 2010 to 2020 attempt 1"]);
    expect(lines.map(({ wait }) => wait)).toEqual([undefined, "Waits for the rate limit", undefined]);
    expect(lines[0]?.spans?.map(({ kind, from, to }) => `${kind} ${from - NOW} to ${to - NOW}`)).toEqual([
      "check 0 to 5",
      "wait 5 to 2005",
      "run 2005 to 2050",
    ]);
  });

  test("shows the wait for the program as a wait, and a denied call as checked", () => {
    const steps = [step("decided", 10, "ask"), step("approval", 12, "pending"), step("finished", 13, "pending")];
    const later = call({ steps: [...steps, step("decided", 5_000, "ask"), step("approval", 5_001, "approved")] });
    expect(shown(linesOf(later, [], NOW)).slice(-3)).toEqual([
      "wait 13 to 5000",
      "check 5000 to 5000 decided",
      "wait 5000 to 5001 approval",
    ]);
    const denied = call({ status: "not_run", steps: [step("decided", 10, "deny"), step("finished", 11, "not_run")] });
    expect(shown(linesOf(denied, [], NOW))).toEqual(["check 0 to 10 decided", "check 10 to 11 finished"]);
  });
});

test("calls have the labels of their conversation, each once", () => {
  const labeled = call({ steps: [{ ...step("decided", 1, "ask"), labels: ["untrusted", "private"] }] });
  expect([labelsOf([labeled, labeled]), labelsOf([call()])]).toEqual(["untrusted, private", undefined]);
});

test("calls have each budget as it was read last", () => {
  const read = (used: number, realTime: number, changes = {}) => {
    const limits = { budget: "a minute", unit: "calls", limit: 5, windowMs: 60_000, per: "user" } as const;
    return { ...limits, used, left: 5 - used, realTime, ...changes };
  };
  const calls = [[read(1, NOW), read(4, NOW, { unit: "bytes" })], [read(3, NOW)], [read(2, NOW)], [read(1, NOW - 9)]];
  const shown = budgetsOf(calls.map((budgets) => call({ budgets }))).map(({ used, unit }) => [used, unit]);
  expect(shown).toEqual([
    [3, "calls"],
    [4, "bytes"],
  ]);
});

test("turns are grouped by conversation: the latest conversation and turn first, the calls of a turn in order", () => {
  const runs = [
    call({ id: "1", turn: "a1", conversationId: "a" }),
    call({ id: "2", turn: "a1", conversationId: "a" }),
    call({ id: "3", turn: "b1", conversationId: "b" }),
    call({ id: "4", turn: "a2", conversationId: "a" }),
  ];
  const turns = [...turnsOf(runs).values()];
  expect(turns.map(({ conversation, number, calls }) => [conversation, number, calls.map(({ id }) => id)])).toEqual([
    ["a", 2, ["4"]],
    ["a", 1, ["1", "2"]],
    ["b", 1, ["3"]],
  ]);
});

test("a call waits only until the time to decide it ends", () => {
  const asking = call({ status: "running", question });
  expect([endOf(asking, NOW), isOpen(asking, NOW)]).toEqual(["waiting", true]);
  expect([endOf(asking, NOW + 60_000), isOpen(asking, NOW + 60_000)]).toEqual(["expired", false]);
  expect(endOf(call({ status: "pending", question }), NOW + 60_000)).toBe("expired");
  expect(endOf(call({ status: "pending" }), NOW + 60_000)).toBe("waiting");
});

test("a rule without a name is counted from 1", () => {
  expect([ruleName("rules[3]"), ruleName("changes")]).toEqual(["rule 4, unnamed", "changes"]);
});
