import { operations } from "../../contract/operations.js";
import { ConfigError } from "../../errors/local.js";
import { unknownNames } from "../../shared/nearest-name.js";
import { Catalog, checkToolkits } from "../catalog/catalog.js";
import type { ToolkitDefinition } from "../catalog/definitions.js";
import { calendar } from "../catalog/toolkits/calendar.js";
import { github } from "../catalog/toolkits/github.js";
import { shapes } from "../catalog/toolkits/shapes.js";
import { slack } from "../catalog/toolkits/slack.js";
import { drive, textkit, weathermap } from "../catalog/toolkits/small-toolkits.js";
import { ExpiryTimer, expireOverdue } from "../connected-accounts/flow-and-expiry.js";
import { checkShowable } from "../connected-accounts/rules.js";
import { type DeliveryOptions, deliverySettings } from "../deliveries/controls.js";
import { DeliverySender } from "../deliveries/sender.js";
import { type Activity, ActivityFeed, ChangeFinder, type RequestRecord } from "../engine/activity.js";
import { RateLimit, type RateLimitOptions } from "../engine/admission.js";
import { type ClockOptions, EmulatorClock } from "../engine/clock.js";
import { type Engine, type ProjectOptions, projectSettings, type UnknownFields } from "../engine/engine.js";
import { Faults } from "../engine/faults.js";
import { mount } from "../engine/mount.js";
import { RequestLog } from "../engine/request-log.js";
import { RunLog } from "../engine/run-log.js";
import { demoSeed, type EmulatorSeed } from "../engine/seed.js";
import { Ids, restoreState, type Snapshot, type State } from "../engine/state.js";
import { extraRoutes, handlers, rules } from "./handlers.js";
import { checkSeed, seedState } from "./seeding.js";

/** Options for `createEmulator`. */
export interface EmulatorOptions {
  /**
   * Initial keys, auth configs, and connected accounts.
   * @default demoSeed
   */
  readonly seed?: EmulatorSeed | undefined;
  /** Additional toolkits. One with the slug of a built-in toolkit replaces it. */
  readonly toolkits?: readonly ToolkitDefinition[] | undefined;
  /** Clock settings. By default, the clock moves only when you call `clock.advance`. */
  readonly clock?: ClockOptions | undefined;
  /** Rate limit; the Hobby plan's by default. */
  readonly rateLimit?: RateLimitOptions | undefined;
  /** Settings of the emulated project. */
  readonly project?: ProjectOptions | undefined;
  /**
   * Whether to reject requests with unknown fields or to ignore the fields, as programs for other versions need.
   * Rejecting finds typos.
   * @default "reject"
   */
  readonly unknownFields?: UnknownFields | undefined;
  /** Webhook delivery settings. */
  readonly deliveries?: DeliveryOptions | undefined;
  /** Called with each request after its response. */
  readonly onRequest?: ((record: RequestRecord) => void) | undefined;
}

/** The engine with all resources, without a transport: its caller decides how a broken connection shows. */
export interface Assembly extends Engine {
  readonly faults: Faults;
  readonly rateLimit: RateLimit;
  readonly sender: DeliverySender;
  readonly log: RequestLog;
  readonly runs: RunLog;
  /** Adds a listener to what happens, and returns the function that removes it. */
  readonly subscribe: (listener: (activity: Activity) => void) => () => void;
  /** Responds to a request, or rejects with a `BrokenConnection`. */
  readonly serve: (request: Request) => Promise<Response>;
  /** Replaces the state with a snapshot, and cancels deliveries and requests in flight. */
  readonly restore: (snapshot: Snapshot) => void;
  /** Stops deliveries and timers. */
  readonly stop: () => void;
}

/** Every option, and the names of the options in it. */
const OPTIONS = {
  seed: [],
  toolkits: [],
  clock: ["start", "running"],
  rateLimit: ["limit", "windowSeconds"],
  project: ["subscriptionsPerProject", "callbackVerifierUrl"],
  unknownFields: [],
  deliveries: ["fetch", "attempts", "delaysMs", "timeoutMs"],
  onRequest: [],
} as const satisfies Record<keyof EmulatorOptions, readonly string[]>;

