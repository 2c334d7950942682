// Rules beside each other, at the edges of their conditions, and facts that aren't known.
import { memoryExecutions, tool } from "../../../src/agents/index.js";
import { allow, ask, budget, deny, dryRun, label, policy } from "../../../src/agents/policy-entry.js";
import type { Definition } from "../world.js";
import { toolOf } from "./decisions.js";
import { scripted, thrown } from "./scripted.js";
import { call, ended, program, Service } from "./service.js";

type Rules = Parameters<typeof policy>[0];
const parameters = { type: "object", properties: {}, additionalProperties: true };

/** How calls of a local tool end under rules. */
async function ending(rules: Rules, calls: readonly object[], options: object = {}): Promise<string[]> {
  const own = tool({ name: "pay", description: "Pays.", parameters, tags: ["destructiveHint"], execute: () => "paid" });
  const { svc } = new Service({ time: { now: 0 }, note: () => {} });
  const { made } = await program({ svc } as Service, { tools: [own], policy: policy([...rules]), ...options });
  const results = await made.run(calls.map((args, index) => call(`${index}`, { ...args }, "pay")));
  return results.map(ended);
}

const yes = "succeeded";
const no = "not_run";

export const togetherPolicies: readonly Definition[] = [
  scripted("approvals: 1 process, conditions at their edges", async (_, see) => {
    const cases: readonly (readonly [object, readonly (readonly [unknown, boolean])[]])[] = [
      [
        { atLeast: 5 },
        [
          [5, true],
          [4.99, false],
          ["5", false],
          [null, false],
          [undefined, false],
        ],
      ],
      [
        { atMost: 5 },
        [
          [5, true],
          [5.01, false],
          [-1e300, true],
          ["4", false],
        ],
      ],
      [
        { atLeast: 0, atMost: 0 },
        [
          [0, true],
          [-0, true],
          [1, false],
        ],
      ],
      [
        { is: 0 },
        [
          [0, true],
          ["0", false],
          [false, false],
          [null, false],
          [undefined, false],
        ],
      ],
      [
        { is: null },
        [
          [null, true],
          [undefined, false],
          ["", false],
        ],
      ],
      [
        { is: { a: 1, b: [2] } },
        [
          [{ b: [2], a: 1 }, true],
          [{ a: 1 }, false],
          [{ a: 1, b: [2, 3] }, false],
        ],
      ],
      [
        { oneOf: ["a", 1] },
        [
          ["a", true],
          [1, true],
          ["A", false],
          ["1", false],
        ],
      ],
      [
        { like: "a*a" },
        [
          ["aa", true],
          ["a", false],
          ["aba", true],
          ["ab", false],
        ],
      ],
      [
        { like: "*" },
        [
          ["", true],
          [5, false],
          [undefined, false],
        ],
      ],
      [
        { like: "a*b*b" },
        [
          ["abb", true],
          ["ab", false],
          ["axbxb", true],
          ["abc", false],
        ],
      ],
      [
        { like: "ab*b*" },
        [
          ["abx", false],
          ["abb", true],
        ],
      ],
      [
        { like: "ü.?" },
        [
          ["ü.?", true],
          ["üxx", false],
          ["u.?", false],
        ],
      ],
      [
        { present: true },
        [
          [null, true],
          ["", true],
          [undefined, false],
        ],
      ],
      [
        { present: false },
        [
          [undefined, true],
          [null, false],
        ],
      ],
      [
        { every: { atMost: 5 } },
        [
          [[], true],
          [[5], true],
          [[5, 6], false],
          [5, false],
          [undefined, false],
        ],
      ],
      [
        { some: { is: 5 } },
        [
          [[], false],
          [[4, 5], true],
          [5, false],
        ],
      ],
      [
        { not: { is: 5 } },
        [
          [5, false],
          ["5", true],
          [undefined, true],
        ],
      ],
      [
        { not: { some: { is: 5 } } },
        [
          [[5], false],
          [[4], true],
          [5, true],
        ],
      ],
    ];
    for (const [condition, values] of cases) {
      const rules = [allow({ tools: ["pay"], when: { x: condition } })];
      const calls = values.map(([x]) => (x === undefined ? {} : { x }));
      see(
        JSON.stringify(condition),
        await ending(rules, calls),
        values.map(([, fits]) => (fits ? yes : no)),
      );
    }
  }),
  scripted("approvals: 1 process, paths that can mean two arguments", async (_, see) => {
    const calls = [
      { a: { b: 1 } },
      { "a.b": 1 },
      { a: { b: 1 }, "a.b": 1 },
      { a: { b: 1 }, "a.b": 2 },
      { a: { b: 2 } },
      { a: 5 },
    ];
    const when = { "a.b": { is: 1 } };
    see("an allow needs both", await ending([allow({ when })], calls), [yes, yes, yes, no, no, no]);
    const denying = [allow({}), deny({ when })];
    see("a deny, one", await ending(denying, calls), [no, no, no, no, yes, yes]);
    const deep = [allow({ when: { "a.b.c": { is: 1 } } })];
    const nested = [
      { a: { b: { c: 1 } } },
      { a: { "b.c": 1 } },
      { "a.b": { c: 1 } },
      { "a.b.c": 1 },
      { a: { b: [{ c: 1 }] } },
    ];
    see("at any depth", await ending(deep, nested), [yes, yes, yes, yes, no]);
  }),
  scripted("approvals: 1 process, several rules that match", async (_, see) => {
    const [dry, asks, denies] = [dryRun({}), ask({}), deny({})];
    const cases: readonly (readonly [Rules, string])[] = [
      [[allow({}), asks, dry, denies], no],
      [[allow({}), asks, dry], "dry_run"],
      [[dry, asks, allow({})], "dry_run"],
      [[allow({}), asks], no],
      [[allow({})], yes],
      [[asks], no],
      [[dry], "dry_run"],
      [[budget({ maxCalls: 1 })], no],
      [[allow({}), budget({ maxCalls: 1 })], yes],
      [[allow({ tags: ["readOnlyHint"] })], no],
      [[allow({ tags: ["readOnlyHint", "destructiveHint"] })], yes],
      [[allow({ tools: ["p*"] }), deny({ tools: ["*y*"] })], no],
      [[allow({ tools: ["pay"], when: () => true })], yes],
      [
        [
          allow({
            when: () => {
              throw new Error("It failed.");
            },
          }),
        ],
        no,
      ],
      [
        [
          allow({}),
          deny({
            when: () => {
              throw new Error("It failed.");
            },
          }),
        ],
        no,
      ],
      [[allow({}), allow({ when: (() => 1) as never })], no],
    ];
    const warn = console.warn;
    console.warn = () => {};
    for (const [index, [rules, promised]] of cases.entries()) see(`${index}`, await ending(rules, [{}]), [promised]);
    console.warn = warn;
  }),
  scripted("approvals: 1 process, facts of calls that aren't known", async (_, see, world) => {
    const service = new Service(world);
    const status = async (rules: Rules, options: object = {}, noAuth = true) => {
      const guardrails = policy([...rules], { allowUnknownNames: true } as never);
      const more = { policy: guardrails, executions: memoryExecutions(), accounts: "newest", ...options } as const;
      return ended(await (await program(service, more, [toolOf("PAY", "20251023_00", noAuth)])).run("a"));
    };
    see("its version", await status([allow({ versions: ["20251023_00"] })]), yes);
    see("another one", await status([allow({ versions: ["20251024_00"] })]), no);
    see("its user", await status([allow({ users: ["user-*"] })]), yes);
    see("another one", await status([allow({ users: ["user-2"] })]), no);
    see("its toolkit", await status([allow({ toolkits: ["bank"] }), deny({ toolkits: ["other"] })]), yes);
    const own = { accounts: { bank: "ca_1" } };
    see("its account", await status([allow({ accounts: ["ca_1"] })], own, false), yes);
    see("another one", await status([allow({}), deny({ accounts: ["ca_2"] })], own, false), yes);
    see("one that isn't known doesn't allow", await status([allow({ accounts: ["ca_1"] })], {}, false), no);
    see("and denies", await status([allow({}), deny({ accounts: ["ca_2"] })], {}, false), no);
    see(
      "labels that aren't known",
      await status([allow({}), label("read", { tools: ["LOOK"] }), deny({ after: ["read"] })]),
      no,
    );
    see("what ran", service.ran(), ["PAY a", "PAY a", "PAY a", "PAY a ca_1", "PAY a ca_1"]);
  }),
  scripted("approvals: 1 process, bound arguments beside conditions, approvals and records", async (_, see, world) => {
    const service = new Service(world);
    let to = "a";
    const rules = policy([allow({ when: { to: { is: "a" } } })]);
    const bind = { PAY: { to: () => to } };
    const { made, run } = await program(service, { policy: rules, bind } as never, [toolOf("PAY")]);
    see("the model doesn't see it", Object.keys(Object(made.tools[0]?.parameters["properties"])), ["amount"]);
    see("the policy does", ended(await run("a", { amount: 1 })), yes);
    see("the model can't set it", ended(await run("b", { to: "a" })), no);
    to = "b";
    see("another value isn't allowed", ended(await run("c", { amount: 1 })), no);
    see("one that has run stays", ended(await run("a", { amount: 1 })), "succeeded again");
    see("the service ran", service.ran(), ["PAY a"]);
    const odd = await thrown(() => program(service, { bind: { PAY: { other: 1 } } } as never, [toolOf("PAY")]));
    see("no such argument", odd !== "", true);
  }),
];
