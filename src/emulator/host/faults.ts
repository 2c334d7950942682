import * as z from "zod/mini";
import { mismatchesOf } from "../../contract/check.js";
import { ConfigError, describeMismatches } from "../../errors/local.js";
import { request } from "../../schema-kit.js";

/** What can be made to go wrong. */
export interface InjectedFault {
  /** Answer this status instead. */
  readonly status?: number | undefined;
  /** The body of that answer; the service's error object when left out, the limiter's own for 429. */
  readonly body?: unknown;
  /** Headers of that answer. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sets Retry-After on that answer, in seconds. */
  readonly retryAfterSeconds?: number | undefined;
  /** Wait this long before anything else, in milliseconds of the emulator's clock. */
  readonly delayMs?: number | undefined;
  /** `hang`: never answer. `reset`: break the connection. `truncate`: break it in the middle of the body. */
  readonly connection?: "hang" | "reset" | "truncate" | undefined;
  /**
   * Whether the operation runs all the same: `after` lets it act and then spoils the answer.
   * @default "before"
   */
  readonly when?: "before" | "after" | undefined;
}

/** A fault as it may be stated, in process or over the control plane. */
export const FaultShape = request({
  status: z.optional(z.number().check(z.int(), z.minimum(200), z.maximum(599))),
  body: z.optional(z.unknown()),
  headers: z.optional(z.record(z.string(), z.string())),
  retryAfterSeconds: z.optional(z.number()),
  delayMs: z.optional(z.number()),
  connection: z.optional(z.enum(["hang", "reset", "truncate"])),
  when: z.optional(z.enum(["before", "after"])),
});

/** Which requests a fault hits. */
export interface FaultRule {
  /** An operation (`tools.execute`), or `*` for all. */
  readonly operation: string;
  readonly fault: InjectedFault;
  /** Hits every nth matching request; 1 is each of them. */
  readonly every: number;
  /** Requests it will still hit; null is no end. */
  left: number | null;
  /** Matching requests seen. */
  seen: number;
}

/** A rule as a test states it. */
export interface FaultOptions {
  /**
   * How many requests it hits.
   * @default 1 for `next`, no end for `every`
   */
  readonly times?: number | undefined;
}

/** Makes the emulator misbehave, one operation at a time. */
export class Faults {
  readonly #state: { rules: FaultRule[] };
  readonly #operations: ReadonlySet<string>;

  constructor(state: { rules: FaultRule[] }, operations: Iterable<string>) {
    this.#state = state;
    this.#operations = new Set([...operations, "*"]);
  }

  /** Hits the next request of an operation, or the next `times` ones. `*` stands for every operation. */
  next(operation: string, fault: InjectedFault, { times = 1 }: FaultOptions = {}): void {
    this.#add({ operation, fault, every: 1, left: times, seen: 0 });
  }

  /** Hits every nth request of an operation. */
  every(nth: number, operation: string, fault: InjectedFault, { times }: FaultOptions = {}): void {
    this.#add({ operation, fault, every: nth, left: times ?? null, seen: 0 });
  }

  /** Takes all faults back. */
  clear(): void {
    this.#state.rules = [];
  }

  /** The fault that hits this request, counted. */
  take(operation: string): InjectedFault | undefined {
    const matching = this.#state.rules.filter(
      (rule) => (rule.operation === "*" || rule.operation === operation) && rule.left !== 0,
    );
    // Every rule counts every request it matches, whichever of them hits it.
    for (const rule of matching) rule.seen += 1;
    const hit = matching.find((rule) => rule.seen % rule.every === 0);
    if (hit && hit.left !== null) hit.left -= 1;
    return hit?.fault;
  }

  #add(rule: FaultRule): void {
    if (!this.#operations.has(rule.operation)) {
      throw new ConfigError(
        `There is no operation ${rule.operation}. Name it like the method, tools.execute, or use "*".`,
      );
    }
    const problem = ruleProblem(rule) ?? shapeProblem(rule.fault) ?? faultProblem(rule.fault);
    if (problem !== undefined) throw new ConfigError(problem);
    this.#state.rules.push(rule);
  }
}

const isCount = (value: number) => Number.isInteger(value) && value >= 1;

function ruleProblem({ every, left }: FaultRule): string | undefined {
  if (!isCount(every)) return "A fault hits every nth request, n being a whole number from 1.";
  if (left !== null && !isCount(left)) return "A fault hits at least one request: times must be a whole number from 1.";
  return undefined;
}

function shapeProblem(fault: InjectedFault): string | undefined {
  const mismatches = mismatchesOf(FaultShape, fault);
  return mismatches.length > 0 ? `The fault does not fit: ${describeMismatches(mismatches)}.` : undefined;
}

function faultProblem({ status, body, headers, retryAfterSeconds, delayMs, connection }: InjectedFault) {
  if (status === undefined && delayMs === undefined && connection === undefined) {
    return "A fault needs a status, a connection or a delayMs: without them nothing would happen.";
  }
  if (status !== undefined && connection !== undefined) {
    return "A fault has a status or breaks the connection, not both.";
  }
  if (status === undefined && (body !== undefined || headers || retryAfterSeconds !== undefined)) {
    return "A fault's body, headers and retryAfterSeconds belong to an answer: give it a status.";
  }
  const durations = { delayMs, retryAfterSeconds };
  const odd = Object.entries(durations).find(([, value]) => value !== undefined && !(value >= 0 && value < Infinity));
  if (odd) return `A fault's ${odd[0]} must be a number from 0.`;
  try {
    new Headers(headers);
  } catch {
    return "A fault's headers must be valid HTTP headers.";
  }
  return undefined;
}

/** A connection that an injected fault breaks. The front (in process, on a port) makes it real in its own way. */
export class BrokenConnection extends Error {
  readonly how: "hang" | "reset" | "truncate";
  /** For `truncate`: the answer whose body is cut in half. */
  readonly answer: Response | undefined;

  constructor(how: BrokenConnection["how"], answer?: Response) {
    super(how);
    this.how = how;
    this.answer = answer;
  }
}

/** The broken connection as a `fetch` in the same process shows it. */
export async function breakInProcess({ how, answer }: BrokenConnection, signal: AbortSignal): Promise<Response> {
  switch (how) {
    case "hang":
      return new Promise((_, reject) => {
        if (signal.aborted) reject(signal.reason);
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
    case "reset":
      throw connectionReset();
    default: {
      const { half } = await firstHalf(answer);
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(half),
        pull: (controller) => controller.error(connectionReset()),
      });
      return new Response(body, { status: answer?.status ?? 200, headers: answer?.headers ?? {} });
    }
  }
}

/** The first half of a body's bytes, and how many there are in all. */
export async function firstHalf(answer: Response | undefined): Promise<{ half: Uint8Array; length: number }> {
  const bytes = new Uint8Array((await answer?.arrayBuffer()) ?? new ArrayBuffer(0));
  const { length } = bytes;
  return { half: bytes.subarray(0, Math.floor(length / 2)), length };
}

function connectionReset(): TypeError {
  return new TypeError("fetch failed", { cause: Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }) });
}
