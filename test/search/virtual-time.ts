// Time, identifiers and digests of a run. All of them are the scheduler's, so that a run can be repeated exactly.
import { createHash, createHmac } from "node:crypto";
import type { Process, World } from "./world.js";

interface Timer {
  readonly id: number;
  readonly at: number;
  readonly process: Process | undefined;
  run(): void;
}

/** The time of one run, in milliseconds. It passes only if the scheduler lets a timer fire. */
export class VirtualTime {
  now = 0;
  /** Whether a timer was ever set: only then can results depend on the time. */
  isUsed = false;
  readonly #world: World;
  readonly #timers = new Map<number, Timer>();
  #ids = 0;

  constructor(world: World) {
    this.#world = world;
  }

  set(run: () => void, afterMs = 0): number {
    this.isUsed = true;
    const id = ++this.#ids;
    const at = this.now + Math.max(0, afterMs);
    this.#timers.set(id, { id, at, process: this.#world.current, run });
    return id;
  }

  clear(id: number): void {
    this.#timers.delete(id);
  }

  /** When the timers fire, and whose they are. */
  get pending(): string {
    return Array.from(this.#timers.values(), ({ at, process }) => `${process?.name} ${at}`)
      .sort()
      .join();
  }

  /** The timers that may fire next: of each process the one that it set first, of those that are due first. */
  due(): Timer[] {
    const due = new Map<Process | undefined, Timer>();
    let first = Number.POSITIVE_INFINITY;
    for (const timer of this.#timers.values()) {
      if (timer.at < first) due.clear();
      first = Math.min(first, timer.at);
      if (timer.at === first && !due.has(timer.process)) due.set(timer.process, timer);
    }
    return [...due.values()];
  }

  advanceTo(timer: Timer): void {
    this.#timers.delete(timer.id);
    this.now = Math.max(this.now, timer.at);
  }

  /** Removes the timers of a process that died. */
  drop(process: Process): void {
    for (const timer of this.#timers.values()) if (timer.process === process) this.#timers.delete(timer.id);
  }
}

/** The start of each run, in milliseconds since 1970. */
const EPOCH = Date.UTC(2026, 0, 1);

/** The run whose code uses this thread's clocks and ids. */
export const running: { world: World | undefined } = { world: undefined };

/** The result of `setTimeout` in Node, as far as the SDK uses it. */
class TimerHandle {
  readonly id: number;
  constructor(id: number) {
    this.id = id;
  }
  unref(): this {
    return this;
  }
}

/** The most results that are remembered. */
const MOST_REMEMBERED = 10_000;

/** Remembers the results of a slow function of bytes: most runs of a search digest the same ones. */
function remembered(make: (data: Buffer) => Buffer): (data: Buffer) => Buffer {
  const results = new Map<string, Buffer>();
  return (data) => {
    const key = data.toString("latin1");
    const known = results.get(key);
    if (known) return known;
    const made = make(data);
    if (results.size < MOST_REMEMBERED) results.set(key, made);
    return made;
  };
}

/**
 * Replaces the clocks, timers, random numbers and asynchronous digests of this thread by those of the run. Only a thread
 * that does nothing else may call it.
 */
export function virtualize(): void {
  const worldOf = () => {
    if (!running.world) throw new Error("No run uses this thread.");
    return running.world;
  };
  const setTimer = (run: (...args: unknown[]) => void, afterMs?: number, ...args: unknown[]) =>
    new TimerHandle(worldOf().time.set(() => run(...args), afterMs));
  const clearTimer = (handle: unknown) => {
    if (handle instanceof TimerHandle) running.world?.time.clear(handle.id);
  };
  // What has to be drained before the next step would otherwise run after it.
  const soon = (run: (...args: unknown[]) => void, ...args: unknown[]) => queueMicrotask(() => run(...args));
  Object.assign(globalThis, { setTimeout: setTimer, clearTimeout: clearTimer, setImmediate: soon });
  performance.now = () => running.world?.time.now ?? 0;
  Date.now = () => EPOCH + (running.world?.time.now ?? 0) + (running.world?.current?.wallOffsetMs ?? 0);
  globalThis.Date = new Proxy(Date, {
    construct: (target, args, type) => Reflect.construct(target, args.length === 0 ? [Date.now()] : args, type),
  });
  Math.random = () => 0.5;
  const randomUUID = () => {
    const process = running.world?.current;
    if (process) process.ids += 1;
    return `${process?.name ?? "world"}-${process?.ids ?? 0}-0-0-0` as const;
  };
  const bytesOf = (data: ArrayBuffer | ArrayBufferView) =>
    ArrayBuffer.isView(data) ? Buffer.from(data.buffer, data.byteOffset, data.byteLength) : Buffer.from(data);
  const copyOf = (bytes: Buffer) => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const digest = remembered((data) => createHash("sha256").update(data).digest());
  const macs = new Map<string, (data: Buffer) => Buffer>();
  const mac = (key: { raw: Buffer }, data: ArrayBuffer) => {
    const id = key.raw.toString("latin1");
    const make = macs.get(id) ?? remembered((bytes) => createHmac("sha256", key.raw).update(bytes).digest());
    macs.set(id, make);
    return make(bytesOf(data));
  };
  const subtle = {
    digest: async (_: unknown, data: ArrayBuffer) => copyOf(digest(bytesOf(data))),
    importKey: async (_: unknown, raw: ArrayBuffer) => ({ raw: bytesOf(raw) }),
    sign: async (_: unknown, key: { raw: Buffer }, data: ArrayBuffer) => copyOf(mac(key, data)),
    verify: async (_: unknown, key: { raw: Buffer }, signature: ArrayBuffer, data: ArrayBuffer) =>
      mac(key, data).equals(bytesOf(signature)),
  };
  Object.defineProperty(globalThis, "crypto", { value: { randomUUID, subtle }, configurable: true });
}
