import Composio from "@composio/client";

const composio = new Composio();

export async function read() {
  const { logs } = await composio.logs.createToolExecution({ limit: 20 });
  const one = await composio.logs.retrieveToolExecution("log_1");
  const old = await composio.logs.tools.list({ cursor: null });
  return [logs, one, old];
}
