import { Svc } from "svc-sdk";

const composio = new Svc();

export async function setStatus(id: string, status: "ENABLED" | "DISABLED") {
  // TODO(svc-sdk): the status isn't a literal: call svc.authConfigs.enable or disable. See node_modules/svc-sdk/docs/guide/migrating.md#from-another-client
  await composio.authConfigs.updateStatus(status, { nanoid: id });
}

export async function setAccount(id: string, enabled: boolean): Promise<void> {
  // TODO(svc-sdk): the status isn't a literal: call svc.connectedAccounts.enable or disable. See node_modules/svc-sdk/docs/guide/migrating.md#from-another-client
  await composio.connectedAccounts.updateStatus(id, { enabled });
}
