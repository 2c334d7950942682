/** The header with the caller's id of a request, by which the execution log finds a call. */
export const REQUEST_ID = "x-request-id";

/** The header of every webhook delivery: its attempt, from 1. */
export const DELIVERY_ATTEMPT = "x-svc-delivery-attempt";

/** The header with the format of a delivery's event: `V1`, `V2` or `V3`. */
export const DELIVERY_VERSION = "x-svc-webhook-version";

/** The header by which the service says whether to retry a failed request: `true` or `false`. */
export const SHOULD_RETRY = "x-should-retry";

/** The headers of the rate limit: requests in a window, how many of them are left, and its length, such as `60s`. */
export const RATE_LIMIT = "x-ratelimit";
export const RATE_LIMIT_LEFT = "x-ratelimit-remaining";
export const RATE_LIMIT_WINDOW = "x-ratelimit-window-size";

/** The headers by which a response asks to wait: in seconds or until a date, and in milliseconds. */
export const RETRY_AFTER = "retry-after";
export const RETRY_AFTER_MS = "retry-after-ms";
