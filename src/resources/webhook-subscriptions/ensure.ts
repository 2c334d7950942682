import type { Core } from "../../core/client.js";
import type { RequestOptions } from "../../core/options/request-options.js";
import { ConflictError } from "../../errors/api-error.js";
import { calledAs } from "../../errors/base.js";
import { webhookSubscriptions } from "./endpoints.js";
import type { CreateWebhookSubscriptionBody, WebhookSubscription } from "./schema.js";

/** Creates the project's subscription or updates the existing one. See `WebhookSubscriptions.ensure`. */
export async function ensureWebhookSubscription(
  core: Core,
  body: CreateWebhookSubscriptionBody,
  options: RequestOptions,
): Promise<WebhookSubscription> {
  const shared = core.sharedDeadline("webhookSubscriptions.ensure", options);
  const updateExisting = async () => {
    const { items } = await core.call(webhookSubscriptions.list, { query: { limit: 1 } }, shared);
    const id = items[0]?.id;
    return id === undefined ? undefined : core.call(webhookSubscriptions.update, { params: { id }, body }, shared);
  };

  try {
    const updated = await updateExisting();
    if (updated) return updated;
    try {
      return await core.call(webhookSubscriptions.create, { body }, shared);
    } catch (error) {
      // Another process created it after the list was read. If the list is still empty, the 409 has another cause.
      const existing = error instanceof ConflictError ? await updateExisting() : undefined;
      if (existing) return existing;
      throw error;
    }
  } catch (error) {
    throw calledAs("webhookSubscriptions.ensure", error, options?.signal);
  }
}
