import { readFileSync } from "node:fs";
import type { Profiler } from "node:inspector";
import { Session } from "node:inspector/promises";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The files that a section of docs/contributing.md names, in its order, and its number of sentences. */
export function storyOf(title: string): { readonly files: string[]; readonly sentences: number } {
  const [, story = ""] = readFileSync("docs/contributing.md", "utf8").split(`## ${title}\n`);
  const [text = ""] = story.split("\n## ");
  const files = [...text.matchAll(/`([\w-]+\/[\w/-]+\.ts)`/g)].map(([, file = ""]) => file);
  return { files, sentences: text.replaceAll(/^\d+\. \*\*.*?\*\*/gm, "").split(/[.!?](?=\s)/).length - 1 };
}

/** What to do if a step runs other files. */
export const STORY = "name the files that run, and no others, in the step's section of docs/contributing.md";

const source = `${resolve("src")}/`;

/** The source files in which functions run during a call. */
export async function filesThatRun(call: () => Promise<unknown>): Promise<string[]> {
  const files = await inEveryCall(call, ({ url, functions }) => {
    // The test runner wraps each export in a function without a name.
    const isRun = functions.some((one) => one.functionName !== "" && hasRun(one));
    return isRun ? [pathOf(url)] : [];
  });
  return files.sort();
}

/** The functions that run during a call, each with its file and its place in it. */
export function functionsThatRun(call: () => Promise<unknown>): Promise<string[]> {
  return inEveryCall(call, ({ url, functions }) =>
    functions
      .filter(hasRun)
      .map(({ functionName, ranges: [range] }) => `${pathOf(url)} ${functionName} ${range?.startOffset}`),
  );
}

/** Finds in the coverage of every call after the first. Code that other tests left running runs during some. */
async function inEveryCall(
  call: () => Promise<unknown>,
  find: (script: Profiler.ScriptCoverage) => string[],
): Promise<string[]> {
  await call();
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  const runs: ReadonlySet<string>[] = [];
  for (let run = 0; run < 5; run += 1) {
    await session.post("Profiler.takePreciseCoverage");
    await call();
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const ours = result.filter(({ url }) => sourceOf(url).startsWith(source));
    runs.push(new Set(ours.flatMap(find)));
  }
  session.disconnect();
  const [first = new Set<string>(), ...others] = runs;
  return [...first].filter((found) => others.every((run) => run.has(found)));
}

const sourceOf = (url: string) => (url.startsWith("file:") ? fileURLToPath(url) : url);
const pathOf = (url: string) => sourceOf(url).slice(source.length);
const hasRun = ({ ranges: [range] }: Profiler.FunctionCoverage) => (range?.count ?? 0) > 0;
