import * as z from "zod/mini";
import { nullish, object } from "../../schema-kit.js";

/** The body of a failed call. Spec: Errors. The client reads older forms as well. */
export const ErrorBody = object({
  error: object({
    /** In words. */
    message: z.string(),
    /** The service's number for the failure. */
    code: z.number(),
    /** The service's name for the failure. */
    slug: z.string(),
    /** HTTP status. */
    status: z.number(),
    /** Quote it to support. */
    request_id: z.optional(z.string()),
    /** What to do about it. */
    suggested_fix: z.optional(z.string()),
    /** Single complaints. */
    errors: nullish(z.array(z.string())),
  }),
});
/** The body of a failed call. Spec: Errors. The client reads older forms as well. */
export interface ErrorBody extends z.infer<typeof ErrorBody> {}

/** The body of a 429 of the rate limiter. Spec: Errors. */
export const RateLimitBody = object({
  /** States the limit and the window. */
  message: z.string(),
});
/** The body of a 429 of the rate limiter. Spec: Errors. */
export interface RateLimitBody extends z.infer<typeof RateLimitBody> {}
