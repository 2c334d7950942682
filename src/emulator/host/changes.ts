import type { ActivityFeed, ChangedKind } from "./activity.js";
import type { State } from "./state.js";

type Versions = readonly (readonly [id: string, version: unknown])[];

function versionsOf<Stored>(records: ReadonlyMap<string, Stored>, versionOf: (record: Stored) => unknown): Versions {
  return [...records].map(([id, record]) => [id, versionOf(record)]);
}

/**
 * The records of each kind, as values that every change of a record changes. Times aren't enough: a stopped clock has
 * one for all changes.
 */
const VERSIONS: { readonly [Kind in ChangedKind]: (state: State) => Versions } = {
  authConfigs: (state) => versionsOf(state.authConfigs, (config) => JSON.stringify(config)),
  connectedAccounts: (state) =>
    versionsOf(
      state.connectedAccounts,
      ({ status, updatedAt, alias, flow, sharing, acl, values }) =>
        `${status} ${updatedAt} ${alias} ${flow?.token} ${flow?.isOver} ${sharing} ${JSON.stringify([acl, values])}`,
    ),
  triggers: (state) =>
    versionsOf(state.triggers, ({ updatedAt, disabledAt, version }) => `${updatedAt} ${disabledAt} ${version}`),
  webhookSubscriptions: (state) =>
    versionsOf(
      state.webhookSubscriptions,
      ({ webhook_url, version, enabled_events, updated_at, secret }) =>
        `${webhook_url} ${version} ${enabled_events} ${updated_at} ${secret}`,
    ),
  sessions: (state) => versionsOf(state.sessions, ({ versions }) => `${versions.length}`),
  files: (state) => versionsOf(state.files, ({ storedAt, md5 }) => `${storedAt} ${md5}`),
  // Each upload creates a new record.
  mountFiles: (state) => versionsOf(state.mountFiles, (file) => file),
};

const KINDS = Object.keys(VERSIONS) as ChangedKind[]; // The keys of a record of exactly these.

/** Finds changed records by comparison, because handlers change records in place. Does nothing while no one listens. */
export class ChangeFinder {
  readonly #state: State;
  readonly #feed: ActivityFeed;
  #known: Map<string, unknown> | undefined;

  constructor(state: State, feed: ActivityFeed) {
    this.#state = state;
    this.#feed = feed;
  }

  /** Remembers the records as they are: changes from here on are reported. */
  start(): void {
    this.#known = this.#feed.isWatched ? new Map(this.#current()) : undefined;
  }

  /** Reports what has changed since the last call. */
  report(): void {
    if (!this.#known) return;
    if (!this.#feed.isWatched) {
      this.#known = undefined;
      return;
    }
    const [before, now] = [this.#known, new Map(this.#current())];
    this.#known = now;
    for (const [key, version] of now) {
      const known = before.get(key);
      if (known !== version) this.#publish(key, known === undefined ? "created" : "changed");
    }
    for (const key of before.keys()) if (!now.has(key)) this.#publish(key, "deleted");
  }

  #publish(key: string, action: "created" | "changed" | "deleted"): void {
    const end = key.indexOf(" ");
    // `#current` writes the kind first.
    this.#feed.publish({
      type: "change",
      kind: key.slice(0, end) as ChangedKind,
      recordId: key.slice(end + 1),
      action,
    });
  }

  #current(): (readonly [string, unknown])[] {
    return KINDS.flatMap((kind) =>
      VERSIONS[kind](this.#state).map(([id, version]) => [`${kind} ${id}`, version] as const),
    );
  }
}
