// Writes a span for each call of a model. Run it with: node examples/agents/traces.ts
// #region toolset
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { traceToolset } from "svc-sdk/otel";

const exporter = new InMemorySpanExporter();
const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });

const tools = await toolset(new Svc(), {
  userId: "user-4711",
  tools: ["TEXTKIT_COUNT_WORDS"],
  onEvent: traceToolset({ tracerProvider }),
});
// #endregion

await tools.run([{ callId: "call_1", name: "TEXTKIT_COUNT_WORDS", arguments: { text: "one two" } }]);
for (const { name, attributes } of exporter.getFinishedSpans()) console.log(name, attributes["svc.status"]);
