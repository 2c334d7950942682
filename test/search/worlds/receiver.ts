// An event is handled once: its deliveries come to several receivers that share a dedupe store.
import { signedDelivery } from "../../../src/testing/index.js";
import { createReceiver, type DedupeStore, memoryDeliveries } from "../../../src/webhooks/index.js";
import type { Definition, Faults, Process, World } from "../world.js";

const SECRET = "whsec_a secret for the search, 0123456789";
/** How often a sender delivers an event again. */
const MOST_DELIVERIES = 30;

/** A claim that the store has granted, as the store and the handler's effects show it. */
interface GrantedClaim {
  readonly process: Process;
  /** The end of its lease. */
  until: number;
  isReleased: boolean;
  /** Whether a copy of the handler runs with it. */
  isRunning: boolean;
}

/** The facts about the one event of this world. */
class Event {
  /** Every claim, by its token. */
  readonly claims = new Map<string, GrantedClaim>();
  isHandled = false;
  isAcknowledged = false;
  isCommitted = false;
  /** How often its handler fails. */
  failures = 0;
  /** How long its handler runs, besides its work. */
  handlerMs = 0;
}

/** The claim that the store has granted or extended. No other one may be valid. */
function extend(event: Event, process: Process, token: string, leaseMs: number): void {
  const { world } = process;
  const { now } = world.time;
  for (const [other, { until, isReleased, process: holder }] of event.claims) {
    if (other !== token && !isReleased && until > now)
      world.violate(`${process.name} and ${holder.name} hold a claim.`);
  }
  const claim = event.claims.get(token);
  if (claim?.isReleased) world.violate(`${process.name} has a claim again that it had released.`);
  if (claim) claim.until = now + leaseMs;
  else event.claims.set(token, { process, until: now + leaseMs, isReleased: false, isRunning: false });
}

/** Each process gets the event `deliveries` times, and again until it responds that the event is handled. */
export function receiver(
  name: string,
  deliveries: readonly number[],
  faults: Faults,
  { failures = 0, handlerMs = 0 }: { failures?: number; handlerMs?: number } = {},
): Definition {
  return {
    name,
    faults,
    start(world) {
      const store = memoryDeliveries();
      const event = new Event();
      Object.assign(event, { failures, handlerMs });
      deliveries.forEach((count, index) => {
        world.spawnTwin(`P${index + 1}`, String(count), (process) =>
          receive(world, process, watched(store, event), event, count),
        );
      });
    },
  };
}

async function receive(
  world: World,
  process: Process,
  store: (process: Process) => DedupeStore,
  event: Event,
  count: number,
): Promise<void> {
  const receiver = createReceiver({
    secrets: [SECRET],
    store: process.through("dedupe", store(process), (_, [id]) => String(id)),
    on: {},
    onUnhandled: (_, { claim }) => handle(world, process, event, claim),
    onError: () => {},
  });
  const deliver = async () => {
    for (let tries = 0; tries < MOST_DELIVERIES; tries += 1) {
      const { request } = signedDelivery({ secret: SECRET, id: "msg_1", timestamp: new Date(Date.now()) });
      const { status } = await receiver(request);
      if (status === 200) {
        if (!event.isHandled) world.violate("An event was acknowledged that no handler has handled.");
        event.isAcknowledged = true;
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, 5_000));
    }
    world.violate(`The event was delivered ${MOST_DELIVERIES} times and never acknowledged.`);
  };
  await Promise.all(Array.from({ length: count }, deliver));
}

async function handle(world: World, process: Process, event: Event, token: string): Promise<void> {
  world.note("handler", `the handler starts in ${process.name}`);
  if (event.isCommitted) world.violate("The handler runs again after the event was committed.");
  if (event.isAcknowledged) world.violate("The handler runs again after the event was acknowledged.");
  for (const { isRunning, until, process: other } of event.claims.values()) {
    if (isRunning && !other.isDead && until > world.time.now) {
      world.violate(`The handler starts in ${process.name} while a copy runs in ${other.name} under a valid lease.`);
    }
  }
  const claim = event.claims.get(token);
  if (!claim) world.violate(`The handler runs in ${process.name} with a claim that the store hasn't granted.`);
  claim.isRunning = true;
  await process.pause("the handler's work");
  if (event.handlerMs > 0) await new Promise((resolve) => setTimeout(resolve, event.handlerMs));
  claim.isRunning = false;
  world.note("handler", `the handler ends in ${process.name}`);
  if (event.failures > 0) {
    event.failures -= 1;
    throw new Error("the handler failed");
  }
  event.isHandled = true;
}

/** The store, and what it has promised to whom. */
function watched(store: DedupeStore, event: Event): (process: Process) => DedupeStore {
  return (process) => ({
    claim: async (id, leaseMs) => {
      const { now } = process.world.time;
      const isHeld = [...event.claims.values()].some(({ isReleased, until }) => !isReleased && until > now);
      const claim = await store.claim(id, leaseMs);
      if (claim.status === "claimed") extend(event, process, claim.token, leaseMs);
      if (claim.status === "running" && !isHeld) process.world.violate("A released event can't be claimed.");
      return claim;
    },
    renew: async (id, token, leaseMs) => {
      const isOurs = await store.renew(id, token, leaseMs);
      if (isOurs) extend(event, process, token, leaseMs);
      return isOurs;
    },
    commit: async (id, token) => {
      const isOurs = await store.commit(id, token);
      if (isOurs) {
        event.isCommitted = true;
        event.claims.clear();
      }
      return isOurs;
    },
    release: async (id, token) => {
      await store.release(id, token);
      const claim = event.claims.get(token);
      if (claim) claim.isReleased = true;
    },
  });
}
