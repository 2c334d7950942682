import Composio from "@composio/client";

const composio = new Composio();

export async function setStatus(id: string, status: "ENABLED" | "DISABLED") {
  await composio.authConfigs.updateStatus(status, { nanoid: id });
}

export async function setAccount(id: string, enabled: boolean): Promise<void> {
  await composio.connectedAccounts.updateStatus(id, { enabled });
}
