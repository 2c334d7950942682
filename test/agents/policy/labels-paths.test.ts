import { expect, test } from "vitest";
import { openai } from "../../../src/agents/adapters/openai.js";
import { AuthRequiredError, memoryExecutions, tool, toolset } from "../../../src/agents/index.js";
import { policy } from "../../../src/agents/policy-entry.js";
import { rejectionOf } from "../../support/client.js";
import { CREATE_ISSUE, ISSUE } from "../support.js";
import { call, desk, RULES, statusOf } from "./desk.js";

/** A local tool of a test. */
const local = (name: string, execute: () => unknown) =>
  tool({ name, description: "A tool.", parameters: { type: "object", properties: {} }, execute });

test("a sub-agent's result labels the conversation that it shares, before the agent that called it goes on", async () => {
  const executions = memoryExecutions();
  const inner = await desk({ executions });
  const ask = local("ask_colleague", async () => {
    // A toolset of its own, for another user, which didn't start the conversation.
    const colleague = await desk({ executions, userId: "bob", isNewConversation: false });
    await colleague.tools.run([call("read_mail")]);
    return "a summary";
  });
  const outer = await toolset(inner.svc, {
    ...{ userId: "ada", tools: [ask, local("send_mail", () => "sent"), local("read_mail", () => "")] },
    ...{ executions, conversationId: "conversation 1", policy: policy(RULES, { allowUnknownNames: true }) },
  });
  expect(await statusOf(outer, "send_mail")).toBe("succeeded");
  expect(await statusOf(outer, "ask_colleague")).toBe("succeeded");
  expect(await statusOf(outer, "send_mail")).toBe("not_run");
});

test("a result of a run that was aborted has its label once the call is repeated", async () => {
  const controller = new AbortController();
  const reason = new Error("the user left");
  const slow = local("read_slowly", () => controller.abort(reason));
  const { svc } = await desk();
  const tools = await toolset(svc, {
    ...{ userId: "ada", tools: [slow, local("send_mail", () => "sent")], conversationId: "c", isNewConversation: true },
    ...{ executions: memoryExecutions(), policy: policy(RULES, { allowUnknownNames: true }) },
  });
  const reading = call("read_slowly");
  expect(await rejectionOf(Error, tools.run([reading], { signal: controller.signal }))).toBe(reason);
  expect(await tools.run([reading])).toMatchObject([{ labels: ["untrusted"] }]);
  expect(await statusOf(tools, "send_mail")).toBe("not_run");
});

test("a result that middleware replaces by its error has its label", async () => {
  const { tools } = await desk({
    use: [
      async ({ tool: { name } }, next) => {
        const result = await next();
        if (name === "read_mail") throw new Error(result.text);
        return result;
      },
    ],
  });
  expect(await tools.run([call("read_mail")])).toMatchObject([{ status: "unknown", labels: ["untrusted"] }]);
  expect(await statusOf(tools, "send_mail")).toBe("not_run");
});

test("results in an AuthRequiredError have their labels", async () => {
  const { tools } = await desk({ userId: "nobody", onAuthRequired: "throw" });
  const error = await rejectionOf(AuthRequiredError, tools.run([call("read_mail"), call(CREATE_ISSUE, ISSUE)]));
  expect(error.results[0]).toMatchObject({ status: "succeeded", labels: ["untrusted"] });
  expect(await statusOf(tools, "send_mail")).toBe("not_run");
});

test("a turn that another process resumes has its labels in a third one", async () => {
  const executions = memoryExecutions();
  const later = async () => (await desk({ executions, isNewConversation: false })).tools;
  const item = { type: "function_call", call_id: "call_abcdef", name: "read_mail", arguments: "{}" };
  const first = await openai((await desk({ executions })).tools).run({ id: "response", output: [item] });
  const ticket = JSON.parse(JSON.stringify(await first.suspend([])));
  const resumed = await openai(await later()).resume(ticket);
  expect(resumed.results).toMatchObject([{ isReplay: true, labels: ["untrusted"] }]);
  expect(await statusOf(await later(), "send_mail")).toBe("not_run");
});
