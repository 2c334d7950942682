// Searches the runs of a world: all of them, or random ones.
import { setImmediate as nextTask } from "node:timers/promises";
import { workerData } from "node:worker_threads";
import { running } from "./virtual-time.js";
import { type Definition, type Step, Violation, World } from "./world.js";

/** A run that breaks a promise, and the choices that lead to it. */
export interface Found {
  readonly message: string;
  readonly choices: readonly number[];
  /** Who did what, in order. */
  readonly story: readonly string[];
}

/** The result of a search. */
export interface Report {
  readonly world: string;
  readonly schedules: number;
  readonly states: number;
  /** Whether every schedule was searched. */
  readonly isComplete: boolean;
  readonly found: Found | undefined;
  /** The different traces of calls, if a random search was asked for them. */
  readonly traces?: readonly string[];
}

/** How far a search goes. */
export interface Limits {
  /** Real milliseconds. */
  readonly limitMs: number;
  readonly mostSchedules?: number | undefined;
  /** How many different traces a random search returns. */
  readonly mostTraces?: number;
}

/** The most steps of one run. More means that something never ends. */
const MOST_STEPS = 2_000;

/** Counts schedules, for the thread that started this one: if the number stays, a schedule doesn't end. */
const begun: Int32Array | undefined = workerData?.begun;

interface Run {
  readonly world: World;
  /** The chosen branches, each with the number of branches. */
  readonly path: readonly { readonly chosen: number; readonly of: number }[];
}

/**
 * Resolves when all code that can run has run. Code of a promise asks for the next tick here, so Node calls it when no
 * promise is left to settle. A task would do, and is much slower.
 */
const settled = async (): Promise<void> => {
  await Promise.resolve();
  await new Promise<void>((resolve) => process.nextTick(resolve));
};

/** Runs one schedule. `choose` returns the number of the next step, or `undefined` to leave the run. */
async function runOnce(
  definition: Definition,
  choose: (world: World, steps: readonly Step[], index: number) => number | undefined,
): Promise<Run> {
  const world = new World(definition);
  running.world = world;
  if (begun) Atomics.add(begun, 0, 1);
  const path: { chosen: number; of: number }[] = [];
  try {
    definition.start(world);
    for (let taken = 0; ; taken += 1) {
      while (world.startNext()) await settled();
      if (world.violation) throw world.violation;
      const steps = world.steps();
      if (steps.length === 0) break;
      if (taken > MOST_STEPS) throw new Violation(`The run doesn't end within ${MOST_STEPS} steps.`);
      let chosen: number | undefined = 0;
      if (steps.length > 1) {
        chosen = choose(world, steps, path.length);
        if (chosen === undefined) return { world, path };
        path.push({ chosen, of: steps.length });
      }
      const step = steps[chosen];
      if (!step) throw new Error(`The run differs from its recording at choice ${path.length}: ${steps.length} steps.`);
      world.story.push(step.label);
      await step.run();
      await settled();
    }
    // Node reports unhandled rejections before the next task.
    await nextTask();
    if (world.violation) throw world.violation;
    const stuck = world.processes.find(({ isDone, isDead }) => !isDone && !isDead);
    if (stuck) throw new Violation(`${stuck.name} waits forever.`);
    world.checkEnd();
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    world.violation = error;
  }
  return { world, path };
}

const foundIn = ({ world, path }: Run): Found | undefined =>
  world.violation
    ? { message: world.violation.message, choices: path.map(({ chosen }) => chosen), story: world.story }
    : undefined;

