import { describe, expect, test } from "vitest";
import { type Toolset, toolset } from "../../src/agents/index.js";
import { allow, ask, budget, deny, policy, type RuleMatch } from "../../src/agents/policy-entry.js";
import { ConfigError, Svc } from "../../src/index.js";
import { rejection } from "../support/client.js";
import { TURN_ADAPTERS } from "./every-adapter.js";
import { bench, COUNT_WORDS, CREATE_ISSUE, ISSUE, USER } from "./support.js";

const call = (callId = "1") => ({ callId, name: COUNT_WORDS, arguments: { text: "a b" } });

/** Runs one call of a toolset, and through each adapter, with the same options. */
const RUNS: Readonly<Record<string, (tools: Toolset, options: never) => unknown>> = {
  run: (tools, options) => tools.run([call()], options),
  ...Object.fromEntries(
    Object.entries(TURN_ADAPTERS).map(([name, { create, response }]) => [
      name,
      (tools: Toolset, options: never) =>
        create(tools).run(response("turn-1", [["call_0a1b2c3d", { text: "a b" }]]), options),
    ]),
  ),
};

const withGetter = (name: string, value: unknown) => {
  class Options {}
  Object.defineProperty(Options.prototype, name, { get: () => value });
  return new Options();
};

describe.each(Object.entries(RUNS))("%s", (_, run) => {
  test.each<[string, object]>([
    ["inherited", Object.create({ dryRun: true })],
    ["a getter of a class", withGetter("dryRun", true)],
    ["answered by a Proxy", new Proxy({}, { get: (_, name) => name === "dryRun" })],
  ])("sends nothing if dryRun is %s", async (_form, options) => {
    const { tools, executions } = await bench();
    // A Proxy answers `false` for every other option, which isn't a value of theirs.
    await Promise.resolve(run(tools, options as never)).catch(() => undefined);
    expect(executions()).toBe(0);
  });

  test("sends nothing if an inherited signal is aborted", async () => {
    const { tools, executions } = await bench();
    const options = Object.create({ signal: AbortSignal.abort(new Error("stopped")) });
    expect(String(await rejection(run(tools, options as never) as Promise<unknown>))).toContain("stopped");
    expect(executions()).toBe(0);
  });

  test("rejects a misspelled option that is inherited", async () => {
    const { tools, executions } = await bench();
    const options = Object.create({ dryrun: true });
    const error = await rejection(run(tools, options as never) as Promise<unknown>);
    expect(error).toEqual(new ConfigError("toolset: Unknown option dryrun. Did you mean dryRun?"));
    expect(executions()).toBe(0);
  });
});

describe("a rule", () => {
  const own = { tool: { name: COUNT_WORDS } };
  class Small {
    get tools() {
      return ["OTHER"];
    }
    when() {
      return this.tools.length === 0;
    }
  }

  test.each<[string, RuleMatch]>([
    ["a class with a getter", new Small()],
    ["inherited tools", Object.create({ tools: ["OTHER"] })],
    ["an inherited condition", Object.create({ when: () => false })],
    ["a Proxy that lists nothing", new Proxy({}, { get: (_, name) => (name === "tools" ? ["OTHER"] : undefined) })],
  ])("with %s matches no other call", (_, match) => {
    expect(policy([allow(match)]).decide(own).outcome).toBe("deny");
    expect(policy([allow({}), deny(match)]).decide(own).outcome).toBe("allow");
  });

  test("calls a method of its class on the object", () => {
    class Owned {
      readonly #name = COUNT_WORDS;
      when({ tool }: { readonly tool: { readonly name: string } }) {
        return tool.name === this.#name;
      }
    }
    expect(policy([allow(new Owned())]).decide(own).outcome).toBe("allow");
  });

  test("has the limits that it inherits", async () => {
    const limits = Object.create({ maxCallsPerTool: 1 });
    const { tools, executions } = await bench({ policy: policy([allow({}), budget({ ...limits, maxCalls: 5 })]) });
    await tools.run([call("1"), call("2")]);
    expect(executions()).toBe(2);
    const inherited = await bench({ policy: policy([allow({}), budget(limits)]) });
    await inherited.tools.run([call("1"), call("2")]);
    expect(inherited.executions()).toBe(1);
  });

  test("is rejected as a Map, which has no fields", () => {
    expect(() => policy([ask(new Map([["tools", ["A"]]]) as never)])).toThrow(ConfigError);
  });
});

