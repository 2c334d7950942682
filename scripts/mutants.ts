// Changes the code of the protocols in every way that the mutation tool knows, one change at a time, and searches the small
// worlds that reach the change for a broken promise, for at most 30 s. What no world notices is listed, unless
// test/search/harmless.ts says why it breaks no promise. All files take hours.
//
//   npm run mutants                         every file
//   npm run mutants -- call-record claims   files whose path contains a word; with "call-record.ts:84", changes of a line
//   npm run mutants -- --every 10           each tenth change
//   npm run mutants -- --every 10 --from 3  another tenth
//   npm run mutants -- --seconds 5          shorter searches
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { HARMLESS, type Harmless } from "../test/search/harmless.ts";
import {
  bundledWith,
  HangingSchedule,
  inParallel,
  SearchThread,
  type TimedReport,
  worldNames,
} from "../test/search/run.ts";
import type { MutantCoverage } from "../test/search/worker.ts";
import { instrumented, lineOf, type Mutant, onOneLine, originalOf } from "./mutation/instrumented.ts";

/** The code that keeps the promises of the worlds. */
const FILES = [
  ...["call-record", "execution-record", "send-once", "call-run", "run-turn"].map((name) => `agents/call/${name}`),
  ...[
    "evaluate-call",
    "permit-call",
    "call-budgets",
    "ask-approval",
    "newest-account",
    "decision-checks",
    "budget-store",
    "budget-counter",
    "budgets",
  ].map((name) => `agents/policy/${name}`),
  ...["conversation-labels", "label-rules"].map((name) => `agents/policy/${name}`),
  ...[
    "approvals",
    "token",
    "token-issuer",
    "decision-options",
    "decider",
    "resolver",
    "inbox",
    "approval-store",
    "signed-records",
  ].map((name) => `agents/approvals/${name}`),
  ...["standing-records", "standing-approval", "request-teller"].map((name) => `agents/approvals/${name}`),
  ...["agents/memory-executions", "agents/approvals/approval-claims", "agents/adapters/suspended-turn"],
  ...["call-trail", "audit-writer"].map((name) => `agents/audit/${name}`),
  ...["agents/settler", "resources/tools/settle", "resources/tools/log-search"],
  ...["claims", "run-once", "dedupe-store"].map((name) => `webhooks/${name}`),
  ...["rate-window-rules", "grant", "rate-window"].map((name) => `client/pacing/${name}`),
  ...["shared-rate-window", "stored-rate-window", "shared-rate-limit"].map((name) => `stores/${name}`),
].map((path) => `src/${path}.ts`);
/** Of the changes that aren't harmless, so many are found. */
const GOAL = 0.9;
/** A schedule takes milliseconds. One that hasn't ended after this time hangs, which a user would notice. */
const HANGS_MS = 15_000;
/** Enough to reach the code of a world. */
const REACHING = { limitMs: 5_000, mostSchedules: 40 };

const { values, positionals } = parseArgs({
  options: {
    every: { type: "string", default: "1" },
    from: { type: "string", default: "0" },
    seconds: { type: "string", default: "30" },
    threads: { type: "string", default: String(availableParallelism()) },
  },
  allowPositionals: true,
});
const totalMs = Number(values.seconds) * 1_000;
const threads = Number(values.threads);

type Outcome = "found" | "hangs" | "crashes" | "survived" | "not reached";
/** The world that found a change, or the error of the thread. */
type Ended = readonly [outcome: Outcome, how: string];

/** The small worlds that reach a mutant. Code that runs once in a thread is reached by all that reach its file. */
async function coverageOf(file: string): Promise<(mutant: Mutant) => readonly string[]> {
  const { small } = await worldNames(file);
  const coverages: MutantCoverage[] = [];
  const parts = Array.from({ length: threads }, (_, part) => small.filter((_, index) => index % threads === part));
  const searches = parts.map((worlds) => async () => {
    await using thread = new SearchThread(file);
    // At random, because the first schedules of a complete search differ only in their last steps.
    await thread.run({ worlds, seed: 1, ...REACHING }, (message) => {
      const { world, found, ms } = message as TimedReport; // A thread sends nothing else while it searches.
      if (found) throw new Error(`Without a change, ${world}: ${found.message}`);
      costs.set(world, ms);
    });
    await thread.run("reached", (coverage) => coverages.push(coverage as MutantCoverage)); // It sends nothing else.
  });
  await inParallel(searches, threads);
  const reach = (world: string, id: string) => coverages.some(({ perTest }) => id in (perTest[world] ?? {}));
  return ({ id, fileName }) => {
    const own = small.filter((world) => reach(world, id));
    const isStatic = coverages.some(({ static: always }) => id in always);
    // Code of a module that is loaded when it is needed runs in the first world of each thread only.
    if (own.length > threads && !isStatic) return own;
    const ids = mutants.filter((other) => other.fileName === fileName).map((other) => other.id);
    return small.filter((world) => ids.some((each) => reach(world, each)));
  };
}

