import { describe, expect, test } from "vitest";
import {
  type ArgumentCondition,
  allow,
  ask,
  type Conditions,
  deny,
  dryRun,
  policy,
  policyFromJson,
} from "../../../src/agents/policy-entry.js";
import { ConfigError } from "../../../src/index.js";

const holds = (when: Conditions, args: Readonly<Record<string, unknown>>) =>
  policy([allow({ when })]).decide({ tool: { name: "X" }, arguments: args }).outcome === "allow";

describe("a condition on an argument", () => {
  test.each<[ArgumentCondition, unknown, boolean]>([
    [{ is: "a" }, "a", true],
    [{ is: "a" }, "A", false],
    [{ is: 1 }, "1", false],
    [{ is: { b: 1, a: [2] } }, { a: [2], b: 1 }, true],
    [{ is: null }, null, true],
    [{ is: null }, undefined, false],
    [{ is: [] }, [], true],
    [{ oneOf: ["a", 2] }, 2, true],
    [{ oneOf: ["a", 2] }, "2", false],
    [{ like: "*@example.com" }, "bob@example.com", true],
    [{ like: "*@example.com" }, "bob@example.com.evil.org", false],
    [{ like: "*@example.com" }, "bob@EXAMPLE.com", false],
    [{ like: "*@example.com" }, ["bob@example.com"], false],
    [{ like: "1" }, 1, false],
    [{ atLeast: 5 }, 5, true],
    [{ atLeast: 5 }, 4.9, false],
    [{ atLeast: 5 }, "9", false],
    [{ atLeast: 5 }, "99999999999999999999", true],
    [{ atLeast: 5 }, "-99999999999999999999", false],
    [{ atMost: 5 }, "-99999999999999999999", true],
    [{ atMost: 5 }, "99999999999999999999", false],
    [{ is: "7256535639334584321" }, "7256535639334584321", true],
    [{ atMost: 5 }, 5, true],
    [{ atMost: 5 }, 5.1, false],
    [{ atMost: 5 }, "1", false],
    [{ atLeast: 1, atMost: 3 }, 2, true],
    [{ atLeast: 1, atMost: 3 }, 4, false],
    [{ present: true }, null, true],
    [{ present: true }, undefined, false],
    [{ present: false }, undefined, true],
    [{ present: false }, 0, false],
    [{ every: { like: "a*" } }, ["a", "ab"], true],
    [{ every: { like: "a*" } }, ["a", "b"], false],
    [{ every: { like: "a*" } }, "a", false],
    [{ every: { like: "a*" } }, [], true],
    [{ some: { is: "b" } }, ["a", "b"], true],
    [{ some: { is: "c" } }, ["a", "b"], false],
    [{ some: { is: "b" } }, "b", false],
    [{ some: { is: "b" } }, [], false],
    [{ not: { is: "a" } }, "b", true],
    [{ not: { is: "a" } }, "a", false],
    [{ not: { like: "a*" } }, undefined, true],
    [{ not: { like: "a*" } }, ["a"], true],
    [{ not: { every: { like: "a*" } } }, ["a", "b"], true],
  ])("%j on %j: %s", (condition, value, expected) => {
    expect(holds({ x: condition }, { x: value })).toBe(expected);
  });

  test("reads nested arguments by their path", () => {
    expect(holds({ "issue.title": { is: "t" } }, { issue: { title: "t" } })).toBe(true);
    expect(holds({ "issue.title": { is: "t" } }, { title: "t" })).toBe(false);
    expect(holds({ "issue.title": { present: false } }, {})).toBe(true);
  });

  test("reads arguments whose own names contain dots", () => {
    expect(holds({ "user.role": { is: "admin" } }, { "user.role": "admin" })).toBe(true);
    expect(holds({ "a.user.role.b": { is: 1 } }, { a: { "user.role": { b: 1 } } })).toBe(true);
    expect(holds({ "a.user.role.b": { is: 1 } }, { "a.user": { "role.b": 1 } })).toBe(true);
    expect(holds({ "items.0.a.b": { is: 1 } }, { items: [{ "a.b": 1 }] })).toBe(true);
    expect(holds({ "user.role": { present: false } }, { "user.role": "admin" })).toBe(false);
    expect(holds({ "user.role": { not: { is: "admin" } } }, { "user.role": "admin" })).toBe(false);
    expect(holds({ "user.role": { is: "admin" } }, { user: {}, "user.role": "admin" })).toBe(true);
    expect(holds({ ["a.".repeat(100)]: { present: true } }, { a: { a: 1 } })).toBe(false);
  });

  test.each<[Readonly<Record<string, unknown>>, string[]]>([
    [{ user: { role: "admin" } }, ["allow", "ask", "deny", "dryRun"]],
    [{ "user.role": "admin" }, ["allow", "ask", "deny", "dryRun"]],
    [{ user: { role: "admin" }, "user.role": "admin" }, ["allow", "ask", "deny", "dryRun"]],
    [{ user: { role: "admin" }, "user.role": "guest" }, ["ask", "deny", "dryRun"]],
    [{ user: { role: "guest" }, "user.role": "admin" }, ["ask", "deny", "dryRun"]],
    [{ user: { role: "guest" }, "user.role": "guest" }, []],
    [{ user: { role: "admin" }, "user.role": "guest", other: 2 }, []],
  ])("of two arguments that a path may mean, either restricts and only both allow: %j", (args, expected) => {
    const when = { "user.role": { is: "admin" }, other: { not: { is: 2 } } };
    const matched = { allow, ask, deny, dryRun };
    const kinds = Object.entries(matched).filter(([, rule]) => {
      const { trace } = policy([rule({ when })]).explain({ tool: { name: "X" }, arguments: args });
      return trace[0]?.matched;
    });
    expect(kinds.map(([kind]) => kind)).toEqual(expected);
  });

  test("reads no inherited properties", () => {
    expect(holds({ constructor: { present: true } }, {})).toBe(false);
    expect(holds({ "x.length": { present: true } }, { x: "text" })).toBe(false);
    expect(holds({ toString: { present: false } }, {})).toBe(true);
  });

  test("must hold together with the others", () => {
    const when = { a: { is: 1 }, b: { is: 2 } };
    expect(holds(when, { a: 1, b: 2 })).toBe(true);
    expect(holds(when, { a: 1, b: 3 })).toBe(false);
    expect(holds(when, { a: 0, b: 2 })).toBe(false);
  });
});

