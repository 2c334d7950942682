import { type BudgetStore, lengthOf, STEPS } from "../agents/policy/budget-store.js";
import * as option from "../errors/option-rules.js";
import { REDIS_CLIENT, type RedisOptions, scripts } from "./redis-client.js";

/** Options of {@link redisBudgets}. */
export interface RedisBudgetsOptions extends RedisOptions {
  /**
   * Prefix of every key, the same in all processes that share budgets. In a cluster, keep the braces, so that all keys
   * are on one node and can be counted in one step.
   * @default "{svc:budget}:"
   */
  prefix?: string | undefined;
}

const REDIS_BUDGETS_OPTIONS = {
  client: REDIS_CLIENT,
  prefix: { ...option.STRING, default: "{svc:budget}:" },
} as const satisfies option.Rules<RedisBudgetsOptions>;

// Redis' own clock, in milliseconds, so the clocks of the processes needn't agree.
const NOW = `
local time = redis.call("TIME")
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)`;

// One hash per key, with a field per step of its period, as memoryBudgets counts. First all are compared, then all are
// counted.
const TAKE = `${NOW}
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

const USED = `${NOW}
local length = tonumber(ARGV[2])
local oldest = (length > 0 and math.floor(now / length) or 0) - tonumber(ARGV[1])
local used = 0
local held = redis.call("HGETALL", KEYS[1])
for j = 1, #held, 2 do
  if tonumber(held[j]) >= oldest then used = used + tonumber(held[j + 1]) end
end
return string.format("%.0f", used)`;

/**
 * Creates a store of budgets that processes share: the option `budgets` of a policy. Each call is counted in one step,
 * by Redis' own clock.
 *
 * While Redis can't be reached, no call runs. If Redis loses a key (no persistence, eviction, a failover before
 * replication), its budget starts at 0.
 *
 * @throws {ConfigError} if an option isn't usable or is unknown.
 */
export function redisBudgets(given: RedisBudgetsOptions): BudgetStore {
  const { options, run, integer } = scripts("redisBudgets", given, REDIS_BUDGETS_OPTIONS);
  const { prefix } = options;
  return {
    read: async ({ key, windowMs }) =>
      integer(await run(USED, [prefix + key], [STEPS, lengthOf(windowMs)]), 0, Number.MAX_SAFE_INTEGER),
    consume: async (charges) => {
      const keys = charges.map(({ key }) => prefix + key);
      const args = charges.flatMap(({ amount, limit, windowMs }) => [amount, limit, lengthOf(windowMs)]);
      const exceeded = integer(await run(TAKE, keys, [STEPS, ...args]), -1, charges.length - 1);
      return exceeded === -1 ? undefined : exceeded;
    },
  };
}
