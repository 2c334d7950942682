export type { RateLimitStore, StoredRateLimit } from "./rate-limit-store.js";
export { type SharedRateLimitOptions, sharedRateLimit } from "./shared-rate-limit.js";
