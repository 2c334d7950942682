import { Composio } from "@composio/core";

const composio = new Composio({ toolkitVersions: { TEXTKIT: "20260101_00", "GITHUB": "latest" } });
const toolkit = "GITHUB";
const pick: Record<string, string> = { GITHUB: "github" };

export async function run(): Promise<void> {
  await composio.tools.get("user-4711", { toolkits: ["GITHUB", 'SLACK', toolkit], tools: ["GITHUB_CREATE_AN_ISSUE"] });
  await composio.authConfigs.list({ toolkit: "GITHUB" });
  await composio.authConfigs.list({ toolkit: pick["GITHUB"] });
  await composio.create("user-4711", { toolkits: ["GITHUB"] });
}
