import { readShape } from "../../contract/check-shape.js";
import { ConfigError } from "../../errors/local.js";
import { object } from "../../resources/schema-kit.js";
import { didYouMean } from "../../shared/nearest-name.js";
import { rejectionBy } from "../../shared/timers.js";
import type { FaultOperation } from "./fault-operation.js";
import { type FaultRule, InjectedFault } from "./fault-schema.js";
import { count, FaultOptions } from "./options-schema.js";

/** Injects faults into the responses of an operation. */
export class Faults {
  readonly #state: { rules: FaultRule[] };
  readonly #operations: ReadonlySet<string>;
  readonly #onChange: () => void;

  /** @internal */
  constructor(state: { rules: FaultRule[] }, operations: Iterable<string>, onChange: () => void) {
    this.#state = state;
    this.#onChange = onChange;
    this.#operations = new Set([...operations, "*"]);
  }

  /**
   * Injects a fault into the next request of an operation, or the next `times` requests. `*` matches every operation.
   *
   * @throws {ConfigError} for an unknown operation or option, or an invalid fault.
   */
  next(operation: FaultOperation, fault: InjectedFault, options: FaultOptions = {}): void {
    this.#add({ operation, fault, every: 1, remaining: 1, matched: 0 }, options);
  }

  /**
   * Injects a fault into every nth request of an operation.
   *
   * @throws {ConfigError} for an unknown operation or option, or an invalid fault.
   */
  every(nth: number, operation: FaultOperation, fault: InjectedFault, options: FaultOptions = {}): void {
    this.#add({ operation, fault, every: nth, remaining: null, matched: 0 }, options);
  }

  /** The injected faults, oldest first. One that has nothing left to apply to is omitted. */
  get items(): readonly Readonly<FaultRule>[] {
    return this.#state.rules.filter(({ remaining }) => remaining !== 0);
  }

  /**
   * Removes one fault.
   *
   * @param id the `id` of one of `items`.
   * @throws {ConfigError} for an unknown id.
   */
  remove(id: number): void {
    if (!this.items.some((rule) => rule.id === id)) throw new ConfigError(`faults.remove: there's no fault ${id}.`);
    this.#state.rules = this.#state.rules.filter((rule) => rule.id !== id);
    this.#onChange();
  }

  /** Removes all faults. */
  clear(): void {
    this.#state.rules = [];
    this.#onChange();
  }

  /** Counts a request, and returns the fault that applies to it. @internal */
  take(operation: string): InjectedFault | undefined {
    const matching = this.#state.rules.filter(
      (rule) => (rule.operation === "*" || rule.operation === operation) && rule.remaining !== 0,
    );
    // Every rule counts every request it matches, even if another rule applies.
    for (const rule of matching) Object.assign(rule, { matched: rule.matched + 1 });
    const hit = matching.find((rule) => rule.matched % rule.every === 0);
    if (hit && hit.remaining !== null) Object.assign(hit, { remaining: hit.remaining - 1 });
    if (hit?.remaining === 0) this.#onChange();
    return hit?.fault;
  }

  #add(byDefault: Omit<FaultRule, "id">, given: FaultOptions): void {
    const name = String(byDefault.operation);
    if (!this.#operations.has(name)) {
      const advice = ' Pass a name like tools.execute, or "*" for all.';
      throw new ConfigError(`faults: unknown operation ${name}.${didYouMean(name, [...this.#operations], advice)}`);
    }
    const added = { n: byDefault.every, fault: byDefault.fault, options: given };
    const { fault, options } = readShape(Added, added, "faults");
    const problem = problemOf(fault);
    if (problem !== undefined) throw new ConfigError(`faults: ${problem}`);
    const rule = { ...byDefault, fault, remaining: options.times ?? byDefault.remaining };
    const id = 1 + this.#state.rules.reduce((highest, other) => Math.max(highest, other.id), 0);
    this.#state.rules.push({ ...rule, id });
    this.#onChange();
  }
}

/** A fault and how often it applies. */
const Added = object({ n: count, fault: InjectedFault, options: FaultOptions });

function problemOf(fault: InjectedFault): string | undefined {
  const { status, body, headers, retryAfterSeconds, delayMs, connection } = fault;
  if (status === undefined && delayMs === undefined && connection === undefined) {
    return "the fault has no effect. Set status, connection, or delayMs.";
  }
  if (status !== undefined && connection !== undefined) return "status and connection can't be combined.";
  if (status === undefined && (body !== undefined || headers || retryAfterSeconds !== undefined)) {
    return "body, headers, and retryAfterSeconds require a status.";
  }
  if (body !== undefined && !isWritable(body)) return "body can't be written as JSON.";
  try {
    new Headers(headers);
  } catch {
    return "headers must be valid HTTP headers.";
  }
  return undefined;
}

function isWritable(body: unknown): boolean {
  try {
    return JSON.stringify(body) !== undefined;
  } catch {
    return false;
  }
}

/** A connection broken by an injected fault. In process and on a port, it's broken in different ways. */
export class BrokenConnection extends Error {
  readonly how: "hang" | "reset" | "truncate";
  /** For `truncate`: the response whose body is cut in half. */
  readonly response: Response | undefined;

  constructor(how: BrokenConnection["how"], response?: Response) {
    super(how);
    this.how = how;
    this.response = response;
  }
}

/** Lets a `fetch` in the same process fail like a broken connection. */
export async function breakInProcess({ how, response }: BrokenConnection, signal: AbortSignal): Promise<Response> {
  switch (how) {
    case "hang":
      return rejectionBy(signal);
    case "reset":
      throw connectionReset();
    default: {
      const { half } = await firstHalf(response);
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(half),
        pull: (controller) => controller.error(connectionReset()),
      });
      return new Response(body, { status: response?.status ?? 200, headers: response?.headers ?? {} });
    }
  }
}

/** The first half of a body, and the length of all of it. */
export async function firstHalf(response: Response | undefined): Promise<{ half: Uint8Array; length: number }> {
  const bytes = new Uint8Array((await response?.arrayBuffer()) ?? new ArrayBuffer(0));
  const { length } = bytes;
  return { half: bytes.subarray(0, Math.floor(length / 2)), length };
}

function connectionReset(): TypeError {
  return new TypeError("fetch failed", { cause: Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }) });
}
