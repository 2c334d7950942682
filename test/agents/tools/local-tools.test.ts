import { describe, expect, test } from "vitest";
import { z } from "zod";
import { tool, toolset } from "../../../src/agents/index.js";
import { allow, ask, deny, describeApproval, policy } from "../../../src/agents/policy-entry.js";
import { argumentValidator } from "../../../src/contract/arguments.js";
import { ConfigError } from "../../../src/index.js";
import { rejection, rejectionOf } from "../../support/client.js";
import { gated } from "../approvals/support.js";
import { bench, CREATE_ISSUE, ISSUE, USER } from "../support.js";

const payment = (parameters: Parameters<typeof tool>[0]["parameters"]) => {
  const paid: unknown[] = [];
  const pay = tool({ name: "pay", description: "Pays.", parameters, execute: (args) => void paid.push(args) });
  return { pay, paid };
};
const call = (args: unknown, callId = "1") => ({ callId, name: "pay", arguments: args });

describe("the schema of a local tool", () => {
  const amounts = z.object({ amount: z.number().default(5_000), to: z.string().trim().toLowerCase() });

  test.each([[{ to: "ada" }], [{ to: "  MALLORY ", amount: 1 }]])(
    "decides with its output, so that a default or a transform passes no deny: %j",
    async (args) => {
      const { pay, paid } = payment(amounts);
      const rules = [{ amount: { atLeast: 100 } }, { to: { is: "mallory" } }].map((when) => deny({ when }));
      const { tools } = await bench({ tools: [pay], policy: policy([allow({}), ...rules]) });
      expect(await tools.run([call(args)])).toMatchObject([{ status: "not_run" }]);
      expect(paid).toEqual([]);
    },
  );

  test("shows its output to the approver, and what was shown is what runs", async () => {
    const { pay, paid } = payment(amounts);
    const { tools, gate } = await gated({ tools: [pay], policy: policy([ask({})]) });
    const [asked] = await tools.run([call({ to: " ADA " })]);
    if (!asked?.pendingApproval) throw new Error(asked?.text);
    const { pendingApproval: pending } = asked;
    expect(pending.arguments).toEqual({ to: "ada", amount: 5_000 });
    expect(pending.call.arguments).toEqual({ to: " ADA " });
    expect(describeApproval(pending)).toContain("amount: 5000");
    const token = await gate.approve(pending, { approver: "ada" });
    expect(await tools.run([pending.call], { approvals: [token] })).toMatchObject([{ status: "succeeded" }]);
    expect(paid).toEqual([{ to: "ada", amount: 5_000 }]);
  });

  test("runs once per call", async () => {
    let runs = 0;
    const count = (text: string) => `${text}${++runs}`;
    const { pay, paid } = payment(z.object({ to: z.string().transform(count) }));
    const { tools } = await bench({ tools: [pay] });
    await tools.run([call({ to: "a" })]);
    expect([runs, paid]).toEqual([1, [{ to: "a1" }]]);
  });

  test("runs nothing if it fails in an asynchronous step that other calls passed", async () => {
    let isOpen = true;
    const open = async () => isOpen;
    const { pay, paid } = payment(z.object({ to: z.string() }).refine(open, "closed"));
    const { tools } = await bench({ tools: [pay] });
    await tools.run([call({ to: "a" })]);
    isOpen = false;
    expect(await tools.run([call({ to: "a" }, "2")])).toMatchObject([{ status: "not_run" }]);
    expect(paid).toHaveLength(1);
  });

  test("passes dates on, and a policy reads them as strings", async () => {
    const seen: unknown[] = [];
    const { pay, paid } = payment(z.object({ due: z.string().transform((text) => new Date(text)) }));
    const when = ({ arguments: args }: { arguments: object }) => seen.push(args) > 0;
    const { tools } = await bench({ tools: [pay], policy: policy([allow({ when })]) });
    await tools.run([call({ due: "2026-11-25T00:00:00Z" })]);
    expect(seen).toEqual([{ due: "2026-11-25T00:00:00.000Z" }]);
    expect(paid).toEqual([{ due: new Date("2026-11-25T00:00:00Z") }]);
  });

  test.each<[string, () => unknown]>([
    ["a map", () => new Map([["amount", 1_000]])],
    ["an infinite number", () => Number.POSITIVE_INFINITY],
    ["an object that shows something else as JSON", () => ({ toJSON: () => 1 })],
    ["an invalid date", () => new Date(Number.NaN)],
  ])("runs nothing if its output is %s, which no person could evaluate", async (_, transform) => {
    const { pay, paid } = payment(z.object({ amount: z.number().transform(transform) }));
    const { tools } = await bench({ tools: [pay] });
    const [result] = await tools.run([call({ amount: 1 })]);
    expect(result).toMatchObject({ status: "not_run", error: expect.any(ConfigError) });
    expect(String(result?.error)).toContain("the schema of pay must return JSON values and dates");
    expect(paid).toEqual([]);
  });
});

