import { describe, expect, test } from "vitest";
import { verifyAudit } from "../../src/agents/policy-entry.js";
import { ConfigError } from "../../src/index.js";
import { type PostgresClient, postgresAudit } from "../../src/stores/index.js";
import { audited, KEY, pays } from "../agents/audit/support.js";
import { hasPostgres, NEEDS_POSTGRES, postgresServer } from "./postgres-server.js";

const keys = [KEY];

describe.skipIf(!hasPostgres)(`a log in PostgreSQL${NEEDS_POSTGRES}`, () => {
  const server = postgresServer();
  const client: PostgresClient = { query: (...args) => server.pool.query(...args) };
  const linesOf = async (log: string) => {
    const { rows } = await server.pool.query("SELECT line FROM svc.audit WHERE log = $1 ORDER BY number", [log]);
    return rows.map(({ line }) => String(line));
  };

  test.each(["serializable", "repeatable read", "read committed"])(
    "is whole, although several writers write it at the same time: %s",
    async (level) => {
      const isolated: PostgresClient = {
        query: async (text, values) => {
          const connection = await server.pool.connect();
          try {
            await connection.query(`SET default_transaction_isolation = '${level}'`);
            return await connection.query(text, values);
          } finally {
            connection.release();
          }
        },
      };
      const writers = await Promise.all(
        Array.from({ length: 3 }, () => audited({ to: postgresAudit({ client: isolated, log: level }) })),
      );
      const ends = await Promise.all(writers.map(({ tools }) => tools.run(Array.from({ length: 5 }, () => pays()))));
      expect(new Set(ends.flat().map(({ status }) => status))).toEqual(new Set(["succeeded"]));
      expect(await verifyAudit(await linesOf(level), { keys })).toMatchObject({ ok: true, lines: 30 });
    },
  );

  test("goes on after a restart, and is apart from others", async () => {
    for (const log of ["one", "other", "one"]) {
      const { tools } = await audited({ to: postgresAudit({ client, log }) });
      await tools.run([pays()]);
    }
    expect(await verifyAudit(await linesOf("one"), { keys })).toMatchObject({ ok: true, lines: 4 });
    expect(await verifyAudit(await linesOf("other"), { keys })).toMatchObject({ ok: true, lines: 2 });
  });

  test("shows a row that was changed or deleted", async () => {
    const { tools } = await audited({ to: postgresAudit({ client, log: "changed" }) });
    await tools.run([pays()]);
    await tools.run([pays()]);
    await server.pool.query(
      "UPDATE svc.audit SET line = replace(line, 'pay', 'say') WHERE log = 'changed' AND number = 2",
    );
    expect(await verifyAudit(await linesOf("changed"), { keys })).toEqual({ ok: false, problem: "changed", line: 2 });
    await server.pool.query("DELETE FROM svc.audit WHERE log = 'changed' AND number = 2");
    expect(await verifyAudit(await linesOf("changed"), { keys })).toEqual({ ok: false, problem: "missing", line: 2 });
  });
});

test("a call doesn't run if the database can't be reached", async () => {
  const client: PostgresClient = { query: () => Promise.reject(new Error("connection refused")) };
  const { tools, effects } = await audited({ to: postgresAudit({ client }) });
  const [result] = await tools.run([pays()]);
  expect(result).toMatchObject({ status: "not_run", error: { message: "connection refused" } });
  expect(effects).toEqual([]);
});

test("rejects options that aren't usable", () => {
  expect(() => postgresAudit({} as never)).toThrow(ConfigError);
  expect(() => postgresAudit({ client: { query: async () => [] }, log: "" })).toThrow("postgresAudit: log must be");
});
