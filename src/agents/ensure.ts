import { ConfigError } from "../errors/local.js";
import { didYouMean, nearestName } from "../shared/nearest-name.js";

/** @throws {ConfigError} that states the problem, unless the condition holds. */
export function ensure(holds: unknown, problem: string): asserts holds {
  if (!holds) throw new ConfigError(`toolset: ${problem}`);
}

/**
 * @param mayMiss - Whether a missing name isn't always a typo.
 * @param existing - Names that may have been meant.
 * @throws {ConfigError} for a name that isn't known: with the one that was probably meant, otherwise with advice.
 */
export function ensureKnown(
  names: readonly string[],
  known: readonly string[],
  what: "tool" | "tools of",
  isSession: boolean,
  mayMiss?: boolean,
  existing = known,
): void {
  for (const name of names) {
    if (known.includes(name)) continue;
    const isNoTypo = [undefined, ...names].includes(nearestName(name, known));
    const advice = isSession ? " Preload it in the session." : " Check its slug and version.";
    const hint = existing.includes(name) ? " It exists, but not in the chosen version." : undefined;
    ensure(mayMiss && isNoTypo, `no ${what} ${name}.${hint ?? didYouMean(name, existing, advice)}`);
  }
}
