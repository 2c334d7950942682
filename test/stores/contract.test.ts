import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import * as agents from "../../src/agents/index.js";
import * as policies from "../../src/agents/policy-entry.js";
import type { PostgresClient, RateLimitStore } from "../../src/stores/index.js";
import * as stores from "../../src/stores/index.js";
import { approvalsContract } from "../../src/testing/approvals-contract.js";
import { dedupeContract } from "../../src/testing/dedupe-contract.js";
import {
  budgetsContract,
  executionsContract,
  rateLimitContract,
  type StoreCase,
} from "../../src/testing/store-contracts.js";
import type { DedupeStore } from "../../src/webhooks/index.js";
import * as webhooks from "../../src/webhooks/index.js";
import { longTest, sized } from "../support/size.js";
import { hasRedis, NEEDS_REDIS, redisWithClients } from "../webhooks/redis-server.js";
import { folderForFiles, hasSqlite, NEEDS_SQLITE } from "./files.js";
import { hasClients, type Pool, poolOf, type Sql, sqlOf, startPglite } from "./postgres-clients.js";
import { hasPostgres, NEEDS_CLIENTS, NEEDS_POSTGRES, postgresServer } from "./postgres-server.js";

const { memoryExecutions } = agents;
const { memoryApprovals, memoryBudgets } = policies;
const { memoryDeliveries } = webhooks;

const isLong = sized(false, true);
/** In `npm test` without the cases of ten thousand keys, which take a minute in PGlite, and those that measure time. */
const usual = (cases: readonly StoreCase[]) =>
  cases.filter(({ name }) => isLong || !/thousand|\blease|period|as long as|clock/.test(name));

function testAll(cases: readonly StoreCase[]): void {
  for (const { name, run } of usual(cases)) test.concurrent(name, run);
}
function testInTurn(cases: readonly StoreCase[]): void {
  for (const { name, run } of usual(cases)) test(name, { timeout: 600_000 }, run);
}
/** In `npm test` also without those of ends and starts at once, which are thousands of statements. */
const usualInPostgres = (cases: readonly StoreCase[]) =>
  usual(cases).filter(({ name }) => isLong || !/simultaneous (ends|releases)/.test(name));
/**
 * One after the other in the long runs: ten thousand keys would keep the connections from cases that measure time. These
 * cases take minutes, so only the full run has them at every isolation level.
 */
const testInPostgres = (isolation: string) => (cases: readonly StoreCase[]) =>
  (isLong ? testInTurn : testAll)(
    usualInPostgres(cases).filter(
      ({ name }) => isolation === "read committed" || sized(false, false, true) || !name.includes("thousand"),
    ),
  );
/** PGlite, with its one connection, takes minutes for ten thousand keys. */
const testInPglite = (cases: readonly StoreCase[]) =>
  testInTurn(cases.filter(({ name }) => sized(false, false, true) || !name.includes("ten thousand")));
/** The stores whose cases are above or below, even if this machine lacks what they need. */
const tested = new Set<string>();
function describeStore<Make extends (...given: never[]) => object>(make: Make, cases: (make: Make) => void): void {
  tested.add(make.name);
  describe(make.name, () => cases(make));
}
/** The exports of `svc-sdk/stores` without a contract, and the test file of each. */
const OTHERS: Readonly<Record<string, string>> = {
  sharedRateLimit: "rate-limit",
  redisRateLimit: "rate-limit-redis",
  postgresRateLimit: "postgres.long",
  fileAudit: "file-audit",
  postgresAudit: "postgres-audit.long",
  POSTGRES_MIGRATION: "postgres.long",
};
test("every store that the package exports is run through its contract", () => {
  const inMemory = Object.keys({ ...agents, ...policies, ...webhooks }).filter((name) => name.startsWith("memory"));
  const exported = [...inMemory, ...Object.keys(stores)];
  const advice = "in this file, add describeStore() for a new store, or its test file to OTHERS";
  expect(exported.filter((name) => !(name in OTHERS)).toSorted(), advice).toEqual([...tested].toSorted());
  for (const [name, file] of Object.entries(OTHERS)) {
    expect(readFileSync(join(import.meta.dirname, `${file}.test.ts`), "utf8"), name).toContain(name);
  }
});

/** A store for one process. */
const twice = <Store>(store: Store): [Store, Store] => [store, store];

describeStore(memoryDeliveries, (make) => testAll(dedupeContract(() => twice(make()))));
describe.skipIf(!hasSqlite)(`in a file${NEEDS_SQLITE}`, () => {
  const folder = folderForFiles();
  describeStore(stores.fileDeliveries, (make) =>
    testAll(
      dedupeContract(() => {
        const path = join(folder.path, crypto.randomUUID());
        return [make(path), make(path)];
      }),
    ),
  );
});
describeStore(memoryExecutions, (make) => testAll(executionsContract(() => twice(make({ maxCalls: 20_000 })))));
describeStore(memoryApprovals, (make) => testAll(approvalsContract(() => twice(make()))));
describeStore(memoryBudgets, (make) => testAll(budgetsContract(() => twice(make()))));

