import { Composio } from "@composio/core";

export const composio = new Composio();

interface Incoming {
  readonly body: { toString(): string };
  readonly headers: Readonly<Record<string, string>>;
}

export async function receive(req: Incoming) {
  const result = await composio.triggers.verifyWebhook({
    payload: req.body.toString(),
    id: req.headers["webhook-id"] ?? "",
    timestamp: req.headers["webhook-timestamp"] ?? "",
    signature: req.headers["webhook-signature"] ?? "",
    secret: process.env.COMPOSIO_WEBHOOK_SECRET ?? "",
  });
  return result.payload.triggerSlug;
}
