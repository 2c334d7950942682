import type { RunCall, RunStep } from "../../contract/run-schema.js";
import type { DeliveryAttempt, DeliveryRecord, EmittedEvent } from "./event-schema.js";
import type { RequestRecord } from "./request-schema.js";
import type { State } from "./state.js";
import type { RecordChange } from "./table.js";

const KINDS = [
  "authConfigs",
  "connectedAccounts",
  "triggers",
  "webhookSubscriptions",
  "sessions",
  "files",
  "mountFiles",
] as const;

/** Records whose changes are reported. */
export type RecordKind = (typeof KINDS)[number];

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
      readonly action: RecordChange;
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

/**
 * Tells its listeners what happens. Keeps nothing.
 *
 * @param now the emulator's time, ISO 8601.
 */
export function activityFeed(now: () => string) {
  const listeners = new Set<(activity: Activity) => void>();
  let lastId = 0;
  return {
    /** Adds a listener, and returns the function that removes it. */
    subscribe: (listener: (activity: Activity) => void) => {
      // A listener that is passed twice is called twice.
      const own = (activity: Activity) => listener(activity);
      listeners.add(own);
      return () => void listeners.delete(own);
    },

    /** Tells all listeners. What one throws becomes an uncaught error, and affects nothing else. */
    publish: (happening: ActivityOf) => {
      lastId += 1;
      if (listeners.size === 0) return;
      const activity: Activity = { ...happening, id: lastId, at: now() };
      for (const listener of listeners) callListener(listener, activity);
    },
  };
}

export type ActivityFeed = ReturnType<typeof activityFeed>;

/** Calls a user's function. An error that it throws becomes an uncaught error of the process. */
export function callListener<Value>(listener: (value: Value) => void, value: Value): void {
  try {
    listener(value);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

/** Tells a feed of each change of these records. */
export function reportChanges(state: State, feed: ActivityFeed): void {
  for (const kind of KINDS) {
    state[kind].onChange = (recordId, action) => feed.publish({ type: "change", kind, recordId, action });
  }
}