test("a local tool doesn't run with arguments that the validator can't check", async () => {
  const { pay, paid } = payment({
    type: "object",
    properties: { amount: { type: "number", maximum: 10 }, note: { type: "string" } },
  });
  const failure = new Error("no such reference");
  const check = () => {
    throw failure;
  };
  const { tools } = await bench({ tools: [pay], validateArguments: { check } });
  expect(await tools.run([call({ amount: 1_000 })])).toMatchObject([{ status: "not_run", error: failure }]);
  expect(paid).toEqual([]);
});

test("a local tool gets a field s3key, which means nothing there", async () => {
  const given: unknown[] = [];
  const parameters = { type: "object", properties: { note: { type: "object" } } };
  const own = tool({ name: "own", description: "", parameters, execute: (args) => given.push(args) });
  const { tools } = await bench({ tools: [own] });
  const call = { callId: "call_own", name: "own", arguments: { note: { s3key: "other/user" } } };
  expect(await tools.run([call])).toMatchObject([{ status: "succeeded" }]);
  expect(given).toEqual([call.arguments]);
});

test("two local tools can't have one name", async () => {
  const own = () => tool({ name: "own", description: "", parameters: { type: "object" }, execute: () => 1 });
  const error = await rejectionOf(ConfigError, bench({ tools: [own(), own()] }));
  expect(error.message).toBe("toolset: two tools are named own.");
});

test("a local tool whose schema has an id doesn't run past the bounds beside a reference to it", async () => {
  const { pay, paid } = payment({
    type: "object",
    properties: { amount: { type: "number", maximum: 10 }, note: { $ref: "urn:a" } },
    $defs: { a: { $id: "urn:a", type: "string" } },
  });
  const { tools } = await bench({ tools: [pay], validateArguments: argumentValidator() });
  expect(await tools.run([call({ amount: 1_000, note: "x" })])).toMatchObject([{ status: "not_run" }]);
  expect(paid).toEqual([]);
});

test.each<[object, string]>([
  [{ tag: ["destructiveHint"] }, "toolset: pay: Unknown option tag. Did you mean tags?"],
  [{ tags: "destructiveHint" }, "toolset: the tags of pay must be a list of strings."],
  [{ tags: ["destructivehint"] }, 'toolset: pay has the tag "destructivehint". Did you mean destructiveHint?'],
])("a local tool can't have %j, which no rule would find", async (fields, message) => {
  const { pay } = payment({ type: "object" });
  expect((await rejectionOf(ConfigError, bench({ tools: [{ ...pay, ...fields }] }))).message).toBe(message);
});

test("a local tool may be an object of a class, with other fields", async () => {
  class Clock {
    readonly name = "now";
    readonly description = "The time.";
    readonly parameters = { type: "object" };
    readonly zone = "UTC";
    execute() {
      return { zone: this.zone };
    }
  }
  const { tools } = await bench({ tools: [new Clock()] });
  const [result] = await tools.run([{ callId: "1", name: "now", arguments: {} }]);
  expect(result?.data).toEqual({ zone: "UTC" });
});

describe("the parameters of a local tool", () => {
  test.each<[string, object]>([
    ["a shape of Zod", { email: z.email() }],
    ["a shape of Zod with a property named type", { type: z.string() }],
    ["properties without the object around them", { email: { type: "string" } }],
    ["nothing", {}],
    ["a schema of a string", z.string()],
    ["a JSON Schema of an array", { type: "array", items: {} }],
  ])("can't be %s, which would allow everything", async (_, parameters) => {
    const notify = { name: "notify", description: "Notifies.", parameters: parameters as never, execute: () => 1 };
    const error = await rejectionOf(ConfigError, bench({ tools: [notify] }));
    expect(error.message).toBe(
      'toolset: the parameters of notify aren\'t a JSON Schema of an object or Zod 4.2. Write { type: "object", properties: { … } } or z.object({ … }).',
    );
  });

  test.each(["#/$defs/other", "urn:other", "#/$defs/itself"])(
    "can't refer to %s, which isn't in them",
    async ($ref) => {
      const { pay } = payment({
        type: "object",
        properties: { amount: { $ref }, note: { default: { $ref: "of a value" } } },
        $defs: { itself: { $ref: "#/$defs/itself" } },
      });
      const error = await rejectionOf(ConfigError, bench({ tools: [pay] }));
      expect(error.message).toMatch(
        /^toolset: the parameters of \w+ refer to ".+", which leads to no schema in them\.$/,
      );
    },
  );

  test.each(["default", "enum", "examples"])(
    "can't refer to a missing schema in a property called %s",
    async (name) => {
      const { pay } = payment({ type: "object", properties: { [name]: { $ref: "#/$defs/other" } } });
      const error = await rejectionOf(ConfigError, bench({ tools: [pay] }));
      expect(error.message).toMatch(/ refer to "#\/\$defs\/other", which leads to no schema in them\.$/);
    },
  );

  test.each(["const", "default", "enum", "examples"])(
    "may have values in %s that look like references",
    async (name) => {
      const { pay } = payment({
        type: "object",
        title: null,
        properties: { note: { [name]: { $ref: "of a value" } } },
      });
      const { tools } = await bench({ tools: [pay] });
      expect(tools.tools).toHaveLength(1);
    },
  );

  test("may be a union of objects of Zod", async () => {
    const parameters = z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]);
    const { pay, paid } = payment(parameters);
    const { tools } = await bench({ tools: [pay] });
    expect(await tools.run([call({ b: "x" })])).toMatchObject([{ status: "succeeded" }]);
    expect(paid).toEqual([{ b: "x" }]);
  });
});

