import { sleep } from "../shared/timers.js";
import type { ClaimResult, DedupeStore } from "../webhooks/index.js";
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
  type MakeStores,
  SIMILAR,
  type StoreCase,
  same,
} from "./store-contract-cases.js";

const tokenOf = (claim: ClaimResult) => (claim.status === "claimed" ? claim.token : "");

/** Checks that of many claims, one follows the ends of an earlier claim, and is kept. */
async function claimOnce(
  stores: readonly [DedupeStore, DedupeStore],
  lag: number,
  end: (store: DedupeStore, id: string, token: string, number: number) => Promise<unknown>,
): Promise<void> {
  const id = crypto.randomUUID();
  const old = tokenOf(await stores[0].claim(id, LONG_MS));
  const commits: (() => Promise<boolean>)[] = [];
  await endsAndStarts(stores, lag, {
    end: (store, number) => end(store, id, old, number),
    read: (store) => store.renew("unclaimed", old, LONG_MS),
    start: async (store) => {
      const token = tokenOf(await store.claim(id, LONG_MS));
      if (token !== "") commits.push(() => store.commit(id, token));
    },
  });
  same(commits.length, 1, "claims after the releases");
  same(await commits[0]?.(), true, "the commit of this claim");
}

const DEDUPE_CASES: Cases<DedupeStore> = {
  "grants one of many simultaneous claims": async (...stores) => {
    const claims = await atOnce(stores, (store) => store.claim("a", LONG_MS));
    const counts = ["claimed", "running"].map((status) => claims.filter((claim) => claim.status === status).length);
    same(counts, [1, 39], "simultaneous claims");
  },
  "grants a released claim again, and a committed one never": async (store, other) => {
    await store.release("a", tokenOf(await store.claim("a", LONG_MS)));
    const token = tokenOf(await other.claim("a", LONG_MS));
    same([token !== "", await other.commit("a", token)], [true, true], "a claim after a release, and its commit");
    await other.release("a", token);
    same(await store.claim("a", LONG_MS), { status: "committed" }, "a claim after a commit");
  },
  "ends a released claim for good: a renewal and a commit that arrive later change nothing": async (store, other) => {
    const token = tokenOf(await store.claim("a", LONG_MS));
    await store.release("a", token);
    const late = [await other.renew("a", token, LONG_MS), await other.commit("a", token)];
    same(late, [false, false], "a renewal and a commit after the release");
    same((await other.claim("a", LONG_MS)).status, "claimed", "a claim after them");
  },
  "keeps a later claim and its commit from late requests of a released one": async (store, other) => {
    const old = tokenOf(await store.claim("a", LONG_MS));
    await store.release("a", old);
    const token = tokenOf(await other.claim("a", LONG_MS));
    await store.release("a", old);
    const late = [await store.renew("a", old, LONG_MS), await store.commit("a", old)];
    same(late, [false, false], "a renewal and a commit of the released claim");
    same(await store.claim("a", LONG_MS), { status: "running" }, "a claim after them");
    same(await other.commit("a", token), true, "the commit of the later claim");
    const ended = [await other.renew("a", token, LONG_MS), await store.commit("a", old)];
    same(ended, [false, false], "a renewal after the commit, and a commit of the released claim");
    for (const ends of [token, old]) await other.release("a", ends);
    same(
      await store.claim("a", LONG_MS),
      { status: "committed" },
      "a claim after releases that arrive after the commit",
    );
  },
  "keeps a later claim from many simultaneous releases and renewals of an earlier one": async (...stores) => {
    for (const lag of LAGS) await claimOnce(stores, lag, (store, id, token) => store.release(id, token));
    for (const lag of LAGS) {
      await claimOnce(stores, lag, (store, id, token, number) =>
        number % 4 < 2 ? store.renew(id, token, LONG_MS) : store.release(id, token),
      );
    }
  },
  "ends a claim with its lease, and its token then changes nothing": async (store, other) => {
    const old = tokenOf(await store.claim("a", LEASE_MS));
    await sleep(2 * LEASE_MS);
    const token = tokenOf(await other.claim("a", LONG_MS));
    same(token !== "" && token !== old, true, "a new token after a lease");
    await store.release("a", old);
    const lost = [await store.renew("a", old, LONG_MS), await store.commit("a", old)];
    same(lost, [false, false], "a renewal and a commit of a lost claim");
    same(await other.commit("a", token), true, "a commit of the claim");
  },
  "renews and commits a claim whose lease has ended, if no other caller has it": async (store, other) => {
    const [token, renewed] = [tokenOf(await store.claim("a", LEASE_MS)), tokenOf(await store.claim("b", LEASE_MS))];
    await sleep(2 * LEASE_MS);
    same(await store.renew("b", renewed, LONG_MS), true, "a late renewal");
    same(await other.claim("b", LONG_MS), { status: "running" }, "a claim after a late renewal");
    same(await store.commit("a", token), true, "a late commit");
    same(await store.commit("a", token), true, "a commit that is repeated");
    same(await other.renew("a", token, LONG_MS), false, "a renewal after a commit");
  },
  "keeps a commit after the claim's lease, and a renewed claim for its new lease": async (store, other) => {
    const committed = tokenOf(await store.claim("a", LEASE_MS));
    const renewed = tokenOf(await store.claim("b", LEASE_MS));
    const isKept = [await store.commit("a", committed), await store.renew("b", renewed, LONG_MS)];
    same(isKept, [true, true], "a commit and a renewal during a lease");
    await sleep(2 * LEASE_MS);
    same(await other.claim("a", LONG_MS), { status: "committed" }, "a claim after a commit and the lease");
    same(await other.claim("b", LONG_MS), { status: "running" }, "a claim after a renewal and the first lease");
  },
  "keeps deliveries with similar ids apart": async (store, other) => {
    const claims = await Promise.all(SIMILAR.map((id, index) => (index % 2 ? store : other).claim(id, LONG_MS)));
    same(new Set(claims.map(tokenOf)).size, SIMILAR.length, "different tokens");
  },
  "keeps ten thousand deliveries apart": async (store, other) => {
    const ids = [...KEYS, HOSTILE];
    const tokens = await Promise.all(ids.map(async (id) => tokenOf(await store.claim(id, LONG_MS))));
    const commits = await Promise.all(ids.map((id, index) => other.commit(id, tokens[index] ?? "")));
    same([new Set(tokens).size, commits.every(Boolean)], [ids.length, true], "different tokens, all committed");
  },
};

/** The contract of a store of handled deliveries: the option `store` of a receiver. */
export function dedupeContract(make: MakeStores<DedupeStore>): StoreCase[] {
  return casesOf(make, DEDUPE_CASES);
}
