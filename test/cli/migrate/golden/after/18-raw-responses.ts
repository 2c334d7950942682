import { Svc } from "svc-sdk";

const composio = new Svc();

export async function remaining() {
  const { data, meta: response } = await composio.toolkits.list({ limit: 1 }).withResponse();
  console.log(data.items.length);
  return response.headers.get("x-ratelimit-remaining");
}

export async function status() {
  // TODO(svc-sdk): withResponse() returns the data, and meta with status and headers. See node_modules/svc-sdk/docs/guide/migrating.md#from-another-client
  const result = await composio.toolkits.list().asResponse();
  return result.status;
}
