import type { Catalog } from "../catalog/catalog.js";
import type { ToolLock } from "../index.js";
import type { LockFinding } from "./check-lock.js";
import { readableText, shortened, textDiff } from "./readable.js";
import { describeFinding } from "./report.js";

/** As many lines of a tool's difference as a reviewer reads in a summary. */
const MOST_LINES = 40;

/**
 * The findings as Markdown that a reviewer can paste: what breaks callers first, then what a model reads differently,
 * each with its difference.
 *
 * @param served - The catalogs in which they were found: in the locked versions, and in the latest.
 */
export function summaryOf(
  file: string,
  lock: ToolLock,
  findings: readonly LockFinding[],
  served: readonly Catalog[],
): string[] {
  const differ = findings.length === 1 ? "difference" : "differences";
  const [reworded, broken] = [true, false].map((isReworded) =>
    findings.filter(({ kind }) => (kind === "reworded") === isReworded),
  );
  return [
    `### ${file}: ${findings.length} ${differ}`,
    ...section("Callers may break", broken ?? [], lock, served),
    ...section("A model reads something else", reworded ?? [], lock, served),
    "",
    "Nothing here is in use until the lockfile changes. `svc-sdk lock --accept SLUG` accepts one tool in its locked version,",
    "and `svc-sdk lock` the latest versions of all.",
  ];
}

function section(
  title: string,
  findings: readonly LockFinding[],
  lock: ToolLock,
  served: readonly Catalog[],
): string[] {
  if (findings.length === 0) return [];
  return ["", `**${title}**`, ...findings.flatMap((finding) => ["", ...described(finding, lock, served)])];
}

function described(finding: LockFinding, lock: ToolLock, served: readonly Catalog[]): string[] {
  const { tool: slug, toolkit, seenIn } = finding;
  const tool = served
    .flatMap(({ toolkits }) => toolkits.filter((one) => one.slug === toolkit && one.version === seenIn))
    .flatMap(({ tools }) => tools.filter((one) => one.slug === slug))[0];
  const lines = tool ? textDiff(lock.tools[slug]?.text ?? {}, readableText(tool)) : [];
  const words = describeFinding(finding).replace(/^(\w+) +(\w+) +/, "`$2` ($1): ");
  return [`- ${words}`, ...(lines.length > 0 ? ["", "```diff", ...shortened(lines, MOST_LINES), "```"] : [])];
}
