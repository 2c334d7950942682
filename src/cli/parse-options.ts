import { nearestName } from "../shared/nearest-name.js";

/** An invalid command line. Exits with 2. */
export class UsageError extends Error {}

/**
 * Parses a command line.
 *
 * @throws {UsageError} for an argument that isn't taken, or an unknown option, with the closest known one.
 */
export function parsed<Result>(
  command: string,
  options: object,
  commandLine: readonly string[],
  parse: () => Result,
): Result {
  try {
    return parse();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // The first sentence. The next one explains arguments that look like options.
    const sentence = message.replace(/\. To specify .*$|\.?$/, ".");
    throw new UsageError(
      `${sentence}${hint(message, Object.keys(options), commandLine)} See svc-sdk ${command} --help.`,
    );
  }
}

/**
 * The slugs in the value of `--toolkits`.
 *
 * @throws {UsageError} for an empty slug.
 */
export function toolkitsIn(command: string, list: string | undefined): string[] | undefined {
  const slugs = list?.split(",").map((slug) => slug.trim());
  if (slugs?.includes("")) {
    throw new UsageError(`--toolkits must be slugs separated by commas. See svc-sdk ${command} --help.`);
  }
  return slugs;
}

function hint(message: string, known: readonly string[], commandLine: readonly string[]): string {
  const single = known.find((name) => commandLine.some((one) => one.split("=")[0] === `-${name}`));
  if (single) return ` Write it with two dashes: --${single}.`;
  const [, name] = /^Unknown option '--([^'=]+)'/.exec(message) ?? [];
  if (name === undefined) return "";
  if (/key|token|secret/i.test(name)) return " Keys can't be passed as options; set SVC_API_KEY.";
  const meant = nearestName(name, known);
  return meant === undefined ? "" : ` Did you mean --${meant}?`;
}
