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
  await mkdir(cache, { recursive: true });
  const outfile = resolve(cache, `${bug?.name.replaceAll(/\W+/g, "-") ?? "sources"}-${process.pid}.mjs`);
  await build({
    entryPoints: [resolve(root, "test/search/worker.ts")],
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    outfile,
    logLevel: "error",
    plugins: bug
      ? [
          {
            name: "plant",
            setup: ({ onLoad }) => {
              onLoad({ filter: new RegExp(`${bug.file.replaceAll(".", "\\.")}$`) }, ({ path }) => ({
                contents: planted(readFileSync(path, "utf8"), bug),
                loader: "ts",
              }));
            },
          },
        ]
      : [],
  });
  return outfile;
}

/** A source with a bug in it. */
function planted(source: string, { name, find, replace }: Bug): string {
  const parts = source.split(find);
  if (parts.length !== 2) throw new Error(`The bug "${name}" fits ${parts.length - 1} places of its file.`);
  return parts.join(replace);
}

/** Runs a job in a thread. */
export function search(
  file: string,
  job: Job,
  onReport: (report: TimedReport) => void = () => {},
): Promise<TimedReport[]> {
  const reports: TimedReport[] = [];
  return new Promise((resolve, reject) => {
    const worker = new Worker(file, { workerData: job });
    worker.on("message", (report: TimedReport) => {
      reports.push(report);
      onReport(report);
    });
    worker.on("error", reject);
    worker.on("exit", () => resolve(reports));
  });
}

/** The names of all worlds. */
export function worldNames(file: string): Promise<WorldNames> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(file, { workerData: undefined });
    worker.on("message", resolve);
    worker.on("error", reject);
  });
}

/** Runs jobs in so many threads at a time. */
export async function inThreads<Result>(threads: number, jobs: readonly (() => Promise<Result>)[]): Promise<Result[]> {
  const results: Result[] = [];
  const left = jobs.entries();
  const work = async () => {
    for (const [index, job] of left) results[index] = await job();
  };
  await Promise.all(Array.from({ length: threads }, work));
  return results;
}
