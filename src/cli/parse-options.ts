import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { nearestName } from "../shared/nearest-name.js";
import { UsageError } from "./usage-error.js";

/**
 * Reads the options of a command.
 *
 * @throws {UsageError} for what the command does not take, with what was probably meant.
 */
export function parseOptions<const Options extends ParseArgsOptionsConfig>(
  command: string,
  options: Options,
  commandLine: string[],
) {
  try {
    return parseArgs({ args: commandLine, options, strict: true }).values;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const sentence = message.endsWith(".") ? message : `${message}.`;
    throw new UsageError(`${sentence}${hint(message, Object.keys(options))} See svc ${command} --help.`);
  }
}

/**
 * What stands behind `--toolkits`.
 *
 * @throws {UsageError} for a slug that is blank.
 */
export function toolkitsIn(command: string, list: string | undefined): string[] | undefined {
  const slugs = list?.split(",").map((slug) => slug.trim());
  if (slugs?.includes("")) {
    throw new UsageError(`--toolkits takes slugs, separated by commas. See svc ${command} --help.`);
  }
  return slugs;
}

function hint(message: string, known: readonly string[]): string {
  const [, name] = /^Unknown option '--([^'=]+)'/.exec(message) ?? [];
  if (name === undefined) return "";
  if (/key|token|secret/i.test(name)) return " Keys never stand on a command line: clients read SVC_API_KEY.";
  const meant = nearestName(name, known);
  return meant === undefined ? "" : ` Did you mean --${meant}?`;
}