describe("rules that aren't valid are rejected", () => {
  const all = (key: string) => `Unknown option rules[0].deny.${key}. The options are tools, toolkits, tags, versions`;
  test.each<[unknown, string]>([
    [null, "policy: rules[0] must be an object with one of the keys allow, ask, deny, dryRun, budget, label."],
    [{}, "rules[0] must be an object with one of the keys"],
    [{ alow: {} }, "Did you mean allow?"],
    [{ dryrun: {} }, "Did you mean dryRun?"],
    [{ allow: {}, deny: {} }, "deny, dryRun, budget, label. It has 2: make each a separate rule."],
    [{ allow: [] }, "rules[0].allow must be an object, such as { tools }."],
    [{ allow: new Map() }, "rules[0].allow must be an object, such as { tools }."],
    [{ deny: { tols: ["X"] } }, "policy: Unknown option rules[0].deny.tols. Did you mean tools?"],
    [{ deny: { qqqqqqqq: 1 } }, all("qqqqqqqq")],
    [{ deny: { calls: 1 } }, "Unknown option rules[0].deny.calls."],
    [
      { allow: { tools: "X" } },
      "rules[0].allow.tools must be a list of at least one string, each of 1 to 500 characters.",
    ],
    [{ allow: { tools: [] } }, "rules[0].allow.tools must be a list"],
    [{ allow: { tools: [""] } }, "rules[0].allow.tools must be a list"],
    [{ allow: { tools: ["x".repeat(501)] } }, "rules[0].allow.tools must be a list"],
    [{ zzzzzzz: {}, alow: {} }, "Did you mean allow?"],
    [{ allow: { tools: ["A", 1] } }, "rules[0].allow.tools must be a list"],
    [{ allow: { toolkits: [1] } }, "rules[0].allow.toolkits must be a list"],
    [{ allow: { tags: "x" } }, "rules[0].allow.tags must be a list"],
    [{ allow: { versions: {} } }, "rules[0].allow.versions must be a list"],
    [{ allow: { users: null } }, "rules[0].allow.users must be a list"],
    [{ allow: { accounts: [null] } }, "rules[0].allow.accounts must be a list"],
    [{ allow: { name: "" } }, "rules[0].allow.name must be a string of 1 to 500 characters."],
    [{ allow: { reason: 1 } }, "rules[0].allow.reason must be a string"],
    [{ allow: { when: {} } }, "rules[0].allow.when must be a function or an object of conditions by argument."],
    [{ allow: { when: "x" } }, "rules[0].allow.when must be"],
    [
      { allow: { when: { to: {} } } },
      'rules[0].allow.when["to"] must be an object with some of the keys is, oneOf, like',
    ],
    [{ allow: { when: { to: "x" } } }, 'rules[0].allow.when["to"] must be an object'],
    [{ allow: { when: { to: { lik: "x" } } } }, 'Unknown option rules[0].allow.when["to"].lik. Did you mean like?'],
    [{ allow: { when: { to: { is: undefined } } } }, 'rules[0].allow.when["to"].is is undefined.'],
    [{ allow: { when: { to: { oneOf: [] } } } }, ".oneOf must be a list of JSON values, with integers"],
    [{ allow: { when: { to: { oneOf: "x" } } } }, ".oneOf must be a list of JSON values, with integers"],
    [{ allow: { when: { to: { like: "" } } } }, ".like must be a pattern of 1 to 500 characters."],
    [{ allow: { when: { to: { atLeast: "1" } } } }, ".atLeast must be a number."],
    [{ allow: { when: { to: { atMost: Number.NaN } } } }, ".atMost must be a number."],
    [{ allow: { when: { to: { present: 1 } } } }, ".present must be true or false."],
    [{ allow: { when: { to: { every: {} } } } }, 'when["to"].every must be an object'],
    [{ allow: { when: { to: { some: [] } } } }, 'when["to"].some must be an object'],
    [
      { allow: { when: { to: { not: { is: 1, iss: 2 } } } } },
      'Unknown option rules[0].allow.when["to"].not.iss. Did you mean is?',
    ],
    [{ budget: {} }, "rules[0].budget needs one of maxCalls, maxCallsPerTool, maxArgumentBytes, maxCost."],
    [
      { budget: { windowMs: 5_000 } },
      "rules[0].budget needs one of maxCalls, maxCallsPerTool, maxArgumentBytes, maxCost.",
    ],
    [{ budget: { maxCalls: 0 } }, "rules[0].budget.maxCalls must be an integer of at least 1."],
    [{ budget: { maxCalls: 1.5 } }, "rules[0].budget.maxCalls must be"],
    [{ budget: { maxCallsPerTool: "1" } }, "rules[0].budget.maxCallsPerTool must be"],
    [{ budget: { maxArgumentBytes: -1 } }, "rules[0].budget.maxArgumentBytes must be"],
    [{ budget: { maxCalls: 1, windowMs: 999 } }, "rules[0].budget.windowMs must be an integer of at least 1000."],
    [{ budget: { maxCalls: 1, per: "me" } }, 'rules[0].budget.per must be "user" or "conversation" or "all".'],
    [{ budget: { maxCalls: 1, per: 1 } }, "rules[0].budget.per must be"],
    [{ budget: { maxCalls: 1, when: {} } }, "Unknown option rules[0].budget.when."],
    [{ budget: { maxCalls: 1, tools: "X" } }, "rules[0].budget.tools must be a list"],
    [{ budget: { maxCalls: 1, name: 1 } }, "rules[0].budget.name must be a string"],
  ])("%j: %s", (rule, message) => {
    expect(() => policy([rule as never])).toThrow(ConfigError);
    expect(() => policy([rule as never])).toThrow(message);
  });

  test.each<[string, unknown]>([
    ["a number that isn't one", Number.NaN],
    ["a number without an end", Number.POSITIVE_INFINITY],
    ["a bigint", 1n],
    ["an integer that was rounded", -(2 ** 60)],
    ["a function", () => 1],
    ["a symbol", Symbol("a")],
    ["a date", new Date(0)],
    ["a map", new Map([["a", 1]])],
    ["an object with its own JSON", { toJSON: () => 1 }],
    ["a list with a gap", Array(1)],
  ])("with a condition on %s, which arguments can't contain", (_, value) => {
    const exact = "with integers beyond 2^53 − 1 as strings of their digits";
    const rejected = (condition: object, field: string, expected: string) => {
      const make = () => policy([deny({ when: { to: condition } })]);
      expect(make).toThrow(ConfigError);
      expect(make).toThrow(`policy: rules[0].deny.when["to"].${field} must be ${expected}, ${exact}.`);
    };
    for (const held of [value, [null, value], { a: { b: value } }]) {
      rejected({ is: held }, "is", "a JSON value");
      rejected({ oneOf: ["a", held] }, "oneOf", "a list of JSON values");
      rejected({ not: { some: { is: held } } }, "not.some.is", "a JSON value");
    }
  });

  test("with their place in the list", () => {
    expect(() => policy([allow({}), { deny: { tool: ["X"] } } as never])).toThrow("Unknown option rules[1].deny.tool.");
    expect(() => policy("allow" as never)).toThrow("policy: the rules must be a list.");
  });

  test("with at most 100 characters of a key that isn't known", () => {
    const key = "k".repeat(600);
    expect(() => policy([{ allow: { [key]: 1 } } as never])).toThrow(`allow.${"k".repeat(100)}.`);
  });

  test("but everything that is documented is taken", () => {
    const name = "n".repeat(500);
    const match = { tools: ["A"], toolkits: ["a"], tags: ["t"], versions: ["1"], users: ["u"], accounts: ["c"] };
    const when = {
      a: { is: 0, oneOf: [0], atLeast: 0, atMost: 0, present: true, not: { like: "x", every: { is: 1 } } },
    };
    expect(() =>
      policy([
        { allow: { ...match, when, name, reason: "r" } },
        {
          budget: {
            tools: ["A"],
            toolkits: ["a"],
            tags: ["t"],
            maxCallsPerTool: 1,
            maxArgumentBytes: 1,
            windowMs: 1_000,
            per: "all",
            name,
          },
        },
        { budget: { maxCalls: 1, per: "user" } },
        { budget: { maxCalls: 1, per: "conversation" } },
      ]),
    ).not.toThrow();
  });
});

