import { describe, expect, test } from "vitest";
import {
  allow,
  ask,
  budget,
  deny,
  dryRun,
  type PolicyCall,
  policy,
  type Rule,
  type RuleMatch,
} from "../../../src/agents/policy-entry.js";
import { ConfigError } from "../../../src/index.js";
import { cpuMs } from "../../support/cpu-time.js";
import { stopwatch } from "../../support/size.js";

const call = (facts: Partial<PolicyCall["tool"]> = {}, others: Omit<PolicyCall, "tool"> = {}): PolicyCall => ({
  tool: { name: "GMAIL_SEND_EMAIL", toolkit: "gmail", tags: ["openWorldHint"], version: "20251023_00", ...facts },
  userId: "ada",
  accountId: "ca_1",
  arguments: { to: "bob@example.com" },
  ...others,
});
const outcomes = (rules: readonly Rule[], ...calls: PolicyCall[]) =>
  calls.map((one) => policy(rules).decide(one).outcome);

describe("a policy", () => {
  test("denies a call that no rule matches", () => {
    expect(policy([]).decide(call())).toEqual({ outcome: "deny", reason: "No rule allows it." });
    expect(policy([allow({ tools: ["OTHER"] })]).decide(call())).toEqual({
      outcome: "deny",
      reason: "No rule allows it.",
    });
  });

  test.each<[string, readonly Rule[], string, string]>([
    ["deny wins over everything", [allow({}), ask({}), dryRun({}), deny({})], "deny", "rules[3]"],
    ["a dry run wins over ask and allow", [allow({}), ask({}), dryRun({})], "dry_run", "rules[2]"],
    ["ask wins over allow", [allow({}), ask({})], "ask", "rules[1]"],
    ["allow wins over nothing", [allow({})], "allow", "rules[0]"],
    ["the order of the list doesn't matter", [deny({}), dryRun({}), ask({}), allow({})], "deny", "rules[0]"],
    ["the first of equal rules is named", [allow({}), allow({ name: "second" })], "allow", "rules[0]"],
    ["a rule has its own name", [allow({}), deny({ name: "no mail" })], "deny", "no mail"],
  ])("%s", (_, rules, outcome, rule) => {
    expect(policy(rules).decide(call())).toMatchObject({ outcome, rule });
  });

  test("gives the rule's reason, or a general one", () => {
    const reasons = [deny({ reason: "Frozen." }), deny({}), dryRun({}), ask({})].map((rule) =>
      policy([rule]).decide(call()),
    );
    expect(reasons).toEqual([
      { outcome: "deny", rule: "rules[0]", reason: "Frozen." },
      { outcome: "deny", rule: "rules[0]", reason: "A rule of the policy denies it." },
      { outcome: "dry_run", rule: "rules[0]", reason: "The policy allows only a dry run." },
      { outcome: "ask", rule: "rules[0]", reason: "The policy asks for an approval." },
    ]);
    expect(policy([allow({ reason: "Fine." })]).decide(call())).toEqual({ outcome: "allow", rule: "rules[0]" });
  });

  test("isn't changed by changes to the list it was made of", () => {
    const tools = ["GMAIL_*"];
    const rules = [allow({ tools })];
    const made = policy(rules);
    tools[0] = "OTHER";
    rules.push(deny({}));
    expect(made.decide(call()).outcome).toBe("allow");
  });
});

