import type { ApiPromise } from "../../client/api-promise.js";
import { coreOf, Resource } from "../../client/client.js";
import type { PagePromise } from "../../client/pages.js";
import type { RequestOptions } from "../../client/request-options.js";
import { ConflictError } from "../../errors/api-error.js";
import { calledAs } from "../../errors/base.js";
import { webhookSubscriptions } from "./endpoints.js";
import type * as shapes from "./schema.js";

/**
 * Webhook subscriptions: where the service delivers events. A project has one subscription. Every method requires the
 * project key.
 */
export class WebhookSubscriptions extends Resource {
  /**
   * Creates the project's webhook subscription. Store the `secret` from the response: later responses may mask it. If
   * there may already be a subscription, use {@link ensure}. Never retried if it may have run.
   *
   * @throws {BadRequestError} 400: the URL is invalid, `enabled_events` is empty, or the `version` doesn't have an
   * event.
   * @throws {ConflictError} 409: the project already has one.
   */
  create(body: shapes.CreateWebhookSubscriptionBody, options?: RequestOptions): ApiPromise<shapes.WebhookSubscription> {
    return coreOf(this).call(webhookSubscriptions().create, { body }, options);
  }

  /** Lists webhook subscriptions. Await it for one page, or iterate over all items. */
  list(
    query?: shapes.ListWebhookSubscriptionsQuery,
    options?: RequestOptions,
  ): PagePromise<shapes.WebhookSubscriptionPage> {
    return coreOf(this).list(webhookSubscriptions().list, { query }, options);
  }

  /**
   * Returns a webhook subscription. Its `secret` may be masked.
   *
   * @throws {NotFoundError} 404: no such id.
   */
  get(id: string, options?: RequestOptions): ApiPromise<shapes.WebhookSubscription> {
    return coreOf(this).call(webhookSubscriptions().get, { params: { id } }, options);
  }

  /**
   * Changes a webhook subscription's URL, events or payload format. Omitted fields and the secret stay unchanged.
   *
   * @throws {BadRequestError} 400: the URL is invalid, `enabled_events` is empty, or the `version` doesn't have an
   * event.
   * @throws {NotFoundError} 404: no such id.
   */
  update(
    id: string,
    body: shapes.UpdateWebhookSubscriptionBody,
    options?: RequestOptions,
  ): ApiPromise<shapes.WebhookSubscription> {
    return coreOf(this).call(webhookSubscriptions().update, { params: { id }, body }, options);
  }

  /**
   * Deletes a webhook subscription. No more events are delivered.
   *
   * @throws {NotFoundError} 404: no such id, or it was already deleted.
   */
  delete(id: string, options?: RequestOptions): ApiPromise<shapes.DeletedWebhookSubscription> {
    return coreOf(this).call(webhookSubscriptions().delete, { params: { id } }, options);
  }

  /**
   * Replaces a webhook subscription's signing secret and returns the new one. Deliveries are signed with it
   * immediately, so give it to your receiver right away, next to the old secret. Never retried if it may have run.
   *
   * @throws {NotFoundError} 404: no such id.
   */
  rotateSecret(id: string, options?: RequestOptions): ApiPromise<shapes.RotatedWebhookSecret> {
    return coreOf(this).call(webhookSubscriptions().rotateSecret, { params: { id } }, options);
  }

  /** Lists the event types that a subscription can enable, with their payload formats, in one response. */
  listEventTypes(options?: RequestOptions): ApiPromise<shapes.WebhookEventTypeList> {
    return coreOf(this).call(webhookSubscriptions().listEventTypes, {}, options);
  }

  /**
   * Creates the project's webhook subscription or updates the existing one, for example in a deploy script.
   *
   * ```ts
   * const subscription = await svc.webhookSubscriptions.ensure({
   *   webhook_url: "https://app.example/webhooks",
   *   enabled_events: ["svc.trigger.message", "svc.trigger.disabled", "svc.connected_account.expired"],
   *   version: "V3",
   * });
   * ```
   *
   * Sends two requests: a list, then an update or a creation. If another process creates a subscription in between
   * (409), it lists and updates again. You can call it repeatedly. If you omit `version`, an existing subscription
   * keeps its format and a new subscription has `V3`. The `secret` of an existing subscription may be masked:
   * {@link rotateSecret} returns a new one.
   *
   * @param options `deadlineMs` limits all requests together; the other options apply to each.
   * @throws {BadRequestError} 400: see `create` and `update`.
   * @throws {ConflictError} 409: the service rejects the creation but lists no subscription.
   */
  async ensure(
    given: shapes.CreateWebhookSubscriptionBody,
    options: RequestOptions = {},
  ): Promise<shapes.WebhookSubscription> {
    const core = coreOf(this);
    // Copied, because the caller may change its object while the list is read.
    const body = { ...given };
    const shared = core.sharedDeadline("webhookSubscriptions.ensure", options);
    const updateExisting = async () => {
      const { items } = await core.call(webhookSubscriptions().list, { query: { limit: 1 } }, shared);
      const id = items[0]?.id;
      return id === undefined ? undefined : core.call(webhookSubscriptions().update, { params: { id }, body }, shared);
    };

    try {
      const updated = await updateExisting();
      if (updated) return updated;
      try {
        return await core.call(webhookSubscriptions().create, { body }, shared);
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
}
