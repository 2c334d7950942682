import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { afterAll, beforeAll, expect, test } from "vitest";
import { allow, budget, policy } from "../../src/agents/policy-entry.js";
import { recordDecision } from "../../src/otel/index.js";
import { bench, CREATE_ISSUE, ISSUE } from "../agents/support.js";

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
});
afterAll(() => {
  context.disable();
});

test("a decision is an event of the active span, without arguments", async () => {
  const exporter = new InMemorySpanExporter();
  const tracer = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).getTracer("app");
  const guardrails = policy([allow({ tools: [CREATE_ISSUE], name: "issues" }), budget({ maxCalls: 1, name: "one" })]);
  const { tools } = await bench({ policy: guardrails, onEvent: recordDecision, eventArguments: true });
  const call = (callId: string) => ({ callId, name: CREATE_ISSUE, arguments: ISSUE });
  const span = tracer.startSpan("turn");
  await context.with(trace.setSpan(context.active(), span), async () => {
    await tools.run([call("1")]);
    await tools.run([call("2")]);
  });
  span.end();
  const facts = (id: string, outcome: string, rule: string) => ({
    "svc.decision.outcome": outcome,
    "svc.decision.rule": rule,
    "gen_ai.tool.name": CREATE_ISSUE,
    "gen_ai.tool.call.id": id,
  });
  expect(exporter.getFinishedSpans()[0]?.events.map(({ name, attributes }) => [name, attributes])).toEqual([
    ["svc.decision", facts("1", "allow", "issues")],
    ["svc.decision", facts("2", "allow", "issues")],
    ["svc.decision", facts("2", "deny", "one")],
  ]);
});

test("a decision without an active span changes nothing", async () => {
  const { tools } = await bench({ policy: policy([]), onEvent: recordDecision });
  const [result] = await tools.run([{ callId: "1", name: CREATE_ISSUE, arguments: ISSUE }]);
  expect(result).toMatchObject({ status: "not_run" });
});
