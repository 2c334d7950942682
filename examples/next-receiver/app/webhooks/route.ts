// Receives a trigger's events in a Next.js route. In your application: npm install svc-sdk, copy this file to
// app/webhooks/route.ts, set SVC_WEBHOOK_SECRET (in .env.local) to your webhook subscription's secret, and run it with:
// npx next dev
// #region route
import { createReceiver, type Receiver } from "svc-sdk/webhooks";

// Created with the first delivery: `next build` loads this file too, and has no secret.
let receiver: Receiver | undefined;

export async function POST(request: Request): Promise<Response> {
  receiver ??= createReceiver({
    on: { GITHUB_COMMIT_EVENT: ({ payload }) => console.log(`commit: ${payload["message"]}`) },
    onUnhandled: ({ type }) => console.log(`No handler for ${type}`),
  });
  return receiver(request);
}
// #endregion
