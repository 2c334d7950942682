/** A test of a store. Any test runner can run it. */
export interface StoreCase {
  /** A fact about the store. */
  readonly name: string;
  /** Rejects with an error that describes the store's wrong behavior. */
  run(): Promise<void>;
}

/**
 * Creates two stores that share their records, as in two processes. Start with empty records each time. Return the same
 * object twice if the store is for one process.
 */
export type MakeStores<Store> = () => readonly [Store, Store] | Promise<readonly [Store, Store]>;

export const KEYS = Array.from({ length: 10_000 }, (_, index) => `key ${index}`);
export const LEASE_MS = 1_000;
export const LONG_MS = 60_000;
export const HOSTILE = `'"\\{}; drop table é 🦜 \n`;
/** Keys that a database may take for one key: by its collation, by trimming, or in a column that is too short. */
export const SIMILAR = [
  "key a",
  "Key A",
  "key a ",
  " key a",
  "kéy a",
  ...["1", "2"].map((end) => "k".repeat(600) + end),
];
export const LONG_RESULT = "é".repeat(50_000);

export function same(actual: unknown, expected: unknown, what: string): void {
  const [is, should] = [actual, expected].map((value) => JSON.stringify(value, (_, member) => member ?? null));
  if (is !== should) throw new Error(`${what}: the store returned ${is} instead of ${should}.`);
}

export type Cases<Store> = Readonly<Record<string, (store: Store, other: Store) => Promise<void>>>;

export function casesOf<Store>(make: MakeStores<Store>, cases: Cases<Store>): StoreCase[] {
  return Object.entries(cases).map(([name, run]) => ({
    name,
    run: async () => {
      const [store, other] = await make();
      await run(store, other);
    },
  }));
}

/** Runs a request forty times at once, over both stores in turn. */
export const atOnce = <Store, Reply>(
  stores: readonly [Store, Store],
  request: (store: Store, index: number) => Reply,
) => Promise.all(Array.from({ length: 40 }, (_, index) => request(stores[index % 2 ? 1 : 0], index)));
