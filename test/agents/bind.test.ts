import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { anthropic } from "../../src/agents/adapters/anthropic.js";
import { google } from "../../src/agents/adapters/google.js";
import { openai, openaiChat } from "../../src/agents/adapters/openai.js";
import { tool, toolset } from "../../src/agents/index.js";
import { allow, ask, deny, dryRun, policy } from "../../src/agents/policy-entry.js";
import { compileToolset, reportTools } from "../../src/agents/schema/index.js";
import { ConfigError } from "../../src/index.js";
import { rejectionOf } from "../support/client.js";
import { sized } from "../support/size.js";
import { gated } from "./approvals/support.js";
import { bench, CREATE_ISSUE, ISSUE, USER } from "./support.js";

const bind = { [CREATE_ISSUE]: { owner: "octo-org", repo: async () => "hello-world" } };
const call = (args: unknown, callId = "1") => ({ callId, name: CREATE_ISSUE, arguments: args });
const bodyOf = ({ body }: { readonly body: string | undefined }) => JSON.parse(body ?? "").arguments;

describe("a bound argument", () => {
  test("is missing in the schema of every target, and in the toolset's tools", async () => {
    const { tools } = await bench({ bind });
    const given = [
      tools.tools,
      openai(tools).definitions,
      openaiChat(tools).definitions,
      anthropic(tools).definitions,
      google(tools).definitions,
      ...(["json-schema", "portable", "openai-strict", "anthropic-strict"] as const).map((target) =>
        compileToolset(tools, target).tools.map(({ schema }) => schema),
      ),
    ];
    for (const shown of given) expect(JSON.stringify(shown)).not.toMatch(/"(owner|repo)"/);
    expect(JSON.stringify(reportTools(tools))).toContain(CREATE_ISSUE);
  });

  test("is set by the program, and sent", async () => {
    const { tools, emulator } = await bench({ bind });
    const { run } = openai(tools);
    const item = { type: "function_call", call_id: "1", name: CREATE_ISSUE, arguments: '{"title":"x"}' };
    const { results } = await run({ output: [item] });
    expect(results).toMatchObject([{ status: "succeeded" }]);
    const sent = emulator.requests.filter(({ operation }) => operation === "tools.execute").map(bodyOf);
    expect(sent).toEqual([{ title: "x", owner: "octo-org", repo: "hello-world" }]);
  });

  test.each([
    [{ ...ISSUE, owner: "mallory" }],
    [{ title: "x", repo: "hello-world" }],
    ['{"title":"x","owner":"a","owner":"octo-org"}'],
    [{ title: "x", owner: null }],
  ])("can't be named by the model: %j", async (args) => {
    const { tools, executions } = await bench({ bind });
    const [result] = await tools.run([call(args)]);
    expect(result).toMatchObject({ status: "not_run", text: expect.stringContaining("the program sets it") });
    expect(executions()).toBe(0);
  });

  test("is evaluated by the policy, and shown to the person who approves", async () => {
    const denied = policy([allow({}), deny({ when: { owner: { is: "octo-org" } } })]);
    const { tools } = await bench({ bind, policy: denied });
    expect(await tools.run([call({ title: "x" })])).toMatchObject([{ status: "not_run" }]);
    const asking = await gated({ bind, tools: [CREATE_ISSUE], policy: policy([ask({})]) });
    const pending = await asking.ask("1", { title: "x" });
    expect(pending.arguments).toEqual({ title: "x", owner: "octo-org", repo: "hello-world" });
    expect(pending.call.arguments).toEqual({ title: "x" });
    const token = await asking.gate.approve(pending, { approver: "ada" });
    expect(await asking.tools.run([pending.call], { approvals: [token] })).toMatchObject([{ status: "succeeded" }]);
  });

  test("invalidates an approval if its value has changed since", async () => {
    let repo = "hello-world";
    const { tools, gate, ask: asked } = await gated({ bind: { [CREATE_ISSUE]: { repo: () => repo } } });
    const pending = await asked("1", { owner: "octo-org", title: "x" });
    const token = await gate.approve(pending, { approver: "ada" });
    repo = "other";
    const [result] = await tools.run([pending.call], { approvals: [token] });
    expect(result).toMatchObject({ status: "pending", error: { reason: "other_arguments" } });
  });

  test("is a function of the call", async () => {
    const seen: unknown[] = [];
    const owner = ({ userId, callId }: { userId: string | undefined; callId: string }) => {
      seen.push([userId, callId]);
      return "octo-org";
    };
    const { tools } = await bench({ bind: { [CREATE_ISSUE]: { owner } } });
    await tools.run([call({ repo: "hello-world", title: "x" })]);
    expect(seen).toEqual([[USER, "1"]]);
  });

  test("that is undefined runs nothing", async () => {
    const { tools, executions } = await bench({ bind: { [CREATE_ISSUE]: { owner: () => undefined } } });
    const [result] = await tools.run([call({ repo: "hello-world", title: "x" })]);
    expect(result).toMatchObject({ status: "not_run", error: expect.any(ConfigError) });
    expect(executions()).toBe(0);
  });

  const text = { type: "string" };
  const both = { owner: text, title: text };
  test.each<[string, object, object]>([
    ["in the root", { required: ["owner", "title"], allOf: [{ properties: both }] }, { title: "x" }],
    ["in a part", { properties: both, allOf: [{ required: ["owner", "title"] }] }, { title: "x" }],
    [
      "in one of several variants",
      {
        properties: { ...both, owner_id: text },
        required: ["title"],
        oneOf: [{ required: ["owner"] }, { required: ["owner_id"] }],
      },
      { title: "x" },
    ],
    [
      "behind an anchor",
      { allOf: [{ $ref: "#both" }], $defs: { x: { $anchor: "both", properties: both, required: ["owner"] } } },
      { title: "x" },
    ],
  ])("isn't required of the model, even if the schema does so %s", async (_, schema, args) => {
    const seen: unknown[] = [];
    const parameters = { type: "object", ...schema };
    const act = tool({ name: "act", description: "Acts.", parameters, execute: (given) => void seen.push(given) });
    const { tools } = await bench({ tools: [act], bind: { act: { owner: "ours" } } });
    for (const target of ["portable", "openai-strict", "anthropic-strict", "gemini"] as const) {
      const [compiled] = compileToolset(tools, target).tools;
      expect(JSON.stringify(compiled?.schema)).not.toContain('"owner"');
    }
    expect(await tools.run([{ callId: "1", name: "act", arguments: args }])).toMatchObject([{ status: "succeeded" }]);
    expect(seen).toEqual([{ ...args, owner: "ours" }]);
  });

  const nested = (): { send: ReturnType<typeof tool>; sent: unknown[] } => {
    const sent: unknown[] = [];
    const address = {
      type: "object",
      properties: { to: { type: "string" }, cc: { type: "string" } },
      required: ["to"],
    };
    const send = tool({
      name: "send",
      description: "Sends.",
      parameters: {
        type: "object",
        properties: { mail: { allOf: [{ $ref: "#/$defs/address" }] }, text: { type: "string" } },
        required: ["text"],
        $defs: { address },
      },
      execute: (args) => void sent.push(args),
    });
    return { send, sent };
  };

  test("may be inside of an object, behind references", async () => {
    const { send, sent } = nested();
    const { tools } = await bench({ tools: [send], bind: { send: { "mail.to": "ada" } } });
    expect(JSON.stringify(tools.tools[0]?.parameters["properties"])).not.toContain('"to"');
    const run = (args: object, callId: string) => tools.run([{ callId, name: "send", arguments: args }]);
    expect(await run({ text: "x", mail: { cc: "bob" } }, "1")).toMatchObject([{ status: "succeeded" }]);
    expect(await run({ text: "x" }, "2")).toMatchObject([{ status: "succeeded" }]);
    expect(await run({ text: "x", mail: { to: "bob" } }, "3")).toMatchObject([{ status: "not_run" }]);
    expect(await run({ text: "x", mail: "bob" }, "4")).toMatchObject([{ status: "not_run" }]);
    expect(sent).toEqual([
      { text: "x", mail: { cc: "bob", to: "ada" } },
      { text: "x", mail: { to: "ada" } },
    ]);
  });

  test("of a local tool with a schema is part of the schema's input", async () => {
    const paid: unknown[] = [];
    const parameters = z.object({ amount: z.number(), to: z.string().toUpperCase() });
    const pay = tool({ name: "pay", description: "Pays.", parameters, execute: (args) => void paid.push(args) });
    const { tools } = await bench({ tools: [pay], bind: { pay: { to: "ada" } } });
    await tools.run([{ callId: "1", name: "pay", arguments: { amount: 1 } }]);
    expect(paid).toEqual([{ amount: 1, to: "ADA" }]);
  });

  test.each([
    [{ GITHUB_CREATE_ISSUE: { owner: "a" } }, `bind: no tool GITHUB_CREATE_ISSUE. Did you mean ${CREATE_ISSUE}?`],
    [{ [CREATE_ISSUE]: { ownr: "a" } }, `bind: ${CREATE_ISSUE} has no argument ownr. Did you mean owner?`],
    [{ [CREATE_ISSUE]: { "owner.name": "a" } }, `bind: ${CREATE_ISSUE} has no argument owner.name.`],
  ])("must exist: %j", async (wrong, message) => {
    const error = await rejectionOf(ConfigError, bench({ bind: wrong }));
    expect(error.message).toContain(`toolset: ${message}`);
  });
});

