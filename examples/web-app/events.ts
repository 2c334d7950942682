// Receives the service's events, and keeps each user's news.
// #region events
import { createReceiver } from "svc-sdk/webhooks";
import { ownerOf } from "./github.ts";

/** A placeholder for your database: a restart loses it. */
const news = new Map<string, string[]>();

export const newsOf = (user: string): readonly string[] => news.get(user) ?? [];

function tell(user: string, line: string): void {
  news.set(user, [line, ...newsOf(user)].slice(0, 20));
}

/** Takes a Request, returns a Response. Reads SVC_WEBHOOK_SECRET. */
export const receiver = createReceiver({
  on: {
    GITHUB_COMMIT_EVENT: ({ userId, payload }) => {
      if (userId) tell(userId, `Commit: ${payload["message"]}`);
    },
    "svc.connected_account.expired": async ({ event }) => {
      tell(await ownerOf(event.data.id), "Your GitHub account has expired. Connect it again.");
    },
  },
  onUnhandled: ({ type }) => console.log(`No handler for ${type}`),
});
// #endregion
