import type { RunCall, RunStep } from "../../shared/run-report.js";
import type { DeliveryAttempt, DeliveryRecord, EmittedEvent } from "./event-schema.js";
import type { RequestRecord } from "./schema.js";
import type { State } from "./state.js";

/** Records whose changes are reported. */
export type RecordKind =
  | "authConfigs"
  | "connectedAccounts"
  | "triggers"
  | "webhookSubscriptions"
  | "sessions"
  | "files"
  | "mountFiles";

/** An activity of an emulator, by type. */
export type ActivityOf =
  /** A request got its response, or its connection was broken. */
  | { readonly type: "request"; readonly request: RequestRecord }
  /** A toolset reported a call: new facts, and maybe a step, which is the last of `call.steps`. */
  | { readonly type: "run"; readonly call: RunCall; readonly step: RunStep | null }
  /** The service emitted an event. */
  | { readonly type: "event"; readonly event: EmittedEvent }
  /** A delivery was scheduled, or one of its attempts ended; that one is the last of `delivery.attempts`. */
  | { readonly type: "delivery"; readonly delivery: DeliveryRecord; readonly attempt: DeliveryAttempt | null }
  /** A record was created, changed, or deleted. */
  | {
      readonly type: "change";
      readonly kind: RecordKind;
      /** Id of the record. */
      readonly recordId: string;
      readonly action: "created" | "changed" | "deleted";
    }
  /** The clock was advanced, paused, or resumed. */
  | { readonly type: "clock"; readonly now: string; readonly isRunning: boolean }
  /** Faults were added or removed, in responses or in deliveries. */
  | { readonly type: "faults" }
  /** A toolkit version was published. */
  | { readonly type: "catalog" }
  /** `reset` or `restore` replaced the state. */
  | { readonly type: "restored" }
  /** On a port: the control plane was called. */
  | {
      readonly type: "control";
      readonly method: string;
      readonly path: string;
      readonly status: number;
      /** Why it failed; null if it didn't. */
      readonly error: string | null;
    };

/** Something that happened in an emulator. */
export type Activity = ActivityOf & {
  /** From 1, in the order in which things happened. Never reused, not even after a reset. */
  readonly id: number;
  /** ISO 8601, by the emulator's clock. */
  readonly at: string;
};

/** Tells its listeners what happens. Keeps nothing. */
export class ActivityFeed {
  readonly #listeners = new Set<(activity: Activity) => void>();
  readonly #now: () => string;
  #lastId = 0;

  /** @param now the emulator's time, ISO 8601. */
  constructor(now: () => string) {
    this.#now = now;
  }

  /** Whether anything listens. */
  get isWatched(): boolean {
    return this.#listeners.size > 0;
  }

  /** Adds a listener, and returns the function that removes it. */
  subscribe(listener: (activity: Activity) => void): () => void {
    // A listener that is passed twice is called twice.
    const own = (activity: Activity) => listener(activity);
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /** Tells all listeners. What one throws becomes an uncaught error and affects neither the others nor the emulator. */
  publish(happening: ActivityOf): void {
    this.#lastId += 1;
    if (this.#listeners.size === 0) return;
    const activity: Activity = { ...happening, id: this.#lastId, at: this.#now() };
    for (const listener of this.#listeners) {
      try {
        listener(activity);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}

type Versions = readonly (readonly [id: string, version: unknown])[];

function versionsOf<Stored>(records: ReadonlyMap<string, Stored>, versionOf: (record: Stored) => unknown): Versions {
  return [...records].map(([id, record]) => [id, versionOf(record)]);
}

/**
 * The records of each kind, as values that every change of a record changes. Times aren't enough: a stopped clock has
 * one for all changes.
 */
const VERSIONS: { readonly [Kind in RecordKind]: (state: State) => Versions } = {
  authConfigs: (state) => versionsOf(state.authConfigs, (config) => JSON.stringify(config)),
  connectedAccounts: (state) =>
    versionsOf(
      state.connectedAccounts,
      ({ status, updatedAt, alias, flow, sharing, acl, values }) =>
        `${status} ${updatedAt} ${alias} ${flow?.token} ${flow?.isOver} ${sharing} ${JSON.stringify([acl, values])}`,
    ),
  triggers: (state) => versionsOf(state.triggers, (trigger) => JSON.stringify(trigger)),
  webhookSubscriptions: (state) => versionsOf(state.webhookSubscriptions, (one) => JSON.stringify(one)),
  sessions: (state) => versionsOf(state.sessions, ({ versions }) => `${versions.length}`),
  files: (state) => versionsOf(state.files, ({ storedAt, md5 }) => `${storedAt} ${md5}`),
  // Each upload creates a new record.
  mountFiles: (state) => versionsOf(state.mountFiles, (file) => file),
};

const KINDS = Object.keys(VERSIONS) as RecordKind[]; // The keys of a record of exactly these.

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
      kind: key.slice(0, end) as RecordKind,
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
