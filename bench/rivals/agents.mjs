// Stands beside its node_modules, so that the packed tarball resolves from here and not from the project.
import { aiSdk } from "svc-sdk/agents/ai-sdk";
import { anthropic } from "svc-sdk/agents/anthropic";
import { google } from "svc-sdk/agents/google";
import { openai } from "svc-sdk/agents/openai";

export { Svc } from "svc-sdk";
export { toolset } from "svc-sdk/agents";
export { compileTools } from "svc-sdk/agents/schema";

export const ADAPTERS_OF_SVC = { openai, anthropic, google, aiSdk };
