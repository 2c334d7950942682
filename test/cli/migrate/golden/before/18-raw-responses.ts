import Composio from "@composio/client";

const composio = new Composio();

export async function remaining() {
  const { data, response } = await composio.toolkits.list({ limit: 1 }).withResponse();
  console.log(data.items.length);
  return response.headers.get("x-ratelimit-remaining");
}

export async function status() {
  const result = await composio.toolkits.list().asResponse();
  return result.status;
}
