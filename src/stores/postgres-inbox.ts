import { SvcError } from "../errors/base.js";
import * as option from "../errors/option-rules.js";
import { field } from "../shared/json.js";
import { type ClaimResult, type DedupeStore, RETENTION } from "../webhooks/dedupe-store.js";
import { keyOf, POSTGRES_CLIENT, POSTGRES_OPTIONS, type PostgresClient, statements } from "./postgres-client.js";
import { type PostgresDeliveriesOptions, postgresDeliveries, RECORDED } from "./postgres-deliveries.js";

/** A client of a pool, such as pg's `PoolClient`. */
export interface PostgresPoolClient extends PostgresClient {
  /** Returns the client to its pool. With an error, the pool closes the connection. */
  release(error?: Error | boolean): void;
  /** Adds a listener, if the client reports a lost connection to listeners. */
  on?(event: "error", listener: (error: Error) => void): unknown;
  /** Removes a listener. */
  off?(event: "error", listener: (error: Error) => void): unknown;
}

/** A pool of clients, such as the pools of `pg` and `@neondatabase/serverless`. */
export interface PostgresPool<Client extends PostgresPoolClient> extends PostgresClient {
  /** Lends a client. */
  connect(): Promise<Client>;
}

/** Options of {@link postgresInbox}. */
export interface PostgresInboxOptions<Client extends PostgresPoolClient>
  extends Omit<PostgresDeliveriesOptions, "client"> {
  /**
   * Your own pool. It is never closed. Each running handler uses one connection, and renewals use an additional one, so
   * the pool needs more connections than handlers run at the same time.
   */
  pool: PostgresPool<Client>;
}

/** A store of handled deliveries that gives each handler a transaction. */
export interface PostgresInbox<Client extends PostgresPoolClient> extends DedupeStore {
  /**
   * Returns the client whose transaction is committed together with the delivery's claim, or rolled back if the handler
   * fails. Don't end the transaction yourself, and await each of its queries. Keep its isolation level, READ COMMITTED.
   * With a different level, it can't be committed after the claim was renewed.
   *
   * @throws {Error} if the claim has ended, as it does after the handler.
   */
  transaction(context: { readonly claim: string }): Client;
}

const POSTGRES_INBOX_OPTIONS = {
  pool: option.required(option.withMethods(["query", "connect"], "a pool of pg, or ")),
  prefix: POSTGRES_OPTIONS.prefix,
  retentionMs: RETENTION,
} as const satisfies option.Rules<PostgresInboxOptions<PostgresPoolClient>>;

/**
 * Creates a store of handled deliveries that handles each event exactly once, as far as its handler writes to the same
 * database: the handler's writes and the delivery's record are committed in one transaction. A crash at any point
 * leaves both or neither. Use the store as the option `store` of a receiver, and write through
 * `inbox.transaction(context)`.
 *
 * Claims and leases work as in {@link postgresDeliveries}. A handler whose claim was lost can't commit. Effects
 * elsewhere, such as an email, aren't part of the transaction.
 *
 * @throws {ConfigError} if an option isn't usable or is unknown.
 */
export function postgresInbox<Client extends PostgresPoolClient = PostgresPoolClient>(
  options: PostgresInboxOptions<Client>,
): PostgresInbox<Client> {
  const { pool, ...rest } = option.checkAll("postgresInbox", options, POSTGRES_INBOX_OPTIONS);
  const storeOver = (client: PostgresClient) => postgresDeliveries({ ...rest, client });
  const store = storeOver(pool);
  const { done } = statements("postgresInbox", { client: pool }, { client: POSTGRES_CLIENT });
  /** The clients of running handlers, by their claims' tokens. */
  const clients = new Map<string, Client>();
  const take = (token: string): Client | undefined => {
    const client = clients.get(token);
    clients.delete(token);
    return client;
  };

  return {
    async claim(id, leaseMs) {
      const client = await pool.connect();
      client.on?.("error", ignore);
      const claiming = () => claimIn(client, storeOver(client), id, leaseMs);
      const claim = await using(client, claiming, ({ status }) => status === "claimed");
      if (claim.status === "claimed") clients.set(claim.token, client);
      return claim;
    },
    renew: store.renew,
    async commit(id, token) {
      const client = take(token);
      if (client) return await using(client, () => commitIn(client, storeOver(client), id, token));
      // An earlier attempt had no reply. If its transaction hasn't ended, this waits for the end.
      await store.release(id, token);
      return await done(RECORDED, [await keyOf(rest.prefix + id), token]);
    },
    async release(id, token) {
      const client = take(token);
      // Where this fails, the connection is closed, which rolls back as well.
      if (client) await using(client, () => client.query("ROLLBACK")).catch(ignore);
      await store.release(id, token);
    },
    transaction({ claim }) {
      const client = clients.get(claim);
      if (client) return client;
      throw new SvcError("postgresInbox: the claim has ended. Use its transaction only while the handler runs.");
    },
  };
}

/** Claims a delivery, and starts the transaction of its handler. */
async function claimIn(client: PostgresClient, store: DedupeStore, id: string, leaseMs: number): Promise<ClaimResult> {
  const claim = await store.claim(id, leaseMs);
  if (claim.status !== "claimed") return claim;
  // A process that hangs must not keep its transaction, and what that locks, for longer than its claim.
  await client.query(
    `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL idle_in_transaction_session_timeout = ${Math.ceil(leaseMs)}`,
  );
  return claim;
}

/** Commits the claim with the transaction, or rolls back if the claim was lost. */
async function commitIn(client: PostgresClient, store: DedupeStore, id: string, token: string): Promise<boolean> {
  const isOurs = await store.commit(id, token);
  await (isOurs ? commit(client) : client.query("ROLLBACK"));
  return isOurs;
}

/** Without a listener, pg ends the process when it loses a connection that is in use. */
const ignore = (): void => {};

/** Returns a client to its pool after some work, and a client whose work failed to be closed. */
async function using<Result>(
  client: PostgresPoolClient,
  work: () => Promise<Result>,
  isKept: (result: Result) => boolean = () => false,
): Promise<Result> {
  const giveBack = (error?: Error) => {
    client.off?.("error", ignore);
    client.release(error);
  };
  try {
    const result = await work();
    if (!isKept(result)) giveBack();
    return result;
  } catch (error) {
    giveBack(error instanceof Error ? error : new Error(String(error)));
    throw error;
  }
}

/** A transaction in which a statement failed ends with `COMMIT` as well, but rolls back. */
async function commit(client: PostgresClient): Promise<void> {
  const reply = await client.query("COMMIT");
  if (field(reply, "command") === "COMMIT" || field(reply, "command") === undefined) return;
  throw new SvcError("postgresInbox: the transaction was rolled back, because one of its statements failed.");
}