describe("a field of a rule", () => {
  test.each<[RuleMatch, boolean]>([
    [{ tools: ["GMAIL_SEND_EMAIL"] }, true],
    [{ tools: ["GMAIL_SEND_EMAILS"] }, false],
    [{ tools: ["gmail_send_email"] }, false],
    [{ tools: ["SLACK_*", "GMAIL_*"] }, true],
    [{ tools: ["*_EMAIL"] }, true],
    [{ tools: ["*SEND*"] }, true],
    [{ tools: ["GMAIL*SEND*EMAIL"] }, true],
    [{ tools: ["GMAIL_*_SEND_EMAIL"] }, false],
    [{ tools: ["*EMAIL*EMAIL"] }, false],
    [{ tools: ["*SEND*SEND*"] }, false],
    [{ tools: ["GMAIL_SEND_*EMAIL"] }, true],
    [{ tools: ["*"] }, true],
    [{ tools: ["**"] }, true],
    [{ tools: ["GMAIL_SEND_EMAIL*EMAIL"] }, false],
    [{ tools: ["GMAIL.SEND.EMAIL"] }, false],
    [{ tools: ["SEND*"] }, false],
    [{ tools: ["*SEND"] }, false],
    [{ toolkits: ["gmail"] }, true],
    [{ toolkits: ["Gmail"] }, false],
    [{ toolkits: ["g*"] }, true],
    [{ tags: ["openWorldHint", "destructiveHint"] }, true],
    [{ tags: ["important"] }, false],
    [{ tools: ["GMAIL_SEND_EMAIL*GMAIL_SEND_EMAIL"] }, false],
    [{ tags: ["destructiveHint"] }, false],
    [{ versions: ["202510*"] }, true],
    [{ versions: ["202511*"] }, false],
    [{ users: ["ada"] }, true],
    [{ users: ["bob"] }, false],
    [{ accounts: ["ca_1"] }, true],
    [{ accounts: ["ca_2"] }, false],
    [{ when: () => true }, true],
    [{ when: () => false }, false],
    [{ tools: ["GMAIL_*"], toolkits: ["gmail"], tags: ["openWorldHint"], users: ["ada"] }, true],
    [{ tools: ["GMAIL_*"], toolkits: ["slack"] }, false],
    [{}, true],
  ])("matches as documented: %j, %s", (match, isMatch) => {
    expect(outcomes([allow(match)], call())).toEqual([isMatch ? "allow" : "deny"]);
    expect(outcomes([allow({}), deny(match)], call())).toEqual([isMatch ? "deny" : "allow"]);
  });

  test.each<[RuleMatch, PolicyCall]>([
    [{ versions: ["20*"] }, call({ version: undefined })],
    [{ users: ["*"] }, call({}, { userId: undefined })],
    [{ accounts: ["*"] }, call({}, { accountId: undefined })],
    [{ versions: ["20*"] }, call({ version: undefined, kind: "meta" })],
    [{ accounts: ["*"] }, { tool: { name: "ANY" } }],
  ])("about an unknown fact matches unless it allows: %j", (match, unknown) => {
    expect(outcomes([allow(match)], unknown)).toEqual(["deny"]);
    expect(outcomes([allow({}), deny(match)], unknown)).toEqual(["deny"]);
    expect(outcomes([allow({}), ask(match)], unknown)).toEqual(["ask"]);
    expect(outcomes([allow({}), dryRun(match)], unknown)).toEqual(["dry_run"]);
  });

  test.each<[RuleMatch, PolicyCall]>([
    [{ versions: ["*"] }, { tool: { name: "mine", kind: "local" } }],
    [{ accounts: ["*"] }, { tool: { name: "mine", kind: "local" } }],
    [{ toolkits: ["*"] }, { tool: { name: "mine", kind: "local" } }],
    [{ tags: ["readOnlyHint"] }, { tool: { name: "mine", kind: "local" } }],
    [{ versions: ["*"] }, { tool: { name: "SVC_MULTI_EXECUTE_TOOL", kind: "meta" } }],
    [{ accounts: ["*"] }, { tool: { name: "SVC_SEARCH_TOOLS", kind: "meta" } }],
  ])("about a fact that a tool doesn't have never matches: %j", (match, own) => {
    expect(outcomes([allow(match)], own)).toEqual(["deny"]);
    expect(outcomes([allow({}), deny(match)], own)).toEqual(["allow"]);
  });

  test.each([
    ["destructivehint", " Did you mean destructiveHint?"],
    ["destructiveHints", " Did you mean destructiveHint?"],
    ["read_only_hint", " Did you mean readOnlyHint?"],
    ["destructive*", "Tags are compared exactly."],
  ])("can't have the tag %s", (tag, hint) => {
    for (const make of [() => policy([deny({ tags: [tag] })]), () => policy([budget({ tags: [tag], maxCalls: 1 })])]) {
      expect(make).toThrow(ConfigError);
      expect(make).toThrow(hint);
    }
  });

  test("has a pattern that takes no longer for a hostile name", () => {
    const made = policy([deny({ tools: [`${"a*".repeat(200)}b`] }), allow({})]);
    const watch = stopwatch(cpuMs);
    expect(made.decide(call({ name: "a".repeat(100_000) })).outcome).toBe("allow");
    watch.expectBelow(1_000);
  });
});

