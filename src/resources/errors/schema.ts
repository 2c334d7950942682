// The room of the body of error responses, a shape without a resource. It imports only the functions that shapes are
// written with. Start here.

import * as z from "zod/mini";
import { nullish, number, object, string } from "../schema-kit.js";

/** Body of an error response. */
export const ErrorBody = object({
  error: object({
    /** The message. */
    message: string,
    /** The service's number for the failure. */
    code: number,
    /** The service's name for the failure. */
    slug: string,
    /** HTTP status. */
    status: number,
    /** Id of the request. Quote it when you contact support. */
    request_id: z.optional(string),
    /** How to fix it. */
    suggested_fix: z.optional(string),
    /** Individual validation errors. */
    errors: nullish(z.array(string)),
  }),
});
export interface ErrorBody extends z.infer<typeof ErrorBody> {}

/** The body of a 429 from the rate limiter. */
export const RateLimitBody = object({
  /** Contains the limit and the window. */
  message: string,
});
export interface RateLimitBody extends z.infer<typeof RateLimitBody> {}
