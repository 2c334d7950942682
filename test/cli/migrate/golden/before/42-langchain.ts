import { Composio } from "@composio/core";
import { LangchainProvider } from "@composio/langchain";

export class Agent {
  readonly composio = new Composio({ provider: new LangchainProvider() });

  async tools(userId: string, slugs: string[]) {
    return this.composio.tools.get(userId, { tools: slugs });
  }
}