test.each<[object, string]>([
  [{ approvals: "token" }, "approvals must be an array of tokens: { approvals: [token] }."],
  [{ approvals: [1] }, "approvals must be an array of tokens: { approvals: [token] }."],
  [{ signal: {} }, "signal must be an AbortSignal. If you have an AbortController, pass its signal."],
  [{ deadlineMs: "5s" }, "deadlineMs must be a number from 1 to 2147483647."],
  [{ deadlineMs: Number.POSITIVE_INFINITY }, "deadlineMs must be a number from 1 to 2147483647."],
  [{ timeoutMs: 0 }, "timeoutMs must be a number from 1 to 2147483647."],
  [{ timeoutMs: 2 ** 31 }, "timeoutMs must be a number from 1 to 2147483647."],
  [{ dryRun: "yes" }, "dryRun must be true or false."],
  [{ onStreamEvent: 1 }, "onStreamEvent must be a function."],
])("run rejects the option %j, and nothing runs", async (options, problem) => {
  const { tools, executions } = await bench();
  const issue = { callId: "1", name: CREATE_ISSUE, arguments: ISSUE };
  const error = await rejectionOf(ConfigError, tools.run([issue], options));
  expect(error.message).toBe(`toolset: ${problem}`);
  expect(executions()).toBe(0);
});

test("an aborted run waits for the functions that still run", async () => {
  let hasEnded = false;
  let start = () => {};
  const started = new Promise<void>((resolve) => {
    start = resolve;
  });
  const slow = tool({
    name: "slow",
    description: "Ignores the signal.",
    parameters: { type: "object" },
    execute: async () => {
      start();
      for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
      hasEnded = true;
    },
  });
  const controller = new AbortController();
  const quick = tool({
    name: "quick",
    description: "Aborts.",
    parameters: { type: "object" },
    execute: async () => {
      // The calls may start in any order, because each waits for the digest of its arguments.
      await started;
      controller.abort(new Error("the user left"));
      throw controller.signal.reason;
    },
  });
  const { tools } = await bench({ tools: [slow, quick] });
  const calls = ["slow", "quick"].map((name) => ({ callId: name, name, arguments: {} }));
  expect(await rejection(tools.run(calls, { signal: controller.signal }))).toMatchObject({ message: "the user left" });
  expect(hasEnded).toBe(true);
});

describe("toolsets with default options", () => {
  const issue = { callId: "call_1", name: CREATE_ISSUE, arguments: ISSUE };

  test("run a call once if they are made of the same client", async () => {
    const { svc, tools, executions } = await bench();
    const next = await toolset(svc, { userId: USER, tools: [CREATE_ISSUE] });
    await tools.run([issue]);
    expect(await next.run([issue])).toMatchObject([{ status: "succeeded", isReplay: true }]);
    expect(executions()).toBe(1);
  });

  test("run a call once if they are made of handles of the same session", async () => {
    const { svc, emulator } = await bench();
    const { id } = await svc.toolRouter.create({ user_id: USER, preload: { tools: [CREATE_ISSUE] } });
    const run = async () => (await toolset(svc.toolRouter.use(id))).run([issue]);
    expect(await run()).toMatchObject([{ status: "succeeded", isReplay: false }]);
    expect(await run()).toMatchObject([{ status: "succeeded", isReplay: true }]);
    const ran = emulator.requests.filter(({ path }) => path.endsWith("/execute"));
    expect(ran).toHaveLength(1);
  });

  test("run it again for another client, which may be of another project", async () => {
    await (await bench()).tools.run([issue]);
    expect(await (await bench()).tools.run([issue])).toMatchObject([{ isReplay: false }]);
  });
});
