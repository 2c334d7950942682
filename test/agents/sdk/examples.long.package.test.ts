import { existsSync } from "node:fs";
import * as nodeModule from "node:module";
import { resolve } from "node:path";
import { describe, expect, type TestContext, test } from "vitest";
import { emulatorWithEnvironment, outputOf, start } from "../../examples/example-process.js";
import { hasRedis, NEEDS_REDIS, startRedis } from "../../webhooks/redis-server.js";
import { LARGE } from "../every-adapter.js";
import { CREATE_ISSUE, ISSUE } from "../support.js";
import {
  APPROVAL_SECRET,
  APPROVED,
  CONNECTED,
  description,
  KEYLESS,
  LARGE_APPROVED,
  LOOPS,
  PROGRAMS,
  STORIES,
} from "./agent-examples.js";
import { startModel } from "./model-server.js";

const like = (pattern: RegExp): unknown => expect.stringMatching(pattern);
const root = resolve(import.meta.dirname, "../../..");
const isInstalled = existsSync(resolve(root, "test/programs/agents/node_modules"));
// Node has had hooks that run in the same thread since 22.15.
const needs = isInstalled && "registerHooks" in nodeModule ? "" : " [skipped: needs npm run agents, and Node 22.15]";

/** `svc-sdk emulator --model`, and the variables that a reader pastes from its output. */
async function emulatorWithModel(context: TestContext) {
  const emulator = start(context, ["dist/cli.js", "emulator", "--model", "--port", "0"], {});
  await emulator.line(/^export GEMINI_API_KEY=/);
  const printed = emulator.lines().filter((line) => line.startsWith("export "));
  const pasted: Record<string, string> = Object.fromEntries(
    printed.map((line) => line.replace("export ", "").split(/=(.*)/)),
  );
  return { emulator, pasted };
}

