// A missing account in Mastra. Run it with: node examples/agents/connect-mastra.ts
// #region connect
// npm install svc-sdk @mastra/core, save this as connect.mts, then: node connect.mts
import { Mastra } from "@mastra/core";
import { Agent } from "@mastra/core/agent";
import { InMemoryStore } from "@mastra/core/storage";
import { Svc } from "svc-sdk";
import { AuthRequiredError, toolset } from "svc-sdk/agents";
import { type MastraTool, mastra } from "svc-sdk/agents/mastra";

const tools = mastra(
  await toolset(new Svc(), { userId: "user-new", tools: ["GITHUB_CREATE_AN_ISSUE"], onAuthRequired: "throw" }),
);
/** Suspends the run if the user has to connect an account. */
const suspending = ({ execute, ...tool }: MastraTool): MastraTool => ({
  ...tool,
  execute: async (input, context) => {
    try {
      return await execute(input, context);
    } catch (error) {
      if (!(error instanceof AuthRequiredError)) throw error;
      await context?.suspend?.({ link: await error.linkUrl() });
      return error.message;
    }
  },
});
const reporter = new Agent({
  id: "reporter",
  name: "Reporter",
  instructions: "Report problems as issues.",
  model: "openai/gpt-5",
  tools: Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, suspending(tool)])),
});
const agent = new Mastra({ agents: { reporter }, storage: new InMemoryStore(), logger: false }).getAgent("reporter");
const {
  finishReason,
  runId = "",
  suspendPayload,
  text,
} = await agent.generate("Open an issue in octo-org/hello-world: the build is broken.");
if (finishReason !== "suspended") throw new Error(text);
const { toolCallId, suspendPayload: payload } = suspendPayload;
console.log(`Connect your account: ${payload.link}`);
// The emulator's page, confirmed. With the real service, your user opens the link in a browser.
await fetch(`${payload.link}/complete`, { method: "POST", redirect: "manual" });

// Once the event svc.connected_account.activated has arrived:
const resumed = await agent.resumeGenerate({}, { runId, toolCallId });
console.log(resumed.text);
// #endregion
