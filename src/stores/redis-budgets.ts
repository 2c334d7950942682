import { type BudgetStore, lengthOf, STEPS } from "../agents/policy/budget-store.js";
import { checkClient, type IoRedisClient, integerOf, type NodeRedisClient, runScript } from "./redis-client.js";

/** Options of {@link redisBudgets}. */
export interface RedisBudgetsOptions {
  /** Your own connected client of `redis` or `ioredis`, cluster clients included. It is never closed. */
  client: NodeRedisClient | IoRedisClient;
  /**
   * Prefix of every key. Processes that keep budgets together share it. In a cluster it needs braces, so that all keys
   * are on one node and can be counted in one step.
   * @default "{svc:budget}:"
   */
  prefix?: string | undefined;
}

// One hash per key, with a field per step of its period, as memoryBudgets counts. Timed by Redis' own clock, so the
// clocks of the processes needn't agree. First all are compared, then all are counted.
const TAKE = `
local time = redis.call("TIME")
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local steps = tonumber(ARGV[1])
local function step(i)
  local length = tonumber(ARGV[i * 3 + 1])
  return length, length > 0 and math.floor(now / length) or 0
end
for i, key in ipairs(KEYS) do
  local length, current = step(i)
  local used = tonumber(ARGV[i * 3 - 1])
  local held = redis.call("HGETALL", key)
  for j = 1, #held, 2 do
    if tonumber(held[j]) >= current - steps then used = used + tonumber(held[j + 1]) end
  end
  if used > tonumber(ARGV[i * 3]) then return i - 1 end
end
for i, key in ipairs(KEYS) do
  local length, current = step(i)
  for _, field in ipairs(redis.call("HKEYS", key)) do
    if tonumber(field) < current - steps then redis.call("HDEL", key, field) end
  end
  redis.call("HINCRBY", key, string.format("%.0f", current), ARGV[i * 3 - 1])
  if length > 0 then redis.call("PEXPIRE", key, length * (steps + 1)) end
end
return -1`;

/**
 * Creates a store of budgets that processes share: the option `budgets` of a policy. Each call is counted in one step,
 * by Redis' own clock.
 *
 * While Redis can't be reached, no call runs. What Redis forgets (no persistence, eviction, a failover before
 * replication) can be used again.
 *
 * @throws {ConfigError} if the client isn't one of `redis` or `ioredis`.
 */
export function redisBudgets({ client, prefix = "{svc:budget}:" }: RedisBudgetsOptions): BudgetStore {
  checkClient("redisBudgets", client);
  return {
    consume: async (charges) => {
      const keys = charges.map(({ key }) => prefix + key);
      const args = charges.flatMap(({ amount, limit, windowMs }) => [
        amount,
        limit,
        windowMs === undefined ? 0 : lengthOf(windowMs),
      ]);
      const reply = await runScript(client, TAKE, keys, [STEPS, ...args].map(String));
      const exceeded = integerOf("redisBudgets", reply, -1, charges.length - 1);
      return exceeded === -1 ? undefined : exceeded;
    },
  };
}
