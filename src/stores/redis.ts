// The stores in Redis.
export { type RedisApprovalsOptions, redisApprovals } from "./redis-approvals.js";
export { type RedisBudgetsOptions, redisBudgets } from "./redis-budgets.js";
export type { IoRedisClient, NodeRedisClient } from "./redis-client.js";
export { type RedisDeliveriesOptions, redisDeliveries } from "./redis-deliveries.js";
export { type RedisExecutionsOptions, redisExecutions } from "./redis-executions.js";
export { type RedisRateLimitOptions, redisRateLimit, redisRateLimitStore } from "./redis-rate-limit.js";
