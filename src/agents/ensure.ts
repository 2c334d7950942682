import { ConfigError } from "../errors/local.js";
import { didYouMean } from "../shared/nearest-name.js";

/** @throws {ConfigError} that states the problem, unless the condition holds. */
export function ensure(holds: unknown, problem: string): asserts holds {
  if (!holds) throw new ConfigError(`toolset: ${problem}`);
}

/**
 * @param isFiltered - Whether a name may be missing for another reason than a typo.
 * @throws {ConfigError} for a name that isn't known: with the one that was probably meant, otherwise with advice.
 */
export function ensureKnown(
  names: readonly string[],
  known: readonly string[],
  problem: string,
  advice: string,
  isFiltered = false,
): void {
  for (const name of names) {
    if (known.includes(name)) continue;
    const meant = didYouMean(name, known);
    ensure(isFiltered && !meant, `${problem} ${name}.${meant || advice}`);
  }
}
