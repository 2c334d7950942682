// Writes OpenTelemetry spans. Run it with: node examples/trace-calls.ts
// #region trace
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { Svc } from "svc-sdk";
import { traceCalls } from "svc-sdk/otel";

const exporter = new InMemorySpanExporter(); // In production, use one that sends them to your backend.
const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });

const svc = new Svc({ use: [traceCalls({ tracerProvider })] }); // By default, the global provider.
// #endregion

await svc.tools.execute("TEXTKIT_REVERSE", { user_id: "ada", version: "latest", arguments: { text: "abc" } });
for (const { name, attributes } of exporter.getFinishedSpans()) {
  console.log(name, attributes["http.response.status_code"] ?? "");
}
