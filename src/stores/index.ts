export { type FileDeliveriesOptions, fileDeliveries } from "./file.js";
export { type FileAuditOptions, fileAudit } from "./file-audit.js";
export * from "./postgres.js";
export * from "./redis.js";
export { type SharedRateLimitOptions, sharedRateLimit } from "./shared-rate-limit.js";
export type { RateLimitStore, StoredRateLimit } from "./stored-window.js";
