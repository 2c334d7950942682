export { postgresBudgets, postgresExecutions } from "./postgres-agents.js";
export { POSTGRES_MIGRATION, type PostgresClient, type PostgresOptions } from "./postgres-client.js";
export { type PostgresStoreOptions, postgresStore } from "./postgres-deliveries.js";
export {
  type PostgresInbox,
  type PostgresInboxOptions,
  type PostgresPool,
  type PostgresPoolClient,
  postgresInbox,
} from "./postgres-inbox.js";
export { type PostgresRateLimitOptions, postgresRateLimit, postgresRateLimitStore } from "./postgres-rate-limit.js";
