// Receives a trigger's events in a Worker and hands each to a queue. In your own project: npm install svc-sdk, copy
// this file and wrangler.jsonc, create the queue with npx wrangler queues create commits, and deploy it with:
// npx wrangler deploy
// #region worker
import { createReceiver, type Receiver } from "svc-sdk/webhooks";

interface Environment {
  /** Set it with: wrangler secret put SVC_WEBHOOK_SECRET */
  readonly SVC_WEBHOOK_SECRET: string;
  readonly COMMITS: { send(commit: object): Promise<unknown> };
}

// Created once, so that its in-memory store lasts as long as the isolate.
let receiver: Receiver | undefined;

function receiverOf({ SVC_WEBHOOK_SECRET: secret, COMMITS: queue }: Environment): Receiver {
  return createReceiver<{ GITHUB_COMMIT_EVENT: { message: string } }>({
    secret,
    on: {
      // Isolates share no memory. Send the id, so that the queue's consumer can detect duplicates.
      GITHUB_COMMIT_EVENT: ({ id, payload }) => queue.send({ id, message: payload.message }),
    },
    onUnhandled: ({ type }) => console.log(`no handler for ${type}`),
  });
}

export default {
  fetch(request: Request, env: Environment): Promise<Response> {
    receiver ??= receiverOf(env);
    return receiver(request);
  },
};
// #endregion
