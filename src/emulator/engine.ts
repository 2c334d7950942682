import { operations } from "../contract/operations.js";
import { ConfigError } from "../errors/local.js";
import { authConfigs, integrations } from "./auth-configs/handlers.js";
import { Catalog, checkToolkits } from "./catalog/catalog.js";
import type { ToolkitDefinition } from "./catalog/definitions.js";
import { demoToolkits } from "./catalog/toolkits/index.js";
import { ExpiryTimer, expireOverdue } from "./connected-accounts/expiry.js";
import { connectedAccounts } from "./connected-accounts/handlers.js";
import { linkPages } from "./connected-accounts/link-page.js";
import { type DeliveryOptions, deliverySettings } from "./deliveries/post.js";
import { DeliverySender } from "./deliveries/sender.js";
import { files, storageRoute } from "./files/handlers.js";
import { type ClockOptions, EmulatorClock } from "./host/clock.js";
import { type Handlers, type ProjectOptions, projectSettings, type World } from "./host/context.js";
import { Faults } from "./host/faults.js";
import { mount } from "./host/mount.js";
import type { RequestRecord } from "./host/project-records.js";
import { RateLimit, type RateLimitOptions } from "./host/rate-limit.js";
import { demoSeed, type EmulatorSeed } from "./host/seed.js";
import { Ids, restoreState, type Snapshot, type State } from "./host/state.js";
import { logs } from "./logs/handlers.js";
import { mcp } from "./mcp/handlers.js";
import { apiKeys, projects } from "./projects/handlers.js";
import { checkSeed, seedState } from "./seeding.js";
import { session } from "./session/handlers.js";
import { toolRouter } from "./tool-router/handlers.js";
import { sessionMcp } from "./tool-router/mcp.js";
import { toolkits } from "./toolkits/handlers.js";
import { execution, tools } from "./tools/handlers.js";
import { triggers } from "./triggers/handlers.js";
import { usage } from "./usage/handlers.js";
import { webhookEndpoints } from "./webhook-endpoints/handlers.js";
import { webhookSubscriptions } from "./webhook-subscriptions/handlers.js";

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
  readonly courier: DeliverySender;
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
  const catalogue = new Catalog([...demoToolkits, ...toolkits], published);
  const operationNames = operations.map(({ endpoint }) => endpoint.name);
  checkSeed(seed, catalogue, operationNames);
  const offset = { ms: 0 };
  const sequence = { seed: 1 };
  const ids = new Ids(sequence);
  const clock = new EmulatorClock(clockOptions, offset);
  const seeded = seedState(seed, catalogue, clock.iso(), () => ids.uuid());
  const state: State = { clock: offset, ids: sequence, published, ...seeded };
  const faults = new Faults(state.faults, operationNames);
  const rateWindow = new RateLimit(rateLimit, clock, state.rateWindow);
  const courier = new DeliverySender(state, clock, deliverySettings(deliveries), clockOptions.running ?? false);
  const deliver = () => courier.wake();
  const world: World = { state, catalogue, clock, ids, settings: projectSettings(project), deliver };
  const alarm = new ExpiryTimer(world, clockOptions.running ?? false);
  alarm.set();
  clock.onAdvance(() => {
    expireOverdue(world);
    alarm.set();
  });
  const answer = mount(handlers, { ...world, faults, rateWindow, onRequest }, [
    ...linkPages,
    storageRoute,
    ...sessionMcp,
  ]);
  const serve = (request: Request) => {
    // A clock that runs passes times that nobody told it to.
    expireOverdue(world);
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

/** What the emulator does, for every operation of the contract. */
export const handlers: Handlers = {
  ...apiKeys,
  ...authConfigs,
  ...connectedAccounts,
  ...execution,
  ...files,
  ...integrations,
  ...logs,
  ...mcp,
  ...projects,
  ...session,
  ...toolRouter,
  ...toolkits,
  ...tools,
  ...triggers,
  ...usage,
  ...webhookEndpoints,
  ...webhookSubscriptions,
};
