import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { emulatorWithEnvironment, type Owner, outputOf, start } from "../../examples/example-process.js";
import { freePort } from "../../support/ports.js";
import { hasRedis, NEEDS_REDIS, startRedis } from "../../webhooks/redis-server.js";
import { CREATE_ISSUE, ISSUE } from "../support.js";
import { startModel } from "./model-server.js";

const model = await startModel();
const FILES = ["agent", "ask", "page"].map((name) => `examples/approval-page/${name}.ts`);
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
  expect(await outputOf(["examples/approval-page/ask.ts"], variables)).toEqual(["A call needs approval."]);
  await start(owner, ["examples/approval-page/page.ts"], variables).line(/^Port /);
  const origin = `http://localhost:${port}`;
  /** The requests that the page shows: the title of each call, and the URL of its form. */
  const show = async () => {
    const page = await (await fetch(origin)).text();
    const forms = [...page.matchAll(/<form method="post"(?: action="(.+?)")?>[\s\S]+?title: &quot;(.+?)&quot;/g)];
    return new Map(forms.map(([, action = "", title = ""]) => [title, new URL(action, origin).href]));
  };
  const click = async (form = `${origin}/unknown`, decision = "approve", from = origin) => {
    const body = new URLSearchParams({ decision });
    return (await fetch(form, { method: "POST", body, headers: { origin: from } })).text();
  };
  const opened = () => emulator.tools.calls(CREATE_ISSUE).map(({ arguments: args }) => args["title"]);
  return { show, click, opened };
}

const opensAnIssue = (...titles: readonly string[]) => ({
  calls: titles.map((title) => ({ name: CREATE_ISSUE, arguments: { ...ISSUE, title } })),
});

describe.skipIf(!hasRedis)(`the page on which a person approves${NEEDS_REDIS}`, () => {
  test("shows the call, and runs it once, in a process that started later", async (context) => {
    model.script(opensAnIssue("Shown"), { text: "I opened issue #1." });
    const { show, click, opened } = await waitingPage(context);
    const [[title, form] = []] = await show();
    expect(title).toBe("Shown");
    expect(await click(form, "approve", "https://elsewhere.example")).toBe("Forbidden");
    expect(opened()).toEqual([]);
    expect(await click(form)).toBe(`The request is approved. I opened issue #1.`);
    expect(model.requests[1]?.outputs[0]?.text).toContain('"number":1');
    // A click of the other button gets the first decision.
    expect(await click(form, "deny")).toBe(`The request is approved. No turn is suspended.`);
    expect(opened()).toEqual(["Shown"]);
    expect(model.requests).toHaveLength(2);
  });

  test("decides only the request that the person saw", async (context) => {
    model.script(opensAnIssue("Shown"), opensAnIssue("Never shown"));
    const { show, click, opened } = await waitingPage(context);
    const form = (await show()).get("Shown");
    // The second click is on the same button of the same page.
    const answers = [await click(form), await click(form)];
    expect(opened()).toEqual(["Shown"]);
    expect(answers).toEqual(Array(2).fill(`The request is approved. A call needs approval.`));
    expect([...(await show()).keys()]).toEqual(["Never shown"]);
  });

  test("goes on once, after all calls of a turn are decided, for clicks at the same time", async (context) => {
    model.script(opensAnIssue("A", "B"), { text: "I opened A." }, { text: "I opened A." });
    const { show, click, opened } = await waitingPage(context);
    const forms = await show();
    expect(await click(forms.get("A"))).toBe(`The request is approved. A call needs approval.`);
    const answers = await Promise.all([click(forms.get("B"), "deny"), click(forms.get("B"), "deny")]);
    expect(answers).toContain(`The request is denied. I opened A.`);
    expect(answers.join()).toMatch(/Another click has continued|No turn is suspended/);
    expect(model.requests[1]?.outputs[1]?.text).toContain("was not approved");
    expect(opened()).toEqual(["A"]);
  });

  test("says so if nothing waits, or a request is unknown, and goes on after a failure of the model", async (context) => {
    const failures = Array(3).fill({ failure: "server_error" }); // The client of OpenAI retries twice.
    model.script(opensAnIssue("Shown"), ...failures, { text: "I opened issue #1." });
    const { show, click, opened } = await waitingPage(context);
    expect(await click()).toBe("404 Not Found");
    const form = (await show()).get("Shown");
    expect(await click(form)).toBe("Internal Server Error");
    expect(await click(form)).toBe(`The request is approved. I opened issue #1.`);
    expect(await show()).toEqual(new Map());
    expect(opened()).toEqual(["Shown"]);
  });
});

test("the program has at most 60 lines of code", () => {
  const lines = FILES.flatMap((path) => readFileSync(path, "utf8").split("\n"));
  const code = lines.filter((line) => !/^\s*(\/\/|\/\*\*|$)/.test(line));
  expect(code.length).toBeLessThanOrEqual(60);
});
