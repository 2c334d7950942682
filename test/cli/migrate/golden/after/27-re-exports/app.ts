import { Composio, MissingError } from "./index.js";

const client = new Composio({ timeoutMs: 5_000 });

export async function get(id: string) {
  return client.connectedAccounts.get(id).catch((error: unknown) => {
    if (error instanceof MissingError) return undefined;
    throw error;
  });
}
