// Receives the service's events.
import { createReceiver, type Receiver } from "svc-sdk/webhooks";

let receiver: Receiver | undefined;

/** Verifies a delivery, runs the handler of its event once, and responds. */
export function receive(request: Request, secret = process.env["SVC_WEBHOOK_SECRET"]): Promise<Response> {
  // Created with the first delivery, because a build may load this file without the secret.
  receiver ??= createReceiver({
    secret,
    on: {
      GITHUB_COMMIT_EVENT: ({ userId, payload }) => console.log(`A commit for ${userId}: ${payload["message"]}`),
      "svc.connected_account.expired": ({ event }) => console.log(`${event.data.id} has to be connected again`),
    },
    onUnhandled: ({ type }) => console.log(`No handler for ${type}`),
  });
  return receiver(request);
}
