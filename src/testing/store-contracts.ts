import type { ExecutionStore } from "../agents/index.js";
import type { BudgetStore, Charge } from "../agents/policy-entry.js";
import { sleep } from "../shared/timers.js";
import type { RateLimitStore } from "../stores/index.js";
import {
  atOnce,
  type Cases,
  casesOf,
  endsAndStarts,
  HOSTILE,
  KEYS,
  LAGS,
  LEASE_MS,
  LONG_MS,
  LONG_RESULT,
  type MakeStores,
  SIMILAR,
  type StoreCase,
  same,
} from "./store-contract-cases.js";

export type { MakeStores, StoreCase };

const EXECUTION_CASES: Cases<ExecutionStore> = {
  "starts a call once for many simultaneous callers": async (...stores) => {
    const starts = await atOnce(stores, (store, index) => store.start("a", `stamp ${index}`));
    const first = starts.indexOf(undefined);
    same(starts.filter((earlier) => earlier === undefined).length, 1, "first starts");
    same(starts[first === 0 ? 1 : 0], { stamp: `stamp ${first}`, result: undefined }, "another start");
  },
  "remembers a start, then its result": async (store, other) => {
    same(await store.find("a"), undefined, "a call that wasn't started");
    same(await store.start("a", "s"), undefined, "the first start");
    same(await other.start("a", "s"), { stamp: "s", result: undefined }, "a start that is repeated");
    await other.finish("a", "s", HOSTILE);
    same(await store.find("a"), { stamp: "s", result: HOSTILE }, "a finished call");
    same(await other.start("a", "another"), { stamp: "s", result: HOSTILE }, "a later start");
  },
  "keeps calls with similar ids apart, and a long result whole": async (store, other) => {
    const starts = await Promise.all(SIMILAR.map((id) => store.start(id, `stamp of ${id}`)));
    const none = SIMILAR.map(() => undefined);
    same(starts, none, "first starts");
    await store.finish("key a", "stamp of key a", LONG_RESULT);
    same((await other.find("key a"))?.result === LONG_RESULT, true, "the long result, unchanged");
  },
  "forgets a call that didn't run, and changes no other start of the call": async (store, other) => {
    await store.start("a", "s1");
    await store.finish("a", "s1");
    same(await other.start("a", "s2"), undefined, "a start after one that didn't run");
    await store.finish("a", "s1");
    await store.finish("a", "s1", "late");
    same(await store.find("a"), { stamp: "s2", result: undefined }, "the record of the second start");
  },
  "keeps the result of a second start from a late end of the first": async (store, other) => {
    await store.start("a", "s1");
    await store.finish("a", "s1");
    await other.start("a", "s2");
    await other.finish("a", "s2", "result");
    await store.finish("a", "s1");
    await store.finish("a", "s1", "late");
    same(await store.start("a", "s1"), { stamp: "s2", result: "result" }, "a late start of the first");
    same(await other.start("a", "s2"), { stamp: "s2", result: "result" }, "the second start, repeated");
  },
  "keeps the record of a new start from many simultaneous ends of an earlier one": async (...stores) => {
    for (const lag of LAGS) {
      const id = `a ${lag}`;
      await stores[0].start(id, "s");
      const stamps: string[] = [];
      await endsAndStarts(stores, lag, {
        end: (store) => store.finish(id, "s"),
        read: (store) => store.find(id),
        start: async (store, number) => {
          if ((await store.start(id, `stamp ${number}`)) === undefined) stamps.push(`stamp ${number}`);
        },
      });
      same(stamps.length, 1, "starts after the ends");
      same(await stores[0].find(id), { stamp: stamps[0], result: undefined }, "the record of this start");
    }
  },
  "keeps no result of a call without a start": async (store, other) => {
    await store.finish("a", "s", "late");
    same(await other.find("a"), undefined, "a call that was only finished");
  },
  "keeps ten thousand calls apart": async (store, other) => {
    const ids = [...KEYS, HOSTILE];
    await Promise.all(ids.map((id) => store.start(id, `stamp of ${id}`)));
    const records = await Promise.all(ids.map((id) => other.find(id)));
    const areApart = records.every((record, index) => record?.stamp === `stamp of ${ids[index]}`);
    same(areApart, true, "every record");
  },
};

/** The contract of a store of started calls: the option `executions` of a toolset. */
export function executionsContract(make: MakeStores<ExecutionStore>): StoreCase[] {
  return casesOf(make, EXECUTION_CASES);
}

