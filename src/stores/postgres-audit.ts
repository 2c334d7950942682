import type { AuditSink } from "../agents/audit-trail.js";
import * as option from "../errors/option-rules.js";
import { field, isString } from "../shared/json.js";
import { POSTGRES_CLIENT, type PostgresClient, statements } from "./postgres-client.js";

/** Options of {@link postgresAudit}. */
export interface PostgresAuditOptions {
  /** Your own pool or client, without an open transaction. It is never closed. */
  client: PostgresClient;
  /**
   * The name of the log in the table. Use the same name in all processes that share the log.
   * @default "default"
   */
  log?: string | undefined;
}

const POSTGRES_AUDIT_OPTIONS = {
  client: POSTGRES_CLIENT,
  log: { ...option.NAME, default: "default" },
} as const satisfies option.Rules<PostgresAuditOptions>;

const LAST = `
  SELECT (SELECT line FROM svc.audit WHERE log = $1 ORDER BY number DESC LIMIT 1) AS line`;

// Two at the same time insert the same number, so one of them fails.
const APPEND = `
  WITH last AS (SELECT coalesce(max(number), 0) AS number FROM svc.audit WHERE log = $1),
  added AS (
    INSERT INTO svc.audit (log, number, line)
    SELECT $1, last.number + one.position, one.line
    FROM last, json_array_elements_text($2::text::json) WITH ORDINALITY AS one (line, position)
    WHERE (SELECT line FROM svc.audit WHERE log = $1 AND number = last.number) IS NOT DISTINCT FROM $3::text
    RETURNING number)
  SELECT EXISTS (SELECT FROM added) AS done`;

const UNIQUE_VIOLATION = "23505";

/**
 * Creates a sink for `audit()` in the table `svc.audit`, which processes share. Give the program's database user only
 * the rights to `SELECT` and `INSERT` there.
 *
 * @throws {ConfigError} if an option isn't usable or is unknown.
 */
export function postgresAudit(given: PostgresAuditOptions): AuditSink {
  const { options, row, done, odd } = statements("postgresAudit", given, POSTGRES_AUDIT_OPTIONS);
  const { log } = options;
  return {
    async last() {
      const { line } = await row(LAST, [log]);
      if (line === null) return undefined;
      if (!isString(line)) throw odd();
      return line;
    },
    async append(lines, last) {
      try {
        return await done(APPEND, [log, JSON.stringify(lines), last ?? null]);
      } catch (error) {
        if (field(error, "code") === UNIQUE_VIOLATION) return false;
        throw error;
      }
    },
  };
}
