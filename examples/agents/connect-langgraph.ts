// A missing account in LangChain and LangGraph. Run it with: node examples/agents/connect-langgraph.ts
// #region connect
// npm install svc-sdk @langchain/core @langchain/langgraph @langchain/openai langchain, save this as connect.mts, then: node connect.mts
import { DynamicStructuredTool } from "@langchain/core/tools";
import { Command, interrupt, MemorySaver } from "@langchain/langgraph";
import { createAgent } from "langchain";
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { langchain } from "svc-sdk/agents/langchain";

const tools = await toolset(new Svc(), {
  userId: "user-new",
  tools: ["GITHUB_CREATE_AN_ISSUE"],
  onAuthRequired: async ({ linkUrl }) => interrupt(await linkUrl()),
});
const agent = createAgent({
  model: "openai:gpt-5",
  tools: langchain(tools, { DynamicStructuredTool }),
  checkpointer: new MemorySaver(),
});
const config = { configurable: { thread_id: "conversation-42" } };
let state = await agent.invoke({ messages: "Open an issue in octo-org/hello-world: the build is broken." }, config);
for (const { value: link } of state.__interrupt__ ?? []) {
  console.log(`Connect your account: ${link}`);
  // The emulator's page, confirmed. With the real service, your user opens the link in a browser.
  await fetch(`${link}/complete`, { method: "POST", redirect: "manual" });
}

// Once the event svc.connected_account.activated has arrived:
state = await agent.invoke(new Command({ resume: true }), config);
console.log(state.messages.at(-1)?.text);
// #endregion
