// Deliveries whose handlers write in the transaction of their claim, over a database that keeps a record in memory.
import { type PostgresInbox, type PostgresPoolClient, postgresInbox } from "../../../src/stores/index.js";
import { signedDelivery } from "../../../src/testing/index.js";
import { createReceiver, type HandlerContext } from "../../../src/webhooks/index.js";
import type { Definition } from "../world.js";
import { scripted, thrown } from "./scripted.js";
import { broken, wait } from "./service.js";

const SECRET = "whsec_a secret for the search, inbox 0123456789";
const LEASE_MS = 20_000;
const BEGIN = `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL idle_in_transaction_session_timeout = ${LEASE_MS}`;

type Values = readonly (string | null)[];

/** The statements of the store, each by a part that the others lack. */
const STATEMENTS = {
  claim: "starts_with(old.token",
  release: "WITH released",
  extend: "WITH \n  held AS",
  recorded: "SELECT EXISTS (SELECT FROM svc.deliveries",
} as const;

interface Claim {
  readonly token: string;
  readonly isCommitted: boolean;
  readonly endsAt: number;
}

/** A database: the claims of deliveries, the orders that handlers write, and what its connections were told. */
class Database {
  readonly log: string[] = [];
  readonly claims = new Map<string, Claim>();
  readonly orders: string[] = [];
  /** Each takes the place of the next statement of its kind, which its first argument runs. */
  readonly faults: Partial<Record<string, (run: () => unknown, client: Client) => unknown>> = {};
  #clients = 0;

