import { operations } from "../contract/operations.js";
import { Catalogue, type ToolkitDefinition } from "./catalogue.js";
import { type ClockOptions, EmulatorClock } from "./clock.js";
import { handlers } from "./handlers/index.js";
import { Ids } from "./ids.js";
import { Faults } from "./injected-faults.js";
import { mount } from "./mount.js";
import { type RateLimitOptions, RateWindow } from "./rate-window.js";
import { demoSeed, type EmulatorSeed } from "./seed.js";
import { type RequestRecord, type State, seedState } from "./state.js";
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
  /** Told about each request after it was answered. */
  readonly onRequest?: ((record: RequestRecord) => void) | undefined;
}

/** An emulator without a front: whoever serves it decides how a broken connection looks. */
export interface Engine {
  readonly seed: EmulatorSeed;
  readonly state: State;
  readonly clock: EmulatorClock;
  readonly faults: Faults;
  /** Answers a request, or rejects with a `BrokenConnection`. */
  readonly serve: (request: Request) => Promise<Response>;
}

/** Builds the parts of an emulator and joins them. */
export function createEngine({
  seed = demoSeed,
  toolkits = [],
  clock: clockOptions = {},
  rateLimit = {},
  onRequest,
}: EmulatorOptions): Engine {
  const catalogue = new Catalogue([...demoToolkits, ...toolkits]);
  const offset = { ms: 0 };
  const sequence = { seed: 1 };
  const ids = new Ids(sequence);
  const clock = new EmulatorClock(clockOptions, offset);
  const seeded = seedState(seed, catalogue, clock.iso(), () => ids.uuid());
  const state: State = { clock: offset, ids: sequence, ...seeded };
  const faults = new Faults(
    state.faults,
    operations.map(({ endpoint }) => endpoint.name),
  );
  const rateWindow = new RateWindow(rateLimit, clock, state.rateWindow);
  const serve = mount(handlers, { state, catalogue, clock, ids, faults, rateWindow, onRequest });
  return { seed, state, clock, faults, serve };
}
