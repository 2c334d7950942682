import { once } from "node:events";
import { describe, expect, onTestFinished, test } from "vitest";
import { ConfigError } from "../../src/index.js";
import {
  POSTGRES_MIGRATION,
  type PostgresClient,
  postgresBudgets,
  postgresDeliveries,
  postgresExecutions,
  postgresRateLimit,
  postgresRateLimitStore,
} from "../../src/stores/postgres.js";
import { poolOf } from "./postgres-clients.js";
import { programOf } from "./postgres-program.js";
import { hasPostgres, NEEDS_POSTGRES, postgresServer } from "./postgres-server.js";

describe.skipIf(!hasPostgres)(`the PostgreSQL stores${NEEDS_POSTGRES}`, () => {
  const server = postgresServer();
  const start = programOf("test/stores/postgres-process.ts");
  const client: PostgresClient = { query: (...args) => server.pool.query(...args) };

  test("keep a budget and run each call once, while processes and the server are killed", async () => {
    const calls = 600;
    const limit = calls * 2;
    const ran: string[] = [];
    let reached = () => {};
    const half = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const run = async (NAME: string): Promise<void> => {
      const process = start({ POSTGRES_HOST: server.host, NAME, CALLS: String(calls), LIMIT: String(limit) });
      let isDone = false;
      process.on("message", (message) => {
        if (message === "done") isDone = true;
        else if (ran.push(String(message)) === Math.round(calls / 2)) reached();
        // What it does next is lost: the reply, the result, or nothing.
        if (ran.length % 23 === 0) process.kill("SIGKILL");
      });
      await once(process, "exit");
      // Another one does the same with what is durable.
      if (!isDone) await run(NAME);
    };
    const running = ["a", "b", "c", "d"].map(run);
    await half;
    await server.restart();
    await Promise.all(running);

    expect(ran.length).toBeLessThanOrEqual(limit);
    expect(new Set(ran).size).toBe(ran.length);
    expect(ran.length).toBeGreaterThan(calls);
  }, 600_000);

  test("take keys that are longer than an index can be, and tell them apart", async () => {
    // Random, so that nothing makes them shorter.
    const bytes = crypto.getRandomValues(new Uint8Array(3_000));
    const long = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    const executions = postgresExecutions({ client, prefix: "long:" });
    expect(await executions.start(`${long}a`, "s1")).toBeUndefined();
    expect(await executions.start(`${long}b`, "s2")).toBeUndefined();
    await executions.finish(`${long}a`, "s1", "done");
    expect(await executions.find(`${long}a`)).toEqual({ stamp: "s1", result: "done" });
    expect(await executions.find(`${long}b`)).toEqual({ stamp: "s2", result: undefined });
    const budgets = postgresBudgets({ client, prefix: "long:" });
    const charge = { key: `${long}a`, amount: 1, limit: 1, windowMs: undefined };
    expect([await budgets.consume([charge]), await budgets.consume([charge])]).toEqual([undefined, 0]);
    expect(await budgets.consume([{ ...charge, key: `${long}b` }])).toBeUndefined();
  });

  test("delete records that have expired, a few with each claim", async () => {
    const store = postgresDeliveries({ client, prefix: "old:", retentionMs: 1 });
    for (const id of ["a", "b", "c"]) {
      const claim = await store.claim(id, 1);
      expect(await store.commit(id, "token" in claim ? claim.token : "")).toBe(true);
    }
    await server.pool.query("SELECT pg_sleep(0.02)");
    await store.claim("d", 60_000);
    const { rows } = await server.pool.query("SELECT id FROM svc.deliveries WHERE id LIKE 'old:%'");
    expect(rows).toEqual([{ id: "old:d" }]);
  });

  test("delete budgets whose period is over when there are new ones", async () => {
    const store = postgresBudgets({ client, prefix: "old:" });
    const charge = { amount: 1, limit: 1, windowMs: 1 };
    await store.consume([{ ...charge, key: "a" }]);
    await server.pool.query("SELECT pg_sleep(0.15)");
    await store.consume([{ ...charge, key: "b", windowMs: 60_000 }]);
    const { rows } = await server.pool.query("SELECT id FROM svc.budgets WHERE id LIKE 'old:%'");
    expect(rows).toEqual([{ id: "old:b" }]);
  });

  test("create their tables with a migration that can be run again, and never by themselves", async () => {
    await server.pool.query(POSTGRES_MIGRATION);
    await server.pool.query("DROP SCHEMA svc CASCADE");
    try {
      await expect(postgresDeliveries({ client }).claim("a", 1_000)).rejects.toThrow(
        'relation "svc.deliveries" does not exist',
      );
    } finally {
      await server.pool.query(POSTGRES_MIGRATION);
    }
  });

  test.each(["serializable", "read committed", "repeatable read"] as const)(
    "have a migration that several processes can run at the same time if the default is %s",
    async (isolation) => {
      const pool = poolOf(server.host, 12, undefined, isolation);
      onTestFinished(() => pool.end());
      for (let round = 0; round < 5; round += 1) {
        await pool.query("DROP SCHEMA svc CASCADE");
        await Promise.all(Array.from({ length: 12 }, () => pool.query(POSTGRES_MIGRATION)));
      }
      expect(await postgresDeliveries({ client: pool }).claim("migrated", 1_000)).toMatchObject({ status: "claimed" });
    },
  );

  test("leave a conflict in the program's own transaction to the program, which has to repeat all of it", async () => {
    const pool = poolOf(server.host, 3, undefined, "repeatable read");
    onTestFinished(() => pool.end());
    const [one, other] = [await pool.connect(), await pool.connect()];
    await one.query("BEGIN");
    await one.query("SELECT 1 FROM svc.executions"); // The transaction's snapshot is from before the other one's start.
    await postgresExecutions({ client: other }).start("own", "s1");
    await expect(postgresExecutions({ client: one }).start("own", "s2")).rejects.toMatchObject({ code: "40001" });
    await one.query("ROLLBACK");
    expect(await postgresExecutions({ client: one }).start("own", "s2")).toEqual({ stamp: "s1", result: undefined });
    one.release();
    other.release();
  });

  test("keep nothing in a connection, so a pooler may change it after each statement", async () => {
    const statements: string[] = [];
    const pooled: PostgresClient = {
      query: async (text, values) => {
        statements.push(text);
        const connection = await server.pool.connect();
        const reply = await connection.query(text, values);
        // Ends the connection, and with it everything that a statement could have left in it.
        connection.release(true);
        return reply;
      },
    };
    const store = postgresDeliveries({ client: pooled, prefix: "pooled:" });
    const claim = await store.claim("a", 60_000);
    expect(await store.commit("a", "token" in claim ? claim.token : "")).toBe(true);
    const executions = postgresExecutions({ client: pooled, prefix: "pooled:" });
    expect(await executions.start("a", "s")).toBeUndefined();
    await executions.finish("a", "s", "r");
    expect(await executions.find("a")).toEqual({ stamp: "s", result: "r" });
    const budgets = postgresBudgets({ client: pooled, prefix: "pooled:" });
    expect(await budgets.consume([{ key: "a", amount: 1, limit: 1, windowMs: undefined }])).toBeUndefined();
    const limit = postgresRateLimitStore({ client: pooled, key: "pooled" });
    expect(await limit.compareAndSwap(undefined, "a", 60_000)).toBe(true);
    expect((await limit.read()).value).toBe("a");
    // Each is one statement: the budget's row had to be added first.
    expect(statements).toHaveLength(10);
    expect(statements.filter((text) => /;|advisory|\bSET LOCAL|\bLISTEN|\bPREPARE/.test(text))).toEqual([]);
  });
});

