import { Svc } from "svc-sdk";

const composio = new Svc();

export async function read() {
  const { logs } = await composio.logs.listToolExecutions({ limit: 20 });
  const one = await composio.logs.getToolExecution("log_1");
  // TODO(svc-sdk): svc-sdk has no logs.tools.list here. See node_modules/svc-sdk/docs/guide/migrating.md#from-another-client
  const old = await composio.logs.tools.list({ cursor: null });
  return [logs, one, old];
}