/** The contract of a store of budgets: the option `budgets` of a policy. */
export function budgetsContract(make: MakeStores<BudgetStore>): StoreCase[] {
  const charge = (key: string, amount: number, limit: number, windowMs?: number): Charge => {
    return { key, amount, limit, windowMs };
  };
  return casesOf(make, {
    "never exceeds a limit, with many simultaneous callers": async (...stores) => {
      const replies = await atOnce(stores, (store) => store.consume([charge("a", 3, 20, LONG_MS)]));
      same(replies.filter((exceeded) => exceeded === undefined).length, 6, "charges of 3 within 20");
    },
    "counts all charges or none, and returns the first that exceeds its limit": async (store, other) => {
      const charges = [charge("a", 1, 2), charge("b", 2, 1), charge("c", 2, 1, LONG_MS)];
      same(await store.consume(charges), 1, "charges of which the second exceeds its limit");
      same(await other.consume([charge("a", 2, 2), charge("b", 1, 1)]), undefined, "charges within their limits");
      same(await store.consume([charge("a", 0, 2), charge("b", 1, 1)]), 1, "a charge of a used budget");
    },
    "counts a period for at least its length, then forgets": async (store, other) => {
      // Much longer than the first wait, because a busy machine can add a second to it.
      const windowMs = 2_400;
      same(await store.consume([charge("a", 1, 1, windowMs)]), undefined, "the first charge");
      await sleep(800);
      same(await other.consume([charge("a", 1, 1, windowMs)]), 0, "a charge within the period");
      await sleep(1_700);
      same(await store.read({ key: "a", windowMs }), 0, "the amount after the period");
      same(await other.consume([charge("a", 1, 1, windowMs)]), undefined, "a charge after the period");
    },
    "reads the amount that counts under a key, and counts nothing": async (store, other) => {
      await store.consume([charge("a", 2, 5, LONG_MS), charge("b", 4, 5)]);
      for (const reader of [store, other, store]) {
        same(await reader.read({ key: "a", windowMs: LONG_MS }), 2, "the amount of a budget with a period");
        same(await reader.read({ key: "b", windowMs: undefined }), 4, "the amount of a budget without a period");
      }
    },
    "keeps a thousand budgets apart": async (store, other) => {
      const keys = [...KEYS.slice(0, 1_000), HOSTILE];
      const consume = (key: string) => store.consume([charge(key, 1, 1, LONG_MS)]);
      const first = await Promise.all(keys.map(consume));
      const areCounted = first.every((exceeded) => exceeded === undefined);
      same(areCounted, true, "the first charge of each");
      same(await other.consume([charge(HOSTILE, 1, 1, LONG_MS)]), 0, "the second charge of one");
    },
  });
}

/** The contract of a store for `sharedRateLimit`. */
export function rateLimitContract(make: MakeStores<RateLimitStore>): StoreCase[] {
  const stringIn = async (store: RateLimitStore) => (await store.read()).value;
  return casesOf(make, {
    "lets one of many simultaneous writers write": async (...stores) => {
      same(await stringIn(stores[0]), undefined, "a store without a string");
      const writes = await atOnce(stores, (store, index) => store.compareAndSwap(undefined, `${index}`, LONG_MS));
      same(writes.filter(Boolean).length, 1, "writes that succeeded");
      same(await stringIn(stores[1]), `${writes.indexOf(true)}`, "the string");
    },
    "writes only if the string is the expected one, and keeps it exactly": async (store, other) => {
      same(await store.compareAndSwap("a", "b", LONG_MS), false, "a write that expects another string");
      same(await store.compareAndSwap(undefined, HOSTILE, LONG_MS), true, "the first write");
      same(await other.compareAndSwap(undefined, "b", LONG_MS), false, "a write that expects none");
      same(await stringIn(other), HOSTILE, "the string");
      same(await other.compareAndSwap(HOSTILE, "b", LONG_MS), true, "a write that expects the string");
    },
    "keeps the string for as long as it's asked to": async (store, other) => {
      await store.compareAndSwap(undefined, "a", LONG_MS);
      await sleep(LEASE_MS);
      same(await stringIn(other), "a", `the string after ${LEASE_MS} of ${LONG_MS} ms`);
    },
    "has one clock that advances": async (store, other) => {
      const before = (await store.read()).now;
      await sleep(LEASE_MS);
      const elapsed = (await other.read()).now - before;
      same(elapsed >= LEASE_MS / 2 && elapsed < LONG_MS, true, `${elapsed} ms after ${LEASE_MS} ms`);
    },
  });
}
