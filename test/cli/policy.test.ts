import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { type DecidedEvent, memoryExecutions } from "../../src/agents/index.js";
import { policyFromJson } from "../../src/agents/policy-entry.js";
import { bench, ISSUE } from "../agents/support.js";
import { project } from "../catalog/lock/support.js";

const POLICY = JSON.stringify({
  rules: [
    { allow: { tools: ["GITHUB_*"], name: "github" } },
    { ask: { when: { owner: { not: { is: "octo-org" } } } } },
    { deny: { tags: ["destructiveHint"] } },
    { deny: { users: ["bob"], accounts: ["ca_2"] } },
    { budget: { maxCalls: 1 } },
  ],
});
const call = (expect: string | undefined, args: object = { owner: "octo-org" }, facts: object = {}) => {
  const tool = { name: "GITHUB_GET_AN_ISSUE", toolkit: "github", tags: [], version: "20251023_00", kind: "service" };
  return { tool: { ...tool, ...facts }, arguments: args, userId: "ada", accountId: "ca_1", expect };
};

function checking(calls: unknown, policy = POLICY) {
  const { svc, write } = project();
  write("policy.json", policy);
  write("calls.json", typeof calls === "string" ? calls : JSON.stringify(calls));
  return svc;
}
const CHECK = "policy check policy.json --calls calls.json";

