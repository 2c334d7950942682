export { type FileAuditOptions, fileAudit } from "./file-audit.js";
export { type FileDeliveriesOptions, fileDeliveries } from "./file-deliveries.js";
export * from "./postgres.js";
export * from "./redis.js";
export { type SharedRateLimitOptions, sharedRateLimit } from "./shared-rate-limit.js";
export type { RateLimitStore, StoredRateLimit } from "./stored-window.js";