describe("bound arguments", () => {
  const sent = async (bind: object) => {
    const { tools, emulator } = await bench({ bind: bind as never });
    await tools.run([{ callId: "1", name: CREATE_ISSUE, arguments: { repo: ISSUE.repo, title: "x" } }]);
    const { body } = emulator.requests.find(({ path }) => path.includes("/tools/execute/")) ?? {};
    return JSON.parse(body ?? "null")?.arguments;
  };

  test("may be inherited", async () => {
    expect(await sent(Object.create({ [CREATE_ISSUE]: { owner: "octo-org" } }))).toMatchObject({ owner: "octo-org" });
    expect(await sent({ [CREATE_ISSUE]: Object.create({ owner: "octo-org" }) })).toMatchObject({ owner: "octo-org" });
    expect(await sent({ [CREATE_ISSUE]: withGetter("owner", "octo-org") })).toMatchObject({ owner: "octo-org" });
  });

  test.each<[string, object]>([
    ["a Map of tools", new Map([[CREATE_ISSUE, { owner: "octo-org" }]])],
    ["a Map of arguments", { [CREATE_ISSUE]: new Map([["owner", "octo-org"]]) }],
    ["a Map as a value", { [CREATE_ISSUE]: { owner: new Map([["a", 1]]) } }],
    ["a date as a value", { [CREATE_ISSUE]: { owner: new Date(0) } }],
    ["undefined as a value", { [CREATE_ISSUE]: { owner: undefined } }],
  ])("can't be %s", async (_, bind) => {
    expect(await rejection(bench({ bind: bind as never }))).toBeInstanceOf(ConfigError);
  });
});

describe("accounts", () => {
  const tools = [CREATE_ISSUE];

  test("may be inherited, and labels too", async () => {
    for (const accounts of [Object.create({ github: "ca_github_demo" }), withGetter("github", "ca_github_demo")]) {
      const { tools: made, emulator } = await bench({ tools, accounts });
      await made.run([{ callId: "1", name: CREATE_ISSUE, arguments: ISSUE }]);
      const { body } = emulator.requests.find(({ path }) => path.includes("/tools/execute/")) ?? {};
      expect(JSON.parse(body ?? "null").connected_account_id).toBe("ca_github_demo");
    }
    const labeled = await bench({ tools, accounts: { github: Object.create({ work: "ca_github_demo" }) } });
    expect(labeled.tools.tools[0]?.parameters).toMatchObject({ properties: { account: { enum: ["work"] } } });
  });

  test.each<[string, object]>([
    ["a Map", new Map([["github", "ca_github_demo"]])],
    ["labels in a Map", { github: new Map([["work", "ca_github_demo"]]) }],
  ])("can't be %s", async (_, accounts) => {
    expect(await rejection(bench({ tools, accounts: accounts as never }))).toBeInstanceOf(ConfigError);
  });

  test("aren't looked up among the names that every object has", async () => {
    const schema = { type: "object" };
    const run = { slug: "CONSTRUCTOR_RUN", name: "Run", description: "Runs.", input: schema, output: schema };
    const words = { name: "Constructor", description: "Constructs.", categories: [], auth: [] };
    const versions = { "20260101_00": "The first." };
    const toolkit = { ...words, slug: "constructor", versions, tools: [{ ...run, run: () => ({}) }] };
    const { tools: made, executions } = await bench({ tools: [run.slug] }, { toolkits: [toolkit] });
    expect(made.tools[0]?.parameters).not.toHaveProperty("required");
    expect(await made.run([{ callId: "1", name: run.slug, arguments: {} }])).toMatchObject([{ status: "succeeded" }]);
    expect(executions()).toBe(1);
  });
});

test("a client's options hold wherever its object has them from, and nothing is sent with others", async () => {
  const { emulator } = await bench();
  const svc = new Svc(Object.create({ ...emulator.connection, env: {} }));
  expect((await svc.toolkits.list()).items.length).toBeGreaterThan(0);
  const before = emulator.requests.length;
  const aborted = Object.create({ signal: AbortSignal.abort(new Error("stopped")) });
  expect(String(await rejection(svc.toolkits.list({}, aborted)))).toContain("stopped");
  expect(String(await rejection(toolset(svc, Object.create({ userid: USER }))))).toContain("Did you mean userId?");
  expect(emulator.requests.length).toBe(before);
});
