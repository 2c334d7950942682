import type { PayloadVersion } from "../resources/events/schema.js";
import type { TriggerCatalog } from "../resources/typed-catalog.js";
import type { Delivery, TriggerDelivery } from "./parse.js";

/**
 * A trigger's event, the same for every format. Fields that the format doesn't have are `undefined`; nothing is
 * guessed. A `null` was sent.
 */
export interface TriggerEvent<Payload = Readonly<Record<string, unknown>>> {
  /** The delivery's id: the same each time it is retried. */
  readonly id: string;
  /** The format it was sent in. */
  readonly version: PayloadVersion;
  /** The trigger type, in upper case: `GITHUB_COMMIT_EVENT`. Not in every V2. */
  readonly triggerSlug: string | undefined;
  /** The trigger instance, `ti_…`. Not in every V1. */
  readonly triggerId: string | undefined;
  /** The trigger instance's legacy id, a UUID. Not in every V2 and V1. */
  readonly legacyTriggerId: string | null | undefined;
  /** The connected account, `ca_…`. Not in every V1. */
  readonly connectedAccountId: string | undefined;
  /** The connected account's legacy id, a UUID. Not in every V2 and V1. */
  readonly legacyConnectionId: string | null | undefined;
  /** The auth config, `ac_…`. V3. */
  readonly authConfigId: string | null | undefined;
  /** The end user. V3 and V2. */
  readonly userId: string | null | undefined;
  /** The service's log entry. Not in every event. */
  readonly logId: string | null | undefined;
  /** When it happened, ISO 8601. V3 and V2. */
  readonly timestamp: string | undefined;
  /** The event itself, without the ids that V2 adds to it. You choose its type: it isn't checked. */
  readonly payload: Payload;
}

/** The payload of a trigger's event: the type generated for its slug, otherwise any JSON object. */
export type TriggerPayload<Slug extends string> =
  // Checked against the whole catalog type, so that a name every object has is a slug like any other.
  TriggerCatalog extends Readonly<Record<Slug, { payload: infer Payload }>>
    ? Payload
    : Readonly<Record<string, unknown>>;

/** The ids that V2 puts into `data`, next to the event's own fields. */
const V2_IDS: readonly string[] = ["trigger_nano_id", "connection_nano_id", "trigger_id", "connection_id", "user_id"];

/** The version-neutral view of a trigger's event. */
export function normalizeTrigger(delivery: TriggerDelivery): TriggerEvent;
/** As above; `undefined` if the delivery isn't a known trigger message. */
export function normalizeTrigger(delivery: Delivery): TriggerEvent | undefined;
/**
 * The version-neutral view of one trigger type's event, with the payload type generated for it; `undefined` for any
 * other delivery.
 *
 * @param slug the trigger type, in upper case.
 */
export function normalizeTrigger<Slug extends keyof TriggerCatalog | (Uppercase<string> & {})>(
  delivery: Delivery,
  slug: Slug,
): TriggerEvent<TriggerPayload<Slug>> | undefined;
export function normalizeTrigger(delivery: Delivery, slug?: string): TriggerEvent | undefined {
  if (delivery.kind === "unknown" || delivery.type !== "svc.trigger.message") return undefined;
  const event = neutralView(delivery);
  // `deliveries.map(normalizeTrigger)` passes an index here.
  return typeof slug !== "string" || event.triggerSlug === slug ? event : undefined;
}

function neutralView(delivery: TriggerDelivery): TriggerEvent {
  const { id, version } = delivery;
  switch (version) {
    case "V3": {
      const { metadata, timestamp, data } = delivery.event;
      return {
        id,
        version,
        triggerSlug: metadata.trigger_slug.toUpperCase(),
        triggerId: metadata.trigger_id,
        legacyTriggerId: undefined,
        connectedAccountId: metadata.connected_account_id,
        legacyConnectionId: undefined,
        authConfigId: metadata.auth_config_id,
        userId: metadata.user_id,
        logId: metadata.log_id,
        timestamp,
        payload: data,
      };
    }
    case "V2": {
      const { type, timestamp, log_id, data } = delivery.event;
      return {
        id,
        version,
        // Some senders put the event type here; then the slug is missing.
        triggerSlug: type.startsWith("svc.") ? undefined : type.toUpperCase(),
        triggerId: data.trigger_nano_id,
        legacyTriggerId: data.trigger_id,
        connectedAccountId: data.connection_nano_id,
        legacyConnectionId: data.connection_id,
        authConfigId: undefined,
        userId: data.user_id,
        logId: log_id,
        timestamp,
        payload: Object.fromEntries(Object.entries(data).filter(([key]) => !V2_IDS.includes(key))),
      };
    }
    case "V1": {
      const { trigger_name, trigger_id, connection_id, payload, log_id } = delivery.event;
      const isTriggerId = trigger_id?.startsWith("ti_");
      const isAccountId = connection_id?.startsWith("ca_");
      return {
        id,
        version,
        triggerSlug: trigger_name.toUpperCase(),
        triggerId: (isTriggerId && trigger_id) || undefined,
        legacyTriggerId: isTriggerId ? undefined : trigger_id,
        connectedAccountId: (isAccountId && connection_id) || undefined,
        legacyConnectionId: isAccountId ? undefined : connection_id,
        authConfigId: undefined,
        userId: undefined,
        logId: log_id,
        timestamp: undefined,
        payload,
      };
    }
  }
}
