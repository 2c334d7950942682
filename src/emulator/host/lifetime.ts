import type { World } from "./context.js";
import type { RateLimit } from "./rate-limit.js";
import { errorBody, json } from "./responses.js";

type WithLifetime = Pick<World, "lifetime"> & { readonly rateLimit: RateLimit };

/** The context of one request, with the state's lifetime as the request began. */
export function requestContext<Context extends WithLifetime>(context: Context): Context {
  return { ...context, lifetime: { ...context.lifetime } };
}

/** Ends a request whose state was replaced in the meantime: its response, or error, is about a state that is gone. */
export async function unlessReplaced(
  { lifetime, rateLimit }: WithLifetime,
  run: () => Promise<Response>,
): Promise<Response> {
  const { signal } = lifetime;
  try {
    const response = await run();
    if (!signal.aborted) return response;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  const message = "The emulator was reset or restored while it handled this request";
  const details = { status: 400, code: 10400, slug: "Emulator_Replaced", message };
  // Ids of the state are for the requests that come after.
  return json(400, errorBody(details, crypto.randomUUID()), { rateLimit });
}
