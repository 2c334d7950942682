import { ConfigError } from "../errors/local.js";
import { didYouMean, nearestName } from "../shared/nearest-name.js";

/** @throws {ConfigError} that states the problem, unless the condition holds. */
export function ensure(holds: unknown, problem: string): asserts holds {
  if (!holds) throw new ConfigError(`toolset: ${problem}`);
}

/**
 * @param mayMiss - Whether a name may be missing for another reason than a typo.
 * @throws {ConfigError} for a name that isn't known: with the one that was probably meant, otherwise with advice.
 */
export function ensureKnown(
  names: readonly string[],
  known: readonly string[],
  what: "tool" | "tools of",
  isSession: boolean,
  mayMiss?: boolean,
): void {
  for (const name of names) {
    if (known.includes(name)) continue;
    const isNoTypo = [undefined, ...names].includes(nearestName(name, known));
    const advice = isSession ? " Preload it in the session." : " Check its slug and version.";
    ensure(mayMiss && isNoTypo, `no ${what} ${name}.${didYouMean(name, known, advice)}`);
  }
}
