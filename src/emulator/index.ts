import { expireOverdue } from "./connected-accounts/expiry.js";
import { restartFlows } from "./connected-accounts/flow.js";
import {
  type AccountControls,
  accountControls,
  type CatalogControls,
  catalogControls,
  Deliveries,
  type TriggerControls,
  triggerControls,
} from "./controls.js";
import { createEngine, type EmulatorOptions, type Engine } from "./engine.js";
import type { EmulatorClock } from "./host/clock.js";
import type { EmittedEvent } from "./host/event-records.js";
import { BrokenConnection, breakInProcess, type Faults } from "./host/faults.js";
import type { RequestRecord } from "./host/project-records.js";
import { activeKeys, type Keys } from "./host/seed.js";
import { type Snapshot, toSnapshot } from "./host/state.js";

export type { EventType } from "../resources/events/schema.js";
export type { VersionChanges } from "./catalog/catalog.js";
export {
  type AuthDefinition,
  type JsonObject,
  ProviderError,
  type ProxiedCall,
  type ToolCall,
  type ToolDefinition,
  type ToolFacts,
  type ToolFile,
  type ToolFiles,
  type ToolkitDefinition,
  type TriggerDefinition,
  type TriggerFacts,
  type WebhookFieldDefinition,
} from "./catalog/definitions.js";
export type { AccountControls, CatalogControls, Deliveries, DeliveryFaults, TriggerControls } from "./controls.js";
export type { DeliveryOptions } from "./deliveries/post.js";
export type { EmulatorOptions } from "./engine.js";
export type { ClockOptions, Duration, EmulatorClock } from "./host/clock.js";
export type { ProjectOptions } from "./host/context.js";
export type { DeliveryAttempt, DeliveryRecord, EmittedEvent } from "./host/event-records.js";
export type { FaultOptions, Faults, InjectedFault } from "./host/faults.js";
export type { RequestRecord } from "./host/project-records.js";
export type { RateLimitOptions } from "./host/rate-limit.js";
export {
  type AuthConfigSeed,
  type ConnectedAccountSeed,
  demoSeed,
  type EmulatorSeed,
  type KeySeed,
  type Keys,
} from "./host/seed.js";
export type { Snapshot } from "./host/state.js";

/** A local double of the service: the same contract, real state, nothing remote. */
export interface Emulator {
  /** The service as a `fetch`: give it to `new Svc({ fetch })`, to MSW, or to a server. */
  fetch(input: Request | URL | string, init?: RequestInit): Promise<Response>;
  /** Options that connect a client: `new Svc(emulator.connection)`. The first active key of each kind. */
  readonly connection: Keys & {
    readonly baseUrl: string;
    readonly fetch: (request: Request) => Promise<Response>;
  };
  /** Its time. */
  readonly clock: EmulatorClock;
  /** Makes it misbehave. */
  readonly faults: Faults;
  /** Lets toolkits move on. */
  readonly catalogue: CatalogControls;
  /** Lets credentials die. */
  readonly accounts: AccountControls;
  /** Lets events of external applications happen. */
  readonly triggers: TriggerControls;
  /** The events it emitted, oldest first; at most the last 1000. */
  readonly events: readonly EmittedEvent[];
  /** The webhook deliveries it makes of its events, and how they misbehave. */
  readonly deliveries: Deliveries;
  /**
   * Resolves when no delivery is on its way and none is due: each one is delivered, has failed, or waits for a time that the
   * clock has not reached. A clock that stands still leaves those waiting, so `clock.advance` and settle once more; a clock
   * that runs reaches their time by itself, and they are waited for.
   */
  settled(): Promise<void>;
  /** The requests it answered, oldest first; at most the last 1000. */
  readonly requests: readonly RequestRecord[];
  /**
   * Back to the seed: state, versions of toolkits, time, ids, window, faults, deliveries and requests. What is on its way is
   * given up.
   */
  reset(): void;
  /** Everything that changed so far, as JSON. */
  snapshot(): Snapshot;
  /** Back to a snapshot of this emulator. */
  restore(snapshot: Snapshot): void;
}

/**
 * Makes an emulator in this process.
 *
 * ```ts
 * const emulator = createEmulator();
 * const svc = new Svc(emulator.connection);
 * ```
 *
 * Two emulators made alike and asked alike answer alike, to the byte.
 *
 * @throws {ConfigError} for a seed that names what does not exist.
 */
export function createEmulator(options: EmulatorOptions = {}): Emulator {
  return emulatorOf(createEngine(options));
}

/** The face of an engine. @internal */
export function emulatorOf({ seed, state, clock, faults, world, courier, serve, restore }: Engine): Emulator {
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
  return {
    fetch,
    connection: { baseUrl: "http://emulator.localhost", ...activeKeys(seed), fetch },
    clock,
    faults,
    catalogue: catalogControls(world),
    accounts: accountControls(world),
    triggers: triggerControls(world),
    get events() {
      expireOverdue(world);
      return state.events.emitted;
    },
    deliveries: new Deliveries(state.deliveries),
    settled: () => {
      expireOverdue(world);
      return courier.settled();
    },
    get requests() {
      return state.log.requests;
    },
    reset: () => {
      restore(atStart);
      restartFlows(world);
    },
    snapshot: () => toSnapshot(state),
    restore,
  };
}
