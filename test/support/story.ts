import { readFileSync } from "node:fs";
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

/** The source files in which functions run during a call that ran before. */
export async function filesThatRun(call: () => Promise<unknown>): Promise<string[]> {
  await call();
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await session.post("Profiler.takePreciseCoverage");
  await call();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  const source = `${resolve("src")}/`;
  const ran = result.flatMap(({ url, functions }) => {
    const path = url.startsWith("file:") ? fileURLToPath(url) : url;
    // The test runner wraps each export in a function without a name.
    const isRun = functions.some(
      ({ functionName, ranges: [range] }) => functionName !== "" && range && range.count > 0,
    );
    return path.startsWith(source) && isRun ? [path.slice(source.length)] : [];
  });
  return [...new Set(ran)].sort();
}
