import * as z from "zod/mini";
import { boolean, list, request, string } from "../../resources/schema-kit.js";
import { MAX_TIMER_MS } from "../../shared/timers.js";
import { functionOf } from "../catalog/catalog-schema.js";
import { unsafeScheme } from "./unsafe-scheme.js";

/** A number within bounds. The OpenAPI document has the bounds, errors have the words. */
function bounded(type: "integer" | "number", minimum: number, maximum: number, words: string) {
  const isOfType = type === "integer" ? Number.isInteger : Number.isFinite;
  const isWithin = (value: unknown) => isOfType(value) && Number(value) >= minimum && Number(value) <= maximum;
  return z.custom<number>(isWithin, words).check(z.meta({ type, minimum, maximum }));
}

/** How often something happens, or how many there are. */
export const count = bounded("integer", 1, Number.MAX_SAFE_INTEGER, "a positive integer");
/** How many times a delivery is sent. */
export const copies = bounded("integer", 1, 100, "an integer from 1 to 100");
/** Offset of a clock. */
export const skew = bounded("integer", -1e9, 1e9, "an integer from -1e9 to 1e9");
/** Milliseconds that a timer can wait. */
export const delay = bounded("number", 0, MAX_TIMER_MS, "a number of at least 0 and below 2^31");
const timeout = bounded("number", Number.MIN_VALUE, MAX_TIMER_MS, "a number above 0 and below 2^31");

/** Settings of the emulator's clock. */
export const ClockOptions = request({
  /**
   * Start time, ISO 8601.
   * @default "2026-01-01T00:00:00.000Z" for a stopped clock, the real time for a running one
   */
  start: z.optional(string.check(z.refine((time) => !Number.isNaN(Date.parse(time)), "an ISO 8601 time"))),
  /**
   * Whether the clock runs automatically. A stopped clock moves only when you call `advance`.
   * @default false in process, true on a port
   */
  running: z.optional(boolean),
});
export interface ClockOptions extends Readonly<z.infer<typeof ClockOptions>> {}

// Spec: Limits.
/** Rate limit settings. */
export const RateLimitOptions = request({
  /**
   * Requests per window; the Hobby plan's by default.
   * @default 2_000
   */
  limit: z.optional(count),
  /**
   * Length of a window in seconds, an integer.
   * @default 60
   */
  windowSeconds: z.optional(count),
});
export interface RateLimitOptions extends Readonly<z.infer<typeof RateLimitOptions>> {}

const siteUrl = string.check(
  z.refine((url) => URL.canParse(url), "an absolute URL"),
  z.refine((url) => unsafeScheme(url) === undefined, {
    error: ({ input }) => `the URL of a site, not ${unsafeScheme(String(input))}`,
  }),
);

/** Settings of the emulated project. */
export const ProjectOptions = request({
  /**
   * Maximum number of webhook subscriptions per project. Creating more returns 409.
   * @default 1
   */
  subscriptionsPerProject: z.optional(count),
  /**
   * URL of your callback verifier. If set, a completed link page redirects the browser there with a `session_uri`, and
   * the account becomes ACTIVE only through `connectedAccounts.completeAuth`.
   */
  callbackVerifierUrl: z.optional(siteUrl),
});
export interface ProjectOptions extends Readonly<z.infer<typeof ProjectOptions>> {}

/** Whether requests with unknown fields are rejected with 400, or the fields are ignored. */
export const UnknownFields = z.enum(["reject", "ignore"]);
export type UnknownFields = z.infer<typeof UnknownFields>;

// Assumption E82.
/** Webhook delivery settings. */
export const DeliveryOptions = request({
  /**
   * Sends each POST. Pass a receiver from `createReceiver` to deliver in process.
   * @default the runtime's `fetch`
   */
  fetch: z.optional(functionOf<(request: Request) => Promise<Response>>()),
  /**
   * Maximum number of attempts per delivery.
   * @default 3, or the number of `delaysMs` plus 1
   */
  attempts: z.optional(count),
  /**
   * Delays before each retry, in milliseconds of the emulator's clock. The last one repeats.
   * @default [1_000, 2_000]
   */
  delaysMs: z.optional(list(delay)),
  /**
   * Timeout per attempt in milliseconds, by the emulator's clock and by real time, so that a receiver that never
   * responds can't block an emulator whose clock is stopped. Advancing the clock that far ends attempts in flight.
   * @default 10_000
   */
  timeoutMs: z.optional(timeout),
}).check(
  z.refine(({ attempts = 1, delaysMs = [0] }) => attempts === 1 || delaysMs.length > 0, {
    path: ["delaysMs"],
    error: "at least one delay, because attempts is above 1",
  }),
);
export interface DeliveryOptions extends Readonly<z.infer<typeof DeliveryOptions>> {}

/** Faults to inject into the execution log. Omitted faults are turned off. */
export const ExecutionLogFaults = request({
  /**
   * Delay between the end of an execution and its entry in the log, in milliseconds of the emulator's clock.
   * @default 0
   */
  delayMs: z.optional(delay),
  /**
   * Leaves out arguments and results, like a project that doesn't store data.
   * @default false
   */
  dropPayloads: z.optional(boolean),
  /**
   * Leaves out the ids of requests, so that a filter by one finds nothing.
   * @default false
   */
  dropRequestIds: z.optional(boolean),
});
export interface ExecutionLogFaults extends Readonly<z.infer<typeof ExecutionLogFaults>> {}

/** Options of `faults.next` and `faults.every`. */
export const FaultOptions = request({
  /**
   * How many requests the fault applies to.
   * @default 1 for `next`, unlimited for `every`
   */
  times: z.optional(count),
});
export interface FaultOptions extends Readonly<z.infer<typeof FaultOptions>> {}