/** How often each world has found a change of a file. */
const finders = new Map<string, number>();
/** How long each world took, in milliseconds: of those that have found as much, the fast ones are searched first. */
const costs = new Map<string, number>();

async function outcomeOf(file: string, { id, fileName }: Mutant, reaching: readonly string[]): Promise<Ended> {
  if (reaching.length === 0) return ["not reached", ""];
  const findsOf = (world: string) => finders.get(`${fileName} ${world}`) ?? 0;
  const costOf = (world: string) => costs.get(world) ?? 0;
  const worlds = reaching.toSorted((one, other) => findsOf(other) - findsOf(one) || costOf(one) - costOf(other));
  await using thread = new SearchThread(file, { __STRYKER_ACTIVE_MUTANT__: id });
  let ended: Ended = ["survived", ""];
  const take = (message: unknown) => {
    const { found, world } = message as TimedReport; // A thread sends nothing else while it searches.
    if (!found) return;
    finders.set(`${fileName} ${world}`, findsOf(world) + 1);
    ended = ["found", `${world}: ${found.message}`];
  };
  try {
    await thread.run({ worlds, stops: true, limitMs: totalMs, totalMs }, take, HANGS_MS);
    return ended;
  } catch (error) {
    return error instanceof HangingSchedule ? ["hangs", ""] : ["crashes", onOneLine(String(error)).slice(0, 200)];
  }
}

const fits = (mutant: Mutant, [file, original, replacement, , line = ""]: Harmless) =>
  mutant.fileName === file &&
  originalOf(mutant) === original &&
  onOneLine(mutant.replacement) === replacement &&
  lineOf(mutant).includes(line);
const isHarmless = (mutant: Mutant) => HARMLESS.some((harmless) => fits(mutant, harmless));
const placeOf = ({ fileName, location }: Mutant) => `${fileName}:${location.start.line + 1}`;
const isNamed = (path: string) => positionals.length === 0 || positionals.some((word) => path.includes(word));

const lines = positionals.filter((word) => /:\d+$/.test(word)).map((word) => word.replace(/:\d+$/, ""));
const chosen = FILES.filter((file) => isNamed(file) || lines.some((word) => file.includes(word)));
const { mutants, contents } = await instrumented(chosen);
const outdated = HARMLESS.filter(
  (harmless) => chosen.includes(harmless[0]) && !mutants.some((mutant) => fits(mutant, harmless)),
);
const file = await bundledWith("mutants", contents);
const worldsOf = await coverageOf(file);
/** The outcomes of each file. */
const counts = new Map<string, Map<Outcome | "harmless", number>>();
const tried = mutants
  .filter((mutant) => isNamed(mutant.fileName) || positionals.some((word) => placeOf(mutant).endsWith(word)))
  .filter((_, index) => index % Number(values.every) === Number(values.from));
const searches = tried.map((mutant) => async () => {
  const startedAt = Date.now();
  const [outcome, how] = isHarmless(mutant)
    ? (["harmless", ""] as const)
    : await outcomeOf(file, mutant, worldsOf(mutant));
  const ofFile = counts.get(mutant.fileName) ?? new Map();
  counts.set(mutant.fileName, ofFile.set(outcome, (ofFile.get(outcome) ?? 0) + 1));
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
  console.log(`${outcome}  ${placeOf(mutant)} ${mutant.mutatorName}, ${seconds} s${how && `, ${how}`}`);
  if (outcome === "found" || outcome === "harmless") return;
  console.log(`  - ${originalOf(mutant)}\n  + ${onOneLine(mutant.replacement)}`);
});
await inParallel(searches, threads);

const all = new Map<Outcome | "harmless", number>();
for (const [name, ofFile] of counts) {
  for (const [outcome, times] of ofFile) all.set(outcome, (all.get(outcome) ?? 0) + times);
  console.log(`${name}: ${shown(ofFile)}`);
}
const share = shareOf(all);
console.log(`${shown(all)}. ${Math.floor(share * 100)} % of the changes that could break a promise are found.`);
for (const [path, original] of outdated) console.log(`harmless.ts: no change of ${path} replaces ${original}`);
if (share < GOAL || outdated.length > 0) process.exitCode = 1;

function shown(outcomes: ReadonlyMap<Outcome | "harmless", number>): string {
  return [...outcomes].map(([outcome, times]) => `${times} ${outcome}`).join(", ");
}

/** Of the changes that aren't harmless. */
function shareOf(outcomes: ReadonlyMap<Outcome | "harmless", number>): number {
  const count = (...counted: Outcome[]) => counted.reduce((sum, outcome) => sum + (outcomes.get(outcome) ?? 0), 0);
  const noticed = count("found", "hangs", "crashes");
  return noticed / (noticed + count("survived", "not reached"));
}
