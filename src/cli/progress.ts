import type { ReadProgress } from "../catalog/read-catalog.js";
import { type Output, shownLine } from "./print.js";

/** Shows how much of a catalog was read. */
export interface Progress {
  readonly report: (progress: ReadProgress) => void;
  /** Removes the bar. Call it after a failure too. */
  end(): void;
}

const BAR = 24;
const CLEAR_LINE = "\r\u001b[K";

/** Reads from the service with progress on standard error. */
export async function withProgress<Result>(read: (report: Progress["report"]) => Promise<Result>): Promise<Result> {
  const progress = progressOn(process.stderr);
  try {
    return await read(progress.report);
  } finally {
    progress.end();
  }
}

/** Shows a bar on a terminal. Otherwise, as in CI, writes a line per toolkit. */
export function progressOn(output: Output): Progress {
  if (output.isTTY !== true) {
    const report = ({ toolkit, version, total, isDone }: ReadProgress) =>
      isDone && output.write(`${shownLine(`Read ${toolkit} ${version}: ${total} tools and trigger types.`)}\n`);
    return { report, end: () => undefined };
  }
  const toolkits = new Map<string, ReadProgress>();
  const report = (progress: ReadProgress) => {
    // A check reads a toolkit in two versions.
    toolkits.set(`${progress.toolkit} ${progress.version}`, progress);
    const all = [...toolkits.values()];
    const read = all.reduce((sum, one) => sum + one.read, 0);
    const total = all.reduce((sum, one) => sum + one.total, 0);
    const filled = total === 0 ? 0 : Math.min(BAR, Math.round((BAR * read) / total));
    const bar = "█".repeat(filled) + "░".repeat(BAR - filled);
    output.write(CLEAR_LINE + shownLine(`${bar} ${read} of ${total}  ${progress.toolkit}`));
  };
  return { report, end: () => toolkits.size > 0 && output.write(CLEAR_LINE) };
}
