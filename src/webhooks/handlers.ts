import { ConfigError } from "../errors/local.js";
import type { TriggerCatalogue } from "../resources/typed-catalogue.js";
import type { Delivery, DeliveryOf, KnownEventType } from "./delivery.js";
import { V3_CHECKS } from "./event-checks.js";
import { normalizeTrigger, type TriggerEvent, type TriggerPayload } from "./normalize.js";
import { isKnownType } from "./parse.js";

/** What a handler is told beside its event. */
export interface HandlerContext {
  /** The whole delivery, its event exactly as sent. */
  readonly delivery: Delivery;
  /** Aborts when the time for the handler is over. Pass it to what the handler waits for, so that it ends too. */
  readonly signal: AbortSignal;
}

/** Handles one delivery. When it throws or rejects, the sender is asked to deliver again. */
export type Handler<Event> = (event: Event, context: HandlerContext) => unknown;

/** Payload types by trigger slug where you give none of your own: every slug brings a plain JSON object. */
export type AnyPayloads = Record<Uppercase<string>, Readonly<Record<string, unknown>>>;

/**
 * The handlers of a receiver. A delivery runs one of them: the one of its trigger slug, else the one of its event type.
 *
 * Slugs are in upper case. A slug's handler gets the version-neutral {@link TriggerEvent}, an event type's the delivery.
 */
export type Handlers<Payloads = AnyPayloads> = {
  readonly [Type in KnownEventType]?: Handler<DeliveryOf<Type>> | undefined;
} & {
  readonly [Slug in keyof Payloads as Slug & Uppercase<string>]?: Handler<TriggerEvent<Payloads[Slug]>> | undefined;
};

/** What a handler can be for. Trigger slugs with generated types complete in the editor; any other in upper case is accepted. */
export type HandlerKey = KnownEventType | keyof TriggerCatalogue | (string & {});

/** What the handler of a key gets; `never` for a key that names neither an event type nor a slug in upper case. */
type EventFor<Key extends string> = Key extends KnownEventType
  ? DeliveryOf<Key>
  : Key extends Uppercase<string>
    ? TriggerEvent<TriggerPayload<Key>>
    : never;

/** The handlers of a receiver, each typed by its key. */
export type HandlersByKey<Key extends string> = {
  readonly [K in Key]?: (EventFor<K> extends never ? never : Handler<EventFor<K>>) | undefined;
};

/** Runs the handler that a delivery belongs to. */
export type Dispatch = (delivery: Delivery, context: HandlerContext) => Promise<void>;

/**
 * Checks the handlers and makes the function that picks one.
 *
 * @throws {ConfigError} naming a handler that could never run.
 */
export function createDispatch(handlers: object, onUnknown: Handler<Delivery>): Dispatch {
  // Kept as functions of anything: which event goes to which of them is decided by the key alone.
  const byKey = new Map<string | undefined, Handler<unknown>>();
  for (const [key, handler] of Object.entries(handlers)) {
    if (handler === undefined) continue;
    const name = `createReceiver: on[${JSON.stringify(key)}]`;
    if (typeof handler !== "function") throw new ConfigError(`${name} must be a function.`);
    const isType = key.includes(".");
    if (isType && !isKnownType(key)) {
      const types = Object.keys(V3_CHECKS).join(", ");
      throw new ConfigError(`${name} would never run: the event types are ${types}. Others go to onUnknown.`);
    }
    const slug = key.toUpperCase();
    if (!isType && key !== slug) throw new ConfigError(`${name} would never run: write ${slug}.`);
    byKey.set(key, handler);
  }

  return async (delivery, context) => {
    const event = normalizeTrigger(delivery);
    const forSlug = byKey.get(event?.triggerSlug);
    const forType = delivery.kind === "known" ? byKey.get(delivery.type) : undefined;
    await (forSlug ? forSlug(event, context) : (forType ?? onUnknown)(delivery, context));
  };
}
