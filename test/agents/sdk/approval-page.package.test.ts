import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { emulatorWithEnvironment, type Owner, outputOf, start } from "../../examples/example-process.js";
import { freePort } from "../../support/ports.js";
import { hasRedis, NEEDS_REDIS, startRedis } from "../../webhooks/redis-server.js";
import { CREATE_ISSUE, ISSUE } from "../support.js";
import { startModel } from "./model-server.js";

const model = await startModel();
const FILES = ["agent", "ask", "page"].map((name) => `examples/approval-page/${name}.ts`);
const opensAnIssue = { calls: [{ name: CREATE_ISSUE, arguments: ISSUE }] };

/** The first process has asked and ended, and the second one shows its page. */
async function waitingPage(owner: Owner) {
  const { emulator, environment } = await emulatorWithEnvironment(owner);
  const redis = await startRedis();
  owner.onTestFinished(() => redis.stop());
  const port = await freePort();
  const variables = {
    ...environment,
    ...model.env,
    REDIS_URL: redis.path,
    APPROVAL_SECRET: "an approval key for tests, 0123456789",
    PORT: String(port),
  };
  expect(await outputOf(["examples/approval-page/ask.ts"], variables)).toEqual(["It waits for a decision."]);
  await start(owner, ["examples/approval-page/page.ts"], variables).line(/^Port /);
  const origin = `http://localhost:${port}`;
  const show = async () => (await fetch(origin)).text();
  const click = async (decision: string, from = origin) => {
    const body = new URLSearchParams({ decision });
    return (await fetch(origin, { method: "POST", body, headers: { origin: from } })).text();
  };
  const effects = () => emulator.requests.filter(({ operation }) => operation === "tools.execute").length;
  return { show, click, effects };
}

describe.skipIf(!hasRedis)(`the page on which a person approves${NEEDS_REDIS}`, () => {
  test("shows the call, and runs it once, in a process that started later", async (context) => {
    model.script(opensAnIssue, { text: "I opened issue #1." }, { text: "I opened issue #1." });
    const { show, click, effects } = await waitingPage(context);
    expect(await show()).toContain("title: &quot;From a model&quot;");
    expect(await click("approve", "https://elsewhere.example")).toBe("Forbidden");
    expect(effects()).toBe(0);
    expect(await click("approve")).toBe("I opened issue #1.");
    const first = model.requests[1]?.outputs;
    expect(first?.[0]?.text).toContain('"number":1');
    expect(await click("approve")).toBe("I opened issue #1.");
    expect(model.requests[2]?.outputs).toEqual(first);
    expect(effects()).toBe(1);
  });

  test("tells the model about a denial", async (context) => {
    model.script(opensAnIssue, { text: "I didn't open it." });
    const { click, effects } = await waitingPage(context);
    expect(await click("deny")).toBe("I didn't open it.");
    expect(model.requests[1]?.outputs[0]?.text).toContain("was not approved");
    expect(effects()).toBe(0);
  });
});

test("the program has at most 60 lines of code", () => {
  const lines = FILES.flatMap((path) => readFileSync(path, "utf8").split("\n"));
  const code = lines.filter((line) => !/^\s*(\/\/|\/\*\*|$)/.test(line));
  expect(code.length).toBeLessThanOrEqual(60);
});
