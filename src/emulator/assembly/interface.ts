import * as z from "zod/mini";
import { readShape } from "../../contract/check-shape.js";
import type { RunCall } from "../../contract/run-schema.js";
import { ConfigError } from "../../errors/local.js";
import { list, request, unknown } from "../../resources/schema-kit.js";
import { field } from "../../shared/json.js";
import { functionOf } from "../catalog/catalog-schema.js";
import type { ToolkitDefinition } from "../catalog/definitions.js";
import type { AccountControls } from "../connected-accounts/controls.js";
import type { Deliveries } from "../deliveries/controls.js";
import type { Activity } from "../engine/activity.js";
import type { EmulatorClock } from "../engine/clock.js";
import type { EmittedEvent } from "../engine/event-schema.js";
import type { Faults } from "../engine/faults.js";
import {
  ClockOptions,
  DeliveryOptions,
  ProjectOptions,
  RateLimitOptions,
  UnknownFields,
} from "../engine/options-schema.js";
import type { RequestRecord } from "../engine/request-schema.js";
import type { EmulatorSeed } from "../engine/seed-schema.js";
import type { Snapshot } from "../engine/state.js";
import type { ExecutionLog } from "../logs/controls.js";
import type { CatalogControls } from "../toolkits/controls.js";
import type { ToolControls } from "../tools/controls.js";
import type { TriggerControls } from "../triggers/controls.js";
import type { EmulatorKeys } from "./seeding.js";

/** Options for `createEmulator`. */
export interface EmulatorOptions {
  /**
   * Initial keys, auth configs, and connected accounts.
   * @default demoSeed
   */
  readonly seed?: EmulatorSeed | undefined;
  /** Additional toolkits. A toolkit with the slug of a built-in toolkit replaces it. */
  readonly toolkits?: readonly ToolkitDefinition[] | undefined;
  /** Clock settings. By default, the clock moves only when you call `clock.advance`. */
  readonly clock?: ClockOptions | undefined;
  /** Rate limit. By default, the limit of the Hobby plan. */
  readonly rateLimit?: RateLimitOptions | undefined;
  /** Settings of the emulated project. */
  readonly project?: ProjectOptions | undefined;
  /**
   * Whether to reject requests with unknown fields, which finds typos, or to ignore the fields, as programs for other
   * versions need.
   * @default "reject"
   */
  readonly unknownFields?: UnknownFields | undefined;
  /**
   * Seed of all generated ids, an integer. Emulators with equal options, seeds, and requests return byte-identical
   * responses. `reset` and `restore` then repeat ids, so a receiver that stores them ignores the repeated events.
   * @default random ids, which never repeat
   */
  readonly idSeed?: number | undefined;
  /** Webhook delivery settings. */
  readonly deliveries?: DeliveryOptions | undefined;
  /** Called with each request after its response. An error that it throws is an uncaught error of the process. */
  readonly onRequest?: ((record: RequestRecord) => void) | undefined;
}

/** The options. Seed and toolkits are checked with the catalog. */
const OptionsShape = request({
  ...{ seed: z.optional(unknown), toolkits: z.optional(list(unknown)), onRequest: z.optional(functionOf()) },
  ...{ clock: z.optional(ClockOptions), rateLimit: z.optional(RateLimitOptions), project: z.optional(ProjectOptions) },
  ...{ unknownFields: z.optional(UnknownFields), deliveries: z.optional(DeliveryOptions), idSeed: z.optional(z.int()) },
} satisfies Record<keyof EmulatorOptions, z.ZodMiniType>);

export const OPTION_NAMES: readonly string[] = Object.keys(OptionsShape.shape);

/** The options of an emulator on a port. */
export const PORT_OPTION_NAMES: readonly string[] = ["port", "host", "allowedHosts", "data"];

/** @throws {ConfigError} for an unknown option, or one inside of another, or one of the wrong kind. */
export function readOptions(given: EmulatorOptions): EmulatorOptions {
  const ofPort = PORT_OPTION_NAMES.find((name) => field(given, name) !== undefined);
  if (ofPort !== undefined) {
    throw new ConfigError(
      `createEmulator: ${ofPort} is an option of an emulator on a port. createEmulator runs in this process: use startEmulator from svc-sdk/emulator/node.`,
    );
  }
  // Seed and toolkits are checked later.
  return readShape(OptionsShape, given, "The emulator's options are invalid") as EmulatorOptions;
}

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
  /** Expires, activates, and revokes connected accounts, and declines connections. */
  readonly accounts: AccountControls;
  /** Fires trigger events. */
  readonly triggers: TriggerControls;
  /** Replaces what tools do, and lists how they were called. */
  readonly tools: ToolControls;
  /** Delays the execution log, or leaves data out of it. */
  readonly executionLog: ExecutionLog;
  /** Emitted events, oldest first; at most the last 1000. */
  readonly events: readonly EmittedEvent[];
  /** Webhook deliveries of the events, and their faults. */
  readonly deliveries: Deliveries;
  /**
   * Resolves when no delivery is in flight or due: each one is delivered, has failed, or is scheduled for later. With a
   * stopped clock, scheduled deliveries stay: call `clock.advance`, then this method again. With a running clock, it
   * also waits for scheduled deliveries.
   */
  waitForDeliveries(): Promise<void>;
  /**
   * Requests received, with their responses, oldest first; at most the last 1000 since the start, `reset`, or
   * `restore`. Credentials are masked.
   */
  readonly requests: readonly RequestRecord[];
  /**
   * Calls that models made with toolsets of this emulator's clients, oldest first, including denied and waiting calls.
   * At most the last 10,000 since the start, `reset`, or `restore`. Credentials are masked.
   */
  readonly runs: readonly RunCall[];
  /**
   * Calls a listener with each new activity: requests, runs, events, deliveries, changes of records, clock and faults.
   * Returns a function that ends the subscription. An error thrown by the listener is an uncaught error of the process.
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
   * Restores a snapshot of this emulator. The clock continues at the snapshot's time. A running clock without
   * `clock.start` continues at the real time plus the time that you advanced, unless the snapshot's time is later.
   *
   * @throws {ConfigError} if the snapshot doesn't match this emulator's version and toolkits.
   */
  restore(snapshot: Snapshot): void;
}
