// Changes the code of the protocols in every way that the mutation tool knows, one change at a time, and searches the small
// worlds that reach the change for a broken promise, for at most 30 s. What no world notices is listed, unless
// test/search/harmless.ts says why it breaks no promise. All files take hours.
//
//   npm run mutants                        every file
//   npm run mutants -- start-once claims   files whose path contains a word
//   npm run mutants -- --every 10          each tenth change
//   npm run mutants -- --seconds 5         shorter searches
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { HARMLESS, type Harmless } from "../test/search/harmless.ts";
import { bundledWith, inParallel, SearchThread, type TimedReport, worldNames } from "../test/search/run.ts";

/** The code that keeps the promises of the worlds. */
const FILES = [
  ...["memory-executions", "start-once", "send-once", "call-run", "dispatcher", "settler"].map(
    (name) => `agents/${name}`,
  ),
  ...["evaluate-call", "budget-store", "budgets", "labels"].map((name) => `agents/policy/${name}`),
  ...["approvals", "token", "asked-calls"].map((name) => `agents/approvals/${name}`),
  ...["call-trail", "audit-writer"].map((name) => `agents/audit/${name}`),
  ...["settle", "log-search"].map((name) => `resources/tools/${name}`),
  ...["claims", "run-once", "dedupe-store"].map((name) => `webhooks/${name}`),
  ...["client/pacing/rate-window-rules", "stores/shared-window", "stores/shared-rate-limit"],
].map((path) => `src/${path}.ts`);
/** The words of messages aren't part of a protocol. */
const EXCLUDED = ["StringLiteral", "Regex"];
/** Of the changes that aren't harmless, so many are found. */
const GOAL = 0.9;
/** A search that hasn't ended after this time in addition hangs, which a user would notice. */
const GRACE_MS = 15_000;
/** Enough to reach the code of a world. */
const REACHING = { limitMs: 20_000, mostSchedules: 60 };

const { values, positionals } = parseArgs({
  options: { every: { type: "string", default: "1" }, seconds: { type: "string", default: "30" } },
  allowPositionals: true,
});
const totalMs = Number(values.seconds) * 1_000;
const threads = availableParallelism();

interface Mutant {
  readonly id: string;
  readonly fileName: string;
  readonly mutatorName: string;
  readonly replacement: string;
  readonly location: { readonly start: Position; readonly end: Position };
  readonly status?: string;
}
interface Position {
  /** From 0. */
  readonly line: number;
  readonly column: number;
}
interface Tool {
  readonly Instrumenter: new (
    logger: object,
  ) => {
    instrument(
      files: readonly { name: string; content: string; mutate: boolean }[],
      options: { plugins: null; excludedMutations: readonly string[]; ignorers: readonly [] },
    ): Promise<{ files: readonly { name: string; content: string }[]; mutants: readonly Mutant[] }>;
  };
}

/** `npm run mutants` has installed it. */
const TOOL = "./mutation/node_modules/@stryker-mutator/instrumenter/dist/src/index.js";
const { Instrumenter }: Tool = await import(TOOL);

/** The sources, each with all of its mutants in it. A thread's environment chooses the one that is active. */
async function instrumented(files: readonly string[]) {
  const silent = { isDebugEnabled: () => false, debug: () => {}, info: () => {}, warn: () => {} };
  const sources = files.map((name) => ({ name, content: readFileSync(name, "utf8"), mutate: true }));
  const options = { plugins: null, excludedMutations: EXCLUDED, ignorers: [] } as const;
  const { files: changed, mutants } = await new Instrumenter(silent).instrument(sources, options);
  const contents = Object.fromEntries(changed.map(({ name, content }) => [name, content]));
  return { mutants: mutants.filter(({ status }) => status !== "Ignored"), contents };
}

