import { Svc, type RequestOptions } from "svc-sdk";

const composio = new Svc();
const patient: RequestOptions = { timeoutMs: 60_000, maxRetries: 0 };

export async function read(slug: string, signal: AbortSignal, options: RequestOptions) {
  await composio.toolkits.get(slug, {}, { signal, timeoutMs: 5_000, maxRetries: 1 });
  await composio.toolkits.get(slug, undefined, { headers: { "x-trace": "1" } });
  await composio.toolkits.list({}, patient);
  // TODO(svc-sdk): options is built elsewhere; the names of its fields are signal, timeoutMs, maxRetries and headers. See node_modules/svc-sdk/docs/guide/migrating.md#from-another-client
  await composio.toolkits.list({}, options);
  // TODO(svc-sdk): no version is passed: add one here, or toolkitVersions to the client. See node_modules/svc-sdk/docs/guide/migrating.md#from-another-client
  // TODO(svc-sdk): idempotencyKey: the service has no idempotency keys. See node_modules/svc-sdk/docs/guide/migrating.md#options
  await composio.tools.execute("TEXTKIT_REVERSE", { arguments: {} }, { idempotencyKey: "once" });
}
