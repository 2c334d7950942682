// Receives a trigger's events in AWS Lambda. In your own project: npm install svc-sdk
// Set SVC_WEBHOOK_SECRET, and bundle examples/lambda-receiver/handler.ts. Other Lambda events need other fields.
// #region handler
import { createReceiver } from "svc-sdk/webhooks";

// Instances share no memory. Pass a shared store, so that an event that is delivered to two of them runs once.
const receiver = createReceiver({
  on: { GITHUB_COMMIT_EVENT: ({ payload }) => console.log(`commit: ${payload["message"]}`) },
  onUnhandled: ({ type }) => console.log(`No handler for ${type}`),
});

interface LambdaEvent {
  readonly headers: Record<string, string>;
  readonly body?: string;
  readonly isBase64Encoded: boolean;
}

export async function handler({ headers, body = "", isBase64Encoded }: LambdaEvent) {
  const rawBody = isBase64Encoded ? Buffer.from(body, "base64") : body;
  const response = await receiver(new Request("https://lambda/webhooks", { method: "POST", headers, body: rawBody }));
  return { statusCode: response.status, body: await response.text() };
}
// #endregion