describe("the example", async () => {
  const model = await startModel();
  const opensAnIssue = () =>
    model.script({ calls: [{ name: CREATE_ISSUE, arguments: ISSUE }] }, { text: "I opened issue #1." });

  test.for(LOOPS)("%s lets a model open an issue", async (name, context) => {
    const { environment, emulator } = await emulatorWithEnvironment(context);
    opensAnIssue();
    const program = [`examples/agents/${name}.ts`];
    expect(await outputOf(program, { ...environment, ...model.env })).toEqual(["I opened issue #1."]);
    expect(emulator.requests.filter(({ operation }) => operation === "tools.execute")).toHaveLength(1);
  });

  test.for(KEYLESS)("%s runs as pasted, without a key, beside svc-sdk emulator --model", async (name, context) => {
    // `openai` is the block of the README, which test/docs.test.ts compares with it.
    const { emulator, pasted } = await emulatorWithModel(context);
    expect(await outputOf([`examples/agents/${name}.ts`], pasted)).toEqual([like(/^I read: .*"html_url":"https:/)]);
    expect(await emulator.line(/tools\.execute/)).toContain("200 POST");
  });

  test.skipIf(needs !== "").for(LARGE)(`%s runs as pasted, without a key${needs}`, async (name, context) => {
    const { emulator, pasted } = await emulatorWithModel(context);
    const program = ["--import", "./test/programs/resolve.mjs?agents", `examples/agents/${name}.ts`];
    expect(await outputOf(program, pasted)).toEqual([like(/^I read: .*"html_url":"https:/)]);
    expect(await emulator.line(/tools\.execute/)).toContain("200 POST");
  });

  test("many-tools lets a model find a tool, and open an issue with it", async (context) => {
    const { environment, emulator } = await emulatorWithEnvironment(context);
    model.script(
      { calls: [{ name: "find_tools", arguments: { query: "open an issue" } }] },
      { calls: [{ name: CREATE_ISSUE, arguments: ISSUE }] },
      { text: "I opened issue #1." },
    );
    const variables = { ...environment, ...model.env };
    expect(await outputOf(["examples/agents/many-tools.ts"], variables)).toEqual([
      "I opened issue #1.",
      like(new RegExp(`^${CREATE_ISSUE} .*TEXTKIT_COUNT_WORDS TEXTKIT_REVERSE find_tools$`)),
    ]);
    const definitions = model.requests.map(({ body }) => JSON.stringify(body["tools"]));
    expect(definitions.map((sent) => sent.includes(`"${CREATE_ISSUE}"`))).toEqual([false, true, true]);
    expect(emulator.requests.filter(({ operation }) => operation === "tools.execute")).toHaveLength(1);
  });

  test.for(PROGRAMS)("%s lets a program call a tool, unless a budget counts the tool", async (name, context) => {
    const { environment, emulator } = await emulatorWithEnvironment(context);
    const program = "prog_1";
    model.script(
      {
        calls: [
          { id: "call_words", name: "TEXTKIT_COUNT_WORDS", arguments: { text: "one two" }, program },
          { id: "call_issue", name: CREATE_ISSUE, arguments: ISSUE, program },
        ],
      },
      { text: "Two words." },
    );
    const variables = { ...environment, ...model.env };
    expect(await outputOf([`examples/agents/${name}.ts`], variables)).toEqual(["Two words."]);
    const texts = model.requests[1]?.outputs.map(({ text }) => text);
    expect(texts).toEqual([like(/"words":2/), like(/can't be called by a program, so nothing ran/)]);
    expect(emulator.requests.filter(({ operation }) => operation === "tools.execute")).toHaveLength(1);
  });

  test.skipIf(needs !== "").for(LARGE)(`%s lets a model open an issue${needs}`, async (name, context) => {
    const { environment } = await emulatorWithEnvironment(context);
    opensAnIssue();
    const program = ["--import", "./test/programs/resolve.mjs?agents", `examples/agents/${name}.ts`];
    expect(await outputOf(program, { ...environment, ...model.env })).toEqual(["I opened issue #1."]);
  });

  test.for(APPROVED)("%s lets a model open an issue once a person has approved it", async (name, context) => {
    const { environment, emulator } = await emulatorWithEnvironment(context);
    opensAnIssue();
    const program = [`examples/agents/${name}.ts`];
    const lines = await outputOf(program, { ...environment, ...model.env, APPROVAL_SECRET });
    expect(lines).toEqual([...description(ISSUE.title, like(/^Needs approval because: "/)), "I opened issue #1."]);
    expect(emulator.requests.filter(({ operation }) => operation === "tools.execute")).toHaveLength(1);
  });

  test.skipIf(needs !== "").for(LARGE_APPROVED)(`%s lets a person approve a call${needs}`, async (name, context) => {
    const { environment, emulator } = await emulatorWithEnvironment(context);
    opensAnIssue();
    const program = ["--import", "./test/programs/resolve.mjs?agents", `examples/agents/${name}.ts`];
    const lines = await outputOf(program, { ...environment, ...model.env, APPROVAL_SECRET });
    expect(lines).toEqual([...description(ISSUE.title, like(/^Needs approval because: "/)), "I opened issue #1."]);
    expect(emulator.requests.filter(({ operation }) => operation === "tools.execute")).toHaveLength(1);
  });

  test.skipIf(needs !== "").for(CONNECTED)(
    `%s continues once the user has connected an account${needs}`,
    async (name, context) => {
      const { environment, emulator } = await emulatorWithEnvironment(context);
      opensAnIssue();
      const program = ["--import", "./test/programs/resolve.mjs?agents", `examples/agents/${name}.ts`];
      const lines = await outputOf(program, { ...environment, ...model.env });
      expect(lines).toEqual([like(/^Connect your account: http.+\/link\/lk_[\w-]+$/), "I opened issue #1."]);
      const executions = emulator.requests.filter(({ operation }) => operation === "tools.execute");
      expect(executions.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
    },
  );

  test("approvals-inspector waits for a person at the inspector", async (context) => {
    const { environment, emulator } = await emulatorWithEnvironment(context);
    const output = outputOf(["examples/agents/approvals-inspector.ts"], { ...environment, APPROVAL_SECRET });
    await expect.poll(() => emulator.runs[0]?.question, { timeout: 20_000 }).toBeTruthy();
    const [{ id = "", question } = {}] = emulator.runs;
    const body = JSON.stringify({ question: question?.id, approved: true });
    await fetch(`${emulator.url}/_emulator/runs/${id}/decision`, { method: "POST", body });
    expect(await output).toEqual([
      `svc-sdk: toolsets report their runs to the emulator. Inspector: ${emulator.url}/#/runs`,
      "succeeded",
    ]);
  });

  test.for(Object.entries(STORIES))("%s tells its story", async ([name, story], context) => {
    const { environment } = await emulatorWithEnvironment(context);
    expect(await outputOf([`examples/agents/${name}.ts`], { ...environment, APPROVAL_SECRET })).toEqual(story);
  });

  test.skipIf(!hasRedis).for(["once"])(`%s runs a call once${NEEDS_REDIS}`, async (name, context) => {
    const { environment } = await emulatorWithEnvironment(context);
    const redis = await startRedis();
    context.onTestFinished(() => redis.stop());
    const lines = await outputOf([`examples/agents/${name}.ts`], { ...environment, REDIS_URL: redis.path });
    expect(lines).toEqual([like(/^first: .*"words":2.* now$/), like(/^second: .*"words":2.* again$/)]);
  });

  test.skipIf(!hasRedis).for(["shared-budgets"])(`%s keeps its budget${NEEDS_REDIS}`, async (name, context) => {
    const { environment } = await emulatorWithEnvironment(context);
    const redis = await startRedis();
    context.onTestFinished(() => redis.stop());
    const variables = { ...environment, REDIS_URL: redis.path };
    expect(await outputOf([`examples/agents/${name}.ts`], variables)).toEqual(["2 of 3 calls ran"]);
    expect(await outputOf([`examples/agents/${name}.ts`], variables)).toEqual(["0 of 3 calls ran"]);
  });
});
