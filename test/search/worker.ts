// A thread that searches worlds. Its clocks, timers and random numbers are the runs' own, so it does nothing else.
import { parentPort } from "node:worker_threads";
import { LARGE, SMALL } from "./catalog.js";
import { type Limits, type Report, realNow, replay, searchAll, searchRandomly } from "./search.js";
import { running, virtualize } from "./virtual-time.js";
import { type Definition, Violation } from "./world.js";

/** How many schedules of each world a search runs that stops, in its first rounds. */
const FIRST_SCHEDULES = [20, 300];

/** The search of one thread. */
export interface Job extends Limits {
  /** Names of worlds, or prefixes of names; all small ones by default. */
  readonly worlds?: readonly string[];
  /** Searches at random, from this seed. */
  readonly seed?: number;
  /** Runs these choices only. */
  readonly schedule?: readonly number[];
  /** Stops at the first broken promise, and looks for it in all worlds at once. */
  readonly stops?: boolean;
  /** Time for all worlds, in milliseconds. */
  readonly totalMs?: number;
}

declare global {
  /** Of sources with mutants in them: how often the code of each has run, by world and by its id. */
  var __stryker__: { currentTestId?: string; readonly mutantCoverage?: MutantCoverage } | undefined;
}

type Hits = Readonly<Record<string, number>>;

/** Which mutants the code of each world has reached, and which it reached before any world. */
export interface MutantCoverage {
  readonly static: Hits;
  readonly perTest: Readonly<Record<string, Hits>>;
}

/** The names of all worlds. */
export interface WorldNames {
  readonly small: readonly string[];
  readonly large: readonly string[];
}

async function run({
  worlds,
  seed,
  schedule,
  stops,
  totalMs = Number.POSITIVE_INFINITY,
  ...limits
}: Job): Promise<void> {
  const named = (one: string) => [...SMALL, ...LARGE].filter(({ name }) => name === one || name.startsWith(`${one}:`));
  // In the order in which they are named.
  const chosen = worlds ? worlds.flatMap(named) : SMALL;
  const endsAt = realNow() + totalMs;
  // Some schedules of each world break most promises that can be broken, so none is searched completely before.
  const rounds = stops ? [...FIRST_SCHEDULES.map((mostSchedules) => ({ ...limits, mostSchedules })), limits] : [limits];
  const complete = new Set<Definition>();
  for (const round of rounds) {
    for (const world of chosen) {
      if (complete.has(world)) continue;
      if (globalThis.__stryker__) globalThis.__stryker__.currentTestId = world.name;
      const startedAt = realNow();
      if (startedAt >= endsAt) return;
      const bounds = { ...round, limitMs: Math.min(round.limitMs, endsAt - startedAt) };
      let report: Report;
      if (schedule) {
        const found = await replay(world, schedule);
        report = { world: world.name, schedules: 1, states: 0, isComplete: false, found };
      } else {
        report = await (seed === undefined ? searchAll(world, bounds) : searchRandomly(world, seed, bounds));
      }
      if (report.isComplete) complete.add(world);
      parentPort?.postMessage({ ...report, ms: realNow() - startedAt });
      if (report.found && stops) return;
    }
  }
}

virtualize();
// Runs make thousands of errors. Their stacks would cost time, and aren't printed.
Error.stackTraceLimit = 0;
// The worlds make the SDK fail in every way: what it logs is not news.
console.warn = console.error = () => {};
process.on("unhandledRejection", (reason) => {
  const { world } = running;
  if (world) world.violation ??= new Violation(`A rejection is unhandled: ${reason}`);
});

const names = (worlds: readonly Definition[]) => worlds.map(({ name }) => name);
async function take(job: Job | "names" | "reached"): Promise<void> {
  if (job === "names") parentPort?.postMessage({ small: names(SMALL), large: names(LARGE) } satisfies WorldNames);
  else if (job === "reached") parentPort?.postMessage(globalThis.__stryker__?.mutantCoverage);
  else await run(job);
  parentPort?.postMessage("done");
}
parentPort?.on("message", (job) => {
  take(job).catch((error: unknown) => {
    // Ends the thread. As a rejection, it would be one of the world's code.
    process.nextTick(() => {
      throw error;
    });
  });
});
