// The room of assembly, which joins the others to an emulator. It imports `auth-configs`, `catalog`,
// `connected-accounts`, `deliveries`, `engine`, `files`, `logs`, `mcp`, `projects`, `tool-router`, `toolkits`, `tools`,
// `triggers`, `webhooks`, `src/contract` and `src/resources`. Start here, then `engine/mount.ts`.

import { operations } from "../../contract/operations.js";
import type { ReportingFetch } from "../../contract/run-schema.js";
import { Ids } from "../../shared/random.js";
import { catalogOf, checkToolkits } from "../catalog/catalog.js";
import { calendar } from "../catalog/toolkits/calendar.js";
import { github } from "../catalog/toolkits/github.js";
import { slack } from "../catalog/toolkits/slack.js";
import { drive, textkit, weathermap } from "../catalog/toolkits/small-toolkits.js";
import { accountControls } from "../connected-accounts/controls.js";
import { expireOverdue, expiryTimer } from "../connected-accounts/expiry.js";
import { restartFlows } from "../connected-accounts/flows.js";
import { checkShowable } from "../connected-accounts/rules.js";
import { Deliveries, deliverySettings } from "../deliveries/controls.js";
import { DeliverySender } from "../deliveries/sender.js";
import { type Activity, activityFeed, reportChanges } from "../engine/activity.js";
import { EmulatorClock } from "../engine/clock.js";
import type { Engine } from "../engine/engine.js";
import { BrokenConnection, breakInProcess, Faults } from "../engine/faults.js";
import { mount } from "../engine/mount.js";
import { RateLimiter } from "../engine/rate-limiter.js";
import { RequestLog } from "../engine/request-log.js";
import { RunLog } from "../engine/run-log.js";
import { restoreState, type Snapshot, toSnapshot } from "../engine/state.js";
import { ExecutionLog } from "../logs/controls.js";
import { catalogControls } from "../toolkits/controls.js";
import { toolControls } from "../tools/controls.js";
import { triggerControls } from "../triggers/controls.js";
import { extraRoutes, handlers, rules } from "./handlers.js";
import { type Emulator, type EmulatorOptions, readOptions } from "./interface.js";
import { activeKeys, checkSeed, demoSeed, seedState } from "./seeding.js";

/** The built-in toolkits, with managed OAuth, an API key, and no authentication. */
const DEMO_TOOLKITS = [github, slack, weathermap, textkit, drive, calendar];

const respond = /* @__PURE__ */ mount(handlers, rules, extraRoutes);

/** The engine with all resources, without a transport: its caller decides how a broken connection shows. */
export interface Assembly extends Engine {
  readonly faults: Faults;
  readonly rateLimit: RateLimiter;
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

/** Creates the parts of an emulator and connects them. */
export function assemble(given: EmulatorOptions): Assembly {
  const options = readOptions(given);
  const { project = {}, unknownFields = "reject", rateLimit: limits = {}, deliveries, onRequest } = options;
  const { subscriptionsPerProject = 1, callbackVerifierUrl } = project;
  const created = createState(options);
  const { state, clock } = created;
  const feed = activityFeed(() => clock.iso());
  reportChanges(state, feed);
  const faults = new Faults(state.faults, OPERATION_NAMES, () => feed.publish({ type: "faults" }));
  const rateLimit = new RateLimiter(limits, clock, state.rateLimit);
  const sender = new DeliverySender(state, clock, deliverySettings(deliveries), feed);
  let ending = new AbortController();
  const lifetime = { signal: ending.signal };
  const settings = { subscriptionsPerProject, callbackVerifierUrl, unknownFields };
  const engine: Engine = { ...created, settings, stubs: new Map(), feed, deliver: sender.wake, lifetime };
  const expiry = startExpiry(engine);
  const secrets = () => [...state.keys.keys(), ...[...state.webhookSubscriptions.values()].map(({ secret }) => secret)];
  const log = new RequestLog(clock, feed, secrets, onRequest);
  const runs = new RunLog(clock, feed, secrets);
  const serving = { ...engine, faults, rateLimit, log };
  const serve = async (request: Request) => {
    // A running clock passes deadlines without any call to advance.
    expireOverdue(engine);
    try {
      return await respond(request, serving);
    } finally {
      expiry.set();
    }
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
    expiry.set();
    feed.publish({ type: "restored" });
  };
  const stop = () => {
    sender.stop();
    expiry.stop();
  };
  return { ...engine, faults, rateLimit, sender, log, runs, subscribe: feed.subscribe, serve, restore, stop };
}

const OPERATION_NAMES = operations.map(({ endpoint }) => endpoint.name);

/** The state that the seed describes, and what reads and changes it. */
function createState(options: EmulatorOptions): Pick<Engine, "state" | "catalog" | "clock" | "ids"> {
  const { seed = demoSeed, toolkits = [], clock: clockOptions = {}, idSeed = null } = options;
  checkToolkits(toolkits);
  const published = { items: [] };
  const catalog = catalogOf([...DEMO_TOOLKITS, ...toolkits], published);
  checkSeed(seed, catalog, OPERATION_NAMES);
  const clockState = { ms: 0 };
  const sequence = { seed: idSeed };
  const ids = new Ids(sequence);
  const clock = new EmulatorClock(clockOptions, clockState);
  const seeded = seedState(seed, catalog, clock.iso(), () => ids.uuid());
  return { state: { clock: clockState, ids: sequence, published, ...seeded }, catalog, clock, ids };
}

/** Ends flows and accounts when their time is over, even if a program advances the clock. */
function startExpiry(engine: Engine): ReturnType<typeof expiryTimer> {
  const { clock, feed } = engine;
  const expiry = expiryTimer(engine);
  expiry.set();
  clock.onChange(() => {
    feed.publish({ type: "clock", now: clock.iso(), isRunning: clock.isRunning });
    expireOverdue(engine);
    expiry.set();
  });
  return expiry;
}

/**
 * Creates an emulator in this process.
 *
 * ```ts
 * const emulator = createEmulator();
 * const svc = new Svc(emulator.connection);
 * ```
 *
 * Time stands still until you advance it. Generated ids are random, unless you pass `idSeed`.
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
  Object.assign(fetch, { report: (reports) => runs.add(reports) } satisfies ReportingFetch);
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
    executionLog: new ExecutionLog(engine),
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
      restore({ ...atStart, clock: clock.atStart() });
      restartFlows(engine);
    },
    snapshot: () => {
      // Saves the time, which a running clock changes.
      clock.now();
      return toSnapshot(state);
    },
    restore,
  };
}
