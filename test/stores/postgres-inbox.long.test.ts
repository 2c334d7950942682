import { once } from "node:events";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { postgresInbox } from "../../src/stores/postgres.js";
import { type Pool, type PooledClient, poolOf } from "./postgres-clients.js";
import { programOf } from "./postgres-program.js";
import { hasPostgres, NEEDS_POSTGRES, postgresServer } from "./postgres-server.js";
import { deliverTo, EFFECTS, inTransaction, receiverOver } from "./transactions.js";

describe.skipIf(!hasPostgres)(`a transaction of PostgreSQL${NEEDS_POSTGRES}`, () => {
  const server = postgresServer();
  const die = programOf("test/stores/dying-process.ts");
  const startInbox = programOf("test/stores/inbox-process.ts");
  beforeAll(async () => void (await server.pool.query(EFFECTS)));
  afterEach(async () => void (await server.pool.query("TRUNCATE svc.deliveries, svc.executions, effects, audits")));

  /** How often an event or a call had its effects, and whether it is recorded. */
  const countsOf = async (id: string): Promise<unknown> => {
    const { rows } = await server.pool.query(
      `SELECT (SELECT count(*)::int FROM effects WHERE id = $1) AS effects,
        (SELECT count(*)::int FROM audits WHERE id = $1) AS audits,
        (SELECT count(*)::int FROM svc.deliveries WHERE id = $1 AND committed) +
        (SELECT count(*)::int FROM svc.executions WHERE id LIKE '%' || $1 || '%') AS records`,
      [id],
    );
    return rows[0];
  };
  const NONE = { effects: 0, audits: 0, records: 0 };
  const ONE = { effects: 1, audits: 1, records: 1 };
  /** The server may still run the last statement of a process that died. */
  const connectionsOf = async (id: string): Promise<unknown[]> =>
    (await server.pool.query("SELECT pid FROM pg_stat_activity WHERE application_name = $1", [id])).rows;
  /** As if the lease of a process that died had ended. */
  const endLease = (id: string) =>
    server.pool.query("UPDATE svc.deliveries SET expires_at = now() WHERE id = $1 AND NOT committed", [id]);

  const WORK = {
    // The claim, BEGIN, two writes, the commit of the claim, COMMIT.
    event: {
      statements: 6,
      first: (pool: Pool, id: string): Promise<unknown> => deliverTo(receiverOver(pool), id),
      result: 200,
    },
    // BEGIN, whether there is a record, the start, two writes, the result, COMMIT.
    call: {
      statements: 7,
      first: (pool: Pool, id: string): Promise<unknown> => inTransaction(pool, id).catch(String),
      result: 'succeeded: "ordered"',
    },
  };
  const MOMENTS = ["before", "during", "during", "during", "after"];

  describe.each(["event", "call"] as const)("of one %s", (work) => {
    const { statements, first, result } = WORK[work];
    const again = (id: string): Promise<unknown> => first(server.pool, id);
    const moments = Array.from({ length: statements }, (_, index) =>
      MOMENTS.map((moment) => ({ moment, statement: index + 1 })),
    ).flat();

    test("leaves both its effects and its record, or neither, if the process is killed at any statement", async () => {
      const outcomes: unknown[] = [];
      const kill = async ({ moment, statement }: { moment: string; statement: number }, index: number) => {
        const id = `${work}-${index}`;
        const child = die({
          POSTGRES_HOST: server.host,
          PGAPPNAME: id,
          WORK: work,
          ID: id,
          MOMENT: moment,
          STATEMENT: `${statement}`,
        });
        const [, signal] = await once(child, "exit");
        expect(signal).toBe("SIGKILL");
        await expect.poll(() => connectionsOf(id), { timeout: 20_000 }).toEqual([]);
        outcomes.push(await countsOf(id));
        await endLease(id);
        expect(await again(id)).toEqual(result);
        expect(await countsOf(id)).toEqual(ONE);
      };
      // A few at a time, because each is a process.
      for (let index = 0; index < moments.length; index += 4) {
        await Promise.all(moments.slice(index, index + 4).map((one, position) => kill(one, index + position)));
      }
      expect(
        outcomes.filter((left) => ![NONE, ONE].map((one) => JSON.stringify(one)).includes(JSON.stringify(left))),
      ).toEqual([]);
      expect(outcomes).toContainEqual(NONE);
      expect(outcomes).toContainEqual(ONE);
    }, 120_000);

    test("has as many statements as are tested", async () => {
      const child = die({ POSTGRES_HOST: server.host, WORK: work, ID: "alive", MOMENT: "never", STATEMENT: "0" });
      const [counted] = await once(child, "message");
      expect(counted).toBe(statements);
      expect(await countsOf("alive")).toEqual(ONE);
    });

    test("has its effects once if a statement, or its reply, is lost with the connection", async () => {
      for (const { moment, statement } of moments.filter((one) => one.moment !== "during")) {
        const id = `${work}-${moment}-${statement}`;
        const outcome = await losing(moment, statement, (pool) => first(pool, id));
        const left = await countsOf(id);
        expect([NONE, ONE]).toContainEqual(left);
        if (outcome === result) expect(left).toEqual(ONE);
        await endLease(id);
        expect(await again(id)).toEqual(result);
        expect(await countsOf(id)).toEqual(ONE);
      }
    });
  });

  /** Runs some work with a pool that loses one statement, or its reply, with the connection. */
  async function losing<Result>(moment: string, lost: number, work: (pool: Pool) => Promise<Result>): Promise<Result> {
    let statements = 0;
    const pool = poolOf(server.host, 2, async (run, close) => {
      statements += 1;
      if (statements !== lost) return await run();
      if (moment === "after") await run();
      close();
      throw new Error("connection lost");
    });
    try {
      return await work(pool);
    } finally {
      await pool.end();
    }
  }

  test("handles each event once while processes and the server are killed", async () => {
    const ids = Array.from({ length: 300 }, (_, index) => `event-${index}`);
    let handled = 0;
    // A process starts over after its end, so the last one would never get through if kills went on.
    let kills = 12;
    let reached = () => {};
    const half = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const run = async (): Promise<void> => {
      const shuffled = ids.toSorted(() => Math.random() - 0.5);
      const child = startInbox({ POSTGRES_HOST: server.host, IDS: JSON.stringify(shuffled) });
      child.on("message", () => {
        handled += 1;
        if (handled === ids.length) reached();
        // With up to six handlers in it.
        if (handled % 50 === 25 && kills > 0) {
          kills -= 1;
          child.kill("SIGKILL");
        }
      });
      const [, signal] = await once(child, "exit");
      if (signal) await run();
    };
    const running = [run(), run(), run(), run()];
    await half;
    await server.restart();
    await Promise.all(running);
    const { rows } = await server.pool.query("SELECT id FROM effects ORDER BY id");
    expect(rows.map(({ id }) => id)).toEqual(ids.toSorted());
    expect((await server.pool.query("SELECT id FROM audits ORDER BY id")).rows).toEqual(rows);
    expect((await server.pool.query("SELECT FROM svc.deliveries WHERE committed")).rows).toHaveLength(ids.length);
  }, 600_000);

  test("handles simultaneous deliveries of an event once, with fewer connections than deliveries", async () => {
    const pool = poolOf(server.host, 3);
    const receiver = receiverOver(pool);
    const statuses = await Promise.all(Array.from({ length: 20 }, () => deliverTo(receiver, "many")));
    await pool.end();
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(await deliverTo(receiverOver(server.pool), "many")).toBe(200);
    expect(await countsOf("many")).toEqual(ONE);
  });

  test("keeps nothing of a handler that failed, and handles the event again", async () => {
    const handle = async (client: PooledClient, id: string) => {
      await client.query("INSERT INTO effects VALUES ($1, 1)", [id]);
      throw new Error("out of stock");
    };
    const errors: unknown[] = [];
    const failing = receiverOver(server.pool, { handle, onError: (error) => errors.push(error) });
    expect(await deliverTo(failing, "failed")).toBe(500);
    expect(errors).toMatchObject([{ message: "out of stock" }]);
    expect(await countsOf("failed")).toEqual(NONE);
    expect(await deliverTo(receiverOver(server.pool), "failed")).toBe(200);
    expect(await countsOf("failed")).toEqual(ONE);
  });

  test("doesn't acknowledge an event whose handler hid the failure of a statement", async () => {
    const handle = async (client: PooledClient, id: string) => {
      await client.query("INSERT INTO effects VALUES ($1, 1)", [id]);
      await client.query("INSERT INTO nothing VALUES (1)").catch(() => undefined);
    };
    expect(await deliverTo(receiverOver(server.pool, { handle }), "hidden")).toBe(503);
    expect(await countsOf("hidden")).toEqual(NONE);
    expect(await deliverTo(receiverOver(server.pool), "hidden")).toBe(200);
    expect(await countsOf("hidden")).toEqual(ONE);
  });

  test("doesn't commit if a statement fails between the handler's end and the commit", async () => {
    const handle = async (client: PooledClient, id: string) => {
      await client.query("CREATE TABLE IF NOT EXISTS checked (id text UNIQUE DEFERRABLE INITIALLY DEFERRED)");
      await client.query("INSERT INTO checked VALUES ('twice'), ('twice')");
      await client.query("INSERT INTO effects VALUES ($1, 1)", [id]);
    };
    expect(await deliverTo(receiverOver(server.pool, { handle }), "deferred")).toBe(503);
    expect(await countsOf("deferred")).toEqual(NONE);
  });

  test("says which statement failed if the handler has hidden it, and blames no other receiver", async () => {
    const errors: unknown[] = [];
    const handle = async (client: PooledClient) => void (await client.query("SELECT nothing").catch(() => undefined));
    const receiver = receiverOver(server.pool, { handle, onError: (error) => errors.push(error) });
    expect(await deliverTo(receiver, "blamed")).toBe(503);
    expect(errors).toMatchObject([{ message: expect.stringContaining("current transaction is aborted") }]);
  });

  test("commits after a renewal, whatever the server's default isolation is", async () => {
    await server.pool.query("ALTER ROLE postgres SET default_transaction_isolation = serializable");
    const pool = poolOf(server.host);
    const handle = async (client: PooledClient, id: string) => {
      await client.query("INSERT INTO effects VALUES ($1, 1)", [id]);
      await client.query("INSERT INTO audits VALUES ($1)", [id]);
      await server.pool.query("UPDATE svc.deliveries SET expires_at = expires_at + interval '1 second'");
    };
    expect(await deliverTo(receiverOver(pool, { handle }), "serializable")).toBe(200);
    expect(await countsOf("serializable")).toEqual(ONE);
    await pool.end();
    await server.pool.query("ALTER ROLE postgres RESET default_transaction_isolation");
  });

  test("rolls back a handler whose claim another receiver has taken", async () => {
    const other = receiverOver(server.pool);
    const handle = async (client: PooledClient, id: string) => {
      await endLease(id);
      expect(await deliverTo(other, id)).toBe(200);
      await client.query("INSERT INTO effects VALUES ($1, 1)", [id]);
    };
    const errors: unknown[] = [];
    const late = receiverOver(server.pool, { handle, onError: (error) => errors.push(error) });
    expect(await deliverTo(late, "taken")).toBe(503);
    expect(errors).toMatchObject([{ message: expect.stringContaining("was lost before its handler ended") }]);
    expect(await countsOf("taken")).toEqual(ONE);
  });

  test("ends a transaction that its process leaves open for longer than its claim", async () => {
    const inbox = postgresInbox<PooledClient>({ pool: server.pool });
    const claim = await inbox.claim("hanging", 100);
    const token = claim.status === "claimed" ? claim.token : "";
    const client = inbox.transaction({ claim: token });
    await client.query("INSERT INTO effects VALUES ('hanging', 1)");
    await server.pool.query("SELECT pg_sleep(0.3)");
    await expect(client.query("SELECT 1")).rejects.toThrow();
    await expect(inbox.commit("hanging", token)).rejects.toThrow();
    expect(await inbox.commit("hanging", token)).toBe(false);
    expect(await countsOf("hanging")).toEqual(NONE);
    expect(() => inbox.transaction({ claim: token })).toThrow("the claim has ended");
  });
});

test("postgresInbox rejects an object that isn't a pool", () => {
  // @ts-expect-error: not a pool.
  expect(() => postgresInbox({ pool: {} })).toThrow("pool must be a pool of pg, or an object with query(), connect()");
  // @ts-expect-error: no pool.
  expect(() => postgresInbox({})).toThrow("pool must be a pool of pg, or an object with query(), connect()");
});
