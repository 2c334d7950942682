import type { ApprovalListQuery, ApprovalStore, StoredApproval } from "../agents/policy-entry.js";
import {
  atOnce,
  type Cases,
  casesOf,
  HOSTILE,
  LONG_MS,
  LONG_RESULT,
  type MakeStores,
  SIMILAR,
  type StoreCase,
  same,
} from "./store-contract-cases.js";

const OF_ALL: ApprovalListQuery = { state: "pending", userId: null, conversationId: null, before: null, limit: 100 };

/** A record, with the index of its write as its value. */
function recordOf(id: string, value: string, other: Partial<StoredApproval> = {}): StoredApproval {
  const facts = { state: "pending", userId: null, conversationId: null, ttlMs: LONG_MS };
  return { id, value, position: `1 ${id}`, ...facts, ...other };
}

async function valuesIn(store: ApprovalStore, query: Partial<ApprovalListQuery> = {}): Promise<string[]> {
  const listed = await store.list({ ...OF_ALL, ...query });
  return listed.map(({ value }) => value);
}

const WRITES: Cases<ApprovalStore> = {
  "lets one of many simultaneous writers create a record, and one replace it": async (...stores) => {
    for (const expected of [undefined, "first"]) {
      const writes = await atOnce(stores, (store, index) =>
        store.swap(recordOf("a", `${expected} ${index}`), expected),
      );
      same(writes.filter(Boolean).length, 1, "writes that succeeded");
      const value = `${expected} ${writes.indexOf(true)}`;
      same(await stores[1].find("a"), value, "the value");
      await stores[0].swap(recordOf("a", "first"), value);
    }
  },
  "writes only if the value is the expected one, and keeps it exactly": async (store, other) => {
    same(await store.find("a"), undefined, "a record that wasn't written");
    same(await store.swap(recordOf("a", "next"), "value"), false, "a write that expects another value");
    same(await store.swap(recordOf("a", HOSTILE), undefined), true, "the first write");
    same(await other.swap(recordOf("a", "next"), undefined), false, "a write that expects no record");
    same(await other.find("a"), HOSTILE, "the value");
    same(await other.swap(recordOf("a", LONG_RESULT), HOSTILE), true, "a write that expects the value");
    same((await store.find("a")) === LONG_RESULT, true, "the long value, unchanged");
  },
  "says that a write that is repeated has succeeded, until another one follows": async (store, other) => {
    await store.swap(recordOf("a", "one"), undefined);
    same(await store.swap(recordOf("a", "one"), undefined), true, "the first write again");
    await other.swap(recordOf("a", "two"), "one");
    same(await other.swap(recordOf("a", "two"), "one"), true, "the second write again");
    same(await store.swap(recordOf("a", "one"), undefined), false, "the first write, too late");
    same(await store.find("a"), "two", "the value");
  },
};

const LISTS: Cases<ApprovalStore> = {
  "lists records by state, user and conversation, the highest position first": async (store, other) => {
    const owners = [
      { userId: "u1", conversationId: "c1" },
      { userId: "u2", conversationId: "c1" },
      { userId: "u1", conversationId: null },
      { userId: null, conversationId: null },
    ];
    for (const [index, owner] of owners.entries()) {
      await store.swap(
        recordOf(`${index}`, `value ${index}`, { ...owner, position: `${9 - index} ${index}` }),
        undefined,
      );
    }
    const lists = {
      all: await valuesIn(other),
      user: await valuesIn(other, { userId: "u1" }),
      conversation: await valuesIn(other, { conversationId: "c1" }),
      both: await valuesIn(other, { userId: "u2", conversationId: "c1" }),
      state: await valuesIn(other, { state: "approved" }),
      stranger: await valuesIn(other, { userId: "u" }),
    };
    const values = (...indexes: number[]) => indexes.map((index) => `value ${index}`);
    const [user, conversation] = [values(0, 2), values(0, 1)];
    const expected = { all: values(0, 1, 2, 3), user, conversation, both: values(1), state: [], stranger: [] };
    same(lists, expected, "the lists");
  },
  "moves a record between the lists of its states": async (store, other) => {
    const owner = { userId: "u", conversationId: "c" };
    await store.swap(recordOf("a", "one", owner), undefined);
    await other.swap(recordOf("a", "two", { ...owner, state: "approved", position: "2 a" }), "one");
    for (const query of [{}, { userId: "u" }, { conversationId: "c" }]) {
      same(await valuesIn(store, query), [], "the list of its old state");
      same(await valuesIn(store, { ...query, state: "approved" }), ["two"], "the list of its new state");
    }
    await store.swap(recordOf("a", "three", { ...owner, state: "approved", position: "3 a" }), "two");
    same(await valuesIn(other, { state: "approved" }), ["three"], "the list after a write with another position");
  },
  "continues a list after a position": async (store, other) => {
    const ids = Array.from({ length: 25 }, (_, index) => `${10 + index}`);
    await Promise.all(
      ids.map((id) => store.swap(recordOf(id, id, { userId: "u", position: `${id} ${id}` }), undefined)),
    );
    const found: string[] = [];
    for (let before: string | null = null; ; ) {
      const page = await other.list({ ...OF_ALL, userId: "u", before, limit: 10 });
      for (const { value } of page) found.push(value);
      before = page.at(-1)?.position ?? null;
      if (before === null) break;
    }
    same(found, ids.toReversed(), "the records");
  },
  "keeps records and lists with similar ids apart": async (store, other) => {
    const names = [...SIMILAR, HOSTILE];
    const record = (name: string, index: number) =>
      recordOf(name, name, { position: `${10 + index} ${name}`, userId: name, conversationId: name });
    await Promise.all(names.map((name, index) => store.swap(record(name, index), undefined)));
    for (const name of names) {
      same(await other.find(name), name, "the record");
      same(await valuesIn(other, { userId: name }), [name], "the records of a user");
      same(await valuesIn(other, { conversationId: name }), [name], "the records of a conversation");
    }
  },
};

/** The contract of a store of approvals: the option `store` of `approvals()`. */
export function approvalsContract(make: MakeStores<ApprovalStore>): StoreCase[] {
  return casesOf(make, { ...WRITES, ...LISTS });
}
