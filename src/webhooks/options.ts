import { ConfigError } from "../errors/local.js";
import { WebhookPayloadError, WebhookVerificationError } from "../errors/webhook.js";
import { isObject } from "../shared/json.js";

/** The names of all options, so that the compiler keeps a list of them complete. */
export type OptionNames<Options> = Readonly<Record<keyof Options, 1>>;

/**
 * Rejects unknown options: a misspelled one would be a secret or a limit that has no effect.
 *
 * @throws {ConfigError} that lists the valid options. Never quotes a value.
 */
export function checkOptions(options: unknown, known: object): void {
  if (!isObject(options) || "then" in options) {
    throw new ConfigError(`The options must be an object, such as { secret }. If you passed a promise, await it.`);
  }
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(known, name)) {
      throw new ConfigError(`Unknown option ${name}. The options are ${Object.keys(known).join(", ")}.`);
    }
  }
}

/** Puts the operation before the message of an error that the checks of this folder threw. */
export function nameIn(error: unknown, operation: string): unknown {
  const isOurs =
    error instanceof ConfigError || error instanceof WebhookVerificationError || error instanceof WebhookPayloadError;
  if (!isOurs || error.message.startsWith(`${operation}: `)) return error;
  const { message, stack } = error;
  error.message = `${operation}: ${message}`;
  // It contains the message, and is what the runtime prints.
  if (stack !== undefined) error.stack = stack.replace(message, () => error.message);
  return error;
}
