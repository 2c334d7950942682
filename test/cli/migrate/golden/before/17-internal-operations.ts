import Composio from "@composio/client";

const composio = new Composio();

export async function logs() {
  const { data } = await composio.logs.createToolExecution({ limit: 20 });
  const one = await composio.logs.retrieveToolExecution("log_1");
  const old = await composio.logs.tools.list({});
  return [data, one, old];
}
