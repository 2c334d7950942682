// Starts searches in threads, with the sources as they are or with one planted bug.
import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import type { Bug } from "./planted.js";
import type { Report } from "./search.js";
import type { Job, WorldNames } from "./worker.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const cache = resolve(root, "node_modules/.cache/search");

/** A report, and how long its search took. */
export type TimedReport = Report & { readonly ms: number };

/** Bundles the sources for a thread. A bug must fit its file exactly once. */
export async function bundled(bug?: Bug): Promise<string> {
  const plant = bug && { [bug.file]: planted(readFileSync(resolve(root, bug.file), "utf8"), bug) };
  return bundledWith(bug?.name.replaceAll(/\W+/g, "-") ?? "sources", plant);
}

/** Bundles the sources for a thread, some of them with other contents, by their paths from the root. */
export async function bundledWith(name: string, contents: Readonly<Record<string, string>> = {}): Promise<string> {
  await mkdir(cache, { recursive: true });
  const outfile = resolve(cache, `${name}-${process.pid}.mjs`);
  await build({
    entryPoints: [resolve(root, "test/search/worker.ts")],
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    outfile,
    logLevel: "error",
    plugins: [
      {
        name: "contents",
        setup: ({ onLoad }) => {
          for (const [file, text] of Object.entries(contents)) {
            const filter = new RegExp(`/${file.replaceAll(".", "\\.")}$`);
            onLoad({ filter }, () => ({ contents: text, loader: "ts" }));
          }
        },
      },
    ],
  });
  return outfile;
}

/** A source with a bug in it. */
function planted(source: string, { name, find, replace }: Bug): string {
  const parts = source.split(find);
  if (parts.length !== 2) throw new Error(`The bug "${name}" fits ${parts.length - 1} places of its file.`);
  return parts.join(replace);
}

/** A schedule takes milliseconds. If none has begun for this time, one hangs. A busy machine may need long to load. */
const HANGS_MS = 60_000;
const POLL_MS = 1_000;

/** A schedule that never ends and waits for nothing: the thread can't stop it itself. */
export class HangingSchedule extends Error {}

/** A thread with one bundle. Its code gets faster while it searches, so one thread takes many jobs. */
export class SearchThread {
  readonly #worker: Worker;
  readonly #begun = new Int32Array(new SharedArrayBuffer(4));

  constructor(file: string, env: Readonly<Record<string, string>> = {}) {
    const resourceLimits = { maxYoungGenerationSizeMb: 64 };
    const workerData = { begun: this.#begun };
    this.#worker = new Worker(file, { resourceLimits, workerData, env: { ...process.env, ...env } });
  }

  /** How many schedules it has begun. */
  get schedules(): number {
    return Atomics.load(this.#begun, 0);
  }

  /**
   * The messages that the thread sends until it says that the job is done.
   *
   * @throws {HangingSchedule} if a schedule hangs.
   */
  run(
    job: Job | "names" | "reached",
    onMessage: (message: unknown) => void,
    hangsMs: number = HANGS_MS,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      let [begun, waitedMs] = [this.schedules, 0];
      const watch = setInterval(() => {
        waitedMs = begun === this.schedules ? waitedMs + POLL_MS : 0;
        begun = this.schedules;
        if (waitedMs >= hangsMs) end(new HangingSchedule(`No schedule of ${JSON.stringify(job)} begins anymore.`));
      }, POLL_MS);
      const end = (error?: unknown) => {
        clearInterval(watch);
        this.#worker.off("message", take).off("error", end);
        if (error === undefined) resolve();
        else reject(error);
      };
      const take = (message: unknown) => (message === "done" ? end() : onMessage(message));
      this.#worker.on("message", take).on("error", end);
      this.#worker.postMessage(job);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }
}

/** Runs jobs in so many threads. The last jobs, which are the longest, start first, so that the threads end together. */
export async function search(
  file: string,
  jobs: readonly Job[],
  { threads = 1, onReport = () => {} }: { threads?: number; onReport?: (report: TimedReport) => void } = {},
): Promise<TimedReport[]> {
  const reports: TimedReport[] = [];
  const left = jobs.toReversed().values();
  await inParallel(
    Array.from({ length: threads }, () => async () => {
      await using thread = new SearchThread(file);
      for (const job of left) {
        await thread.run(job, (message) => {
          const report = message as TimedReport; // A thread sends nothing else while it searches.
          reports.push(report);
          onReport(report);
        });
      }
    }),
    threads,
  );
  return reports;
}

/** The names of all worlds. */
export async function worldNames(file: string): Promise<WorldNames> {
  await using thread = new SearchThread(file);
  const names: WorldNames[] = [];
  await thread.run("names", (message) => names.push(message as WorldNames)); // What a thread sends to this job.
  const [first] = names;
  if (!first) throw new Error("The thread has no worlds.");
  return first;
}

/** Runs tasks, so many at a time. */
export async function inParallel<Result>(tasks: readonly (() => Promise<Result>)[], atOnce: number): Promise<Result[]> {
  const results: Result[] = [];
  const left = tasks.entries();
  const work = async () => {
    for (const [index, task] of left) results[index] = await task();
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}
