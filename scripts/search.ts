// Searches the interleavings of the SDK's code for one that breaks a promise.
//
//   npm run search                              every small world completely, then each large one for a minute (--seconds)
//   npm run search -- --world "budgets: …"      one world
//   npm run search -- --seed 7                  the large worlds, from another seed
//   npm run search -- --world … --schedule 0,3  one run again, as a story
//   npm run search -- --planted                 how fast the search finds each planted bug, if no world fails without one
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { BUGS } from "../test/search/planted.ts";
import { bundled, inParallel, search, type TimedReport, worldNames } from "../test/search/run.ts";
import type { Job } from "../test/search/worker.ts";

const { values } = parseArgs({
  options: {
    world: { type: "string" },
    seed: { type: "string", default: "1" },
    schedule: { type: "string" },
    seconds: { type: "string", default: "60" },
    planted: { type: "boolean", default: false },
  },
});
const limitMs = Number(values.seconds) * 1_000;
const threads = availableParallelism();

const line = ({ world, schedules, states, isComplete, ms, found }: TimedReport) =>
  `${found ? "BROKEN" : isComplete ? "all   " : "random"}  ${world}: ${schedules} schedules, ${states} states, ${(ms / 1_000).toFixed(1)} s`;

function tell({ world, found }: TimedReport): void {
  if (!found) return;
  console.log(`\n${found.message}\n  ${found.story.join("\n  ")}`);
  console.log(`\nAgain: npm run search -- --world "${world}" --schedule ${found.choices.join()}\n`);
  process.exitCode = 1;
}

async function searchWorlds(): Promise<void> {
  const file = await bundled();
  const { small, large } = await worldNames(file);
  const { world, schedule } = values;
  const named = world ? [world] : undefined;
  if (named && ![...small, ...large].includes(world ?? "")) {
    throw new Error(`Unknown world. The worlds are:\n${[...small, ...large].join("\n")}`);
  }
  const report = (result: TimedReport) => {
    console.log(line(result));
    tell(result);
  };
  if (named && schedule !== undefined) {
    const choices = schedule.split(",").filter(Boolean).map(Number);
    await search(file, [{ worlds: named, limitMs, schedule: choices }], { onReport: report });
    return;
  }
  const searchSize = async (size: string, worlds: readonly string[], how: Omit<Job, "worlds">) => {
    const jobs = worlds.filter((name) => !world || name === world).map((name) => ({ ...how, worlds: [name] }));
    if (jobs.length === 0) return;
    const startedAt = Date.now();
    const reports = await search(file, jobs, { threads, onReport: report });
    const schedules = reports.reduce((sum, each) => sum + each.schedules, 0);
    const states = reports.reduce((sum, each) => sum + each.states, 0);
    const rate = Math.round(schedules / ((Date.now() - startedAt) / 60_000));
    const found = `${schedules} schedules${states > 0 ? `, ${states} states` : ""}`;
    console.log(`\n${size} worlds: ${found}, ${rate} schedules a minute with ${threads} threads.\n`);
  };
  await searchSize("Small", small, { limitMs: Number.MAX_SAFE_INTEGER });
  await searchSize("Large", large, { limitMs, seed: Number(values.seed) });
}

/** So many schedules of each world are searched without a bug, as in the first round of the search for one. */
const BASE_SCHEDULES = 20;

/** A world that fails anyway would count as one that finds every bug. */
async function checkBase(): Promise<void> {
  const file = await bundled();
  const { small, large } = await worldNames(file);
  const jobs = [...small, ...large].map((world) => ({ worlds: [world], limitMs, mostSchedules: BASE_SCHEDULES }));
  const broken = (await search(file, jobs, { threads })).filter(({ found }) => found);
  for (const report of broken) tell(report);
  const names = broken.map(({ world }) => world).join("\n");
  if (broken.length > 0) throw new Error(`No bug is planted, and these worlds fail:\n${names}`);
}

async function searchPlanted(): Promise<void> {
  await checkBase();
  const searches = BUGS.map((bug) => async () => {
    const startedAt = Date.now();
    const file = await bundled(bug);
    const reports = await search(file, [{ limitMs, stops: true, worlds: [bug.protocol] }]);
    const found = reports.find((each) => each.found);
    const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
    console.log(`${found ? "found " : "MISSED"} ${seconds} s  ${bug.name}: ${found?.found?.message ?? ""}`);
    return found !== undefined;
  });
  const found = (await inParallel(searches, threads)).filter(Boolean).length;
  console.log(`\n${found} of ${BUGS.length} planted bugs found.`);
}

await (values.planted ? searchPlanted() : searchWorlds());
