import { isObject } from "../json.js";
import { toolVersionProblem } from "./checks.js";
import { lockProblems, type ToolLock } from "./lock.js";
import type { SvcOptions } from "./options.js";

/** The lock among the options, where it is one. What is wrong with it goes to `problems`. */
export function readLock({ lock, requireLocked }: SvcOptions, problems: string[]): ToolLock | undefined {
  if (requireLocked !== undefined && typeof requireLocked !== "boolean") {
    problems.push("requireLocked must be true or false.");
  }
  if (lock === undefined && requireLocked)
    problems.push("requireLocked needs a lock: pass the content of svc.lock.json.");
  const wrong = lock === undefined ? [] : lockProblems(lock, "lock");
  problems.push(...wrong);
  return wrong.length === 0 ? lock : undefined;
}

/**
 * What is locked and what is configured in one map. That they agree keeps the order in which they win from mattering; and with
 * `requireLocked`, what the lock does not hold could never be used.
 *
 * @param locked - The part of the lock, where there is one.
 */
export function readVersions(
  option: "toolVersions" | "toolkitVersions",
  { [option]: versions = {}, requireLocked }: SvcOptions,
  locked: Readonly<Record<string, { readonly version: string }>> | undefined,
  problems: string[],
): Map<string, string> {
  const known = new Map(Object.entries(locked ?? {}).map(([slug, { version }]) => [slug, version]));
  if (!isObject(versions)) {
    problems.push(`${option} must be an object with a version for each slug.`);
    return known;
  }
  for (const [slug, version] of Object.entries(versions)) {
    const problem = toolVersionProblem(version);
    const said = known.get(slug) ?? (locked && requireLocked ? "nothing" : version);
    if (problem) problems.push(`${option}.${slug} ${problem}.`);
    else if (said !== version) {
      problems.push(`${option}.${slug} contradicts the lock, which says ${said}. Leave it out, or move the lock.`);
    }
    known.set(slug, String(version));
  }
  return known;
}