describe("a bound argument in a session", () => {
  const opened = async (allowed: Record<string, unknown> = {}) => {
    const { svc, emulator } = await bench();
    const session = await svc.toolRouter.create({
      user_id: USER,
      preload: { tools: [CREATE_ISSUE] },
      workbench: { enable: false },
      ...allowed,
    });
    return { svc, session, emulator };
  };
  const multi = (args: object, callId = "1") => ({
    callId,
    name: "SVC_MULTI_EXECUTE_TOOL",
    arguments: { tools: [{ tool_slug: CREATE_ISSUE, arguments: args }], sync_response_to_workbench: false },
  });

  test.each([[undefined], [policy([allow({})])]])("holds inside SVC_MULTI_EXECUTE_TOOL", async (rules) => {
    const { svc, session } = await opened();
    const tools = await toolset(session, { bind, catalog: svc, ...(rules && { policy: rules }) });
    const [ran] = await tools.run([multi({ title: "bound" })]);
    expect(ran?.status, ran?.text).toBe("succeeded");
    expect(ran?.text).toContain("octo-org/hello-world");
    const [named] = await tools.run([multi({ title: "x", owner: "mallory" }, "2")]);
    expect(named).toMatchObject({ status: "not_run", text: expect.stringContaining("tools[0].owner") });
  });

  test.each<[string, object]>([
    ["another call of several", { tool_slug: "SVC_MULTI_EXECUTE_TOOL", arguments: { tools: [] } }],
    ["a slug that isn't one", { tool_slug: `${CREATE_ISSUE} `, arguments: { title: "x" } }],
    ["a slug in another case", { tool_slug: CREATE_ISSUE.toLowerCase(), arguments: { title: "x" } }],
    ["an unknown field", { tool_slug: CREATE_ISSUE, arguments: { title: "x" }, args: { owner: "mallory" } }],
    ["no slug", { arguments: {} }],
  ])("rejects %s inside SVC_MULTI_EXECUTE_TOOL", async (_, inner) => {
    const { svc, session, emulator } = await opened();
    const tools = await toolset(session, { bind, catalog: svc });
    const call = { callId: "1", name: "SVC_MULTI_EXECUTE_TOOL", arguments: { tools: [inner] } };
    expect(await tools.run([call])).toMatchObject([{ status: "not_run", text: expect.stringContaining("tools[0]") }]);
    expect(emulator.requests.filter(({ path }) => /\/execute(_meta)?$/.test(path))).toEqual([]);
  });

  test("can't hold beside a tool that runs any other, and says so", async () => {
    const { session } = await opened({ workbench: { enable: true } });
    const error = await rejectionOf(ConfigError, toolset(session, { bind }));
    expect(error.message).toMatch(/^toolset: bind can't hold beside SVC_REMOTE_\w+, which can run any tool\./);
  });
});

test("no call sets a bound argument, whatever a model writes", { timeout: 600_000 }, async () => {
  const seen: unknown[] = [];
  const parameters = {
    type: "object",
    properties: {
      owner: { type: "string" },
      text: {},
      repo: { type: "object", properties: { name: { type: "string" }, tag: {} } },
    },
  };
  const act = tool({ name: "act", description: "Acts.", parameters, execute: (args) => void seen.push(args) });
  const { tools } = await bench({ tools: [act], bind: { act: { owner: "ours", "repo.name": "ours" } } });
  const { run } = compileToolset(tools, "portable");
  const names = ["owner", "Owner", "repo", "repo.name", "/owner", "#/owner", "__proto__", "constructor", "text"];
  const inner = ["name", "Name", "__proto__", "tag", "name.name", "/name"];
  const value = fc.oneof(
    fc.constantFrom("theirs", null, 1, ["theirs"]),
    fc.dictionary(fc.constantFrom(...inner), fc.constantFrom("theirs", null, { name: "theirs" })),
  );
  const entries = fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 6 });
  let count = 0;
  await fc.assert(
    fc.asyncProperty(entries, async (members) => {
      // Also with the same name twice.
      const text = `{${members.map(([name, one]) => `${JSON.stringify(name)}:${JSON.stringify(one)}`).join(",")}}`;
      await run([{ callId: `call_${count++}`, name: "act", arguments: text }]);
    }),
    { numRuns: sized(100, 10_000, 100_000) },
  );
  expect(seen.length).toBeGreaterThan(10);
  for (const args of seen) expect(args).toMatchObject({ owner: "ours", repo: { name: "ours" } });
});

describe("a dry run", () => {
  test("shows the program what it set, and the model doesn't read it", async () => {
    const { tools } = await bench({
      tools: [CREATE_ISSUE],
      bind: { [CREATE_ISSUE]: { owner: "acme-internal", repo: "hidden" } },
      policy: policy([dryRun({})]),
    });
    const [result] = await tools.run([{ callId: "1", name: CREATE_ISSUE, arguments: { title: "A bug" } }]);
    expect(result).toMatchObject({
      status: "dry_run",
      data: { arguments: { owner: "acme-internal", title: "A bug" } },
    });
    expect(result?.text).toContain("A bug");
    expect(result?.text).not.toMatch(/acme-internal|hidden/);
  });
});
