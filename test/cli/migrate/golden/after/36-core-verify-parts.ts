import { Svc } from "svc-sdk";
import { normalizeTrigger, verifyWebhook } from "svc-sdk/webhooks";

export const composio = new Svc();

interface Incoming {
  readonly body: { toString(): string };
  readonly headers: Readonly<Record<string, string>>;
}

export async function receive(req: Incoming) {
  const result = normalizeTrigger(await verifyWebhook({ body: req.body.toString(), headers: { "webhook-id": req.headers["webhook-id"] ?? "", "webhook-timestamp": req.headers["webhook-timestamp"] ?? "", "webhook-signature": req.headers["webhook-signature"] ?? "" } }, { secret: process.env.COMPOSIO_WEBHOOK_SECRET ?? "" }));
  return result?.triggerSlug;
}