describe("svc-sdk policy check", () => {
  test("prints the outcome of every call, and the rules that none matched", async () => {
    const svc = checking([call("allow"), call(undefined, {}), call("deny", {}, { tags: ["destructiveHint"] })]);
    expect(await svc(CHECK)).toEqual({
      code: 0,
      stdout: [
        "  allow   GITHUB_GET_AN_ISSUE  (github)",
        "  ask     GITHUB_GET_AN_ISSUE  (rules[1])",
        "  deny    GITHUB_GET_AN_ISSUE  (rules[2])",
        "",
        "No call matched: rules[3].",
        "",
        "3 calls, 0 with an unexpected outcome.",
        "",
      ].join("\n"),
      stderr: "",
    });
  });

  test("exits with 3 if the outcome of a call isn't the expected one", async () => {
    const svc = checking([call("deny"), call("allow"), { tool: "OTHER", expect: "dry_run" }]);
    const { code, stdout } = await svc(CHECK);
    expect(code).toBe(3);
    expect(stdout).toContain("! allow   GITHUB_GET_AN_ISSUE  (github), expected deny\n");
    expect(stdout).toContain("  allow   GITHUB_GET_AN_ISSUE  (github)\n");
    expect(stdout).toContain("! deny    OTHER  (rules[3]), expected dry_run\n");
    expect(stdout).toContain("3 calls, 2 with an unexpected outcome.");
  });

  test("reads one call per line, with the byte order mark and the line ends of Windows", async () => {
    const svc = checking(`\uFEFF${JSON.stringify(call("allow"))}\r\n\r\n${JSON.stringify(call("allow"))}\r\n`);
    expect((await svc(CHECK)).stdout).toContain("2 calls, 0 with an unexpected outcome.");
  });

  test("prints JSON with --json", async () => {
    const svc = checking([call("deny")]);
    const { code, stdout } = await svc(`${CHECK} --json`);
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toEqual({
      ok: false,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      calls: [
        {
          ...{ place: "calls.json: call 1", tool: "GITHUB_GET_AN_ISSUE", expect: "deny" },
          ...{ outcome: "allow", rule: "github", matched: ["github"] },
        },
      ],
      unused: ["rules[1]", "rules[2]", "rules[3]"],
    });
  });

  test("reads one call per line, as events are recorded", async () => {
    const event = { type: "decided", callId: "1", at: 1, outcome: "allow", ...call(undefined), userId: null };
    const { code, stdout } = await checking(`${JSON.stringify(event)}\n\n${JSON.stringify(call("allow"))}\n`)(CHECK);
    expect(code).toBe(0);
    expect(stdout).toContain("2 calls, 0 with an unexpected outcome, 0 with a changed outcome.");
  });

  const event = (outcome: string, facts: object = {}) =>
    JSON.stringify({ type: "decided", callId: "1", outcome, ...call(undefined), ...facts });

  test("exits with 3 if an event has a different outcome now, and says which", async () => {
    const svc = checking([event("allow"), event("deny"), event("ask")].join("\n"));
    const { code, stdout } = await svc(CHECK);
    expect(code).toBe(3);
    expect(stdout).toContain("  allow   GITHUB_GET_AN_ISSUE  (github)\n");
    expect(stdout).toContain("! allow   GITHUB_GET_AN_ISSUE  (github), was deny in calls.json: line 2\n");
    expect(stdout).toContain("! allow   GITHUB_GET_AN_ISSUE  (github), was ask in calls.json: line 3\n");
    expect(stdout).toContain("3 calls, 2 with a changed outcome.");
    const { ok, calls } = JSON.parse((await svc(`${CHECK} --json`)).stdout);
    expect({ ok, calls: calls.slice(0, 2) }).toMatchObject({
      ok: false,
      calls: [{ recorded: "allow" }, { place: "calls.json: line 2", recorded: "deny", outcome: "allow" }],
    });
  });

  test("accepts changed outcomes with --accept-changes, and still no unexpected one", async () => {
    const { code, stdout } = await checking(event("deny"))(`${CHECK} --accept-changes`);
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("was deny in calls.json: ") });
    const both = `${event("deny")}\n${JSON.stringify(call("deny"))}`;
    expect((await checking(both)(`${CHECK} --accept-changes`)).code).toBe(3);
  });

  describe("with --expect-recorded", () => {
    const EXPECTED = `${CHECK} --expect-recorded`;

    test("passes if every call has the outcome that was recorded or is expected", async () => {
      const { code, stdout } = await checking(`${event("allow")}\n${JSON.stringify(call("allow"))}`)(EXPECTED);
      expect({ code, stdout }).toMatchObject({
        code: 0,
        stdout: expect.stringContaining("0 without a recorded outcome."),
      });
      expect((await checking(`${event("allow")}\n${event("deny")}`)(EXPECTED)).code).toBe(3);
    });

    test("fails if a call has none to compare with, and says which", async () => {
      const calls = `${event("allow")}\n${JSON.stringify(call(undefined))}`;
      expect((await checking(calls)(CHECK)).code).toBe(0);
      const { code, stdout } = await checking(calls)(EXPECTED);
      expect(code).toBe(3);
      expect(stdout).toContain(
        "! allow   GITHUB_GET_AN_ISSUE  (github), without a recorded outcome in calls.json: line 2\n",
      );
      expect(stdout).toContain("1 without a recorded outcome.");
      expect(JSON.parse((await checking(calls)(`${EXPECTED} --json`)).stdout)).toMatchObject({ ok: false });
    });

    test("fails if only budgets decided, and skips their decisions beside others", async () => {
      const reason = "The budget of 1 call within 60 seconds is used up.";
      const facts = { by: "budgets", rule: "rules[4]", reason };
      const { code, stdout } = await checking(event("deny", facts))(EXPECTED);
      expect({ code, stdout }).toMatchObject({ code: 3, stdout: expect.stringContaining("nothing was compared.") });
      const beside = [event("allow"), event("deny", facts), event("ask", facts)].join("\n");
      expect((await checking(beside)(EXPECTED)).code).toBe(0);
    });

    test("can't be combined with --accept-changes", async () => {
      const { code, stderr } = await checking(event("deny"))(`${EXPECTED} --accept-changes`);
      expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining("contradict each other") });
    });
  });

  test("compares with what an event expects, if someone has added it", async () => {
    expect((await checking(event("deny", { expect: "allow" }))(CHECK)).code).toBe(0);
  });

  test.each([
    ["a budget", { by: "budgets", rule: "rules[4]", reason: "The budget of 1 call within 60 seconds is used up." }],
    [
      "a budget without the tool's cost",
      { by: "budgets", rule: "rules[4]", reason: "GITHUB_GET_AN_ISSUE has no cost in a budget." },
    ],
    [
      "calls that can't be read",
      { by: "arguments", tool: { name: "SVC_MULTI_EXECUTE_TOOL" }, reason: "Its calls can't be read." },
    ],
  ])("compares no event of %s, which isn't of the rules", async (_, facts) => {
    const policy = JSON.stringify({ rules: [{ allow: { tools: ["GITHUB_*", "SVC_MULTI_EXECUTE_TOOL"] } }] });
    const { code, stdout } = await checking(event("deny", facts), policy)(CHECK);
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("none with an expected") });
  });

  test("evaluates the events of a toolset as the toolset did", async () => {
    const rules = { rules: [{ allow: { accounts: ["ca_github_demo"] } }, { deny: { users: ["bob"] } }] };
    const { tools, events } = await bench({ policy: policyFromJson(rules), eventArguments: true });
    const [result] = await tools.run([{ callId: "1", name: "GITHUB_CREATE_AN_ISSUE", arguments: ISSUE }]);
    expect(result).toMatchObject({ status: "succeeded" });
    const decided = events.filter((event): event is DecidedEvent => event.type === "decided");
    expect(decided[0]?.tool?.output).toBeDefined();
    const lines = decided.map((event) => JSON.stringify(event));
    const { code, stdout, stderr } = await checking(lines.join("\n"), JSON.stringify(rules))(CHECK);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("  allow   GITHUB_CREATE_AN_ISSUE  (rules[0])\n");
    expect(stdout).toContain("1 call, 0 with a changed outcome.");
  });

  test("skips the events of a toolset's budgets", async () => {
    const rules = { rules: [{ allow: {} }, { budget: { maxCalls: 1, windowMs: 60_000 } }] };
    const { tools, events } = await bench({ policy: policyFromJson(rules), eventArguments: true });
    const calls = ["1", "2"].map((callId) => ({ callId, name: "GITHUB_CREATE_AN_ISSUE", arguments: ISSUE }));
    await tools.run(calls);
    const decided = events.filter((event): event is DecidedEvent => event.type === "decided");
    expect(decided.map(({ by, outcome }) => `${by} ${outcome}`)).toEqual([
      "rules allow",
      "rules allow",
      "budgets deny",
    ]);
    const lines = decided.map((event) => JSON.stringify(event)).join("\n");
    expect((await checking(lines, JSON.stringify(rules))(`${CHECK} --expect-recorded`)).code).toBe(0);
  });

  test("evaluates calls by the labels of their conversation, and unknown ones as labels that restrict", async () => {
    const rules = [
      { allow: {} },
      { label: { as: "web", tools: ["READ"] } },
      { deny: { tools: ["SEND"], after: ["web"] } },
    ];
    const calls = [
      { tool: "SEND", labels: ["web"], expect: "deny" },
      { tool: "SEND", labels: [], expect: "allow" },
      { tool: "SEND", labels: null, expect: "deny" },
      { tool: "SEND", expect: "deny" },
      { tool: "READ", expect: "allow" },
    ];
    const { code, stdout } = await checking(calls, JSON.stringify({ rules }))(CHECK);
    expect(stdout).toContain("5 calls, 0 with an unexpected outcome.");
    expect(code).toBe(0);
  });

  test("evaluates events with labels as the toolset did", async () => {
    const rules = {
      rules: [
        { allow: {} },
        { label: { as: "issues", tools: ["GITHUB_CREATE_AN_ISSUE"] } },
        { deny: { tools: ["TEXTKIT_COUNT_WORDS"], after: ["issues"] } },
      ],
    };
    const { tools, events } = await bench({
      ...{
        policy: policyFromJson(rules),
        eventArguments: true,
        conversationId: "c",
        isNewConversation: true,
        executions: memoryExecutions(),
      },
    });
    const words = (callId: string) => tools.run([{ callId, name: "TEXTKIT_COUNT_WORDS", arguments: { text: "a" } }]);
    await words("1");
    await tools.run([{ callId: "2", name: "GITHUB_CREATE_AN_ISSUE", arguments: ISSUE }]);
    await words("3");
    const decided = events.filter((event): event is DecidedEvent => event.type === "decided");
    expect(decided.map(({ outcome, labels }) => [outcome, labels])).toEqual([
      ["allow", []],
      ["allow", undefined],
      ["deny", ["issues"]],
    ]);
    const lines = decided.map((event) => JSON.stringify({ ...event, expect: event.outcome }));
    const { code, stderr } = await checking(lines.join("\n"), JSON.stringify(rules))(CHECK);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  test.each([
    ["one call", [call(undefined)], "1 call, none with an expected outcome."],
    ["one call that expects an outcome", [call("allow")], "1 call, 0 with an unexpected outcome."],
    ["calls that expect nothing", [call(undefined), call(undefined)], "2 calls, none with an expected outcome."],
  ])("says what was checked for %s", async (_, calls, summary) => {
    const { code, stdout } = await checking(calls)(CHECK);
    expect({ code, summary: stdout.split("\n").at(-2) }).toEqual({ code: 0, summary });
  });

  test.each<[string, unknown, string]>([
    ["no calls", [], "calls.json contains no calls."],
    ["a call that isn't an object", [1], "calls.json: call 1 isn't a JSON object."],
    ["a line that isn't JSON", '{"tool":"X"}\n{', "calls.json: line 2 isn't a JSON object."],
    ["a call without a tool", [{ tol: "X" }], "calls.json: call 1 has no tool: a slug, or an object with a name."],
    ["tags that aren't strings", [{ tool: { name: "X", tags: [1] } }], "has tags that aren't a list of strings."],
    ["a version that isn't a string", [{ tool: { name: "X", version: 1 } }], "has a version that isn't a string."],
    ["a user that isn't a string", [{ tool: "X", userId: 1 }], "has a userId that isn't a string."],
    ["labels that aren't a list", [{ tool: "X", labels: "web" }], "has labels that aren't a list of strings."],
    ["arguments that aren't an object", [{ tool: "X", arguments: [] }], "has arguments that aren't an object."],
    [
      "an unknown outcome",
      [{ tool: "X", expect: "pending" }],
      'calls.json: call 1 is wrong: expect must be one of deny, dry_run, ask, allow, not "pending".',
    ],
    [
      "a misspelled field",
      '{"tool":"X","expct":"allow"}',
      'calls.json: line 1 has no field "expct". Did you mean expect?',
    ],
    [
      "an event without arguments",
      '{"type":"decided","tool":"X","outcome":"allow"}',
      "calls.json: line 1 is an event without arguments. Record events with eventArguments: true.",
    ],
    [
      "an event with an unknown outcome",
      '{"type":"decided","tool":"X","outcome":"yes","arguments":{}}',
      "calls.json: line 1 has an outcome that isn't one of deny, dry_run, ask, allow.",
    ],
    [
      "a misspelled field of an event",
      '{"type":"decided","tool":"X","time":1,"expected":"allow"}',
      'calls.json: line 1 has no field "expected". Did you mean expect?',
    ],
    [
      "a misspelled field of its tool",
      [{ tool: { name: "X", tag: ["destructiveHint"] }, expect: "allow" }],
      'calls.json: call 1 names a tool that has no field "tag". Did you mean tags?',
    ],
    [
      "a field that a call doesn't have",
      [{ tool: "X", at: 1 }],
      'has no field "at". Its fields are tool, arguments, userId, accountId, labels, expect.',
    ],
  ])("exits with 1 for %s", async (_, calls, message) => {
    const { code, stderr } = await checking(calls)(CHECK);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });

  test.each([
    ["a file that isn't JSON", "{", CHECK, 1, "The policy policy.json isn't valid JSON"],
    ["a rule with a typo", '{"rules":[{"deny":{"tols":["X"]}}]}', CHECK, 1, "Did you mean tools?"],
    [
      "a missing file of calls",
      POLICY,
      "policy check policy.json --calls none.json",
      1,
      "Can't read the calls none.json",
    ],
    ["no --calls", POLICY, "policy check policy.json", 2, "--calls is missing. See svc-sdk policy --help."],
    [
      "no file",
      POLICY,
      "policy check --calls calls.json",
      2,
      "Pass a policy and recorded calls: svc-sdk policy check <file> --calls <file>.",
    ],
    [
      "another verb",
      POLICY,
      "policy test policy.json --calls calls.json",
      2,
      "Pass a policy and recorded calls: svc-sdk policy check <file> --calls <file>.",
    ],
    ["nothing", POLICY, "policy", 2, "Pass a policy and recorded calls: svc-sdk policy check <file> --calls <file>."],
    ["an unknown option", POLICY, "policy check policy.json --call calls.json", 2, "Did you mean --calls?"],
    ["an extra file", POLICY, "policy check policy.json more.json --calls calls.json", 2, "more.json"],
  ])("exits as documented for %s", async (_, policy, line, code, message) => {
    const ended = await checking([call("allow")], policy)(line);
    expect(ended.code).toBe(code);
    expect(ended.stderr).toContain(message);
  });

  test("finds what the example expects", async () => {
    const [policy, calls] = ["policy.json", "policy-calls.json"].map((name) => resolve("examples/agents", name));
    const { code, stdout } = await project().svc(`policy check ${policy} --calls ${calls} --expect-recorded`);
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("4 calls, 0 with an unexpected outcome"),
    });
    expect(stdout).not.toContain("No call matched");
  });

  test("shows its help", async () => {
    const { code, stdout } = await checking([])("policy --help");
    expect(code).toBe(0);
    expect(stdout).toContain("svc-sdk policy check policy.json --calls calls.json");
  });
});
