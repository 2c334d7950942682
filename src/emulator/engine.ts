import { operations } from "../contract/operations.js";
import { ConfigError } from "../errors/local.js";
import { Alarm } from "./accounts/alarm.js";
import { endOverdue } from "./accounts/flow.js";
import { linkPages } from "./accounts/link-page.js";
import { Catalogue } from "./catalogue.js";
import { type ClockOptions, EmulatorClock } from "./clock.js";
import type { World } from "./context.js";
import type { ToolkitDefinition } from "./definitions.js";
import { Courier } from "./deliveries/courier.js";
import { type DeliveryOptions, deliverySettings } from "./deliveries/settings.js";
import { storage } from "./files/storage.js";
import { handlers } from "./handlers/index.js";
import { Ids } from "./ids.js";
import { Faults } from "./injected-faults.js";
import { mount } from "./mount.js";
import { type RateLimitOptions, RateWindow } from "./rate-window.js";
import { demoSeed, type EmulatorSeed } from "./seed.js";
import { checkSeed, checkToolkits } from "./seed-check.js";
import { sessionMcp } from "./sessions/mcp-endpoint.js";
import { type ProjectOptions, projectSettings } from "./settings.js";
import { type RequestRecord, restoreState, type Snapshot, type State, seedState } from "./state.js";
import { demoToolkits } from "./toolkits/index.js";

/** Options of an emulator. */
export interface EmulatorOptions {
  /**
   * Keys, auth configs and accounts it starts with.
   * @default demoSeed
   */
  readonly seed?: EmulatorSeed | undefined;
  /** Toolkits beside the seed ones; one with the slug of a seed toolkit replaces it. */
  readonly toolkits?: readonly ToolkitDefinition[] | undefined;
  /** Its time. Stands still by default, and moves by `clock.advance`. */
  readonly clock?: ClockOptions | undefined;
  /** Its rate window; the Hobby plan's by default. */
  readonly rateLimit?: RateLimitOptions | undefined;
  /** How its project is set up. */
  readonly project?: ProjectOptions | undefined;
  /** How webhook deliveries are sent. */
  readonly deliveries?: DeliveryOptions | undefined;
  /** Told about each request after it was answered. */
  readonly onRequest?: ((record: RequestRecord) => void) | undefined;
}

/** An emulator without a front: whoever serves it decides how a broken connection looks. */
export interface Engine {
  readonly seed: EmulatorSeed;
  readonly state: State;
  readonly clock: EmulatorClock;
  readonly faults: Faults;
  readonly world: World;
  readonly courier: Courier;
  /** Answers a request, or rejects with a `BrokenConnection`. */
  readonly serve: (request: Request) => Promise<Response>;
  /** Puts a snapshot in the place of its state, and gives up what is on its way. */
  readonly restore: (snapshot: Snapshot) => void;
  /** Ends what it does by itself: deliveries and alarms. */
  readonly stop: () => void;
}

/** Builds the parts of an emulator and joins them. */
export function createEngine({
  seed = demoSeed,
  toolkits = [],
  clock: clockOptions = {},
  rateLimit = {},
  project,
  deliveries,
  onRequest,
  ...unknown
}: EmulatorOptions): Engine {
  const [misspelt] = Object.keys(unknown);
  if (misspelt !== undefined) throw new ConfigError(`The emulator has no option ${misspelt}.`);
  checkToolkits(toolkits);
  const published = { items: [] };
  const catalogue = new Catalogue([...demoToolkits, ...toolkits], published);
  const operationNames = operations.map(({ endpoint }) => endpoint.name);
  checkSeed(seed, catalogue, operationNames);
  const offset = { ms: 0 };
  const sequence = { seed: 1 };
  const ids = new Ids(sequence);
  const clock = new EmulatorClock(clockOptions, offset);
  const seeded = seedState(seed, catalogue, clock.iso(), () => ids.uuid());
  const state: State = { clock: offset, ids: sequence, published, ...seeded };
  const faults = new Faults(state.faults, operationNames);
  const rateWindow = new RateWindow(rateLimit, clock, state.rateWindow);
  const courier = new Courier(state, clock, deliverySettings(deliveries), clockOptions.running ?? false);
  const deliver = () => courier.wake();
  const world: World = { state, catalogue, clock, ids, settings: projectSettings(project), deliver };
  const alarm = new Alarm(world, clockOptions.running ?? false);
  alarm.set();
  clock.onAdvance(() => {
    endOverdue(world);
    alarm.set();
  });
  const answer = mount(handlers, { ...world, faults, rateWindow, onRequest }, [...linkPages, storage, ...sessionMcp]);
  const serve = (request: Request) => {
    // A clock that runs passes times that nobody told it to.
    endOverdue(world);
    return answer(request).finally(() => alarm.set());
  };
  const restore = (snapshot: Snapshot) => {
    restoreState(state, snapshot, clock);
    courier.restart();
    alarm.set();
  };
  const stop = () => {
    courier.stop();
    alarm.stop();
  };
  return { seed, state, clock, faults, world, courier, serve, restore, stop };
}
