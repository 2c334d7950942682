// An event is handled once: its deliveries come to several receivers that share a dedupe store.
import { signedDelivery } from "../../../src/testing/index.js";
import { createReceiver, type DedupeStore, memoryDeliveries } from "../../../src/webhooks/index.js";
import type { Definition, Faults, Process, World } from "../world.js";

const SECRET = "whsec_a secret for the search, 0123456789";
/** How often a sender delivers an event again. */
const MOST_DELIVERIES = 30;

/** The facts about the one event of this world. */
class Event {
  /** The processes in which its handler runs now. */
  readonly running = new Set<Process>();
  /** Until when each process holds the claim, as the store has told it. */
  readonly leases = new Map<Process, number>();
  isHandled = false;
  isAcknowledged = false;
  isCommitted = false;
  /** How often its handler fails. */
  failures = 0;
}

/** Records until when a process holds the claim: no other may hold it then. */
function lease(event: Event, process: Process, leaseMs: number): void {
  const { now } = process.world.time;
  for (const [other, until] of event.leases) {
    if (other !== process && until > now) process.world.violate(`${process.name} and ${other.name} hold a claim.`);
  }
  event.leases.set(process, now + leaseMs);
}

/** Each process gets the event `deliveries` times, and again until it responds that the event is handled. */
export function receiver(
  name: string,
  deliveries: readonly number[],
  faults: Faults,
  { failures = 0 }: { failures?: number } = {},
): Definition {
  return {
    name,
    faults,
    start(world) {
      const store = memoryDeliveries();
      const event = new Event();
      event.failures = failures;
      deliveries.forEach((count, index) => {
        world.spawn(`P${index + 1}`, (process) => receive(world, process, watched(store, event), event, count));
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
    onUnhandled: () => handle(world, process, event),
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

async function handle(world: World, process: Process, event: Event): Promise<void> {
  world.note("handler", `the handler starts in ${process.name}`);
  if (event.isCommitted) world.violate("The handler runs again after the event was committed.");
  if (event.isAcknowledged) world.violate("The handler runs again after the event was acknowledged.");
  for (const other of event.running) {
    if (!other.isDead && (event.leases.get(other) ?? 0) > world.time.now) {
      world.violate(`The handler starts in ${process.name} while it runs in ${other.name} under a valid lease.`);
    }
  }
  event.running.add(process);
  await process.pause("the handler's work");
  event.running.delete(process);
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
      const claim = await store.claim(id, leaseMs);
      if (claim.status === "claimed") lease(event, process, leaseMs);
      return claim;
    },
    renew: async (id, token, leaseMs) => {
      const isOurs = await store.renew(id, token, leaseMs);
      if (isOurs) lease(event, process, leaseMs);
      else event.leases.delete(process);
      return isOurs;
    },
    commit: async (id, token) => {
      const isOurs = await store.commit(id, token);
      if (isOurs) {
        event.isCommitted = true;
        event.leases.clear();
      }
      return isOurs;
    },
    release: async (id, token) => {
      event.leases.delete(process);
      await store.release(id, token);
    },
  });
}
