import { describe, expect, test } from "vitest";
import { anthropic } from "../../src/agents/adapters/anthropic.js";
import { langchain } from "../../src/agents/adapters/langchain.js";
import { openai } from "../../src/agents/adapters/openai.js";
import { ConfigError, logCalls, Svc } from "../../src/index.js";
import { traceCalls, traceToolset } from "../../src/otel/index.js";
import { sharedRateLimit } from "../../src/stores/index.js";
import {
  postgresBudgets,
  postgresDeliveries,
  postgresExecutions,
  postgresInbox,
  postgresRateLimit,
} from "../../src/stores/postgres.js";
import { redisBudgets, redisDeliveries, redisExecutions, redisRateLimit } from "../../src/stores/redis.js";
import { mswHandlers } from "../../src/testing/msw.js";
import { memoryDeliveries, signWebhook } from "../../src/webhooks/index.js";
import { bench } from "../agents/support.js";

/** Calls a function as a JavaScript program may. */
const calling = (run: (...given: never[]) => unknown, ...given: unknown[]) => {
  return () => Reflect.apply(run, undefined, given);
};
const noObject = (example: string) =>
  `the options must be an object, such as { ${example} }. If you passed a promise, await it.`;
const REDIS = "client must be a client of the package redis or ioredis.";
const POSTGRES = "client must be a pool or client of pg, or an object with query(text, values).";

describe("without its arguments", () => {
  test.each<[(...given: never[]) => unknown, string]>([
    [mswHandlers, "the emulator must be createEmulator(), or an object with fetch()."],
    [signWebhook, "id must be a non-empty string without a period."],
    [redisDeliveries, REDIS],
    [redisRateLimit, REDIS],
    [redisExecutions, REDIS],
    [redisBudgets, REDIS],
    [postgresDeliveries, POSTGRES],
    [postgresRateLimit, POSTGRES],
    [postgresExecutions, POSTGRES],
    [postgresBudgets, POSTGRES],
    [postgresInbox, "pool must be a pool of pg, or an object with query(), connect()."],
    [sharedRateLimit, "the store must be an object with read(), compareAndSwap()."],
  ])("%o throws a ConfigError that says what is missing", (run, problem) => {
    expect(calling(run)).toThrow(new ConfigError(`${run.name}: ${problem}`));
  });

  test.each<[(...given: never[]) => unknown, string]>([
    [logCalls, "logger"],
    [traceCalls, "tracerProvider"],
    [memoryDeliveries, "maxEntries"],
    [redisDeliveries, "client"],
    [postgresInbox, "pool"],
  ])("%o rejects null instead of options", (run, example) => {
    expect(calling(run, null)).toThrow(new ConfigError(`${run.name}: ${noObject(example)}`));
  });
});

describe("an unknown or invalid option is a ConfigError of", () => {
  const { client } = { client: { eval: async () => null } };
  test.each<[string, () => unknown, string]>([
    [
      "memoryDeliveries",
      calling(memoryDeliveries, { maxEntrys: 5 }),
      "Unknown option maxEntrys. Did you mean maxEntries?",
    ],
    ["memoryDeliveries", calling(memoryDeliveries, { now: 5 }), "now must be a function."],
    ["traceCalls", calling(traceCalls, { tracer: 1 }), "Unknown option tracer. Did you mean tracerProvider?"],
    [
      "traceToolset",
      calling(traceToolset, { recordArgs: true }),
      "Unknown option recordArgs. Did you mean recordArguments?",
    ],
    [
      "traceToolset",
      calling(traceToolset, { tracerProvider: {} }),
      "tracerProvider must be a TracerProvider of OpenTelemetry, or an object with getTracer().",
    ],
    ["redisDeliveries", calling(redisDeliveries, { client, prefix: 5 }), "prefix must be a string."],
    [
      "logCalls",
      calling(logCalls, { env: "SVC_LOG=info" }),
      "env must be an object with variables, such as process.env.",
    ],
  ])("%s: %#", (name, run, problem) => {
    expect(run).toThrow(new ConfigError(`${name}: ${problem}`));
  });

  test.each([5, "SVC_API_KEY=ak_1", [], true])("a client whose env is %j", (env) => {
    expect(() => new Svc({ baseUrl: "https://api.example.com", env: env as object })).toThrow(
      new ConfigError("new Svc(): env must be an object with variables, such as process.env."),
    );
  });
});

describe("an adapter", async () => {
  const { tools } = await bench();
  class DynamicStructuredTool {
    invoke(): void {}
  }

  test.each<[string, () => unknown, string]>([
    ["openai", calling(openai, tools, { defer: true }), "defer must be a function."],
    ["openai", calling(openai, tools, { strict: "yes" }), "strict must be true or false or a function."],
    ["openai", calling(openai, tools, { programmatic: "yes" }), "programmatic must be true or false."],
    ["anthropic", calling(anthropic, tools, { defer: true }), "defer must be a function."],
    [
      "langchain",
      calling(langchain, tools, { DynamicStructuredTool, interupt: () => undefined }),
      "Unknown option interupt. Did you mean interrupt?",
    ],
    [
      "langchain",
      calling(langchain, tools, { DynamicStructureTool: DynamicStructuredTool }),
      "Unknown option DynamicStructureTool. Did you mean DynamicStructuredTool?",
    ],
  ])("rejects an option that it couldn't use: %s %#", (name, run, problem) => {
    expect(run).toThrow(new ConfigError(`${name}: ${problem}`));
  });

  test("accepts a whole module as LangChain, whose other exports aren't misspelled names", () => {
    const others = {
      DynamicTool: class {},
      isStructuredTool: () => true,
      tool: () => ({}),
      INTERRUPT: "__interrupt__",
    };
    const interrupt = () => undefined;
    expect(langchain(tools, { ...others, DynamicStructuredTool, interrupt })).toHaveLength(tools.tools.length);
  });
});
