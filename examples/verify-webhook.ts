// Verifies and parses deliveries without a receiver. Run it with: node examples/verify-webhook.ts
import { signedDelivery } from "svc-sdk/testing";
// #region verify
import { normalizeTrigger, verifyWebhook, WebhookVerificationError } from "svc-sdk/webhooks";

const secret = "whsec_of_your_subscription";

async function read(request: Request): Promise<string> {
  const delivery = await verifyWebhook(request, { secret });
  if (delivery.kind === "unknown") return `unknown event: ${delivery.type}`;
  switch (delivery.type) {
    case "svc.trigger.message": {
      const { triggerSlug, userId, payload } = normalizeTrigger(delivery); // The same for V1, V2 and V3.
      return `${triggerSlug} for ${userId}: ${payload["message"]}`;
    }
    case "svc.connected_account.expired":
      return `${delivery.event.data.id} has to be reconnected`;
    default:
      return `${delivery.type}: ${delivery.event.data.id}`;
  }
}
// #endregion

// #region reject
/** The handler of your webhook_url. */
async function handle(request: Request): Promise<Response> {
  try {
    console.log(await read(request));
    return new Response(null, { status: 200 });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    console.log(`rejected: ${error.reason}`); // Don't use the content.
    return new Response(null, { status: 401 });
  }
}
// #endregion

await handle(signedDelivery({ secret }).request);
await handle(signedDelivery({ secret, type: "svc.connected_account.expired" }).request);
await handle(signedDelivery({ secret, event: { type: "svc.of.tomorrow" } }).request);
await handle(signedDelivery({ secret: "whsec_of_someone_else" }).request);
