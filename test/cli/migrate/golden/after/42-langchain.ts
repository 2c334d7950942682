import { DynamicStructuredTool } from "@langchain/core/tools";
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { langchain } from "svc-sdk/agents/langchain";

export class Agent {
  readonly composio = new Svc();

  async tools(userId: string, slugs: string[]) {
    return langchain(await toolset(this.composio, { userId, tools: slugs }), { DynamicStructuredTool });
  }
}