  /** A pool of one process. */
  pool() {
    const connect = async () => {
      this.#clients += 1;
      return new Client(this, String(this.#clients));
    };
    return { query: new Client(this, "pool").query, connect };
  }

  /** Runs a statement of the store. The changes of a transaction are made when it is committed. */
  run(kind: string, [id = "", token = "", committed, ms]: Values, change: (made: () => void) => void) {
    const [key, ours] = [String(id), String(token)];
    const claim = this.claims.get(key);
    const lives = claim && claim.endsAt > performance.now() ? claim : undefined;
    const isOurs = lives?.token === ours;
    const set = (more: Partial<Claim>) => {
      const endsAt = performance.now() + Number(ms ?? 0);
      change(() => this.claims.set(key, { token: ours, isCommitted: committed === "true", endsAt, ...more }));
    };
    if (kind === "recorded") return { done: isOurs && lives.isCommitted };
    if (kind === "release") {
      const done = isOurs && !lives.isCommitted;
      if (done) set({ token: `released:${ours}`, endsAt: lives.endsAt });
      return { done };
    }
    const isFree = !lives || (kind === "claim" && lives.token.startsWith("released:"));
    const done = isFree || (isOurs && !(lives.isCommitted && committed === "false"));
    if (done) set({});
    return { done, committed: lives?.isCommitted ?? false };
  }
}

/** A connection, whose transaction fails with the first statement that does. */
class Client implements PostgresPoolClient {
  isFailed = false;
  readonly #database: Database;
  readonly #name: string;
  /** The changes of the transaction; `undefined` outside of one. */
  #changes: (() => void)[] | undefined;

  constructor(database: Database, name: string) {
    this.#database = database;
    this.#name = name;
  }

  query = async (text: string, values: Values = []): Promise<unknown> => {
    const [kind] = Object.entries(STATEMENTS).find(([, part]) => text.includes(part)) ?? [text.split(" ")[0] ?? ""];
    const { log, faults } = this.#database;
    if (!(kind in STATEMENTS)) log.push(`${this.#name} ${kind}`);
    const fault = faults[kind];
    delete faults[kind];
    const run = () => this.#run(kind, text, values);
    return fault ? fault(run, this) : run();
  };

  release = (error?: Error | boolean) => {
    this.#database.log.push(`${this.#name} ${error ? "is closed" : "is returned"}`);
    this.#changes = undefined;
  };

  #run(kind: string, text: string, values: Values): unknown {
    if (kind === "BEGIN") {
      if (text !== BEGIN) throw new Error(text);
      this.#changes = [];
      return { command: kind };
    }
    if (kind === "COMMIT" || kind === "ROLLBACK") return this.#end(kind);
    if (this.isFailed) throw Object.assign(new Error("The transaction is aborted."), { code: "25P02" });
    const change = (made: () => void) => (this.#changes ? this.#changes.push(made) : made());
    if (kind !== "INSERT") return { rows: [this.#database.run(kind, values, change)] };
    change(() => this.#database.orders.push(String(values[0])));
    return { command: kind, rows: [] };
  }

  #end(kind: string): unknown {
    const isCommitted = kind === "COMMIT" && !this.isFailed;
    if (isCommitted) for (const made of this.#changes ?? []) made();
    this.#changes = undefined;
    this.isFailed = false;
    return { command: isCommitted ? "COMMIT" : "ROLLBACK" };
  }
}

type Handle = (write: (order: string) => Promise<unknown>, context: HandlerContext) => unknown;

/** A receiver of one process, and its handler, which can be replaced. */
function receiving(database: Database, name: string) {
  const pool = database.pool();
  const inbox: PostgresInbox<Client> = postgresInbox({ pool });
  const errors: string[] = [];
  const now: { handle: Handle } = { handle: (write) => write(name) };
  const receive = createReceiver({
    ...{ secrets: [SECRET], handlerTimeoutMs: LEASE_MS / 2, on: {}, store: inbox },
    onUnhandled: async (_event, context) => {
      const write = (order: string) => inbox.transaction(context).query("INSERT INTO orders VALUES ($1)", [order]);
      await now.handle(write, context);
    },
    onError: (error) => {
      errors.push(Object(error).message);
    },
  });
  const deliver = async (id: string) => {
    const { request } = signedDelivery({ secret: SECRET, id, timestamp: new Date(Date.now()) });
    const response = await receive(request);
    const { result, error } = await response.json();
    return `${response.status} ${result ?? error.reason}`;
  };
  return { deliver, inbox, now, errors };
}

export const inboxes: readonly Definition[] = [
  scripted("deliveries: 2 receivers with transactions, a suspended handler whose claim is taken", async (_, see) => {
    const database = new Database();
    const [one, other] = [receiving(database, "one"), receiving(database, "other")];
    one.now.handle = async (write) => {
      await write("one");
      await wait(15_000);
      await write("one, late");
      await wait(10_000);
    };
    // Its renewals don't arrive while it is suspended.
    const lost = () => {
      database.faults["extend"] = lost;
      return Promise.reject(broken());
    };
    database.faults["extend"] = lost;
    see("it is late", await one.deliver("a"), "503 running");
    see("its claim lasts", await other.deliver("a"), "503 running");
    await wait(10_000);
    delete database.faults["extend"];
    database.log.length = 0;
    see("it has ended", await other.deliver("a"), "200 handled");
    const committed = ["3 BEGIN", "3 INSERT", "3 COMMIT", "3 is returned"];
    see("the other handler commits", [database.log.splice(0), database.orders], [committed, ["other"]]);
    await wait(5_000);
    see("the first one can't", database.log.splice(0), ["1 ROLLBACK", "1 is returned"]);
    see("its writes are gone", [database.orders, await one.deliver("a")], [["other"], "200 duplicate"]);
    see("it is told", one.errors.at(-1)?.includes("was lost before its handler ended"), true);
  }),
  scripted("deliveries: 1 receiver with transactions, commits without a reply", async (_, see) => {
    const database = new Database();
    const { deliver } = receiving(database, "order");
    database.faults["COMMIT"] = (run) => {
      run();
      throw broken();
    };
    see("committed", [await deliver("a"), database.orders], ["200 handled", ["order"]]);
    see("its connection isn't used again", database.log.splice(0), ["1 BEGIN", "1 INSERT", "1 COMMIT", "1 is closed"]);
    see("again", [await deliver("a"), database.orders.splice(0)], ["200 duplicate", ["order"]]);
    database.faults["COMMIT"] = () => Promise.reject(broken());
    see("not committed", [await deliver("b"), database.orders], ["503 store_unavailable", []]);
    see("again, without a delay", [await deliver("b"), database.orders], ["200 handled", ["order"]]);
  }),
  scripted("deliveries: 1 receiver with transactions, a handler that fails", async (_, see) => {
    const database = new Database();
    const { deliver, inbox, now } = receiving(database, "order");
    const { handle } = now;
    let claim = "";
    now.handle = async (write, context) => {
      ({ claim } = context);
      await write("failed");
      throw new Error("It failed.");
    };
    see("it fails", await deliver("a"), "500 handler_failed");
    see("it is rolled back", database.log.slice(1), ["1 INSERT", "1 ROLLBACK", "1 is returned"]);
    see("its transaction is over", (await thrown(() => inbox.transaction({ claim }))).includes("has ended"), true);
    database.faults["ROLLBACK"] = () => Promise.reject(broken());
    see("without a connection", [await deliver("a"), database.log.at(-1)], ["500 handler_failed", "2 is closed"]);
    now.handle = handle;
    see("the next one, without a delay", [await deliver("a"), database.orders], ["200 handled", ["order"]]);
  }),
  scripted("deliveries: 1 receiver with transactions, a statement that fails", async (_, see) => {
    const database = new Database();
    const { deliver, now } = receiving(database, "order");
    const { handle } = now;
    const fail = (_run: () => unknown, client: Client) => {
      client.isFailed = true;
      throw new Error("duplicate key value");
    };
    now.handle = async (write) => {
      await write("first");
      database.faults["INSERT"] = fail;
      see("it is caught", await thrown(() => write("second")), "duplicate key value");
    };
    see("nothing is committed", [await deliver("a"), database.orders], ["503 store_unavailable", []]);
    now.handle = handle;
    // A statement that the handler doesn't await, and that runs after the claim was found.
    database.faults["COMMIT"] = (run, client) => {
      client.isFailed = true;
      return run();
    };
    see("not even late", [await deliver("a"), database.orders], ["503 store_unavailable", []]);
    see("then", [await deliver("a"), database.orders], ["200 handled", ["order"]]);
  }),
];
