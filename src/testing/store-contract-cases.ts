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

interface EndsAndStarts<Store> {
  end(store: Store, number: number): Promise<unknown>;
  /** Changes nothing. */
  read(store: Store): Promise<unknown>;
  start(store: Store, number: number): Promise<unknown>;
}

/** The lags with which a store that compares and writes in two steps fails, in memory and over connections. */
export const LAGS = [0, 1, 2, 3];

/**
 * Ends a record forty times at once, meanwhile starts it repeatedly, and starts it a last time after all ends. The
 * requests lag by different numbers of reads and turns, so that some start meets each step of an end.
 */
export async function endsAndStarts<Store>(
  stores: readonly [Store, Store],
  lag: number,
  { end, read, start }: EndsAndStarts<Store>,
): Promise<void> {
  const starts = 3;
  const turns = async (count: number) => {
    for (let left = count; left > 0; left -= 1) await Promise.resolve();
  };
  const endOnce = async (store: Store, index: number) => {
    if (index % 2) await turns(lag);
    await end(store, index);
  };
  const startOften = async (store: Store, index: number) => {
    for (let reads = Math.floor(index / 2) % 4; reads > 0; reads -= 1) await read(store);
    if (index % 2 === 0) await turns(lag);
    for (let time = 0; time < starts; time += 1) await start(store, index * starts + time);
  };
  await atOnce(stores, (store, index) => Promise.all([endOnce(store, index), startOften(store, index)]));
  await start(stores[1], -1);
}
