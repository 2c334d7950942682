import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { openaiChat } from "svc-sdk/agents/openai";

const composio = new Svc({ toolkitVersions: { textkit: "20260101_00", "github": "latest" } });
const toolkit = "GITHUB";
const pick: Record<string, string> = { GITHUB: "github" };

export async function run(): Promise<void> {
  openaiChat(await toolset(composio, { userId: "user-4711", toolkits: ["github", 'slack', toolkit], tools: ["GITHUB_CREATE_AN_ISSUE"] })).definitions;
  await composio.authConfigs.list({ toolkit_slug: "github" });
  await composio.authConfigs.list({ toolkit_slug: pick["GITHUB"] });
  await composio.toolRouter.create({ user_id: "user-4711", toolkits: { enable: ["github"] } });
}
