import { expect, test } from "vitest";
import { aiSdk, aiSdkApproval } from "../../src/agents/adapters/ai-sdk.js";
import { anthropic } from "../../src/agents/adapters/anthropic.js";
import { google } from "../../src/agents/adapters/google.js";
import { langchain } from "../../src/agents/adapters/langchain.js";
import { mastra } from "../../src/agents/adapters/mastra.js";
import { mcpServer } from "../../src/agents/adapters/mcp.js";
import { openai, openaiChat } from "../../src/agents/adapters/openai.js";
import { openaiAgents } from "../../src/agents/adapters/openai-agents.js";
import { memoryExecutions } from "../../src/agents/index.js";
import { memoryBudgets } from "../../src/agents/policy.js";
import { argumentValidator } from "../../src/contract/arguments.js";
import { ConfigError } from "../../src/index.js";
import {
  postgresBudgets,
  postgresDeliveries,
  postgresExecutions,
  postgresInbox,
  postgresRateLimit,
} from "../../src/stores/postgres.js";
import { redisBudgets, redisDeliveries, redisExecutions, redisRateLimit } from "../../src/stores/redis.js";
import { bench } from "./support.js";

const { tools } = await bench();
const redis = { client: { eval: async () => null } };
const postgres = { client: { query: async () => [] } };
const pool = { ...postgres.client, connect: async () => ({ ...postgres.client, release: () => undefined }) };

class LangChainTool {
  invoke(): void {}
}

/** Calls with a misspelled option, each with the option that was meant. */
const CALLS: readonly (readonly [name: string, call: (wrong: object) => unknown, wrong: string, meant: string])[] = [
  ["openai", (wrong) => openai(tools, wrong), "deffer", "defer"],
  ["openaiChat", (wrong) => openaiChat(tools, wrong), "strickt", "strict"],
  ["anthropic", (wrong) => anthropic(tools, wrong), "programatic", "programmatic"],
  ["google", (wrong) => google(tools, wrong), "defered", "defer"],
  ["aiSdk", (wrong) => aiSdk(tools, wrong), "approval", "approvals"],
  ["aiSdkApproval", (wrong) => aiSdkApproval(tools, wrong), "approvls", "approvals"],
  ["langchain", (wrong) => langchain(tools, { DynamicStructuredTool: LangChainTool }, wrong), "targt", "target"],
  ["mastra", (wrong) => mastra(tools, wrong), "suspendForAproval", "suspendForApproval"],
  ["mcpServer", (wrong) => mcpServer(tools, { registerTool: () => undefined }, wrong), "aprover", "approver"],
  ["openaiAgents", (wrong) => openaiAgents(tools, { tool: () => ({}) }, wrong), "aprovals", "approvals"],
  ["argumentValidator", argumentValidator, "catalogue", "catalog"],
  ["memoryExecutions", memoryExecutions, "maxResult", "maxResults"],
  ["memoryBudgets", memoryBudgets, "nwo", "now"],
  ["redisExecutions", (wrong) => redisExecutions({ ...redis, ...wrong }), "prefx", "prefix"],
  ["redisBudgets", (wrong) => redisBudgets({ ...redis, ...wrong }), "prefx", "prefix"],
  ["redisDeliveries", (wrong) => redisDeliveries({ ...redis, ...wrong }), "retention", "retentionMs"],
  ["redisRateLimit", (wrong) => redisRateLimit({ ...redis, ...wrong }), "onOutge", "onOutage"],
  ["postgresExecutions", (wrong) => postgresExecutions({ ...postgres, ...wrong }), "prefx", "prefix"],
  ["postgresBudgets", (wrong) => postgresBudgets({ ...postgres, ...wrong }), "prefx", "prefix"],
  ["postgresDeliveries", (wrong) => postgresDeliveries({ ...postgres, ...wrong }), "retention", "retentionMs"],
  ["postgresInbox", (wrong) => postgresInbox({ pool, ...wrong }), "retention", "retentionMs"],
  ["postgresRateLimit", (wrong) => postgresRateLimit({ ...postgres, ...wrong }), "kye", "key"],
];

test.each(CALLS)("%s rejects a misspelled option, and names the one that was meant", (name, call, wrong, meant) => {
  const message = `${name}: Unknown option ${wrong}. Did you mean ${meant}?`;
  expect(() => call({ [wrong]: undefined })).toThrow(new ConfigError(message));
  call({});
});
