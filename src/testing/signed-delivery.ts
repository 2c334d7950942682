import * as option from "../errors/option-rules.js";
import { DELIVERY_ATTEMPT, DELIVERY_VERSION } from "../shared/headers.js";
import type {
  KnownEventType,
  PartialEvent,
  PayloadVersion,
  TriggerCatalog,
  TriggerMessages,
  TriggerPayload,
  WebhookSecret,
} from "../webhooks/index.js";
import { ConfigError, signWebhook } from "../webhooks/index.js";
import { versionOf } from "../webhooks/parse.js";
import { buildEvent, type EventVersionOf, type Occurrence, type SampleEvent } from "./events.js";

/** Options that every delivery has. */
export interface SignedDeliveryOptions {
  /** The subscription's secret, as passed to your receiver. */
  readonly secret: WebhookSecret;
  /** How the secret becomes the key. @default "text", like the service */
  readonly secretEncoding?: "text" | "base64" | undefined;
  /** `webhook-id`, and the `id` of a sample in V3. Defaults to the event's own `id`, otherwise a new one. */
  readonly id?: string | undefined;
  /** When it is sent: seconds since 1970, or a `Date`. Defaults to now. */
  readonly timestamp?: number | Date | undefined;
  /** @default 1 */
  readonly attempt?: number | undefined;
  /** The receiver's URL. @default "https://receiver.example.com/webhooks" */
  readonly url?: string | undefined;
}

/** Options for the delivery of a sample event. */
export interface SampleDelivery<Type extends KnownEventType, Version extends PayloadVersion>
  extends SignedDeliveryOptions {
  /** @default "svc.trigger.message" */
  readonly type?: Type | undefined;
  /** @default "V3" */
  readonly version?: Version | undefined;
  /** Fields that differ from the sample, merged as in {@link sampleEvent}. */
  readonly overrides?: PartialEvent<SampleEvent<Type, Version>> | undefined;
}

/** Options for the delivery of a trigger's event. */
export interface TriggerSample<Slug extends string, Version extends PayloadVersion> extends SignedDeliveryOptions {
  /** The trigger type, in upper case. */
  readonly trigger: Slug;
  /** The event's payload: the type generated for the trigger type, otherwise any object. */
  readonly payload: Slug extends keyof TriggerCatalog ? TriggerPayload<Slug> & object : object;
  /** @default "V3" */
  readonly version?: Version | undefined;
  /** Other fields that differ from the sample, such as the user, merged as in {@link sampleEvent}. */
  readonly overrides?: PartialEvent<TriggerMessages[Version]> | undefined;
}

/** Options for the delivery of a custom event. */
export interface EventDelivery<Event extends object> extends SignedDeliveryOptions {
  /** The event, which is sent unchanged, even if it is invalid or of an unknown type. */
  readonly event: Event;
  /** `x-svc-webhook-version`. By default, the format that a receiver detects, or `V3` if none matches. */
  readonly version?: PayloadVersion | undefined;
}

/** The options of a custom event, or of a sample. */
type AnyDelivery = EventDelivery<object> | (SampleDelivery<KnownEventType, "V3"> & Occurrence);

// Checked when they are used.
const SIGNED_DELIVERY_OPTIONS = {
  secret: {},
  secretEncoding: { default: "text" },
  id: {},
  timestamp: {},
  attempt: { default: 1 },
  url: { default: "https://receiver.example.com/webhooks" },
  version: {},
  overrides: {},
  type: {},
  trigger: {},
  payload: {},
  event: {},
} as const satisfies option.Rules<EventDelivery<object> & SampleDelivery<KnownEventType, "V3"> & Occurrence>;

/** A delivery, as the service would send it. */
export interface SignedDelivery<Event> {
  /** Sent as `webhook-id`. */
  readonly id: string;
  /** The event in the body. */
  readonly event: Event;
  /** The raw body. */
  readonly body: string;
  /** By name, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The delivery as a request. A new one each time you read it, so that it can be sent twice. */
  readonly request: Request;
}

/**
 * Creates a signed delivery, to test your receiver: a sample of any event type in any format, an event of any trigger,
 * or a custom event.
 *
 * ```ts
 * const payload = { id: "c0ffee", message: "Fix the build", author: "ada" };
 * const commit = signedDelivery({ secret, trigger: "GITHUB_COMMIT_EVENT", payload });
 * const expired = signedDelivery({ secret, type: "svc.connected_account.expired" });
 * const forged = signedDelivery({ secret: "whsec_of_someone_else" });
 * const statuses = [];
 * for (const { request } of [commit, commit, expired, forged]) statuses.push((await receiver(request)).status);
 * ```
 *
 * @throws {ConfigError} if an option or the event type is unknown, options contradict each other, the format lacks the
 *   event type, or the id, timestamp or secret can't be signed.
 */
export function signedDelivery<Event extends object>(options: EventDelivery<Event>): SignedDelivery<Event>;
export function signedDelivery<
  Slug extends keyof TriggerCatalog | (Uppercase<string> & {}),
  Version extends PayloadVersion = "V3",
>(options: TriggerSample<Slug, Version>): SignedDelivery<TriggerMessages[Version]>;
export function signedDelivery<
  Type extends KnownEventType = "svc.trigger.message",
  Version extends EventVersionOf<Type> = "V3" & EventVersionOf<Type>,
>(options: SampleDelivery<Type, Version>): SignedDelivery<SampleEvent<Type, Version>>;
export function signedDelivery(given: AnyDelivery): SignedDelivery<object> {
  const options = checkedOptions(given);
  const event =
    "event" in options
      ? options.event
      : buildEvent(
          "signedDelivery",
          options.type ?? "svc.trigger.message",
          options.version ?? "V3",
          options.overrides,
          options,
        );
  const { secret, secretEncoding, attempt, url } = options;
  const { id = ownId(event) ?? `msg_${crypto.randomUUID()}`, timestamp = new Date() } = options;
  const body = JSON.stringify(event);
  const headers = {
    "content-type": "application/json",
    ...signWebhook({ id, timestamp, body, secret, secretEncoding }),
    [DELIVERY_VERSION]: options.version ?? versionOf({ ...event }) ?? "V3",
    [DELIVERY_ATTEMPT]: String(attempt),
  };
  return {
    id,
    event,
    body,
    headers,
    get request() {
      return new Request(url, { method: "POST", headers, body });
    },
  };
}

function checkedOptions(given: AnyDelivery) {
  const options = option.checkAll("signedDelivery", given, SIGNED_DELIVERY_OPTIONS);
  const { event, type, trigger, payload, overrides }: Partial<Record<keyof typeof SIGNED_DELIVERY_OPTIONS, unknown>> =
    options;
  if ("event" in options && (typeof event !== "object" || event === null)) {
    throw new ConfigError("signedDelivery: event must be an object. Omit it to send a sample.");
  }
  if ((trigger === undefined) !== (payload === undefined)) {
    throw new ConfigError(
      "signedDelivery: trigger and payload must be passed together. Pass the slug of the trigger type and its event's payload.",
    );
  }
  if ([event, type, trigger].filter((option) => option !== undefined).length > 1) {
    throw new ConfigError(
      "signedDelivery: type, trigger and event can't be combined. Pass one of type, trigger (with payload) and event.",
    );
  }
  if (event !== undefined && overrides !== undefined) {
    throw new ConfigError("signedDelivery: overrides change a sample, and event is sent unchanged. Pass one of them.");
  }
  return options;
}

function ownId(event: object): string | undefined {
  return "id" in event && typeof event.id === "string" ? event.id : undefined;
}