describe.skipIf(!hasRedis)(`the Redis stores${NEEDS_REDIS}`, () => {
  const redis = redisWithClients();
  const keyPrefix = "of the client:";
  let prefixing: typeof redis.ioredis;
  beforeAll(() => {
    prefixing = redis.ioredis.duplicate({ keyPrefix });
  });
  afterAll(() => prefixing?.disconnect());
  /** One store for each library's client, of which the second writes its own prefix before every key. */
  const over = <Store>(make: (options: { client: typeof redis.ioredis; prefix: string }) => Store): [Store, Store] => {
    const id = `test:{${crypto.randomUUID()}}:`;
    return [
      make({ client: redis.server.client as never, prefix: keyPrefix + id }), // Each store takes both kinds of clients.
      make({ client: prefixing, prefix: id }),
    ];
  };
  describeStore(stores.redisDeliveries, (make) => testAll(dedupeContract(() => over(make))));
  describeStore(stores.redisExecutions, (make) => testAll(executionsContract(() => over(make))));
  describeStore(stores.redisApprovals, (make) => testAll(approvalsContract(() => over(make))));
  describeStore(stores.redisBudgets, (make) => testAll(budgetsContract(() => over(make))));
  describeStore(stores.redisRateLimitStore, (make) =>
    testAll(rateLimitContract(() => over(({ client, prefix: key }) => make({ client, key })))),
  );
});

/** The contracts of the stores over two clients of a database. */
function testPostgres(clients: () => readonly [PostgresClient, PostgresClient], testCases: typeof testAll): void {
  const over = <Store>(make: (options: { client: PostgresClient; prefix: string }) => Store) => {
    const id = `test:${crypto.randomUUID()}:`;
    const [one, other] = clients();
    return [make({ client: one, prefix: id }), make({ client: other, prefix: id })] as const;
  };
  describeStore(stores.postgresDeliveries, (make) => testCases(dedupeContract(() => over(make))));
  describeStore(stores.postgresExecutions, (make) => testCases(executionsContract(() => over(make))));
  describeStore(stores.postgresApprovals, (make) => testCases(approvalsContract(() => over(make))));
  describeStore(stores.postgresBudgets, (make) => testCases(budgetsContract(() => over(make))));
  describeStore(stores.postgresRateLimitStore, (make) =>
    testCases(rateLimitContract(() => over(({ client, prefix: key }) => make({ client, key })))),
  );
}

describe.skipIf(!hasPostgres)(`the PostgreSQL stores, with clients of pg and postgres${NEEDS_POSTGRES}`, () => {
  const server = postgresServer();

  const levels = ["read committed", "serializable", "repeatable read"] as const;
  describe.each(sized(levels.slice(0, 1), [...levels]))("whose default is %s", (isolation) => {
    let pool: Pool;
    let sql: Sql;
    /** Ends a claim: it keeps its connection until then, and most cases leave claims open. */
    const open: (() => Promise<void>)[] = [];
    beforeAll(async () => {
      pool = poolOf(server.host, 8, undefined, isolation);
      sql = sqlOf(server.host, isolation);
      const statement = "SELECT current_setting('transaction_isolation') AS level";
      expect((await pool.query(statement)).rows).toEqual([{ level: isolation }]);
      expect(await sql.unsafe(statement)).toMatchObject([{ level: isolation }]);
    });
    afterAll(async () => {
      await pool?.end();
      await sql?.end();
    });
    testPostgres(() => [pool, { query: (text, values) => sql.unsafe(text, values) }], testInPostgres(isolation));
    const inboxOf = (prefix: string): DedupeStore => {
      const inbox = stores.postgresInbox({ pool, prefix });
      return {
        ...inbox,
        claim: async (id, leaseMs) => {
          const claim = await inbox.claim(id, leaseMs);
          if (claim.status === "claimed") open.push(() => inbox.release(id, claim.token));
          return claim;
        },
      };
    };
    /** A claim has a connection of its own, so there are never thousands, and PostgreSQL closes it with the lease. */
    const isOfInboxes = ({ name }: StoreCase) => !/ten thousand|whose lease has ended/.test(name);
    describeStore(stores.postgresInbox, () => {
      afterEach(async () => {
        for (const release of open.splice(0)) await release();
      });
      const cases = dedupeContract(() => {
        const prefix = `test:${crypto.randomUUID()}:`;
        return [inboxOf(prefix), inboxOf(prefix)];
      });
      testInTurn(usualInPostgres(cases).filter(isOfInboxes));
    });
  });
});