/** The small worlds that reach each mutant, by its id. */
async function worldsByMutant(file: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const { small } = await worldNames(file);
  const reached = new Map<string, string[]>();
  const searches = small.map((world) => async () => {
    await using thread = new SearchThread(file);
    await thread.run({ worlds: [world], ...REACHING }, () => {});
    await thread.run("reached", (ids) => {
      for (const id of ids as string[]) reached.set(id, [...(reached.get(id) ?? []), world]);
    });
  });
  await inParallel(searches, threads);
  return reached;
}

type Outcome = "found" | "hangs" | "crashes" | "survived" | "not reached";

async function outcomeOf(file: string, { id }: Mutant, worlds: readonly string[] = []): Promise<Outcome> {
  if (worlds.length === 0) return "not reached";
  await using thread = new SearchThread(file, { __STRYKER_ACTIVE_MUTANT__: id });
  let outcome: Outcome = "survived";
  const searched = thread.run({ worlds, stops: true, limitMs: totalMs, totalMs }, (message) => {
    const { found } = message as TimedReport; // A thread sends nothing else while it searches.
    if (found) outcome = "found";
  });
  const stopped = new AbortController();
  const hangs = setTimeout(totalMs + GRACE_MS, "hangs" as const, { signal: stopped.signal }).catch(
    () => "hangs" as const,
  );
  try {
    return await Promise.race([searched.then(() => outcome), hangs]);
  } catch {
    return "crashes";
  } finally {
    stopped.abort();
  }
}

/** The code that a mutant replaces, on one line. */
function originalOf({ fileName, location: { start, end } }: Mutant): string {
  const lines = readFileSync(fileName, "utf8")
    .split("\n")
    .slice(start.line, end.line + 1);
  const last = lines.length - 1;
  lines[last] = (lines[last] ?? "").slice(0, end.column);
  lines[0] = (lines[0] ?? "").slice(start.column);
  return onOneLine(lines.join("\n"));
}

const onOneLine = (text: string) => text.replaceAll(/\s+/g, " ");
const fits = (mutant: Mutant, [file, original, replacement]: Harmless) =>
  mutant.fileName === file && originalOf(mutant) === original && onOneLine(mutant.replacement) === replacement;
const isHarmless = (mutant: Mutant) => HARMLESS.some((harmless) => fits(mutant, harmless));

const chosen = FILES.filter((file) => positionals.length === 0 || positionals.some((word) => file.includes(word)));
const { mutants, contents } = await instrumented(chosen);
const outdated = HARMLESS.filter(
  (harmless) => chosen.includes(harmless[0]) && !mutants.some((mutant) => fits(mutant, harmless)),
);
const file = await bundledWith("mutants", contents);
const reached = await worldsByMutant(file);
const counts = new Map<Outcome | "harmless", number>();
const searches = mutants
  .filter((_, index) => index % Number(values.every) === 0)
  .map((mutant) => async () => {
    const outcome = isHarmless(mutant) ? "harmless" : await outcomeOf(file, mutant, reached.get(mutant.id));
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    if (outcome !== "survived" && outcome !== "not reached") return;
    const { fileName, location, mutatorName, replacement } = mutant;
    console.log(`${outcome}  ${fileName}:${location.start.line + 1} ${mutatorName}`);
    console.log(`  - ${originalOf(mutant)}\n  + ${onOneLine(replacement)}`);
  });
await inParallel(searches, threads);

const count = (...outcomes: Outcome[]) => outcomes.reduce((sum, outcome) => sum + (counts.get(outcome) ?? 0), 0);
const [noticed, unnoticed] = [count("found", "hangs", "crashes"), count("survived", "not reached")];
const share = noticed / (noticed + unnoticed);
console.log([...counts].map(([outcome, times]) => `${outcome}: ${times}`).join(", "));
console.log(`${Math.floor(share * 100)} % of the changes that could break a promise are found.`);
for (const [path, original] of outdated) console.log(`harmless.ts: no change of ${path} replaces ${original}`);
if (share < GOAL || outdated.length > 0) process.exitCode = 1;
