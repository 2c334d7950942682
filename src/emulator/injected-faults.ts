import { ConfigError } from "../errors/local.js";

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
    for (const rule of this.#state.rules) {
      if (rule.operation !== "*" && rule.operation !== operation) continue;
      if (rule.left === 0) continue;
      rule.seen += 1;
      if (rule.seen % rule.every !== 0) continue;
      if (rule.left !== null) rule.left -= 1;
      return rule.fault;
    }
    return undefined;
  }

  #add(rule: FaultRule): void {
    if (!this.#operations.has(rule.operation)) {
      throw new ConfigError(
        `There is no operation ${rule.operation}. Name it like the method, tools.execute, or use "*".`,
      );
    }
    if (!Number.isInteger(rule.every) || rule.every < 1)
      throw new ConfigError("A fault hits every nth request, n being 1 or more.");
    this.#state.rules.push(rule);
  }
}
