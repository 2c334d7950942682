export { type SharedRateLimitOptions, sharedRateLimit } from "./shared-rate-limit.js";
export type { RateLimitStore, StoredRateLimit } from "./stored-window.js";
