import { describe, expect, test } from "vitest";
import { tool } from "../../../src/agents/index.js";
import { allow, ask, type BudgetStore, budget, deny, dryRun, policy } from "../../../src/agents/policy-entry.js";
import { bench, COUNT_WORDS, CREATE_ISSUE, deciding, ISSUE, USER } from "../support.js";

const issue = (callId: string, args: object = ISSUE) => ({ callId, name: CREATE_ISSUE, arguments: args });

test("without a policy, a dry run runs nothing and shows what would be sent, without secrets", async () => {
  const { tools, executions, events } = await bench();
  const args = { ...ISSUE, body: "b" };
  const [dry] = await tools.run([issue("1", args)], { dryRun: true });
  expect(dry).toMatchObject({
    ...{ status: "dry_run", data: { tool: CREATE_ISSUE, version: "20251023_00", userId: USER, arguments: args } },
    text: expect.stringMatching(
      /^Dry run: nothing was sent\. GITHUB_CREATE_AN_ISSUE would have been called with this: /,
    ),
  });
  const login = tool({
    ...{ name: "log_in", description: "Logs in.", parameters: { type: "object" }, execute: () => "ran" },
  });
  const own = await bench({ tools: [login] });
  const call = { callId: "1", name: "log_in", arguments: { password: "hunter2" } };
  expect(await own.tools.run([call], { dryRun: true })).toMatchObject([
    { status: "dry_run", data: { arguments: { password: "[redacted]" } } },
  ]);
  expect(executions()).toBe(0);
  expect(events.map(({ type }) => type)).toEqual(["finished"]);
  expect(await tools.run([issue("1", args)])).toMatchObject([{ status: "succeeded", isReplay: false }]);
});

describe("a call of a client's tool", () => {
  test("runs if the policy allows it", async () => {
    const { tools, executions, events } = await bench({
      policy: policy([allow({ tools: [CREATE_ISSUE], name: "issues" })]),
    });
    const results = await tools.run([issue("1"), { callId: "2", name: COUNT_WORDS, arguments: { text: "a" } }]);
    expect(results.map(({ status }) => status)).toEqual(["succeeded", "not_run"]);
    expect(results[1]?.text).toBe(
      `${COUNT_WORDS} was not allowed, so nothing ran: No rule allows it. Don't call it again unless something has changed.`,
    );
    expect(executions()).toBe(1);
    // Both calls run at the same time, so either may be decided first.
    const decided = events.filter(({ type }) => type === "decided");
    expect(decided.toSorted((one, other) => String(one.callId).localeCompare(String(other.callId)))).toEqual([
      expect.objectContaining({
        callId: "1",
        outcome: "allow",
        rule: "issues",
        reason: undefined,
        arguments: undefined,
      }),
      expect.objectContaining({ callId: "2", outcome: "deny", rule: undefined, reason: "No rule allows it." }),
    ]);
  });

  test("is judged by its own tags, version, user and account", async () => {
    const seen: unknown[] = [];
    const { tools } = await bench({
      accounts: { github: "ca_unknown" },
      policy: deciding((execution) => {
        seen.push(execution);
        return { outcome: "deny", reason: "Seen." };
      }),
    });
    await tools.run([issue("1")]);
    expect(seen).toMatchObject([
      { tool: { toolkit: "github", version: "20251023_00" }, userId: USER, accountId: "ca_unknown", inner: [] },
    ]);
  });

  test("is answered with what would be sent, secrets hidden, in a dry run", async () => {
    const login = tool({
      name: "log_in",
      description: "Logs in.",
      parameters: { type: "object", properties: { user: { type: "string" }, nested: { type: "object" } } },
      execute: () => {
        throw new Error("ran");
      },
    });
    const { tools, executions } = await bench({
      tools: [login, CREATE_ISSUE],
      policy: policy([dryRun({}), allow({})]),
    });
    const args = { user: "ada", nested: { password: "hunter2", api_key: "k", list: [{ accessToken: "t", pages: 2 }] } };
    const [mine, service] = await tools.run([{ callId: "1", name: "log_in", arguments: args }, issue("2")]);
    expect(mine?.data).toEqual({
      ...{ tool: "log_in", version: undefined, userId: USER, accountId: undefined },
      arguments: {
        user: "ada",
        nested: { password: "[redacted]", api_key: "[redacted]", list: [{ accessToken: "[redacted]", pages: 2 }] },
      },
    });
    expect(mine?.text).not.toMatch(/hunter2/);
    expect(service).toMatchObject({
      status: "dry_run",
      data: { version: "20251023_00", userId: USER, arguments: ISSUE },
    });
    expect(service?.text).toMatch(
      /^Dry run: nothing was sent\. The policy allows only a dry run\. .*"title":"From a model"/,
    );
    expect(executions()).toBe(0);
  });

  test("doesn't run if the policy asks and no one can approve", async () => {
    const { tools, executions } = await bench({ policy: policy([ask({ reason: "Issues are public." })]) });
    const [result] = await tools.run([issue("1")]);
    expect(result).toMatchObject({ status: "not_run" });
    expect(result?.text).toContain("needs an approval that this program can't get");
    expect(result?.text).toContain("Issues are public.");
    expect(executions()).toBe(0);
  });

  test("isn't decided again if it ran before, because nothing runs", async () => {
    let isAllowed = true;
    const { tools, executions } = await bench({
      policy: policy([allow({ when: () => isAllowed }), budget({ maxCalls: 1 })]),
    });
    await tools.run([issue("1")]);
    isAllowed = false;
    expect(await tools.run([issue("1")])).toMatchObject([{ status: "succeeded", isReplay: true }]);
    expect(await tools.run([issue("2")])).toMatchObject([{ status: "not_run" }]);
    expect(executions()).toBe(1);
  });
});

