import { ConfigError } from "../errors/local.js";
import { didYouMean } from "../shared/nearest-name.js";
import { EVENT_CHECKS } from "./event-checks.js";
import { normalizeTrigger } from "./normalize.js";
import type { Delivery } from "./parse.js";
import type { Handler, HandlerContext } from "./receiver-options.js";

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
    const name = `on[${JSON.stringify(key)}]`;
    if (typeof handler !== "function") throw new ConfigError(`${name} must be a function.`);
    const isType = key.includes(".");
    if (isType && !EVENT_CHECKS.V3.has(key)) {
      const types = [...EVENT_CHECKS.V3.keys()].join(", ");
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

/** Logs each handler whose trigger type doesn't exist, with the slug that was probably meant. */
export async function warnOfUnknownSlugs(
  handlers: object,
  triggerSlugs: readonly string[] | (() => Promise<readonly string[]>),
): Promise<void> {
  try {
    const known = typeof triggerSlugs === "function" ? await triggerSlugs() : triggerSlugs;
    for (const slug of Object.keys(handlers)) {
      if (slug.includes(".") || known.includes(slug)) continue;
      const advice = didYouMean(slug, known, " Remove the handler, or check the slug.");
      console.warn(
        `svc-sdk: createReceiver: on[${JSON.stringify(slug)}] never runs: no trigger type has this slug.${advice}`,
      );
    }
  } catch (error) {
    console.warn("svc-sdk: createReceiver: triggerSlugs failed, so the handlers' slugs aren't checked", error);
  }
}
