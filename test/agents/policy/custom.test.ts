import { describe, expect, test } from "vitest";
import {
  type ClientToolsetOptions,
  type Decision,
  type Execution,
  memoryExecutions,
  toolset,
} from "../../../src/agents/index.js";
import { allow, type BudgetSubject, customPolicy, deny, policy } from "../../../src/agents/policy-entry.js";
import { createEmulator } from "../../../src/emulator/index.js";
import { ConfigError, Svc } from "../../../src/index.js";
import { rejectionOf } from "../../support/client.js";
import { bench, COUNT_WORDS, USER } from "../support.js";

const count = (callId: string) => ({ callId, name: COUNT_WORDS, arguments: { text: "a b" } });
const allowing = { digest: "1", decide: (): Decision => ({ outcome: "allow" }) };

describe("your own policy", () => {
  test("keeps its state in its object", async () => {
    class OncePerTool {
      readonly digest = "once per tool";
      readonly #seen = new Set<string>();
      decide({ tool: { name } }: Execution): Decision {
        if (this.#seen.has(name)) return { outcome: "deny", reason: "Once is enough." };
        this.#seen.add(name);
        return { outcome: "allow" };
      }
    }
    const { tools, executions } = await bench({ policy: customPolicy(new OncePerTool()) });
    expect(await tools.run([count("1")])).toMatchObject([{ status: "succeeded" }]);
    expect(await tools.run([count("2")])).toMatchObject([{ status: "not_run" }]);
    expect(executions()).toBe(1);
  });

  test("may have other fields in its class, for its state", async () => {
    class Named {
      readonly digest = "named";
      seen = 0;
      decide(): Decision {
        this.seen += 1;
        return { outcome: "allow" };
      }
    }
    const named = new Named();
    const { tools } = await bench({ policy: customPolicy(named) });
    expect(await tools.run([count("1")])).toMatchObject([{ status: "succeeded" }]);
    expect(named.seen).toBe(1);
  });

  test("counts calls for their user and conversation, after its decision", async () => {
    const counted: unknown[] = [];
    const custom = {
      ...allowing,
      count: async (executions: readonly Execution[], who: BudgetSubject): Promise<Decision> => {
        counted.push([executions.map(({ callId }) => callId), who]);
        return counted.length > 1 ? { outcome: "deny", reason: "Enough." } : { outcome: "allow" };
      },
    };
    const { tools, executions } = await bench({ policy: customPolicy(custom), conversationId: "conversation-1" });
    expect(await tools.run([count("1")])).toMatchObject([{ status: "succeeded" }]);
    expect(await tools.run([count("2")])).toMatchObject([{ status: "not_run" }]);
    const who = { principal: USER, conversationId: "conversation-1" };
    expect(counted).toEqual([
      [["1"], who],
      [["2"], who],
    ]);
    expect(executions()).toBe(1);
  });

  test("keeps its functions, whatever is assigned to its object later", async () => {
    const custom = { digest: "1", decide: (): Decision => ({ outcome: "deny", reason: "No." }) };
    const { tools, executions } = await bench({ policy: customPolicy(custom) });
    custom.decide = () => ({ outcome: "allow" }) as never;
    expect(await tools.run([count("1")])).toMatchObject([{ status: "not_run" }]);
    expect(executions()).toBe(0);
  });

  test("denies a call whose count asks, which only budgets of rules can", async () => {
    let counts = 0;
    const count = async (): Promise<Decision> => {
      counts += 1;
      return Object.assign({ outcome: "ask", reason: "Too many." } as const, { exceeded: "calls" });
    };
    const { tools, executions } = await bench({ policy: customPolicy({ ...allowing, count }) });
    const words = { callId: "1", name: COUNT_WORDS, arguments: { text: "a b" } };
    expect(await tools.run([words])).toMatchObject([{ status: "not_run" }]);
    expect([counts, executions()]).toEqual([1, 0]);
  });

  test.each<["decide" | "count", string, unknown]>([
    ["decide", "its bare outcome", "allow"],
    ["decide", "an unknown outcome", { outcome: "allowed" }],
    ["decide", "nothing", undefined],
    ["decide", "a question without a reason", { outcome: "ask" }],
    ["decide", "a denial whose reason isn't a string", { outcome: "deny", reason: {} }],
    ["count", "a boolean", true],
  ])("denies if %s returns %s, and the error says what it must return", async (name, _what, returned) => {
    // As a JavaScript program would return it.
    const custom = { ...allowing, [name]: async () => returned as Decision };
    const { tools, events, executions } = await bench({ policy: customPolicy(custom) });
    const reason = "A rule of the policy failed.";
    const outcomes = name === "decide" ? "allow, ask, dry_run or deny" : "allow or deny";
    const error = new TypeError(`${name} must return an outcome (${outcomes}), and a reason unless it allows.`);
    expect(await tools.run([count("1")])).toMatchObject([
      { status: "not_run", text: expect.stringContaining(reason), error },
    ]);
    expect(events).toContainEqual(expect.objectContaining({ type: "decided", outcome: "deny", reason, error }));
    expect(executions()).toBe(0);
  });

  test.each([
    ["other arguments", { arguments: { text: "other" } }],
    ["a result", { status: "succeeded" }],
  ])("can't replace what runs with %s", async (_what, changes) => {
    const decide = (execution: Execution): Decision => {
      Object.assign(execution, changes);
      return { outcome: "allow" };
    };
    const { tools, executions } = await bench({ policy: customPolicy({ digest: "1", decide }) });
    expect(await tools.run([count("1")])).toMatchObject([{ status: "not_run" }]);
    expect(executions()).toBe(0);
  });

  test("evaluates the tool that runs, which the program can't rename", async () => {
    const { tools } = await bench({ policy: policy([allow({}), deny({ tools: [COUNT_WORDS] })]) });
    const [tool] = tools.tools;
    expect(() => Object.assign(tool ?? {}, { name: "count_words" })).toThrow(TypeError);
    expect(() => Object.assign(tool?.tags ?? {}, { length: 0 })).toThrow(TypeError);
    expect(await tools.run([count("1")])).toMatchObject([{ status: "not_run" }]);
  });

  test("can consist of another policy's functions, which it enforces", async () => {
    const rules = policy([allow({}), deny({ tools: [COUNT_WORDS] })]);
    const { tools, executions } = await bench({ policy: customPolicy({ ...rules, digest: "mine" }) });
    expect(await tools.run([count("1")])).toMatchObject([{ status: "not_run" }]);
    expect(executions()).toBe(0);
  });

  test.each([
    [undefined, "customPolicy: digest must be a string that identifies the rules."],
    [null, "customPolicy: digest must be a string that identifies the rules."],
    [{ decide: allowing.decide }, "customPolicy: digest must be a string that identifies the rules."],
    [{ ...allowing, digest: "" }, "customPolicy: digest must be a string that identifies the rules."],
    [{ digest: "1" }, "customPolicy: decide must be a function."],
    [{ ...allowing, count: 5 }, "customPolicy: count must be a function."],
    [{ ...allowing, cuont: () => undefined }, "customPolicy: Unknown option cuont. Did you mean count?"],
  ])("is rejected if it isn't complete, or has a field that nothing reads: %j", (custom, message) => {
    // As a JavaScript program would pass it.
    expect(() => customPolicy(custom as never)).toThrow(new ConfigError(message));
  });
});

describe("an object that isn't a policy", () => {
  const rules = policy([deny({})]);
  test.each<[string, () => { readonly given: unknown } | Promise<{ readonly given: unknown }>]>([
    ["one of the same shape, such as a policy of an older release", () => ({ given: allowing })],
    ["a copy", () => ({ given: { ...rules } })],
    ["a copy with another function", () => ({ given: { ...rules, decide: allowing.decide } })],
    [
      "an object that inherits from a policy",
      () => ({ given: Object.create(rules, { decide: { value: allowing.decide } }) }),
    ],
    ["a proxy of a policy", () => ({ given: new Proxy(rules, {}) })],
    ["JSON of a policy", () => ({ given: JSON.parse(JSON.stringify(rules)) })],
    ["a promise of a policy", () => ({ given: Promise.resolve(rules) })],
    ["a list of rules", () => ({ given: [deny({})] })],
    ["nothing, as a variable that wasn't set", () => ({ given: null })],
    [
      "a policy of another copy of the package",
      async () => {
        // A specifier with a query is another module to the loader, and none to the compiler.
        const path = "../../../src/agents/policy-base.js?copy";
        const { Policy } = (await import(
          /* @vite-ignore */ path
        )) as typeof import("../../../src/agents/policy-base.js");
        class Foreign extends Policy {
          hasLabels = false;
          guard = async () => ({
            digest: "1",
            decide: async (execution: Execution) => ({ kind: "runs", execution }) as const,
            parked: async () => undefined,
            isUnconditional: () => true,
            labels: undefined,
          });
        }
        const given = new Foreign();
        expect(Policy.isPolicy(given)).toBe(true);
        return { given };
      },
    ],
  ])("is rejected before anything is read, because nothing would enforce it: %s", async (_, make) => {
    const { given } = await make();
    const emulator = createEmulator();
    const svc = new Svc({ ...emulator.connection, env: {} });
    const session = svc.toolRouter.use("trs_1");
    const options = { userId: USER, tools: [COUNT_WORDS], executions: memoryExecutions(), policy: given };
    // As a JavaScript program would pass it.
    for (const making of [toolset(svc, options as ClientToolsetOptions), toolset(session, options as never)]) {
      expect((await rejectionOf(ConfigError, making)).message).toBe(
        "toolset: policy must be a policy from policy() or customPolicy() of this copy of svc-sdk.",
      );
    }
    expect(emulator.requests).toEqual([]);
  });
});

test.each([
  ["rules", () => policy([allow({})])],
  ["functions", () => customPolicy(allowing)],
])("a function of a policy of %s can't be replaced: another one would be enforced", (_, make) => {
  expect(() => Object.assign(make(), { decide: () => ({ outcome: "deny" }) })).toThrow(TypeError);
});
