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

  /** The timer that fires next. */
  next(): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers.values()) if (!next || timer.at < next.at) next = timer;
    return next;
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
  Math.random = () => 0.5;
  const randomUUID = () => {
    const process = running.world?.current;
    if (process) process.ids += 1;
    return `${process?.name ?? "world"}-${process?.ids ?? 0}-0-0-0` as const;
  };
  const bytesOf = (data: ArrayBuffer | ArrayBufferView) =>
    ArrayBuffer.isView(data) ? Buffer.from(data.buffer, data.byteOffset, data.byteLength) : Buffer.from(data);
  const copyOf = (bytes: Buffer) => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const mac = (key: { raw: Buffer }, data: ArrayBuffer) => createHmac("sha256", key.raw).update(bytesOf(data)).digest();
  const subtle = {
    digest: async (_: unknown, data: ArrayBuffer) => copyOf(createHash("sha256").update(bytesOf(data)).digest()),
    importKey: async (_: unknown, raw: ArrayBuffer) => ({ raw: bytesOf(raw) }),
    sign: async (_: unknown, key: { raw: Buffer }, data: ArrayBuffer) => copyOf(mac(key, data)),
    verify: async (_: unknown, key: { raw: Buffer }, signature: ArrayBuffer, data: ArrayBuffer) =>
      mac(key, data).equals(bytesOf(signature)),
  };
  Object.defineProperty(globalThis, "crypto", { value: { randomUUID, subtle }, configurable: true });
}
