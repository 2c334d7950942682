// Receives a trigger's events in a Worker and hands each to a queue. In a project of your own: npm install svc-sdk, copy this
// file and wrangler.jsonc, create the queue with npx wrangler queues create commits, and deploy it with:
// npx wrangler deploy
// #region worker
import { createReceiver, type Receiver } from "svc-sdk/webhooks";

interface Environment {
  /** From: wrangler secret put SVC_WEBHOOK_SECRET */
  readonly SVC_WEBHOOK_SECRET: string;
  readonly COMMITS: { send(commit: object): Promise<unknown> };
}

// Made once, so that its memory of what was run lasts as long as the isolate.
let receiver: Receiver | undefined;

function receiverOf({ SVC_WEBHOOK_SECRET: secret, COMMITS: queue }: Environment): Receiver {
  return createReceiver<{ GITHUB_COMMIT_EVENT: { message: string } }>({
    secret,
    on: {
      // Isolates share no memory. The id travels along, so that the queue's consumer can tell what it had before.
      GITHUB_COMMIT_EVENT: ({ id, payload }) => queue.send({ id, message: payload.message }),
    },
    onUnknown: ({ type }) => console.log(`nobody handles ${type}`),
  });
}

export default {
  fetch(request: Request, environment: Environment): Promise<Response> {
    receiver ??= receiverOf(environment);
    return receiver(request);
  },
};
// #endregion
