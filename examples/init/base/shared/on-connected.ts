// What your app does when a user has connected an account.
import type { Svc } from "svc-sdk";

export async function onConnected(_svc: Svc, accountId: string): Promise<void> {
  console.log(`Connected ${accountId}`);
}