describe("a statement that fails", () => {
  /** A client whose first statements fail with these codes. */
  const failing = (...codes: string[]) => {
    const texts: string[] = [];
    const query = async (text: string) => {
      texts.push(text);
      const code = codes[texts.length - 1];
      if (code) throw Object.assign(new Error(`failed with ${code}`), { code });
      return [{ done: true }];
    };
    return { client: { query }, texts };
  };

  test.each(["40001", "40P01"])("with %s, because others changed the same rows, is repeated", async (code) => {
    const { client, texts } = failing(code, code);
    expect(await postgresDeliveries({ client }).renew("a", "t", 1_000)).toBe(true);
    expect(texts).toHaveLength(3);
    expect(new Set(texts).size).toBe(1);
  });

  test.each(["23505", "57014", "08006"])("with %s isn't repeated", async (code) => {
    const { client, texts } = failing(code);
    await expect(postgresDeliveries({ client }).renew("a", "t", 1_000)).rejects.toThrow(`failed with ${code}`);
    expect(texts).toHaveLength(1);
  });
});

test.each([
  ["postgresDeliveries", postgresDeliveries],
  ["postgresExecutions", postgresExecutions],
  ["postgresBudgets", postgresBudgets],
  ["postgresRateLimit", postgresRateLimit],
])("%s rejects an object that isn't a client", (name, make) => {
  // @ts-expect-error: not a client.
  expect(() => make({ client: {} })).toThrow(ConfigError);
  // @ts-expect-error: no client.
  expect(() => make({})).toThrow(
    `${name}: client must be a pool or client of pg, or an object with query(text, values).`,
  );
});

test("postgresDeliveries and postgresRateLimit reject invalid options", () => {
  const client = { query: async () => [] };
  for (const retentionMs of [0, 1.5, Number.NaN]) {
    expect(() => postgresDeliveries({ client, retentionMs })).toThrow("retentionMs must be an integer above 0");
  }
  expect(() => postgresRateLimit({ client, key: "" })).toThrow("key must be a non-empty string");
});
