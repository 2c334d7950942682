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
  return { files, sentences: text.split(/[.!?](?=\s)/).length - 1 };
}

const source = `${resolve("src")}/`;

/**
 * The source files in which functions run during every call after the first. What other tests of this process left
 * running runs during some.
 */
export async function filesThatRun(call: () => Promise<unknown>): Promise<string[]> {
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
    runs.push(new Set(result.flatMap(filesOf)));
  }
  session.disconnect();
  const [first = new Set<string>(), ...others] = runs;
  return [...first].filter((file) => others.every((files) => files.has(file))).sort();
}

/** The file of a script, if one of its functions ran. */
function filesOf({ url, functions }: Profiler.ScriptCoverage): string[] {
  const path = url.startsWith("file:") ? fileURLToPath(url) : url;
  // The test runner wraps each export in a function without a name.
  const isRun = functions.some(({ functionName, ranges: [range] }) => functionName !== "" && range && range.count > 0);
  return path.startsWith(source) && isRun ? [path.slice(source.length)] : [];
}