describe("an event of a decision", () => {
  test("contains the arguments only if they are wanted", async () => {
    const { tools, events } = await bench({ policy: policy([allow({})]), eventArguments: true });
    await tools.run([issue("1")]);
    expect(events[0]).toMatchObject({ type: "decided", arguments: ISSUE });
    expect(JSON.stringify(events.slice(1))).not.toContain("From a model");
  });

  test("has the account that the policy evaluated", async () => {
    const accounts = { github: "ca_unknown" };
    const { tools, events } = await bench({ accounts, policy: policy([deny({ accounts: ["ca_unknown"] })]) });
    await tools.run([issue("1")]);
    expect(events[0]).toMatchObject({ type: "decided", userId: USER, accountId: "ca_unknown", outcome: "deny" });
  });

  test("has the error of a rule that failed, and so has the result", async () => {
    const when = () => {
      throw new Error("broken");
    };
    const { tools, events, executions } = await bench({ policy: policy([allow({ when })]) });
    const [result] = await tools.run([issue("1")]);
    expect(events[0]).toMatchObject({ outcome: "deny", rule: "rules[0]", error: { cause: { message: "broken" } } });
    expect(result).toMatchObject({ status: "not_run", error: { cause: { message: "broken" } } });
    expect(executions()).toBe(0);
  });
});

describe("a budget", () => {
  test("holds for calls of one turn that run at the same time", async () => {
    const { tools, executions, events } = await bench({
      policy: policy([allow({}), budget({ maxCalls: 3, name: "three" })]),
    });
    const results = await tools.run(Array.from({ length: 9 }, (_, index) => issue(String(index))));
    expect(results.filter(({ status }) => status === "succeeded")).toHaveLength(3);
    expect(results.at(-1)?.text).toContain("The budget of 3 calls is used up.");
    expect(events.filter((event) => event.type === "decided" && event.rule === "three")).toHaveLength(6);
    expect(executions()).toBe(3);
  });

  test("isn't given back if the outcome is unknown, or if the call then doesn't run", async () => {
    const { tools, emulator, executions } = await bench({ policy: policy([allow({}), budget({ maxCalls: 2 })]) });
    emulator.faults.next("tools.execute", { connection: "hang", when: "after" });
    expect(await tools.run([issue("1")], { deadlineMs: 30 })).toMatchObject([{ status: "unknown" }]);
    expect(await tools.run([issue("2", { ...ISSUE, owner: "octo-org" })])).toMatchObject([{ status: "succeeded" }]);
    expect(await tools.run([issue("3")])).toMatchObject([{ status: "not_run" }]);
    expect(executions()).toBe(2);
  });

  test("runs nothing if its store fails", async () => {
    const budgets: BudgetStore = { consume: () => Promise.reject(new Error("down")), read: async () => 0 };
    const { tools, executions } = await bench({ policy: policy([allow({}), budget({ maxCalls: 2 })], { budgets }) });
    expect(await tools.run([issue("1")])).toMatchObject([{ status: "not_run", error: { message: "down" } }]);
    expect(executions()).toBe(0);
  });

  test("is shared by the toolsets of a user that have the same policy", async () => {
    const shared = policy([allow({}), budget({ maxCalls: 1 })]);
    const [first, second] = [await bench({ policy: shared }), await bench({ policy: shared, conversationId: "other" })];
    await first.tools.run([issue("1")]);
    expect(await second.tools.run([issue("2")])).toMatchObject([{ status: "not_run" }]);
  });

  test("isn't used by a call that is denied or dry-run", async () => {
    const rules = [allow({}), deny({ when: { title: { is: "no" } } }), dryRun({ when: { title: { is: "dry" } } })];
    const { tools } = await bench({ policy: policy([...rules, budget({ maxCalls: 1 })]) });
    const titles = ["no", "dry", "no", "yes"];
    const results = await tools.run(titles.map((title) => issue(title, { ...ISSUE, title })));
    expect(results.map(({ status }) => status)).toEqual(["not_run", "dry_run", "not_run", "succeeded"]);
  });
});
