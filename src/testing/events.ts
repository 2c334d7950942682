import type {
  ConnectedAccountActivated,
  ConnectedAccountExpired,
  KnownEventType,
  PartialEvent,
  PayloadVersion,
  TriggerDisabled,
  TriggerMessages,
} from "../webhooks/index.js";
import { ConfigError } from "../webhooks/index.js";
import { writeTrigger } from "../webhooks/normalize.js";
import { connectedAccountRecord } from "./records.js";

/** The sample events, by event type and format. */
export interface SampleEvents {
  /** In every format. */
  "svc.trigger.message": TriggerMessages;
  /** V3 only. */
  "svc.connected_account.expired": { readonly V3: ConnectedAccountExpired };
  /** V3 only. */
  "svc.connected_account.activated": { readonly V3: ConnectedAccountActivated };
  /** V3 only. */
  "svc.trigger.disabled": { readonly V3: TriggerDisabled };
}

/** The event of one type in one format. */
export type SampleEvent<
  Type extends KnownEventType,
  Version extends PayloadVersion,
> = Version extends keyof SampleEvents[Type] ? SampleEvents[Type][Version] : never;

/** The formats that an event type exists in. */
export type EventVersionOf<Type extends KnownEventType> = keyof SampleEvents[Type] & PayloadVersion;

/** A sample, in the parts that `overrides` changes in different ways. */
interface EventParts {
  readonly head: object;
  /** Objects that `overrides` is merged into, by key. */
  readonly merged: Readonly<Record<string, object>>;
  /** The event's own content, which `overrides` replaces as a whole. */
  readonly content?: readonly [key: string, value: object];
}

const SAMPLE = {
  logId: "log_Qm7aXv2LrT9k",
  triggerSlug: "GITHUB_COMMIT_EVENT",
  triggerId: "ti_8KdRw2PqLx0Z",
  legacyTriggerId: "d2a7c9b4-1f38-4e21-8a66-5c0e3b7f9d42",
  connectedAccountId: "ca_5TgBn9YhUj2M",
  legacyConnectionId: "0b6f1f0e-6a53-4c0b-9c1e-7f6d2a4e9b10",
  authConfigId: "ac_1QaZ2WsX3EdC",
  userId: "user-4711",
};

/** Given parts of an event. The others come from the sample. */
export interface Occurrence {
  /** The trigger type, in upper case. */
  readonly trigger?: string | undefined;
  /** The event's payload. */
  readonly payload?: object | undefined;
  /** The event's id, in V3. */
  readonly id?: string | undefined;
}

const PAYLOAD = { id: "c0ffee42", message: "Fix the build", author: "ada" };

const PROJECT = { project_id: "pr_7HgF5dSa3QwE", org_id: "ok_2LkJ8hGf6DsA" };

/**
 * Creates a sample event.
 *
 * @param overrides fields that differ from the sample. `metadata`, the `data` of an account or a trigger, and the ids
 * in a V2 `data` are merged with the sample's; a trigger's payload replaces the sample's as a whole.
 * @throws {ConfigError} if the event type is unknown, or doesn't exist in the format.
 */
export function sampleEvent<Type extends KnownEventType, Version extends EventVersionOf<Type>>(
  type: Type,
  version: Version,
  overrides: PartialEvent<SampleEvent<Type, Version>> = {},
): SampleEvent<Type, Version> {
  return buildEvent("sampleEvent", type, version, overrides);
}

/** As {@link sampleEvent}, for any trigger and any operation, which the messages name. */
export function buildEvent<Type extends KnownEventType, Version extends EventVersionOf<Type>>(
  operation: string,
  type: Type,
  version: Version,
  overrides: PartialEvent<SampleEvent<Type, Version>> = {},
  occurrence: Occurrence = {},
): SampleEvent<Type, Version> {
  const { head, merged, content } = partsOf(operation, type, version, occurrence);
  const given: Readonly<Record<string, unknown>> = { ...overrides };
  const nested = Object.entries(merged).map(([key, sample]) => {
    // In V2, ids are between the fields of the payload, and win as in the service's events.
    const payload = content?.[0] === key && given[key] === undefined ? content[1] : {};
    return [key, { ...payload, ...sample, ...Object(given[key]) }] as const;
  });
  const separate = content && !(content[0] in merged) ? { [content[0]]: content[1] } : {};
  // Merged from a sample of this type and format and its overrides.
  return { ...head, ...separate, ...given, ...Object.fromEntries(nested) } as SampleEvent<Type, Version>;
}

/** The formats of each event type. */
const FORMATS: { readonly [Type in KnownEventType]: readonly EventVersionOf<Type>[] } = {
  "svc.trigger.message": ["V1", "V2", "V3"],
  "svc.connected_account.expired": ["V3"],
  "svc.connected_account.activated": ["V3"],
  "svc.trigger.disabled": ["V3"],
};

function partsOf(operation: string, type: KnownEventType, version: PayloadVersion, occurrence: Occurrence): EventParts {
  // Tests often run unchecked: a misspelled type would make an event that no handler gets.
  if (!Object.hasOwn(FORMATS, type)) {
    const types = Object.keys(FORMATS).join(", ");
    throw new ConfigError(
      `${operation}: There is no sample of ${type}, only of ${types}. signedDelivery takes any other as event.`,
    );
  }
  const versions: readonly PayloadVersion[] = FORMATS[type];
  if (!versions.includes(version)) {
    throw new ConfigError(`${operation}: ${type} doesn't exist in ${version}. Pass ${versions.join(" or ")}.`);
  }
  const timestamp = new Date().toISOString();
  if (type === "svc.trigger.message") return messageParts(version, timestamp, occurrence);
  const { id = `evt_${crypto.randomUUID()}` } = occurrence;
  const head = { id, timestamp, type };
  if (type === "svc.trigger.disabled") {
    const data = {
      id: SAMPLE.triggerId,
      connected_account_id: SAMPLE.connectedAccountId,
      trigger_name: SAMPLE.triggerSlug,
      user_id: SAMPLE.userId,
      trigger_config: { owner: "octo-org", repo: "hello-world" },
      disabled_at: timestamp,
      disabled_reason: "connection_expired",
    };
    return { head, merged: { metadata: { project_id: PROJECT.project_id }, data } };
  }
  const expired = {
    status: "EXPIRED",
    status_reason: "Permanent auth error during token refresh",
    state: { authScheme: "OAUTH2", val: { status: "EXPIRED", expired_at: timestamp } },
    updated_at: timestamp,
  } as const;
  const data = connectedAccountRecord(type === "svc.connected_account.expired" ? expired : {});
  return { head, merged: { metadata: PROJECT, data } };
}

function messageParts(version: PayloadVersion, timestamp: string, occurrence: Occurrence): EventParts {
  const { trigger = SAMPLE.triggerSlug, payload = PAYLOAD, id = `msg_${crypto.randomUUID()}` } = occurrence;
  const fields = { ...SAMPLE, id, timestamp, triggerSlug: trigger, payload: {} };
  // V1 has no ids beside the payload, V2 has them in it.
  const { metadata, data, payload: _, ...head } = writeTrigger(version, fields);
  const merged = { V3: { metadata: Object(metadata) }, V2: { data: Object(data) }, V1: {} }[version];
  return { head, merged, content: [version === "V1" ? "payload" : "data", payload] };
}