/** Runs every schedule, equal states once, until a promise is broken or a limit is reached. */
export async function searchAll(definition: Definition, limits: Limits): Promise<Report> {
  const goesOn = within(limits);
  /** The states, each with what may happen next. */
  const seen = new Map<string, string>();
  let prefix: number[] | undefined = [];
  let schedules = 0;
  let found: Found | undefined;
  while (prefix && !found && goesOn(schedules)) {
    const given: readonly number[] = prefix;
    const run = await runOnce(definition, (world, steps, index) => {
      if (index < given.length) return given[index];
      const state = digest(world.state);
      const next = namesOf(steps);
      const known = seen.get(state);
      if (known !== undefined && known !== next) throw new Error(`Two states are taken for one:\n${known}\n\n${next}`);
      if (known !== undefined) return undefined;
      seen.set(state, next);
      return 0;
    });
    schedules += 1;
    found = foundIn(run);
    prefix = nextPrefix(run.path);
  }
  return { world: definition.name, schedules, states: seen.size, isComplete: !prefix && !found, found };
}

/** The names of steps, sorted: equal states may list them in different orders. */
const namesOf = (steps: readonly Step[]): string =>
  steps
    .map(({ label, key }) => `${label} ${key}`)
    .sort()
    .join("\n");

function within({ limitMs, mostSchedules = Number.POSITIVE_INFINITY }: Limits): (schedules: number) => boolean {
  const untilMs = realNow() + limitMs;
  return (schedules) => schedules < mostSchedules && realNow() < untilMs;
}

/** The next schedule, depth first. */
function nextPrefix(path: Run["path"]): number[] | undefined {
  for (let index = path.length - 1; index >= 0; index -= 1) {
    const { chosen = 0, of = 0 } = path[index] ?? {};
    if (chosen + 1 < of) return [...path.slice(0, index).map((step) => step.chosen), chosen + 1];
  }
  return undefined;
}

/** Runs random schedules. The one that breaks a promise is shortened. */
export async function searchRandomly(definition: Definition, seed: number, limits: Limits): Promise<Report> {
  const goesOn = within(limits);
  const { mostTraces = 0 } = limits;
  const traces = new Set<string>();
  let schedules = 0;
  let found: Found | undefined;
  const random = randomFrom(seed);
  while (!found && goesOn(schedules)) {
    const run = await runOnce(definition, (_, { length }) => Math.floor(random() * length));
    schedules += 1;
    found = foundIn(run);
    // Nothing was chosen, so there is no other schedule.
    if (run.path.length === 0) break;
    for (const trace of run.world.traces.values()) if (traces.size < mostTraces) traces.add(trace.join("\n"));
  }
  const short = found && (await shortened(definition, found));
  return { world: definition.name, schedules, states: 0, isComplete: false, found: short, traces: [...traces] };
}

/** Runs recorded choices again; after them, the first step each time. */
export async function replay(definition: Definition, choices: readonly number[]): Promise<Found | undefined> {
  const run = await runOnce(definition, (_, { length }, index) => Math.min(choices[index] ?? 0, length - 1));
  return foundIn(run);
}

/** Takes choices out as long as the same promise stays broken. */
async function shortened(definition: Definition, found: Found): Promise<Found> {
  let shortest = found;
  for (let size = Math.ceil(found.choices.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < shortest.choices.length; ) {
      const choices = shortest.choices.toSpliced(from, size);
      const again = await replay(definition, choices);
      if (again && again.message === found.message && again.story.length < shortest.story.length) shortest = again;
      else from += size;
    }
  }
  return shortest;
}

/** Real milliseconds: the run's clocks are virtual. */
export const realNow = (): number => Number(process.hrtime.bigint() / 1_000_000n);

/** Mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** 106 bits of a string (cyrb53, twice): states are compared by it, because a search has millions of them. */
function digest(text: string): string {
  return `${half(text, 1)}.${half(text, 2)}`;
}

function half(text: string, seed: number): number {
  let one = 0xdeadbeef ^ seed;
  let other = 0x41c6ce57 ^ seed;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    one = Math.imul(one ^ code, 2_654_435_761);
    other = Math.imul(other ^ code, 1_597_334_677);
  }
  one = Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(other ^ (other >>> 13), 3_266_489_909);
  other = Math.imul(other ^ (other >>> 16), 2_246_822_507) ^ Math.imul(one ^ (one >>> 13), 3_266_489_909);
  return 4_294_967_296 * (2_097_151 & other) + (one >>> 0);
}
