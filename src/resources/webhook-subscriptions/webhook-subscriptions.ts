import type { Core } from "../../core/client.js";
import type { RequestOptions } from "../../core/options/request-options.js";
import type { ApiPromise, PagePromise } from "../../core/promises.js";
import {
  createWebhookSubscription,
  deleteWebhookSubscription,
  getWebhookSubscription,
  listWebhookEventTypes,
  listWebhookSubscriptions,
  rotateWebhookSubscriptionSecret,
  updateWebhookSubscription,
} from "./endpoints.js";
import { ensureWebhookSubscription } from "./ensure.js";
import type {
  CreateWebhookSubscriptionBody,
  DeletedWebhookSubscription,
  ListWebhookSubscriptionsQuery,
  RotatedWebhookSecret,
  UpdateWebhookSubscriptionBody,
  WebhookEventTypeList,
  WebhookSubscription,
  WebhookSubscriptionPage,
} from "./schema.js";

/**
 * Where the service delivers events. A project has one subscription. All of it takes the project key. Spec: Endpoints >
 * Webhook subscriptions. See assumption C6.
 */
export class WebhookSubscriptions {
  readonly #core: Core;

  /** @internal */
  constructor(core: Core) {
    this.#core = core;
  }

  /**
   * Creates the project's subscription. The answer holds the whole `secret`: store it now. Where there may be one already,
   * {@link ensure} is what you want. Never sent twice when the first may have run.
   *
   * @throws {BadRequestError} 400: the address, no event, or an event that the `version` does not have.
   * @throws {ConflictError} 409: the project has one.
   */
  create(body: CreateWebhookSubscriptionBody, options?: RequestOptions): ApiPromise<WebhookSubscription> {
    return this.#core.call(createWebhookSubscription, { body }, options);
  }

  /** Lists subscriptions. Awaited, one page; iterated, all of them. */
  list(
    query?: ListWebhookSubscriptionsQuery,
    options?: RequestOptions,
  ): PagePromise<WebhookSubscriptionPage, WebhookSubscription> {
    return this.#core.list(listWebhookSubscriptions, { query }, options);
  }

  /**
   * One subscription. Its `secret` may be masked.
   *
   * @throws {NotFoundError} 404: no such id.
   */
  get(id: string, options?: RequestOptions): ApiPromise<WebhookSubscription> {
    return this.#core.call(getWebhookSubscription, { params: { id } }, options);
  }

  /**
   * Changes address, events or payload format; what is left out stays. The secret stays.
   *
   * @throws {BadRequestError} 400: the address, an empty list of events, or an event that the `version` does not have.
   * @throws {NotFoundError} 404: no such id.
   */
  update(id: string, body: UpdateWebhookSubscriptionBody, options?: RequestOptions): ApiPromise<WebhookSubscription> {
    return this.#core.call(updateWebhookSubscription, { params: { id }, body }, options);
  }

  /**
   * Deletes a subscription: no event is delivered any more.
   *
   * @throws {NotFoundError} 404: no such id, or it was deleted before.
   */
  delete(id: string, options?: RequestOptions): ApiPromise<DeletedWebhookSubscription> {
    return this.#core.call(deleteWebhookSubscription, { params: { id } }, options);
  }

  /**
   * Replaces the signing secret, after a leak for instance. The old one signs nothing more from this moment, so let your
   * receiver accept both until it knows the new one. Never sent twice when the first may have run.
   *
   * @throws {NotFoundError} 404: no such id.
   */
  rotateSecret(id: string, options?: RequestOptions): ApiPromise<RotatedWebhookSecret> {
    return this.#core.call(rotateWebhookSubscriptionSecret, { params: { id } }, options);
  }

  /** The event types that can be enabled, each with the payload formats it exists in. One answer holds all. */
  eventTypes(options?: RequestOptions): ApiPromise<WebhookEventTypeList> {
    return this.#core.call(listWebhookEventTypes, {}, options);
  }

  /**
   * Makes the project's subscription be like this, whether there is one or not: what a deploy script wants.
   *
   * ```ts
   * const subscription = await svc.webhookSubscriptions.ensure({
   *   webhook_url: "https://app.example/webhooks",
   *   enabled_events: ["svc.trigger.message", "svc.trigger.disabled", "svc.connected_account.expired"],
   *   version: "V3",
   * });
   * ```
   *
   * Sends two requests: a list of one, then an update of what it shows or a creation. Where somebody else creates one in
   * between (409), it lists and updates once more. Calling it again is safe at any time. Left out, `version` stays what it
   * is, and is `V3` for a new one. The `secret` of one that existed may be masked; {@link rotateSecret} gives a new one.
   *
   * @param options `deadlineMs` bounds all requests together, the other options each of them.
   * @throws {BadRequestError} 400: as `create` and `update`.
   * @throws {ConflictError} 409: the service refuses a creation and lists no subscription either.
   */
  ensure(body: CreateWebhookSubscriptionBody, options: RequestOptions = {}): Promise<WebhookSubscription> {
    return ensureWebhookSubscription(this.#core, body, options);
  }
}
