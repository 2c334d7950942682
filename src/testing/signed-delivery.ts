import { isObject } from "../json.js";
import type {
  KnownEventType,
  PayloadVersion,
  Sparse,
  TriggerCatalogue,
  TriggerMessages,
  TriggerPayload,
  WebhookSecret,
} from "../webhooks/index.js";
import { ConfigError, signWebhook } from "../webhooks/index.js";
import { buildEvent, type Occurrence, type SampleEvent, type VersionOf } from "./events.js";

/** How a delivery is sent. */
export interface DeliveryFacts {
  /** The subscription's secret: what your receiver knows. */
  readonly secret: WebhookSecret;
  /** How the secret becomes the key. @default "text", as the service does it */
  readonly secretEncoding?: "text" | "base64" | undefined;
  /**
   * `webhook-id`. Left out, the event's own `id`, else a new one.
   */
  readonly id?: string | undefined;
  /** When it is sent: seconds since 1970, or a date. Now, when left out. */
  readonly timestamp?: number | Date | undefined;
  /** @default 1 */
  readonly attempt?: number | undefined;
  /** Where it is sent to. @default "https://receiver.example.com/webhooks" */
  readonly url?: string | undefined;
}

/** A delivery of a sample. */
export interface SampleDelivery<Type extends KnownEventType, Version extends PayloadVersion> extends DeliveryFacts {
  /** @default "svc.trigger.message" */
  readonly type?: Type | undefined;
  /** @default "V3" */
  readonly version?: Version | undefined;
  /** What differs from the sample. {@link sampleEvent} says how it is merged. */
  readonly overrides?: Sparse<SampleEvent<Type, Version>> | undefined;
}

/** A delivery of a trigger's event. */
export interface TriggerSample<Slug extends string, Version extends PayloadVersion> extends DeliveryFacts {
  /** The trigger type, in upper case. */
  readonly trigger: Slug;
  /** What the event carries: what was generated for the trigger type, else any object. */
  readonly payload: Slug extends keyof TriggerCatalogue ? TriggerPayload<Slug> & object : object;
  /** @default "V3" */
  readonly version?: Version | undefined;
  /** What else differs from the sample, the user for example. {@link sampleEvent} says how it is merged. */
  readonly overrides?: Sparse<TriggerMessages[Version]> | undefined;
}

/** A delivery of your own event. */
export interface EventDelivery<Event extends object> extends DeliveryFacts {
  /** Sent as it is, whatever it is: events from the future, and broken ones. */
  readonly event: Event;
  /** `x-svc-webhook-version`. Left out, it is told from the event. */
  readonly version?: PayloadVersion | undefined;
}

/** Every option there is; the compiler keeps the list complete. */
const OPTIONS = Object.keys({
  secret: 1,
  secretEncoding: 1,
  id: 1,
  timestamp: 1,
  attempt: 1,
  url: 1,
  version: 1,
  overrides: 1,
  type: 1,
  trigger: 1,
  payload: 1,
  event: 1,
} satisfies Record<
  | keyof EventDelivery<object>
  | keyof TriggerSample<string, PayloadVersion>
  | keyof SampleDelivery<KnownEventType, PayloadVersion>,
  1
>);

/** A delivery as the service would send it. */
export interface SignedDelivery<Event> {
  /** Sent as `webhook-id`. */
  readonly id: string;
  /** What the body holds. */
  readonly event: Event;
  /** The raw body. */
  readonly body: string;
  /** By name, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The delivery as a request; a new one each time, so that it can be sent twice. */
  readonly request: Request;
}

/**
 * A signed delivery, for the tests of your receiver: a sample of any event type in any format, an event of any trigger, or your
 * own event.
 *
 * ```ts
 * const payload = { id: "c0ffee", message: "Fix the build", author: "ada" };
 * const commit = signedDelivery({ secret, trigger: "GITHUB_COMMIT_EVENT", payload });
 * const expired = signedDelivery({ secret, type: "svc.connected_account.expired" });
 * const forged = signedDelivery({ secret: "whsec_of_somebody_else" });
 * const answers = [commit, commit, expired, forged].map(async ({ request }) => (await receiver(request)).status);
 * ```
 *
 * @throws {ConfigError} for an option that is none, options that contradict each other, an event type that does not exist in
 *   the format, and an id, timestamp or secret that cannot be signed.
 */
export function signedDelivery<Event extends object>(options: EventDelivery<Event>): SignedDelivery<Event>;
export function signedDelivery<
  Slug extends keyof TriggerCatalogue | (Uppercase<string> & {}),
  Version extends PayloadVersion = "V3",
>(options: TriggerSample<Slug, Version>): SignedDelivery<TriggerMessages[Version]>;
export function signedDelivery<
  Type extends KnownEventType = "svc.trigger.message",
  Version extends VersionOf<Type> = "V3" & VersionOf<Type>,
>(options: SampleDelivery<Type, Version>): SignedDelivery<SampleEvent<Type, Version>>;
export function signedDelivery(
  options: EventDelivery<object> | (SampleDelivery<KnownEventType, "V3"> & Occurrence),
): SignedDelivery<object> {
  checkOptions(options);
  const event =
    "event" in options
      ? options.event
      : buildEvent(options.type ?? "svc.trigger.message", options.version ?? "V3", options.overrides, options);
  const { secret, secretEncoding, attempt = 1, url = "https://receiver.example.com/webhooks" } = options;
  const { id = ownId(event) ?? `msg_${crypto.randomUUID()}`, timestamp = new Date() } = options;
  const body = JSON.stringify(event);
  const headers = {
    "content-type": "application/json",
    ...signWebhook({ id, timestamp, body, secret, secretEncoding }),
    "x-svc-webhook-version": options.version ?? versionOf(event),
    "x-svc-delivery-attempt": String(attempt),
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

function checkOptions(options: unknown): void {
  if (!isObject(options)) throw new ConfigError("signedDelivery takes an object, such as { secret }.");
  const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name));
  if (unknown !== undefined) {
    throw new ConfigError(`signedDelivery: there is no option ${unknown}. The options are ${OPTIONS.join(", ")}.`);
  }
  const { event, type, trigger, payload } = options;
  if ((trigger === undefined) !== (payload === undefined)) {
    throw new ConfigError(
      "signedDelivery: trigger and payload go together: the slug of the trigger type, and what its event carries.",
    );
  }
  if ([event, type, trigger].filter((what) => what !== undefined).length > 1) {
    throw new ConfigError("signedDelivery: pass one of type, trigger (with payload) and event.");
  }
}

function ownId(event: object): string | undefined {
  return "id" in event && typeof event.id === "string" ? event.id : undefined;
}

function versionOf(event: object): PayloadVersion {
  if ("trigger_name" in event) return "V1";
  return "metadata" in event || !("data" in event) ? "V3" : "V2";
}
