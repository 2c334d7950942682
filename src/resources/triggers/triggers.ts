import type { ApiPromise } from "../../client/api-promise.js";
import { coreOf, Resource } from "../../client/client.js";
import type { PagePromise } from "../../client/pages.js";
import type { RequestOptions } from "../../client/request-options.js";
import type { TriggerCatalog, TriggerSlug } from "../typed-catalog.js";
import { triggers } from "./endpoints.js";
import type * as shapes from "./schema.js";

/** The configuration of a trigger type as a field of the body, optional if nothing in it is required. */
type ConfigOf<Config> = Record<never, never> extends Config ? { trigger_config?: Config } : { trigger_config: Config };

/**
 * Body for creating or updating a trigger. Has the trigger type's own `trigger_config` if you generated types for it.
 */
export type UpsertTriggerBodyOf<Slug extends string> =
  // The same condition as in ExecuteToolBodyOf, for the same reason.
  TriggerCatalog extends Readonly<Record<Slug, { config: infer Config }>>
    ? Omit<shapes.UpsertTriggerBody, "trigger_config" | "triggerConfig"> & ConfigOf<Config>
    : shapes.UpsertTriggerBody;

/**
 * Trigger types and their instances, which listen for events of toolkits. Events arrive at the URL of a webhook
 * subscription that enables `svc.trigger.message`. Every method requires the project key.
 */
export class Triggers extends Resource {
  /** Lists the trigger types of toolkits. Await it for one page, or iterate over all items. */
  listTypes(query?: shapes.ListTriggerTypesQuery, options?: RequestOptions): PagePromise<shapes.TriggerTypePage> {
    return coreOf(this).list(triggers().listTypes, { query }, options);
  }

  /**
   * Returns a trigger type with the JSON Schemas of its configuration and its events. The slug may have any case.
   *
   * @throws {NotFoundError} 404, condition `trigger_not_found`.
   */
  getType(
    slug: TriggerSlug,
    query?: shapes.GetTriggerTypeQuery,
    options?: RequestOptions,
  ): ApiPromise<shapes.TriggerType> {
    return coreOf(this).call(triggers().getType, { params: { slug }, query }, options);
  }

  /** Returns the slugs of all trigger types in one response. */
  listTypeSlugs(options?: RequestOptions): ApiPromise<shapes.TriggerTypeSlugs> {
    return coreOf(this).call(triggers().listTypeSlugs, {}, options);
  }

  /**
   * Creates a trigger instance, which listens for an event on a connected account, or enables the existing one.
   *
   * ```ts
   * const { trigger_id } = await svc.triggers.upsert("GITHUB_COMMIT_EVENT", {
   *   connected_account_id: "ca_github_demo", // Or user_id, to use the user's first active account.
   *   trigger_config: { owner: "octo-org", repo: "hello-world" },
   * });
   * ```
   *
   * The same type, account and configuration return the same instance and enable it again if it was disabled. Another
   * configuration creates another instance. `.withResponse()` shows whether the instance is new (status 201) or existed
   * (200). The slug may have any case, but types written by `svc-sdk generate` need the exact slug.
   *
   * @throws {BadRequestError} 400: the configuration doesn't match the type's `config` (slug
   * `TriggerInstance_PollingConfigInvalid` for polling types), the interval is too short, or the webhook endpoint isn't
   * set up.
   * @throws {NotFoundError} 404, condition `trigger_not_found`; or the account doesn't exist.
   */
  upsert<Slug extends TriggerSlug>(
    slug: Slug,
    body: UpsertTriggerBodyOf<Slug>,
    options?: RequestOptions,
  ): ApiPromise<shapes.UpsertedTrigger>;
  upsert(slug: string, body: shapes.UpsertTriggerBody, options?: RequestOptions): ApiPromise<shapes.UpsertedTrigger> {
    return coreOf(this).call(triggers().upsert, { params: { slug }, body }, options);
  }

  /**
   * Lists trigger instances. Includes disabled instances only with `show_disabled`. Await it for one page, or iterate
   * over all items.
   *
   * No operation returns a single instance: list `{ trigger_ids: [id], show_disabled: true }`.
   */
  listActive(
    query?: shapes.ListActiveTriggersQuery,
    options?: RequestOptions,
  ): PagePromise<shapes.TriggerInstancePage> {
    return coreOf(this).list(triggers().listActive, { query }, options);
  }

  /**
   * Enables a disabled trigger instance.
   *
   * @throws {ConflictError} 409: it's already enabled, unless an earlier attempt of this call enabled it.
   * @throws {ApiError} 410, condition `trigger_instance_deleted`.
   * @throws {NotFoundError} 404, with the same condition.
   */
  enable(triggerId: string, options?: RequestOptions): ApiPromise<shapes.TriggerStatusChange> {
    return coreOf(this).call(triggers().setStatus, { params: { triggerId }, body: { status: "enable" } }, options);
  }

  /**
   * Disables a trigger instance, which keeps its configuration. Sends no event.
   *
   * @throws {ConflictError} 409: it's already disabled, unless an earlier attempt of this call disabled it.
   * @throws {ApiError} 410, condition `trigger_instance_deleted`.
   * @throws {NotFoundError} 404, with the same condition.
   */
  disable(triggerId: string, options?: RequestOptions): ApiPromise<shapes.TriggerStatusChange> {
    return coreOf(this).call(triggers().setStatus, { params: { triggerId }, body: { status: "disable" } }, options);
  }

  /**
   * Deletes a trigger instance. This can't be undone.
   *
   * @throws {ApiError} 410, condition `trigger_instance_deleted`: it was already deleted.
   * @throws {NotFoundError} 404, with the same condition.
   * @throws {ConflictError} 409: sent by some services instead of 404 or 410.
   */
  delete(triggerId: string, options?: RequestOptions): ApiPromise<shapes.DeletedTrigger> {
    return coreOf(this).call(triggers().delete, { params: { triggerId } }, options);
  }
}