describe("a policy of a JSON file", () => {
  test("has the same rules as data", () => {
    const content = {
      $schema: "https://example.com/policy.json",
      rules: [
        { allow: { tools: ["GMAIL_*"] } },
        { ask: { tools: ["GMAIL_SEND_EMAIL"], when: { to: { not: { like: "*@example.com" } } } } },
      ],
    };
    const made = policyFromJson(JSON.parse(JSON.stringify(content)));
    const to = (address: string) => made.decide({ tool: { name: "GMAIL_SEND_EMAIL" }, arguments: { to: address } });
    expect(to("bob@example.com")).toMatchObject({ outcome: "allow", rule: "rules[0]" });
    expect(to("bob@example.org")).toMatchObject({ outcome: "ask", rule: "rules[1]" });
    expect(made.digest).toBe(policy(content.rules as never).digest);
  });

  test.each<[unknown, string]>([
    [null, "must contain an object with a list of rules"],
    [[], "must contain an object with a list of rules"],
    [{}, "must contain an object with a list of rules"],
    [{ rules: {} }, "must contain an object with a list of rules"],
    [{ rules: [], ruls: [] }, "policy: the file: Unknown option ruls. Did you mean rules?"],
    [{ rules: [{ allow: { tool: ["X"] } }] }, "Unknown option rules[0].allow.tool."],
  ])("is rejected if it isn't one: %j", (content, message) => {
    expect(() => policyFromJson(content)).toThrow(message);
    expect(() => policyFromJson(content)).toThrow(ConfigError);
  });
});