describe("a predicate", () => {
  test("receives the call, and its arguments even if it has no arguments", () => {
    const seen: unknown[] = [];
    const made = policy([allow({ when: (one) => seen.push(one) > 0 })]);
    made.decide(call());
    made.decide({ tool: { name: "X" } });
    expect(seen).toEqual([call(), { tool: { name: "X" }, arguments: {} }]);
  });

  test("isn't called if another field doesn't match", () => {
    const made = policy([
      deny({
        tools: ["OTHER"],
        when: () => {
          throw new Error("called");
        },
      }),
      allow({}),
    ]);
    expect(made.decide(call()).outcome).toBe("allow");
  });

  test.each<[string, () => unknown]>([
    [
      "throws",
      () => {
        throw new Error("broken");
      },
    ],
    [
      "throws undefined",
      () => {
        throw undefined;
      },
    ],
    ["returns a promise", async () => true],
    ["returns a promise that rejects", () => Promise.reject(new Error("late"))],
    ["returns something truthy", () => 1],
    ["returns nothing", () => undefined],
  ])("that %s denies the call", (_, when) => {
    const made = policy([allow({}), allow({ when: when as never, name: "broken" }), ask({}), dryRun({})]);
    expect(made.decide(call())).toEqual({
      outcome: "deny",
      reason: "A rule of the policy failed.",
      rule: "broken",
      error: expect.objectContaining({ message: "The predicate of broken failed." }),
    });
  });

  test("that returns no boolean is told so", () => {
    for (const when of [async () => true, () => undefined]) {
      const { error } = policy([allow({ when: when as never })]).decide(call()) as { error: Error };
      expect(error.cause).toBeInstanceOf(TypeError);
      expect(String(error.cause)).toContain("A promise isn't awaited");
    }
  });
});

describe("a tool that can run anything", () => {
  const shell = call({ name: "SVC_REMOTE_BASH_TOOL", kind: "meta" });

  test.each(["SVC_REMOTE_BASH_TOOL", "SVC_REMOTE_WORKBENCH", "SVC_SOMETHING_NEW"])(
    "is only allowed or asked for by its exact name: %s",
    (name) => {
      const one = call({ name, kind: "meta" });
      const wide = [
        allow({}),
        allow({ tools: ["*"] }),
        allow({ tools: ["SVC_*"] }),
        ask({}),
        ask({ tools: ["SVC_*"] }),
      ];
      expect(policy(wide).decide(one)).toEqual({
        outcome: "deny",
        reason: "It can run anything, so only a rule with its exact name can allow it.",
      });
      expect(outcomes([allow({ tools: ["OTHER", name] })], one)).toEqual(["allow"]);
      expect(outcomes([ask({ tools: [name] })], one)).toEqual(["ask"]);
    },
  );

  test("is denied, dry-run and asked about by every rule that matches", () => {
    const named = allow({ tools: ["SVC_REMOTE_BASH_TOOL"] });
    expect(outcomes([named, deny({ tools: ["SVC_*"] })], shell)).toEqual(["deny"]);
    expect(outcomes([named, dryRun({})], shell)).toEqual(["dry_run"]);
    for (const wide of [ask({}), ask({ tools: ["SVC_*"] }), ask({ users: ["nobody"] }), ask({ when: () => true })]) {
      expect(outcomes([named, wide], { ...shell, userId: undefined })).toEqual(["ask"]);
      expect(outcomes([wide, deny({})], shell)).toEqual(["deny"]);
      expect(outcomes([wide, dryRun({})], shell)).toEqual(["dry_run"]);
      expect(outcomes([wide, allow({})], shell)).toEqual(["deny"]);
    }
    expect(outcomes([named, ask({ when: () => false })], shell)).toEqual(["allow"]);
  });

  test.each([
    "SVC_SEARCH_TOOLS",
    "SVC_GET_TOOL_SCHEMAS",
    "SVC_MULTI_EXECUTE_TOOL",
    "SVC_MANAGE_CONNECTIONS",
    "SVC_WAIT_FOR_CONNECTIONS",
    "MY_SVC_TOOL",
  ])("isn't one whose arguments show what it does: %s", (name) => {
    expect(outcomes([allow({})], call({ name, kind: "meta" }))).toEqual(["allow"]);
  });
});

