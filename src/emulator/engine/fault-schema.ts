import * as z from "zod/mini";
import { number, object, request, string, unknown } from "../../resources/schema-kit.js";

const duration = number.check(z.minimum(0));

/** A fault to inject into a response. */
export const InjectedFault = request({
  /** Status to return instead. */
  status: z.optional(z.int().check(z.minimum(200), z.maximum(599))),
  /**
   * Body of that response.
   * @default the service's error object, or the rate limiter's body for 429 without `when: "after"`
   */
  body: z.optional(unknown),
  /** Headers of that response. */
  headers: z.optional(z.record(string, string)),
  /** Retry-After header of that response, in seconds. */
  retryAfterSeconds: z.optional(duration),
  /** Delay in milliseconds of the emulator's clock: before the operation runs, or with `when: "after"` after it. */
  delayMs: z.optional(duration),
  /** `hang`: never respond. `reset`: reset the connection. `truncate`: reset it in the middle of the body. */
  connection: z.optional(z.enum(["hang", "reset", "truncate"])),
  /**
   * Whether the operation runs anyway: `after` runs it, then breaks its response.
   * @default "before"
   */
  when: z.optional(z.enum(["before", "after"])),
});
export interface InjectedFault extends Readonly<z.infer<typeof InjectedFault>> {}

/** A fault and the requests it applies to. */
export const FaultRule = object({
  /** Identifies the rule in `faults.remove`. */
  id: z.int(),
  /** An operation, such as `tools.execute`, or `*` for all. */
  operation: string,
  /** The effect on the requests. */
  fault: InjectedFault,
  /** Applies to every nth matching request; 1 is each of them. */
  every: z.int(),
  /** How many more requests it applies to; null is unlimited. */
  remaining: z.nullable(z.int()),
  /** Matching requests received. */
  matched: z.int(),
});
export interface FaultRule extends Readonly<z.infer<typeof FaultRule>> {}
