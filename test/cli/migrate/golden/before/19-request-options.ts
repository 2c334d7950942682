import Composio, { type RequestOptions } from "@composio/client";

const composio = new Composio();
const patient: RequestOptions = { timeout: 60_000, maxRetries: 0 };

export async function read(slug: string, signal: AbortSignal, options: RequestOptions) {
  await composio.toolkits.retrieve(slug, {}, { signal, timeout: 5_000, maxRetries: 1 });
  await composio.toolkits.retrieve(slug, undefined, { headers: { "x-trace": "1" } });
  await composio.toolkits.list({}, patient);
  await composio.toolkits.list({}, options);
  await composio.tools.execute("TEXTKIT_REVERSE", { arguments: {} }, { idempotencyKey: "once" });
}
