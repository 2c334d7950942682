import { type BudgetStore, lengthOf, STEPS } from "../agents/policy/budget-store.js";
import {
  Conflict,
  deleteExpired,
  keyOf,
  milliseconds,
  NOW,
  POSTGRES_OPTIONS,
  type PostgresOptions,
  repeated,
  statements,
} from "./postgres-client.js";

const CHARGE =
  "json_to_recordset($1::text::json) AS charge (number int, id text, amount float8, most float8, length float8)";

// One row per key, with the amount of each step of its period, as memoryBudgets counts. The rows are locked first, in
// one order, then read and timed. A statement sees the latest version only of the rows that it has locked.
const CONSUME = `
  WITH charge AS (SELECT * FROM ${CHARGE}),
  locked AS MATERIALIZED (
    SELECT id, steps FROM svc.budgets WHERE id IN (SELECT id FROM charge) ORDER BY id FOR UPDATE
  ),
  moment AS MATERIALIZED (
    SELECT count(*) = (SELECT count(*) FROM charge) AS is_complete, extract(epoch FROM ${NOW}) * 1000 AS now FROM locked
  ),
  counted AS MATERIALIZED (
    SELECT number, id, amount, most, length, step, coalesce(
      (SELECT jsonb_object_agg(key, value) FROM jsonb_each(steps) WHERE key::numeric >= step - ${STEPS}), '{}') AS used
    FROM moment, charge JOIN locked USING (id),
      LATERAL (SELECT CASE WHEN length > 0 THEN floor(now / length::numeric) ELSE 0 END AS step) AS period
  ),
  exceeded AS MATERIALIZED (
    SELECT min(number) AS number FROM counted
    WHERE amount + (SELECT coalesce(sum(value::float8), 0) FROM jsonb_each_text(used)) > most
  ),
  written AS (
    UPDATE svc.budgets SET
      steps = used || jsonb_build_object(step::text, amount + coalesce((used ->> step::text)::float8, 0)),
      expires_at = CASE WHEN length > 0 THEN ${NOW} + ${milliseconds(`(length * ${STEPS + 1})`)} ELSE 'infinity' END
    FROM counted, exceeded, moment
    WHERE budgets.id = counted.id AND exceeded.number IS NULL AND is_complete
  )
  SELECT is_complete AS done, coalesce(number, -1) AS exceeded FROM moment, exceeded`;

const ADD = `
  WITH charge AS (SELECT * FROM ${CHARGE}), ${deleteExpired("svc.budgets", "id NOT IN (SELECT id FROM charge)")},
  added AS (
    INSERT INTO svc.budgets (id, steps, expires_at)
    SELECT id, '{}', ${NOW} + interval '1 minute' FROM charge ORDER BY id ON CONFLICT (id) DO NOTHING RETURNING id
  )
  SELECT EXISTS (SELECT FROM added) AS done`;

const USED = `
  SELECT coalesce(sum(value::float8), 0) AS used
  FROM svc.budgets, jsonb_each_text(steps), LATERAL (SELECT $2::text::numeric AS length) AS period
  WHERE id = $1 AND key::numeric >=
    CASE WHEN length > 0 THEN floor(extract(epoch FROM ${NOW}) * 1000 / length) ELSE 0 END - ${STEPS}`;

/**
 * Creates a store of budgets that processes share, in the table `svc.budgets`: the option `budgets` of a policy. Each
 * call is counted in one statement, by the database's clock.
 *
 * While the database can't be reached, no call runs.
 *
 * @throws {ConfigError} if an option isn't usable or is unknown.
 */
export function postgresBudgets(given: PostgresOptions): BudgetStore {
  const { options, row, done, odd } = statements("postgresBudgets", given, POSTGRES_OPTIONS);
  const { prefix } = options;
  return {
    read: async ({ key, windowMs }) => {
      const { used } = await row(USED, [await keyOf(prefix + key), String(lengthOf(windowMs))]);
      // A client may be set to return such numbers as text.
      const amount = Number(used ?? Number.NaN);
      if (!Number.isSafeInteger(amount) || amount < 0) throw odd();
      return amount;
    },
    consume: async (charges) => {
      const rows = charges.map(async ({ key, amount, limit, windowMs }, number) => {
        return { number, id: await keyOf(prefix + key), amount, most: limit, length: lengthOf(windowMs) };
      });
      const values = JSON.stringify(await Promise.all(rows));
      return await repeated(async () => {
        const { done: isComplete, exceeded } = await row(CONSUME, [values]);
        if (typeof isComplete !== "boolean" || !Number.isInteger(exceeded)) throw odd();
        const index = Number(exceeded);
        if (index < -1 || index >= charges.length) throw odd();
        if (isComplete) return index === -1 ? undefined : index;
        await done(ADD, [values]);
        throw new Conflict("postgresBudgets: Others keep deleting the rows of these budgets.");
      });
    },
  };
}
