// The room of stores in databases and files: a file for each kind of record and database. It imports `agents` and
// `webhooks`, whose records it stores, and the rate limit of `client`. Start here, then the client that a database's
// stores share, such as `redis-client.ts`.

export { type FileAuditOptions, fileAudit } from "./file-audit.js";
export { type FileDeliveriesOptions, fileDeliveries } from "./file-deliveries.js";
export * from "./postgres.js";
export * from "./redis.js";
export { type SharedRateLimitOptions, sharedRateLimit } from "./shared-rate-limit.js";
export type { RateLimitStore, StoredRateLimit } from "./stored-rate-window.js";
