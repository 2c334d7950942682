import { Svc } from "svc-sdk";
import { WebhookVerificationError, normalizeTrigger, verifyWebhook } from "svc-sdk/webhooks";

const composio = new Svc({ apiKey: "ak_1" });
const secret = process.env.COMPOSIO_WEBHOOK_SECRET ?? "";

export async function POST(request: Request): Promise<Response> {
  try {
    const event = normalizeTrigger(await verifyWebhook(request, { secret, toleranceSeconds: 120 }));
    if (event?.triggerSlug === "GITHUB_COMMIT_EVENT") console.log(event?.userId, event?.payload);
    return new Response("OK");
  } catch (error) {
    if (error instanceof WebhookVerificationError) return new Response("No", { status: 401 });
    throw error;
  }
}

export async function subscribe() {
  const subscription = await composio.webhookSubscriptions.ensure({
    webhook_url: "https://app.example/webhooks",
    version: "V3",
    enabled_events: ["svc.trigger.message"],
  });
  return subscription.webhook_url;
}

// TODO(svc-sdk): deliveries are always verified: pass the secret to verifyWebhook of svc-sdk/webhooks. See node_modules/svc-sdk/docs/guide/migrating.md#webhooks
export const trusting = async (request: Request) => composio.triggers.parse(request);
