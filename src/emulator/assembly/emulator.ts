import type { RunCall, RunReport } from "../../shared/run-report.js";
import { type AccountControls, accountControls } from "../connected-accounts/controls.js";
import { expireOverdue, restartFlows } from "../connected-accounts/flow-and-expiry.js";
import { Deliveries } from "../deliveries/controls.js";
import type { Activity, RequestRecord } from "../engine/activity.js";
import type { EmulatorClock } from "../engine/clock.js";
import type { EmittedEvent } from "../engine/event-records.js";
import { BrokenConnection, breakInProcess, type Faults } from "../engine/faults.js";
import { activeKeys, type EmulatorKeys } from "../engine/seed.js";
import { type Snapshot, toSnapshot } from "../engine/state.js";
import { type CatalogControls, catalogControls } from "../toolkits/controls.js";
import { type ToolControls, toolControls } from "../tools/controls.js";
import { type TriggerControls, triggerControls } from "../triggers/controls.js";
import { type Assembly, assemble, type EmulatorOptions } from "./assemble.js";

/** A local emulator of the service: same contract, real state, no network. */
export interface Emulator {
  /** The service as a `fetch` function. Pass it to `new Svc({ fetch })`, MSW, or a server. */
  fetch(input: Request | URL | string, init?: RequestInit): Promise<Response>;
  /** Client options: `new Svc(emulator.connection)`. Contains the first key of each kind that is active now. */
  readonly connection: EmulatorKeys & {
    readonly baseUrl: string;
    readonly fetch: (request: Request) => Promise<Response>;
  };
  /** The emulator's clock. */
  readonly clock: EmulatorClock;
  /** Injects faults into responses. */
  readonly faults: Faults;
  /** Publishes toolkit versions. */
  readonly catalog: CatalogControls;
  /** Expires, activates, and revokes connected accounts. */
  readonly accounts: AccountControls;
  /** Fires trigger events. */
  readonly triggers: TriggerControls;
  /** Replaces what tools do, and lists how they were called. */
  readonly tools: ToolControls;
  /** Emitted events, oldest first; at most the last 1000. */
  readonly events: readonly EmittedEvent[];
  /** Webhook deliveries of those events, and faults to inject into them. */
  readonly deliveries: Deliveries;
  /**
   * Resolves when no delivery is in flight or due: each one is delivered, has failed, or is scheduled for later. A
   * stopped clock leaves scheduled ones waiting: call `clock.advance`, and then this again. With a running clock, it
   * waits for them too.
   */
  waitForDeliveries(): Promise<void>;
  /**
   * Requests received, with their responses, oldest first; at most the last 1000 since the start, `reset`, or
   * `restore`. Credentials are masked.
   */
  readonly requests: readonly RequestRecord[];
  /**
   * Calls that models made with toolsets of this emulator's clients, oldest first, including denied and waiting ones.
   * At most the last 10,000 since the start, `reset`, or `restore`. Credentials are masked.
   */
  readonly runs: readonly RunCall[];
  /**
   * Calls a listener with everything that happens from now on: requests, runs, events, deliveries, changes of records,
   * clock and faults. Returns the function that ends it. An error thrown by the listener is an uncaught error of the
   * process.
   */
  subscribe(listener: (activity: Activity) => void): () => void;
  /**
   * Resets everything to the seed: state, toolkit versions, clock, ids, rate limit, faults, stubs, deliveries, and
   * requests. Cancels deliveries in flight. Requests in flight get a 400, and change nothing anymore.
   */
  reset(): void;
  /** Returns the current state as JSON. */
  snapshot(): Snapshot;
  /**
   * Restores a snapshot of this emulator.
   *
   * @throws {ConfigError} if the snapshot doesn't match this emulator's version and toolkits.
   */
  restore(snapshot: Snapshot): void;
}

/**
 * Creates an emulator in this process.
 *
 * ```ts
 * const emulator = createEmulator();
 * const svc = new Svc(emulator.connection);
 * ```
 *
 * With equal options and requests, two emulators return byte-identical responses.
 *
 * @throws {ConfigError} for invalid options, or a seed that refers to something missing.
 */
export function createEmulator(options: EmulatorOptions = {}): Emulator {
  return emulatorOf(assemble(options));
}

/** The public interface of an assembled engine. */
export function emulatorOf(engine: Assembly): Emulator {
  const { state, clock, faults, sender, log, runs, subscribe, serve, restore } = engine;
  const atStart = toSnapshot(state);
  const fetch: Emulator["fetch"] = async (input, init) => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    try {
      return await serve(request);
    } catch (error) {
      if (error instanceof BrokenConnection) return breakInProcess(error, request.signal);
      throw error;
    }
  };
  // Toolsets of clients with this `fetch` find it there.
  Object.assign(fetch, { report: (reports: readonly RunReport[]) => runs.add(reports) });
  return {
    fetch,
    get connection() {
      return { baseUrl: "http://emulator.localhost", ...activeKeys(state.keys), fetch };
    },
    clock,
    faults,
    catalog: catalogControls(engine),
    accounts: accountControls(engine),
    triggers: triggerControls(engine),
    tools: toolControls(engine),
    get events() {
      expireOverdue(engine);
      return state.events.emitted;
    },
    deliveries: new Deliveries(engine),
    waitForDeliveries: () => {
      expireOverdue(engine);
      return sender.waitForDeliveries();
    },
    get requests() {
      return log.items;
    },
    get runs() {
      return runs.items;
    },
    subscribe,
    reset: () => {
      restore(atStart);
      restartFlows(engine);
    },
    snapshot: () => toSnapshot(state),
    restore,
  };
}
