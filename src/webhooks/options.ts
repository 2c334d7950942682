import { ConfigError } from "../errors/local.js";
import { isObject } from "../shared/json.js";

/**
 * Rejects unknown options: a misspelled one would be a secret or a limit that has no effect.
 *
 * @param operation for messages: `verifyWebhook`.
 * @throws {ConfigError} that lists the valid options. Never quotes a value.
 */
export function checkOptions(operation: string, options: unknown, known: readonly string[]): void {
  if (!isObject(options) || "then" in options) {
    throw new ConfigError(
      `${operation}: The options must be an object, such as { secret }. If you passed a promise, await it.`,
    );
  }
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new ConfigError(`${operation}: Unknown option ${unknown}. The options are ${known.join(", ")}.`);
  }
}
