// Verifies deliveries and reads them, where a receiver is too much. Run it with: node examples/verify-webhook.ts
import { signedDelivery } from "svc-sdk/testing";
// #region verify
import { normalizeTrigger, verifyWebhook, WebhookVerificationError } from "svc-sdk/webhooks";

const secret = "whsec_of_your_subscription";

async function read(request: Request): Promise<string> {
  const delivery = await verifyWebhook(request, { secret });
  if (delivery.kind === "unknown") return `something new: ${delivery.type}`;
  switch (delivery.type) {
    case "svc.trigger.message": {
      const { triggerSlug, userId, payload } = normalizeTrigger(delivery); // The same for V1, V2 and V3.
      return `${triggerSlug} for ${userId}: ${payload["message"]}`;
    }
    case "svc.connected_account.expired":
      return `${delivery.event.data.id} must be connected again`;
    default:
      return `${delivery.type}: ${delivery.event.data.id}`;
  }
}
// #endregion

// #region refuse
/** What serves your webhook_url. */
async function answer(request: Request): Promise<Response> {
  try {
    console.log(await read(request));
    return new Response(null, { status: 200 });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    console.log(`refused: ${error.reason}`); // And nothing is done with the content.
    return new Response(null, { status: 401 });
  }
}
// #endregion

await answer(signedDelivery({ secret }).request);
await answer(signedDelivery({ secret, type: "svc.connected_account.expired" }).request);
await answer(signedDelivery({ secret, event: { type: "svc.of.tomorrow" } }).request);
await answer(signedDelivery({ secret: "whsec_of_somebody_else" }).request);
