import { Composio, ComposioWebhookSignatureVerificationError } from "@composio/core";

const composio = new Composio({ apiKey: "ak_1" });
const secret = process.env.COMPOSIO_WEBHOOK_SECRET ?? "";

export async function POST(request: Request): Promise<Response> {
  try {
    const event = await composio.triggers.parse(request, { verifySecret: secret, tolerance: 120 });
    if (event.payload.triggerSlug === "GITHUB_COMMIT_EVENT") console.log(event.payload.userId, event.payload.payload);
    return new Response("OK");
  } catch (error) {
    if (error instanceof ComposioWebhookSignatureVerificationError) return new Response("No", { status: 401 });
    throw error;
  }
}

export async function subscribe() {
  const subscription = await composio.triggers.setWebhookSubscription({
    webhookUrl: "https://app.example/webhooks",
    version: "V3",
  });
  return subscription.webhookUrl;
}

export const trusting = async (request: Request) => composio.triggers.parse(request);
