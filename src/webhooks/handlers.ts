import { ConfigError } from "../errors/local.js";
import type { TriggerCatalogue } from "../resources/typed-catalogue.js";
import type { Delivery, DeliveryOf, KnownEventType } from "./delivery.js";
import { V3_CHECKS } from "./event-checks.js";
import { normalizeTrigger, type TriggerEvent } from "./normalize.js";
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
 * A slug's handler gets the version-neutral {@link TriggerEvent}, an event type's the delivery.
 */
export type Handlers<Payloads = AnyPayloads> = {
  readonly [Type in KnownEventType]?: Handler<DeliveryOf<Type>> | undefined;
} & {
  readonly [Slug in keyof Payloads]?: Handler<TriggerEvent<Payloads[Slug]>> | undefined;
};

/** What a handler can be for. Trigger slugs with generated types complete in the editor; any other in upper case is accepted. */
export type HandlerKey = KnownEventType | keyof TriggerCatalogue | (string & {});

/** What the handler of a key gets; `never` for a key that names neither an event type nor a slug in upper case. */
type EventFor<Key extends string> = Key extends KnownEventType
  ? DeliveryOf<Key>
  : Key extends keyof TriggerCatalogue
    ? TriggerEvent<TriggerCatalogue[Key][keyof TriggerCatalogue[Key] & "payload"]>
    : Key extends Uppercase<string>
      ? TriggerEvent
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
  const byType = new Map<string, Handler<unknown>>();
  const bySlug = new Map<string, Handler<unknown>>();
  for (const [key, handler] of Object.entries(handlers)) {
    if (handler === undefined) continue;
    if (typeof handler !== "function")
      throw new ConfigError(`createReceiver: on[${JSON.stringify(key)}] must be a function.`);
    if (!key.includes(".")) bySlug.set(key.toUpperCase(), handler);
    else if (isKnownType(key)) byType.set(key, handler);
    else {
      throw new ConfigError(
        `createReceiver: on[${JSON.stringify(key)}] would never run: the event types are ${Object.keys(V3_CHECKS).join(", ")}. Others go to onUnknown.`,
      );
    }
  }

  return async (delivery, context) => {
    if (delivery.kind === "known") {
      const event = bySlug.size > 0 ? normalizeTrigger(delivery) : undefined;
      const forSlug = event?.triggerSlug === undefined ? undefined : bySlug.get(event.triggerSlug);
      if (forSlug) return void (await forSlug(event, context));
      const forType = byType.get(delivery.type);
      if (forType) return void (await forType(delivery, context));
    }
    await onUnknown(delivery, context);
  };
}
