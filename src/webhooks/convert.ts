import type {
  PayloadVersion,
  TriggerMessageV1,
  TriggerMessageV2,
  TriggerMessageV3,
} from "../resources/events/schema.js";
import { isObject, type Json } from "../shared/json.js";
import { EVENT_CHECKS } from "./event-checks.js";
import { normalizeTrigger, writeTrigger } from "./normalize.js";
import type { Delivery, TriggerDelivery } from "./parse.js";

/** The trigger message of each format. */
export interface TriggerMessages {
  /** The current format. */
  V3: TriggerMessageV3;
  /** Deprecated. */
  V2: TriggerMessageV2;
  /** Deprecated, the oldest. */
  V1: TriggerMessageV1;
}

/** An event with every field optional, in the event itself and one level below. */
export type PartialEvent<Event> = {
  [Key in keyof Event]?: Event[Key] extends Readonly<Record<string, unknown>> ? Partial<Event[Key]> : Event[Key];
};

/** A trigger message rewritten in another format. */
export type ConvertedTrigger<Version extends PayloadVersion> =
  | {
      /** The event has every field that the format requires. */
      readonly isComplete: true;
      readonly version: Version;
      readonly event: TriggerMessages[Version];
      /** Fields of the format that the delivery doesn't have, as paths. All of them are optional. */
      readonly missing: readonly string[];
    }
  | {
      /** The delivery doesn't have every field that the format requires: see `missing`. */
      readonly isComplete: false;
      readonly version: Version;
      readonly event: PartialEvent<TriggerMessages[Version]>;
      /** Fields of the format that the delivery doesn't have, as paths: `metadata.auth_config_id`. */
      readonly missing: readonly string[];
    };

/**
 * Converts a trigger message to another format: to move handlers to V3 one by one, or to serve code that still reads an
 * older format. Fields that the delivery doesn't have are omitted and listed, never made up. If the delivery is already
 * in the format, `event` is its own event.
 */
export function convertTrigger<Version extends PayloadVersion>(
  delivery: TriggerDelivery,
  version: Version,
): ConvertedTrigger<Version>;
/** As above; `undefined` if the delivery isn't a known trigger message: other events are V3 only. */
export function convertTrigger<Version extends PayloadVersion>(
  delivery: Delivery,
  version: Version,
): ConvertedTrigger<Version> | undefined;
export function convertTrigger(
  delivery: Delivery,
  version: PayloadVersion,
): ConvertedTrigger<PayloadVersion> | undefined {
  const view = normalizeTrigger(delivery);
  if (!view) return undefined;
  const fields = writeTrigger(version, view);
  const event = view.version === version ? delivery.event : build(fields);
  const missing = missingPaths(event, fields);
  // If complete, the event has passed its check. The compiler can't follow that.
  const isComplete = EVENT_CHECKS[version].get(delivery.type)?.(event) === true;
  return { isComplete, version, event, missing } as ConvertedTrigger<PayloadVersion>;
}

/** The fields that have a value, one level deep. */
function build(fields: Json): Json {
  const entries = Object.entries(fields).map(
    ([key, value]) => [key, isObject(value) ? present(value) : value] as const,
  );
  return present(Object.fromEntries(entries));
}

function present(fields: Json): Json {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function missingPaths(event: Json, fields: Json): string[] {
  return Object.entries(fields).flatMap(([key, value]) => {
    const found = event[key];
    if (found === undefined) return [key];
    if (!isObject(value) || !isObject(found)) return [];
    return Object.keys(value)
      .filter((inner) => found[inner] === undefined)
      .map((inner) => `${key}.${inner}`);
  });
}
