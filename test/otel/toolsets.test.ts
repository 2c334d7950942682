import { context, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ClientToolsetOptions, tool, toolset } from "../../src/agents/index.js";
import { allow, ask, budget, policy } from "../../src/agents/policy-entry.js";
import { type TraceToolsetOptions, traceToolset } from "../../src/otel/index.js";
import { call, desk, failing } from "../agents/policy/desk.js";
import { bench, COUNT_WORDS, CREATE_ISSUE, ISSUE, USER } from "../agents/support.js";

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager());
});
afterAll(() => {
  context.disable();
});

const add = tool({
  name: "add",
  description: "Adds.",
  parameters: { type: "object", properties: { a: { type: "number" } } },
  execute: () => {
    throw new RangeError("CANARY");
  },
});

async function traced(options: Partial<ClientToolsetOptions> = {}, traceOptions: TraceToolsetOptions = {}) {
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const onEvent = traceToolset({ tracerProvider, ...traceOptions });
  const made = await bench({ tools: [CREATE_ISSUE, COUNT_WORDS, add], onEvent, ...options });
  return { ...made, onEvent, tracer: tracerProvider.getTracer("app"), spans: () => exporter.getFinishedSpans() };
}

const issue = (callId: string) => ({ callId, name: CREATE_ISSUE, arguments: ISSUE });

describe("traceToolset", () => {
  test("writes a span for each of two simultaneous calls with one id in two conversations", async () => {
    const { svc, tools: second, onEvent, spans } = await traced({ conversationId: "second" });
    const wait = tool({
      name: "wait",
      description: "Waits for the other conversation.",
      parameters: { type: "object" },
      execute: async () => {
        await second.run([{ callId: "call_0", name: COUNT_WORDS, arguments: { text: "one two" } }]);
        return "done";
      },
    });
    const first = await toolset(svc, { userId: USER, tools: [wait], conversationId: "first", onEvent });
    await first.run([{ callId: "call_0", name: "wait", arguments: {} }]);
    expect(spans().map(({ name }) => name)).toEqual([`execute_tool ${COUNT_WORDS}`, "execute_tool wait"]);
  });

  test("writes one span per call, in the caller's trace, named by the conventions", async () => {
    const { tools, spans, tracer } = await traced();
    const turn = tracer.startSpan("turn");
    await context.with(trace.setSpan(context.active(), turn), () =>
      tools.run([issue("call_1"), { callId: "call_2", name: "add", arguments: { a: 1 } }]),
    );
    expect(
      spans()
        .map(({ name }) => name)
        .sort(),
    ).toEqual([`execute_tool ${CREATE_ISSUE}`, "execute_tool add"]);
    const [service, local] = [...spans()].sort((one, other) => (one.name < other.name ? -1 : 1));
    expect(service).toMatchObject({
      attributes: {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": CREATE_ISSUE,
        "gen_ai.tool.type": "extension",
        "gen_ai.tool.call.id": "call_1",
        "svc.status": "succeeded",
      },
      status: { code: SpanStatusCode.UNSET },
    });
    expect(service?.parentSpanContext?.spanId).toBe(turn.spanContext().spanId);
    expect(local).toMatchObject({
      attributes: { "gen_ai.tool.type": "function", "svc.status": "unknown", "error.type": "RangeError" },
      status: { code: SpanStatusCode.ERROR },
    });
    expect(service?.endTime).not.toEqual(service?.startTime);
    expect(JSON.stringify(spans().map(({ attributes, events }) => [attributes, events]))).not.toMatch(/CANARY|octo/);
  });

  test("says what the policy decided, also about calls that didn't run", async () => {
    const rules = [allow({ tools: [CREATE_ISSUE], name: "issues" }), ask({ tools: ["add"] }), budget({ maxCalls: 1 })];
    const { tools, spans } = await traced({ policy: policy(rules) });
    await tools.run([{ callId: "call_0", name: "add", arguments: {} }]);
    await tools.run([issue("call_1")]);
    await tools.run([issue("call_2")]);
    await tools.run([{ callId: "call_3", name: COUNT_WORDS, arguments: { text: "one" } }]);
    expect(spans().map(({ attributes }) => [attributes["svc.decision.outcome"], attributes["svc.status"]])).toEqual([
      ["ask", "not_run"],
      ["allow", "succeeded"],
      ["deny", "not_run"],
      ["deny", "not_run"],
    ]);
    expect(spans()[1]?.attributes["svc.decision.rule"]).toBe("issues");
  });

  test("writes calls with unknown names and wrong arguments, and repeated ones", async () => {
    const { tools, spans } = await traced();
    await tools.run([{ callId: "call_1", name: "nothing", arguments: {} }]);
    await tools.run([{ callId: "call_2", name: CREATE_ISSUE, arguments: {} }]);
    for (const _ of [1, 2]) await tools.run([issue("call_3")]);
    expect(
      spans().map(({ name, attributes }) => [name, attributes["error.type"], attributes["svc.is_replay"]]),
    ).toEqual([
      ["execute_tool", "not_run", undefined],
      [`execute_tool ${CREATE_ISSUE}`, "not_run", undefined],
      [`execute_tool ${CREATE_ISSUE}`, undefined, undefined],
      [`execute_tool ${CREATE_ISSUE}`, undefined, true],
    ]);
  });

  test("writes one span for a call whose labels can't be recorded after its end, and a new one when it runs again", async () => {
    const exporter = new InMemorySpanExporter();
    const processor = new SimpleSpanProcessor(exporter);
    let begun = 0;
    const onStart: SimpleSpanProcessor["onStart"] = () => {
      begun += 1;
    };
    const tracerProvider = new BasicTracerProvider({ spanProcessors: [Object.assign(processor, { onStart })] });
    const { executions, broken } = failing();
    const { tools } = await desk({ executions, onEvent: traceToolset({ tracerProvider }) });
    broken.add("start");
    await tools.run([call("read_mail", {}, "call_1")]);
    const [first] = exporter.getFinishedSpans();
    expect([begun, first?.attributes["svc.status"]]).toEqual([1, "succeeded"]);
    await tools.run([call("read_mail", {}, "call_1")]);
    expect([begun, exporter.getFinishedSpans().length]).toEqual([2, 2]);
  });

  test("records arguments only if it's asked to, and the toolset reports them", async () => {
    const allowed = policy([allow({ tools: ["*"] })]);
    for (const [eventArguments, recordArguments] of [
      [true, false],
      [false, true],
      [true, true],
    ] as const) {
      const { tools, spans } = await traced({ policy: allowed, eventArguments }, { recordArguments });
      await tools.run([issue("call_1")]);
      const written = spans()[0]?.attributes["gen_ai.tool.call.arguments"];
      expect(written).toBe(eventArguments && recordArguments ? JSON.stringify(ISSUE) : undefined);
    }
  });
});