describe("an explanation", () => {
  test("is the decision, and what every rule said", () => {
    const made = policy([
      allow({ toolkits: ["gmail"], name: "mail" }),
      ask({ toolkits: ["gmail"], tags: ["destructiveHint"] }),
      deny({ accounts: ["ca_2"], versions: ["2024*"] }),
      allow({
        when: () => {
          throw new Error("x");
        },
        users: ["bob"],
      }),
    ]);
    const silent = { matched: false, failed: undefined, unknown: [], needsExactName: false, error: undefined };
    expect(made.explain(call())).toEqual({
      outcome: "allow",
      rule: "mail",
      trace: [
        { ...silent, rule: "mail", outcome: "allow", matched: true },
        { ...silent, rule: "rules[1]", outcome: "ask", failed: "tags" },
        { ...silent, rule: "rules[2]", outcome: "deny", failed: "versions" },
        { ...silent, rule: "rules[3]", outcome: "allow", failed: "users" },
      ],
    });
    const unknown = made.explain(call({ version: undefined }, { accountId: undefined }));
    expect(unknown.trace[2]).toEqual({
      ...silent,
      rule: "rules[2]",
      outcome: "deny",
      matched: true,
      unknown: ["versions", "accounts"],
    });
  });

  test("names the first field that doesn't match", () => {
    const matches: RuleMatch[] = [
      { tools: ["X"], when: () => false },
      { toolkits: ["x"], tags: ["x"] },
      { tags: ["x"] },
      { users: ["x"], accounts: ["x"] },
      { accounts: ["x"], versions: ["20*"] },
      { versions: ["20*"], when: () => false },
    ];
    const { trace } = policy(matches.map(deny)).explain(call());
    expect(trace.map(({ failed }) => failed)).toEqual(["tools", "toolkits", "tags", "users", "accounts", "when"]);
    const { trace: partly } = policy([deny({ versions: ["x"], when: () => false })]).explain(
      call({ version: undefined }),
    );
    expect(partly).toMatchObject([{ failed: "when", unknown: [] }]);
  });

  test("matches a tag among others", () => {
    const tags = ["openWorldHint", "destructiveHint"];
    expect(outcomes([allow({ tags: ["destructiveHint"] })], call({ tags }))).toEqual(["allow"]);
  });

  test("says that a rule without the exact name doesn't allow a tool that can run anything", () => {
    const { trace } = policy([allow({})]).explain(call({ name: "SVC_REMOTE_WORKBENCH" }));
    expect(trace).toMatchObject([{ matched: false, failed: undefined, needsExactName: true }]);
  });
});

describe("a digest", () => {
  test("is the same for the same rules, whatever the order of their keys", () => {
    const one = policy([allow({ tools: ["A"], users: ["b"] })]).digest;
    expect(one).toMatch(/^[0-9a-f]{64}$/);
    expect(policy([allow({ users: ["b"], tools: ["A"] })]).digest).toBe(one);
  });

  test("differs for other rules, another order and another function", () => {
    const rules: (readonly Rule[])[] = [
      [],
      [allow({})],
      [ask({})],
      [allow({ tools: ["A"] })],
      [allow({ tools: ["A"] }), deny({})],
      [deny({}), allow({ tools: ["A"] })],
      [allow({ when: () => true })],
      [allow({ when: ({ userId }) => userId === "ada" })],
      [allow({ when: { to: { is: "1" } } })],
      [allow({ when: { to: { is: 1 } } })],
    ];
    expect(new Set(rules.map((list) => policy(list).digest)).size).toBe(rules.length);
  });
});
