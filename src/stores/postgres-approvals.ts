import type { ApprovalStore, ListedApproval } from "../agents/approvals/approval-store.js";
import { field, isString, parseJson } from "../shared/json.js";
import {
  deleteExpired,
  keyOf,
  milliseconds,
  NOW,
  POSTGRES_OPTIONS,
  type PostgresOptions,
  statements,
} from "./postgres-client.js";

const FIND = `SELECT (SELECT value FROM svc.approvals WHERE id = $1 AND expires_at > ${NOW}) AS value`;

const SWAP = `
  WITH ${deleteExpired("svc.approvals", "id <> $1")},
  swapped AS (
    INSERT INTO svc.approvals AS old (id, value, state, user_id, conversation_id, position, expires_at)
    SELECT $1, $3, $4, $5, $6, $7, ${NOW} + ${milliseconds("$8")}
    WHERE $2::text IS NULL OR EXISTS (SELECT FROM svc.approvals WHERE id = $1)
    ON CONFLICT (id) DO UPDATE SET value = excluded.value, state = excluded.state, user_id = excluded.user_id,
      conversation_id = excluded.conversation_id, position = excluded.position, expires_at = excluded.expires_at
    WHERE CASE WHEN old.expires_at > ${NOW} THEN old.value END IS NOT DISTINCT FROM $2 OR old.value = $3
    RETURNING id
  )
  SELECT EXISTS (SELECT FROM swapped) AS done`;

const LIST = `
  SELECT coalesce(json_agg(json_build_object('position', position, 'value', value)), '[]')::text AS list FROM (
    SELECT position, value FROM svc.approvals
    WHERE state = $1 AND ($2::text IS NULL OR user_id = $2) AND ($3::text IS NULL OR conversation_id = $3)
      AND ($4::text IS NULL OR position < $4) AND expires_at > ${NOW}
    ORDER BY position DESC LIMIT $5::text::int) AS listed`;

/**
 * Creates a store of approvals that processes share, in the table `svc.approvals`: the option `store` of `approvals()`.
 *
 * While the database can't be reached, no call runs that needs approval.
 *
 * @throws {ConfigError} if an option isn't usable or is unknown.
 */
export function postgresApprovals(given: PostgresOptions): ApprovalStore {
  const { options, row, done, odd } = statements("postgresApprovals", given, POSTGRES_OPTIONS);
  const { prefix } = options;
  const keyOrNull = async (id: string | null) => (id === null ? null : keyOf(id));
  const isListed = (item: unknown): item is ListedApproval =>
    isString(field(item, "position")) && isString(field(item, "value"));
  return {
    find: async (id) => {
      const { value } = await row(FIND, [await keyOf(prefix + id)]);
      if (!(isString(value) || value === null)) throw odd();
      return value ?? undefined;
    },
    swap: async ({ id, value, state, userId, conversationId, position, ttlMs }, expected) => {
      const owners = [await keyOrNull(userId), await keyOrNull(conversationId)];
      const values = [await keyOf(prefix + id), expected ?? null, value, prefix + state];
      return done(SWAP, [...values, ...owners, position, String(Math.ceil(ttlMs))]);
    },
    list: async ({ state, userId, conversationId, before, limit }) => {
      const owners = [await keyOrNull(userId), await keyOrNull(conversationId)];
      const { list } = await row(LIST, [prefix + state, ...owners, before, String(limit)]);
      const items: unknown = isString(list) ? parseJson(list) : undefined;
      if (!Array.isArray(items) || !items.every(isListed)) throw odd();
      return items;
    },
  };
}
