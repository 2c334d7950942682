import { ConfigError } from "../errors/local.js";
import { isObject } from "../json.js";

/**
 * Refuses options that are none, and a misspelt one, which would be a secret or a bound that is not there.
 *
 * @throws {ConfigError} that names the options there are. Never quotes a value.
 */
export function checkOptions(options: unknown, known: readonly string[]): void {
  if (!isObject(options) || "then" in options) {
    throw new ConfigError("The options must be an object, such as { secret }, and no promise.");
  }
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new ConfigError(`There is no option ${unknown}. The options are ${known.join(", ")}.`);
  }
}
