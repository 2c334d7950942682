// What your app does when a user has connected an account: from now on, commits arrive at receiver.ts.
import type { Svc } from "svc-sdk";

const repository = { owner: "octo-org", repo: "hello-world" };

export async function onConnected(svc: Svc, accountId: string): Promise<void> {
  await svc.triggers.upsert("GITHUB_COMMIT_EVENT", { connected_account_id: accountId, trigger_config: repository });
}
