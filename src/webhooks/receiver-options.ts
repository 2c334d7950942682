import type { CatalogSettings, TriggerCatalog } from "../resources/typed-catalog.js";
import type { DedupeStore } from "./dedupe-store.js";
import type { TriggerEvent, TriggerPayload } from "./normalize.js";
import type { Delivery, DeliveryOf, KnownEventType } from "./parse.js";
import type { VerifyOptions } from "./verify.js";

/** The second argument of a handler. */
export interface HandlerContext {
  /** The whole delivery, with its event exactly as sent. */
  readonly delivery: Delivery;
  /** Aborts when the handler's time is over or its claim is lost. Pass it to everything that the handler awaits. */
  readonly signal: AbortSignal;
  /** The token of the delivery's claim in the receiver's store. */
  readonly claim: string;
}

/** Handles one delivery. If it throws or rejects, the sender is asked to deliver again. */
export type Handler<Event> = (event: Event, context: HandlerContext) => unknown;

/** The default payload types by trigger slug: every slug has a plain JSON object. */
export type AnyPayloads = Record<Uppercase<string>, Readonly<Record<string, unknown>>>;

/**
 * The handlers of a receiver. A delivery runs the handler of its trigger slug, otherwise that of its event type.
 *
 * Slugs are in upper case. A slug's handler gets the version-neutral {@link TriggerEvent}, an event type's handler the
 * delivery.
 */
export type Handlers<Payloads = AnyPayloads> = {
  readonly [Type in KnownEventType]?: Handler<DeliveryOf<Type>> | undefined;
} & {
  readonly [Slug in keyof Payloads as Slug & Uppercase<string>]?: Handler<TriggerEvent<Payloads[Slug]>> | undefined;
};

/**
 * A key of `on`. Editors complete trigger slugs with generated types. Other slugs are accepted, unless types are
 * strict.
 */
export type HandlerKey = KnownEventType | keyof TriggerCatalog | (string & {});

/** The first argument of a key's handler; `never` if the key is neither an event type nor a slug that is accepted. */
type EventFor<Key extends string> = Key extends KnownEventType
  ? DeliveryOf<Key>
  : Key extends keyof TriggerCatalog
    ? TriggerEvent<TriggerPayload<Key>>
    : CatalogSettings extends { strict: true }
      ? never
      : Key extends Uppercase<string>
        ? TriggerEvent<TriggerPayload<Key>>
        : never;

/** The type of a handler that could never run. It can't be a function, and compilers print it. */
type UnknownKey<Key extends string> = CatalogSettings extends { strict: true }
  ? `${Key} is neither an event type nor a trigger slug in the generated types`
  : `${Key} is neither an event type nor a trigger slug in upper case`;

/** The handlers of a receiver, each typed by its key. */
export type HandlersByKey<Key extends string> = {
  readonly [K in Key]?: (EventFor<K> extends never ? UnknownKey<K> : Handler<EventFor<K>>) | undefined;
};

/** The second argument of `onError`. */
export interface ReceiverErrorContext {
  /** The status of the response. Errors after the response are reported with the same status, or with 503. */
  readonly status: number;
  /** The delivery, if it was authentic and could be parsed. */
  readonly delivery: Delivery | undefined;
}

/** Options of {@link createReceiver}. */
export interface ReceiverOptions<Payloads = AnyPayloads> extends VerifyOptions {
  /** The handlers, by event type and by trigger slug. */
  on: Handlers<Payloads>;
  /**
   * Receives every authentic delivery that no handler in `on` matches: event types newer than this package, changed
   * shapes, and events without a handler. Store or drop it. Afterwards, the sender considers it handled.
   */
  onUnhandled: Handler<Delivery>;
  /**
   * Called for every delivery that was rejected or failed, and for failures of the store. If the handler may run a
   * second time, the error's message says so.
   *
   * By default, failures are logged to the console. Anyone can cause rejections, so only the first one for each reason
   * is logged.
   */
  onError?: ((error: unknown, context: ReceiverErrorContext) => unknown) | undefined;
  /**
   * The slugs of all trigger types, to check the keys of `on` at start. A key that isn't among them is logged as a
   * warning. Pass a list, or a function such as `() => svc.triggers.listTypeSlugs()`.
   */
  triggerSlugs?: readonly string[] | (() => Promise<readonly string[]>) | undefined;
  /**
   * Records handled deliveries. Share one store between processes.
   * @default memoryDeliveries()
   */
  store?: DedupeStore | undefined;
  // See assumption W5.
  /**
   * How long a handler may take, in milliseconds. Must be shorter than the sender's timeout.
   *
   * After that, the handler's signal aborts, and the sender gets 503. While the handler still runs, its claim is
   * renewed, and the sender gets 503 for every other delivery of the event as well. If the process dies, the claim ends
   * after twice this time, but at least 4 seconds. Each response of the store may take half of this time, but at least
   * a second.
   * @default 9_000
   */
  handlerTimeoutMs?: number | undefined;
}
