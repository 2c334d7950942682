// The stores in PostgreSQL.
export { postgresApprovals } from "./postgres-approvals.js";
export { type PostgresAuditOptions, postgresAudit } from "./postgres-audit.js";
export { postgresBudgets } from "./postgres-budgets.js";
export { POSTGRES_MIGRATION, type PostgresClient, type PostgresOptions } from "./postgres-client.js";
export { type PostgresDeliveriesOptions, postgresDeliveries } from "./postgres-deliveries.js";
export { postgresExecutions } from "./postgres-executions.js";
export {
  type PostgresInbox,
  type PostgresInboxOptions,
  type PostgresPool,
  type PostgresPoolClient,
  postgresInbox,
} from "./postgres-inbox.js";
export { type PostgresRateLimitOptions, postgresRateLimit, postgresRateLimitStore } from "./postgres-rate-limit.js";