/** The built-in toolkits, with managed OAuth, an API key, and no authentication. */
const DEMO_TOOLKITS = [github, slack, weathermap, textkit, drive, calendar, shapes];

/** Creates the parts of an emulator and connects them. */
export function assemble({
  seed = demoSeed,
  toolkits = [],
  clock: clockOptions = {},
  rateLimit: rateLimitOptions = {},
  project,
  unknownFields = "reject",
  deliveries,
  onRequest,
  ...unknown
}: EmulatorOptions): Assembly {
  const inside = (name: keyof EmulatorOptions, options: object = {}) =>
    unknownNames(options, OPTIONS[name]).map((found) => `${name}: ${found}`);
  const [problem] = [
    ...unknownNames(unknown, Object.keys(OPTIONS)),
    ...inside("clock", clockOptions),
    ...inside("rateLimit", rateLimitOptions),
    ...inside("project", project),
    ...inside("deliveries", deliveries),
  ];
  if (problem !== undefined) throw new ConfigError(`emulator: ${problem}`);
  if (unknownFields !== "reject" && unknownFields !== "ignore") {
    throw new ConfigError('The emulator\'s unknownFields must be "reject" or "ignore".');
  }
  checkToolkits(toolkits);
  const published = { items: [] };
  const catalog = new Catalog([...DEMO_TOOLKITS, ...toolkits], published);
  const operationNames = operations.map(({ endpoint }) => endpoint.name);
  checkSeed(seed, catalog, operationNames);
  const offset = { ms: 0 };
  const sequence = { seed: 1 };
  const ids = new Ids(sequence);
  const clock = new EmulatorClock(clockOptions, offset);
  const seeded = seedState(seed, catalog, clock.iso(), () => ids.uuid());
  const state: State = { clock: offset, ids: sequence, published, ...seeded };
  const feed = new ActivityFeed(() => clock.iso());
  const changes = new ChangeFinder(state, feed);
  const faults = new Faults(state.faults, operationNames, () => feed.publish({ type: "faults" }));
  const rateLimit = new RateLimit(rateLimitOptions, clock, state.rateLimit);
  const sender = new DeliverySender(state, clock, deliverySettings(deliveries), feed);
  const deliver = () => sender.wake();
  let ending = new AbortController();
  const lifetime = { signal: ending.signal };
  const engine: Engine = {
    state,
    catalog,
    clock,
    ids,
    settings: { ...projectSettings(project), unknownFields },
    stubs: new Map(),
    feed,
    changes,
    deliver,
    lifetime,
  };
  const expiryTimer = new ExpiryTimer(engine);
  expiryTimer.set();
  clock.onChange(() => {
    feed.publish({ type: "clock", now: clock.iso(), isRunning: clock.isRunning });
    expireOverdue(engine);
    expiryTimer.set();
  });
  const secrets = () => [...state.keys.keys(), ...[...state.webhookSubscriptions.values()].map(({ secret }) => secret)];
  const log = new RequestLog(clock, feed, secrets, onRequest);
  const runs = new RunLog(clock, feed, secrets);
  const respond = mount(handlers, rules, extraRoutes, { ...engine, faults, rateLimit, log });
  const serve = async (request: Request) => {
    // A running clock passes deadlines without any call to advance.
    expireOverdue(engine);
    try {
      return await respond(request);
    } finally {
      expiryTimer.set();
      changes.report();
    }
  };
  const subscribe = (listener: (activity: Activity) => void) => {
    const unsubscribe = feed.subscribe(listener);
    changes.start();
    return unsubscribe;
  };
  const restore = (snapshot: Snapshot) => {
    checkShowable(snapshot);
    restoreState(state, snapshot, clock);
    ending.abort();
    ending = new AbortController();
    lifetime.signal = ending.signal;
    engine.stubs.clear();
    log.clear();
    runs.clear();
    sender.restart();
    expiryTimer.set();
    changes.start();
    feed.publish({ type: "restored" });
  };
  const stop = () => {
    sender.stop();
    expiryTimer.stop();
  };
  return { ...engine, faults, rateLimit, sender, log, runs, subscribe, serve, restore, stop };
}