// The larger of the two installations.
describe.runIf(hasClients && isLong)(`the PostgreSQL stores, with PGlite${NEEDS_CLIENTS}`, () => {
  let database: Awaited<ReturnType<typeof startPglite>>;
  beforeAll(async () => {
    database = await startPglite();
  });
  afterAll(async () => await database?.close());
  testPostgres(() => [database, database], testInPglite);
});

describe("a store that breaks its contract", () => {
  const failures = async (cases: readonly StoreCase[]) => {
    const settled = await Promise.allSettled(cases.map(({ run }) => run()));
    return cases.filter((_, index) => settled[index]?.status === "rejected").map(({ name }) => name);
  };

  test("fails the cases of what it does wrong", async () => {
    const forgetful = () => {
      const store = memoryExecutions();
      return twice({ ...store, start: async () => undefined });
    };
    expect(await failures(executionsContract(forgetful))).toContain("starts a call once for many simultaneous callers");
    const greedy = () =>
      twice({ ...memoryDeliveries(), claim: async () => ({ status: "claimed", token: "1" }) as const });
    expect(await failures(dedupeContract(greedy))).toContain("grants one of many simultaneous claims");
    const blind = () => twice({ ...memoryApprovals(), swap: async () => true });
    expect(await failures(approvalsContract(blind))).toHaveLength(7);
    expect(
      await failures(budgetsContract(() => twice({ consume: async () => undefined, read: async () => 0 }))),
    ).toHaveLength(5);
  });

  test("fails only the case of simultaneous ends if it reads, compares and writes in turn", async () => {
    const executions = () => {
      const records = new Map<string, agents.ExecutionRecord>();
      const find = async (id: string) => records.get(id);
      return twice<agents.ExecutionStore>({
        find,
        start: async (id, stamp) => {
          const earlier = records.get(id);
          if (!earlier) records.set(id, { stamp, result: undefined });
          return earlier;
        },
        finish: async (id, stamp, result) => {
          if ((await find(id))?.stamp !== stamp) return;
          if (result === undefined) records.delete(id);
          else records.set(id, { stamp, result });
        },
      });
    };
    const kept = "keeps the record of a new start from many simultaneous ends of an earlier one";
    expect(await failures(executionsContract(executions))).toEqual([kept]);

    const deliveries = () => {
      const claims = new Map<string, { readonly token: string; readonly isCommitted: boolean }>();
      const find = async (id: string, token: string) => (claims.get(id)?.token === token ? claims.get(id) : undefined);
      return twice<DedupeStore>({
        claim: async (id) => {
          const claim = claims.get(id);
          if (claim) return { status: claim.isCommitted ? "committed" : "running" };
          const token = crypto.randomUUID();
          claims.set(id, { token, isCommitted: false });
          return { status: "claimed", token };
        },
        renew: async (id, token) => {
          const claim = await find(id, token);
          if (!claim || claim.isCommitted) return false;
          claims.set(id, claim);
          return true;
        },
        commit: async (id, token) => {
          if (!(await find(id, token))) return false;
          claims.set(id, { token, isCommitted: true });
          return true;
        },
        release: async (id, token) => {
          if ((await find(id, token))?.isCommitted === false) claims.delete(id);
        },
      });
    };
    const withoutLeases = dedupeContract(deliveries).filter(({ name }) => !/\blease/.test(name));
    const keptClaim = "keeps a later claim from many simultaneous releases and renewals of an earlier one";
    expect(await failures(withoutLeases)).toEqual([keptClaim]);
  });

  longTest("fails the cases that measure time", async () => {
    const leased = () => {
      const store = memoryDeliveries();
      const renew = async (id: string, token: string) => await store.renew(id, token, 1_000);
      return twice({ ...store, commit: renew, renew });
    };
    const kept = "keeps a commit after the claim's lease, and a renewed claim for its new lease";
    expect(await failures(dedupeContract(leased))).toContain(kept);
    let value: string | undefined;
    const inSeconds = (): [RateLimitStore, RateLimitStore] =>
      twice({
        read: async () => ({ value, now: performance.now() }),
        compareAndSwap: async (expected, next, ttlMs) => {
          if (expected !== value) return false;
          value = next;
          setTimeout(() => (value = undefined), ttlMs / 1_000);
          return true;
        },
      });
    expect(await failures(rateLimitContract(inSeconds))).toContain("keeps the string for as long as it's asked to");
  });

  test("is told what it returned instead", async () => {
    const [first] = budgetsContract(() => twice({ consume: async () => undefined, read: async () => 0 }));
    await expect(first?.run()).rejects.toThrow("charges of 3 within 20: the store returned 40 instead of 6.");
  });
});
