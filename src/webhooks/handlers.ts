import { ConfigError } from "../errors/local.js";
import type { TriggerCatalog } from "../resources/typed-catalog.js";
import type { Delivery, DeliveryOf, KnownEventType } from "./delivery.js";
import { V3_CHECKS } from "./event-checks.js";
import { normalizeTrigger, type TriggerEvent, type TriggerPayload } from "./normalize.js";
import { isKnownType } from "./parse.js";

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

/** A key of `on`. Editors complete trigger slugs with generated types; any other slug in upper case is accepted. */
export type HandlerKey = KnownEventType | keyof TriggerCatalog | (string & {});

/** The first argument of a key's handler; `never` if the key is neither an event type nor a slug in upper case. */
type EventFor<Key extends string> = Key extends KnownEventType
  ? DeliveryOf<Key>
  : Key extends Uppercase<string>
    ? TriggerEvent<TriggerPayload<Key>>
    : never;

/** The type of a handler that could never run. It can't be a function, and compilers print it. */
type UnknownKey<Key extends string> = `${Key} is neither an event type nor a trigger slug in upper case`;

/** The handlers of a receiver, each typed by its key. */
export type HandlersByKey<Key extends string> = {
  readonly [K in Key]?: (EventFor<K> extends never ? UnknownKey<K> : Handler<EventFor<K>>) | undefined;
};

/** Runs the handler of a delivery. */
export type Dispatch = (delivery: Delivery, context: HandlerContext) => Promise<void>;

/**
 * Checks the handlers and creates the function that picks one.
 *
 * @throws {ConfigError} if a handler could never run. Names it.
 */
export function createDispatch(handlers: object, onUnhandled: Handler<Delivery>): Dispatch {
  // Typed as accepting any event: the key alone decides which event a handler gets.
  const byKey = new Map<string | undefined, Handler<unknown>>();
  for (const [key, handler] of Object.entries(handlers)) {
    if (handler === undefined) continue;
    const name = `createReceiver: on[${JSON.stringify(key)}]`;
    if (typeof handler !== "function") throw new ConfigError(`${name} must be a function.`);
    const isType = key.includes(".");
    if (isType && !isKnownType(key)) {
      const types = Object.keys(V3_CHECKS).join(", ");
      throw new ConfigError(`${name} would never run. The event types are ${types}; onUnhandled gets all others.`);
    }
    const slug = key.toUpperCase();
    if (!isType && key !== slug) throw new ConfigError(`${name} would never run. Write ${slug}.`);
    byKey.set(key, handler);
  }

  return async (delivery, context) => {
    const event = normalizeTrigger(delivery);
    const forSlug = byKey.get(event?.triggerSlug);
    const forType = delivery.kind === "known" ? byKey.get(delivery.type) : undefined;
    await (forSlug ? forSlug(event, context) : (forType ?? onUnhandled)(delivery, context));
  };
}
