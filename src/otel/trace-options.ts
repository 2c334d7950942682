import type { TracerProvider } from "@opentelemetry/api";

/** Options of `traceCalls`. */
export interface TraceOptions {
  /**
   * Where the spans go.
   * @default the provider that is registered globally
   */
  tracerProvider?: TracerProvider | undefined;
}
