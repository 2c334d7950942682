import type { ApprovalStore, StoredApproval } from "../agents/approvals/approval-store.js";
import * as option from "../errors/option-rules.js";
import { isString } from "../shared/json.js";
import { REDIS_CLIENT, type RedisOptions, scripts } from "./redis-client.js";

/** Options of {@link redisApprovals}. */
export interface RedisApprovalsOptions extends RedisOptions {
  /**
   * Prefix of every key, the same in all processes that share approvals. In a cluster, keep the braces, so that all
   * keys are on one node and can be changed in one step.
   * @default "{svc:approval}:"
   */
  prefix?: string | undefined;
}

const REDIS_APPROVALS_OPTIONS = {
  client: REDIS_CLIENT,
  prefix: { ...option.STRING, default: "{svc:approval}:" },
} as const satisfies option.Rules<RedisApprovalsOptions>;

const FIND = `return redis.call("HGET", KEYS[1], "value")`;

// A record is a hash, which has the keys of its lists. A list is a sorted set of positions, and lives as long as its
// last record. Each write removes some of the oldest positions whose records have expired. The second key is the prefix
// of all records: ioredis writes its option keyPrefix before keys only.
const SWAP = `
local held = redis.call("HGET", KEYS[1], "value")
if held == ARGV[2] then return 1 end
if (held or "") ~= ARGV[1] then return 0 end
local position = ARGV[3]
local ttl = tonumber(ARGV[4])
local old = redis.call("HMGET", KEYS[1], "position", "lists")
for list in string.gmatch(old[2] or "", "[^\\n]+") do redis.call("ZREM", list, old[1]) end
local lists = table.concat(KEYS, "\\n", 3)
redis.call("HSET", KEYS[1], "value", ARGV[2], "user", ARGV[5], "position", position, "lists", lists)
redis.call("PEXPIRE", KEYS[1], ttl)
for i = 3, #KEYS do
  for _, old in ipairs(redis.call("ZRANGE", KEYS[i], 0, 4)) do
    if redis.call("EXISTS", KEYS[2] .. string.match(old, " (.*)")) == 0 then redis.call("ZREM", KEYS[i], old) end
  end
  redis.call("ZADD", KEYS[i], 0, position)
  if redis.call("PTTL", KEYS[i]) < ttl then redis.call("PEXPIRE", KEYS[i], ttl) end
end
return 1`;

const LIST = `
local found = {}
local limit = tonumber(ARGV[2])
local from = ARGV[1] == "" and "+" or "(" .. ARGV[1]
while #found < 2 * limit do
  local positions = redis.call("ZREVRANGEBYLEX", KEYS[1], from, "-", "LIMIT", 0, limit)
  if #positions == 0 then break end
  for _, position in ipairs(positions) do
    local held = redis.call("HMGET", KEYS[2] .. string.match(position, " (.*)"), "value", "user")
    if held[1] and (ARGV[3] == "" or held[2] == ARGV[3]) and #found < 2 * limit then
      table.insert(found, position)
      table.insert(found, held[1])
    end
  end
  from = "(" .. positions[#positions]
end
return found`;

/**
 * Creates a store of approvals that processes share: the option `store` of `approvals()`. Each write is one step.
 *
 * While Redis can't be reached, no call runs that needs approval. If Redis loses a request (no persistence, eviction, a
 * failover before replication), its call asks again. If Redis loses the use or the revocation of a standing approval,
 * the approval counts again, so keep Redis persistent.
 *
 * @throws {ConfigError} if an option isn't usable or is unknown.
 */
export function redisApprovals(given: RedisApprovalsOptions): ApprovalStore {
  const { options, run, integer, odd } = scripts("redisApprovals", given, REDIS_APPROVALS_OPTIONS);
  const { prefix } = options;
  const records = `${prefix}record:`;
  // A line break would end the name of a key in the record.
  const list = (state: string, ...owner: string[]) =>
    prefix + ["list", state, ...owner].map(encodeURIComponent).join(":");
  const listsOf = ({ state, userId, conversationId }: StoredApproval) => [
    list(state),
    ...(userId === null ? [] : [list(state, "user", userId)]),
    ...(conversationId === null ? [] : [list(state, "conversation", conversationId)]),
  ];
  return {
    find: async (id) => {
      const reply = await run(FIND, [records + id]);
      if (reply === null) return undefined;
      if (!isString(reply)) throw odd();
      return reply;
    },
    swap: async (record, expected) => {
      const { id, value, position, ttlMs, userId } = record;
      const args = [expected ?? "", value, position, Math.ceil(ttlMs), userId ?? ""];
      return integer(await run(SWAP, [records + id, records, ...listsOf(record)], args), 0, 1) === 1;
    },
    list: async ({ state, userId, conversationId, before, limit }) => {
      const ofUser = userId === null ? list(state) : list(state, "user", userId);
      const key = conversationId === null ? ofUser : list(state, "conversation", conversationId);
      const reply = await run(LIST, [key, records], [before ?? "", limit, userId ?? ""]);
      if (!option.STRINGS.isFit(reply)) throw odd();
      // Just checked.
      const texts = reply as string[];
      if (texts.length % 2 === 1) throw odd();
      return Array.from({ length: texts.length / 2 }, (_, index) => {
        return { position: texts[2 * index] ?? "", value: texts[2 * index + 1] ?? "" };
      });
    },
  };
}
