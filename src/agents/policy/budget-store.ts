import * as option from "../../errors/option-rules.js";

/** An amount that one call uses of one budget. */
export interface Charge {
  /** Identifies the budget and for whom it counts. */
  readonly key: string;
  /** How much the call uses: an integer of at least 0. */
  readonly amount: number;
  /** How much may be used within the period. */
  readonly limit: number;
  /** Length of the period in milliseconds; `undefined` for one that never ends. */
  readonly windowMs: number | undefined;
}

/**
 * Counts calls for budgets. Use `memoryBudgets()` in one process, and `redisBudgets` or `postgresBudgets` from
 * `svc-sdk/stores` in several.
 *
 * In any period of `windowMs`, at most `limit` is counted under a key. A charge may count a little longer than
 * `windowMs`, never shorter.
 */
export interface BudgetStore {
  /**
   * Counts all charges, or none. Atomic: simultaneous callers together never exceed a limit. If it rejects, nothing
   * runs, and the charges may have been counted.
   *
   * @param charges - At least one charge, each with a different key.
   * @returns `undefined` if all charges were counted; otherwise the index of the first charge that exceeds its limit.
   */
  consume(charges: readonly Charge[]): Promise<number | undefined>;
  /** Returns the amount that counts now under a key, without counting anything; 0 if nothing was counted. */
  read(counted: Pick<Charge, "key" | "windowMs">): Promise<number>;
}

/**
 * A period is counted in so many steps. What was counted in a step is kept until all of it is older than the period.
 */
export const STEPS = 60;

/** Options of {@link memoryBudgets}. */
export interface MemoryBudgetsOptions {
  /**
   * The time in milliseconds, from any start.
   * @default performance.now
   */
  readonly now?: (() => number) | undefined;
}

/** The amounts counted under a key, by step. */
interface Counter {
  readonly steps: Map<number, number>;
  /** When all of it is older than its period. */
  endsAt: number;
}

const MEMORY_BUDGETS_OPTIONS = {
  now: { ...option.FUNCTION, default: () => performance.now() },
} as const satisfies option.Rules<MemoryBudgetsOptions>;

/**
 * Creates a store in this process's memory, for one process. A restart clears it.
 *
 * @throws {ConfigError} for an unknown or invalid option.
 */
export function memoryBudgets(options: MemoryBudgetsOptions = {}): BudgetStore {
  const { now } = option.checkAll("memoryBudgets", options, MEMORY_BUDGETS_OPTIONS);
  /** By the length of their period: of those with the same one, the one used last ends last, and is last. */
  const periods = new Map<number | undefined, Map<string, Counter>>();
  const usedIn = ({ key, windowMs }: Pick<Charge, "key" | "windowMs">, time: number): number => {
    const oldest = stepOf(time, windowMs) - STEPS;
    let used = 0;
    for (const [step, amount] of periods.get(windowMs)?.get(key)?.steps ?? []) if (step >= oldest) used += amount;
    return used;
  };
  return {
    read: async (counted) => usedIn(counted, now()),
    consume: async (charges) => {
      const time = now();
      for (const counters of periods.values()) {
        for (const [key, { endsAt }] of counters) {
          if (endsAt > time) break;
          counters.delete(key);
        }
      }
      for (const [index, charge] of charges.entries()) {
        if (usedIn(charge, time) + charge.amount > charge.limit) return index;
      }
      for (const { key, amount, windowMs } of charges) {
        const counters = periods.get(windowMs) ?? new Map<string, Counter>();
        periods.set(windowMs, counters);
        const step = stepOf(time, windowMs);
        const steps = new Map(counters.get(key)?.steps);
        for (const old of steps.keys()) if (old < step - STEPS) steps.delete(old);
        steps.set(step, (steps.get(step) ?? 0) + amount);
        const endsAt = windowMs === undefined ? Number.POSITIVE_INFINITY : time + lengthOf(windowMs) * (STEPS + 1);
        counters.delete(key);
        counters.set(key, { steps, endsAt });
      }
      return undefined;
    },
  };
}

/** Length of a step in milliseconds; 0 without a period. */
export function lengthOf(windowMs: number | undefined): number {
  return windowMs === undefined ? 0 : Math.ceil(windowMs / STEPS);
}

function stepOf(time: number, windowMs: number | undefined): number {
  return windowMs === undefined ? 0 : Math.floor(time / lengthOf(windowMs));
}
