import type { Core } from "../../core/client.js";
import type { RequestOptions } from "../../core/options/request-options.js";
import type { ApiPromise, PagePromise } from "../../core/promises.js";
import type { TriggerSlug } from "../typed-catalogue.js";
import {
  deleteTrigger,
  getTriggerType,
  listActiveTriggers,
  listTriggerTypeSlugs,
  listTriggerTypes,
  setTriggerStatus,
  upsertTrigger,
} from "./endpoints.js";
import type {
  DeletedTrigger,
  GetTriggerTypeQuery,
  ListActiveTriggersQuery,
  ListTriggerTypesQuery,
  TriggerInstance,
  TriggerInstancePage,
  TriggerStatusChange,
  TriggerType,
  TriggerTypePage,
  TriggerTypeSlugs,
  UpsertedTrigger,
  UpsertTriggerBody,
} from "./schema.js";
import type { UpsertTriggerBodyOf } from "./typed-triggers.js";

/**
 * The events of toolkits that you listen for. A trigger only registers interest: its events arrive at the URL of a webhook
 * subscription that enabled `svc.trigger.message`. All of it takes the project key. Spec: Endpoints > Triggers.
 */
export class Triggers {
  readonly #core: Core;

  /** @internal */
  constructor(core: Core) {
    this.#core = core;
  }

  /** Lists the events that toolkits offer. Awaited, one page; iterated, all of them. */
  listTypes(query?: ListTriggerTypesQuery, options?: RequestOptions): PagePromise<TriggerTypePage, TriggerType> {
    return this.#core.list(listTriggerTypes, { query }, options);
  }

  /**
   * One trigger type with the JSON Schemas of its configuration and its events. The slug may have any case.
   *
   * @throws {NotFoundError} 404, condition `trigger_not_found`.
   */
  getType(slug: TriggerSlug, query?: GetTriggerTypeQuery, options?: RequestOptions): ApiPromise<TriggerType> {
    return this.#core.call(getTriggerType, { params: { slug }, query }, options);
  }

  /** The slugs of all trigger types, in one answer. */
  enum(options?: RequestOptions): ApiPromise<TriggerTypeSlugs> {
    return this.#core.call(listTriggerTypeSlugs, {}, options);
  }

  /**
   * Listens for an event on a connected account.
   *
   * ```ts
   * const { trigger_id } = await svc.triggers.upsert("GITHUB_COMMIT_EVENT", {
   *   connected_account_id: "ca_github_demo", // Or user_id, whose first active account is then taken.
   *   trigger_config: { owner: "octo-org", repo: "hello-world" },
   * });
   * ```
   *
   * The same type, account and configuration give the same instance, enabled again where it was disabled; another
   * configuration gives another instance. `.withResponse()` tells a new one (status 201) from a known one (200). The slug
   * may have any case; types that `svc generate` wrote are known by the slug as it is.
   *
   * @throws {BadRequestError} 400: the configuration does not fit the type's `config` (slug
   * `TriggerInstance_PollingConfigInvalid` for polling types), an interval that is too short, or a webhook endpoint that is
   * not set up.
   * @throws {NotFoundError} 404, condition `trigger_not_found`; or the account does not exist.
   */
  upsert<Slug extends TriggerSlug>(
    slug: Slug,
    body: UpsertTriggerBodyOf<Slug>,
    options?: RequestOptions,
  ): ApiPromise<UpsertedTrigger>;
  upsert(slug: string, body: UpsertTriggerBody, options?: RequestOptions): ApiPromise<UpsertedTrigger> {
    return this.#core.call(upsertTrigger, { params: { slug }, body }, options);
  }

  /**
   * Lists trigger instances, disabled ones only with `show_disabled`. Awaited, one page; iterated, all of them.
   *
   * No operation gives a single instance: ask for `{ trigger_ids: [id], show_disabled: true }`.
   */
  listActive(
    query?: ListActiveTriggersQuery,
    options?: RequestOptions,
  ): PagePromise<TriggerInstancePage, TriggerInstance> {
    return this.#core.list(listActiveTriggers, { query }, options);
  }

  /**
   * Lets a disabled instance listen again.
   *
   * @throws {ConflictError} 409: it is enabled already. Not where an earlier attempt of this call had enabled it.
   * @throws {ApiError} 410, or {@link NotFoundError} 404, condition `trigger_instance_deleted`.
   */
  enable(triggerId: string, options?: RequestOptions): ApiPromise<TriggerStatusChange> {
    return this.#core.call(setTriggerStatus, { params: { triggerId }, body: { status: "enable" } }, options);
  }

  /**
   * Stops an instance from listening; it keeps its configuration. No event tells of it.
   *
   * @throws {ConflictError} 409: it is disabled already. Not where an earlier attempt of this call had disabled it.
   * @throws {ApiError} 410, or {@link NotFoundError} 404, condition `trigger_instance_deleted`.
   */
  disable(triggerId: string, options?: RequestOptions): ApiPromise<TriggerStatusChange> {
    return this.#core.call(setTriggerStatus, { params: { triggerId }, body: { status: "disable" } }, options);
  }

  /**
   * Deletes an instance. This cannot be undone.
   *
   * @throws {ApiError} 410, or {@link NotFoundError} 404, condition `trigger_instance_deleted`: it was deleted before.
   * @throws {ConflictError} 409: the same, as the service sometimes says it.
   */
  delete(triggerId: string, options?: RequestOptions): ApiPromise<DeletedTrigger> {
    return this.#core.call(deleteTrigger, { params: { triggerId } }, options);
  }
}
