// Deliveries in runtimes whose timers differ: those of Node keep a process alive, those of browsers are numbers.
import { signedDelivery } from "../../../src/testing/index.js";
import { createReceiver, memoryDeliveries } from "../../../src/webhooks/index.js";
import type { Definition } from "../world.js";
import { scripted } from "./scripted.js";

const secret = "whsec_a secret for the search, 0123456789";
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

type Timer = object & { unref?: () => unknown };
type SetTimer = (run: () => void, ms?: number) => Timer;

/** Runs a script while timers are numbers, or while it is known which of them keep the process alive. */
async function withTimers(areNumbers: boolean, script: (held: ReadonlySet<unknown>) => Promise<void>): Promise<void> {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const held = new Set<unknown>();
  const numbers = new Map<unknown, Timer>();
  const setTimer: SetTimer = (run, ms) => {
    // Here timers are those of Node.
    const timer = (set as unknown as SetTimer)(() => {
      held.delete(timer);
      run();
    }, ms);
    held.add(timer);
    timer.unref = () => held.delete(timer);
    const number = numbers.size + 1;
    numbers.set(number, timer);
    return areNumbers ? (number as never) : timer;
  };
  const clearTimer = (timer: unknown) => {
    const own = numbers.get(timer) ?? timer;
    held.delete(own);
    clear(own as never);
  };
  Object.assign(globalThis, { setTimeout: setTimer, clearTimeout: clearTimer });
  try {
    await script(held);
  } finally {
    Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  }
}

/** The status of a delivery with this handler. */
async function deliver(handle: () => Promise<unknown>): Promise<number> {
  const receive = createReceiver({
    ...{ secrets: [secret], handlerTimeoutMs: 10_000, store: memoryDeliveries(), on: {}, onError: () => {} },
    onUnhandled: async () => {
      await handle();
    },
  });
  const { request } = signedDelivery({ secret, id: "a", timestamp: new Date(Date.now()) });
  return (await receive(request)).status;
}

export const runtimes: readonly Definition[] = [
  scripted("deliveries: 1 receiver, a handler that is late keeps no process alive", async (_, see) => {
    await withTimers(false, async (held) => {
      let end = () => {};
      const handling = new Promise<void>((resolve) => {
        end = resolve;
      });
      see("its response", await deliver(() => handling), 503);
      await wait(60_000);
      see("timers that keep it alive", held.size, 0);
      end();
    });
  }),
  scripted("deliveries: 1 receiver, timers that are numbers", async (_, see) => {
    await withTimers(true, async () => {
      see("a handler that needs renewals", await deliver(() => wait(9_000)), 200);
    });
  }),
];
