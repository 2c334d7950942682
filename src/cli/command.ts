import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { messageOf } from "../shared/message-of.js";
import { nearestName } from "../shared/nearest-name.js";
import { EXIT, EXIT_CODES } from "./exit-codes.js";
import { print, printNotice } from "./print.js";
import type { Terminal } from "./terminal.js";

/** An option of a command: how it's written, and what help says about it. */
export interface Option {
  readonly type: "string" | "boolean";
  readonly short?: string;
  /** Whether it can be repeated, for a list. */
  readonly multiple?: boolean;
  readonly default?: string | boolean;
  /** The kind of its value, such as `file`. */
  readonly value?: string;
  readonly summary: string;
}

/** A row of help: words, and their meaning, which may have several lines. */
export type Row = readonly [words: string, meaning: string];

type Options = Readonly<Record<string, Option>>;

/** A command. Its help and what it accepts follow from this. */
export interface Command {
  /** The words after the command's name. */
  readonly usage: readonly Row[];
  readonly options: Options;
  /** Tables at the end of its help, by title. */
  readonly tables?: Readonly<Record<string, readonly Row[]>>;
  readonly environment?: readonly Row[];
  /** Paragraphs. */
  readonly notes?: string;
  /** The meanings that differ from {@link EXIT_CODES}. Only checks have 3. */
  readonly exitCodes?: Readonly<Record<number, string>>;
  /** Says in a terminal what the command waits for, if it takes longer than two seconds. */
  readonly progress?: string;
  /** Whether it has words that aren't options. */
  readonly takesArguments?: boolean;
  /** The command that its first word names, which has other options, with its summary. */
  subcommand?(name: string): { readonly summary: string; readonly command: Command };
  /** Returns {@link EXIT.found} if a check found something. Without it, the command prints its help. */
  run?(values: object, words: readonly string[], terminal: Terminal): Promise<void> | Promise<number>;
}

/** The values of options. */
export type ValuesOf<Given extends Options> = ReturnType<
  typeof parseArgs<{ options: Given & ParseArgsOptionsConfig; strict: true }>
>["values"];

/** Declares a command, whose `run` gets the values of its options. */
export function declareCommand<const Given extends Options>(
  declared: Omit<Command, "options" | "run"> & {
    readonly options: Given;
    run?(values: ValuesOf<Given>, words: readonly string[], terminal: Terminal): Promise<void> | Promise<number>;
  },
): Command {
  return declared;
}

/** An option with a value of this kind, such as `file`. */
export function text(value: string, summary: string) {
  return { type: "string", value, summary } as const;
}

/** An option that is false unless it's given. */
export function flag(summary: string) {
  return { type: "boolean", default: false, summary } as const;
}

const HELP = { ...flag("show this help"), short: "h" } as const;

/** The option of commands that send requests. */
export const VERBOSE = flag("log every request and error details to standard error");

/** The same option of commands that send none. */
export const VERBOSE_ERRORS = flag("log error details to standard error");

/** The option of commands whose result other programs read. */
export const JSON_OUTPUT = flag("print JSON");

/** The progress of commands that read the catalog of the service. */
export const READING_TOOLS = "Reading the service's tools";

/** The variable of commands that call the service. */
export const BASE_URL: Row = ["SVC_BASE_URL", "URL of the service"];

/** The variables of commands that read the service's catalog. */
export const SERVICE: readonly Row[] = [BASE_URL, ["SVC_API_KEY", "project key (or SVC_USER_API_KEY)"]];

/** The variables of commands that control an emulator. */
export const EMULATOR: readonly Row[] = [["SVC_BASE_URL", "URL of the emulator"]];

/**
 * Runs a command, or prints its help.
 *
 * @returns the exit code.
 * @throws {UsageError} for a command line that isn't valid, and names the command's help.
 */
export async function runCommand(
  name: string,
  summary: string,
  given: Command,
  commandLine: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const [first = "-", ...words] = commandLine;
  if (given.subcommand && !first.startsWith("-")) {
    const inner = given.subcommand(first);
    return runCommand(`${name} ${first}`, inner.summary, inner.command, words, terminal);
  }
  try {
    const { values, positionals } = parsedCommandLine(given, commandLine);
    if (!values["help"] && given.run) {
      const timer = given.progress === undefined ? undefined : reportProgress(terminal, given.progress);
      try {
        return (await given.run(values, positionals, terminal)) ?? EXIT.done;
      } finally {
        clearTimeout(timer);
      }
    }
    print(terminal, helpOf(name, summary, given));
    return EXIT.done;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`${error.message} See svc-sdk ${name} --help.`, { cause: error.cause });
  }
}

const PROGRESS_AFTER_MS = 2_000;

function reportProgress(terminal: Terminal, words: string): NodeJS.Timeout | undefined {
  if (!terminal.stderr.isTerminal) return undefined;
  return setTimeout(() => printNotice(terminal, [[{ text: `${words}…`, color: "quiet" }]]), PROGRESS_AFTER_MS);
}

/** The lines of a command's help. */
export function helpOf(name: string, summary: string, given: Command): string[] {
  const { usage, options, tables = {}, environment = [], notes, exitCodes = {} } = given;
  const { [EXIT.found]: _ofChecks, ...ofEveryCommand } = EXIT_CODES;
  const sections: Readonly<Record<string, readonly Row[]>> = {
    Usage: usage.map(([words, meaning]) => [`svc-sdk ${name} ${words}`.trimEnd(), meaning]),
    Options: Object.entries({ ...options, help: HELP }).map(rowOf),
    Environment: environment,
  };
  return [
    `svc-sdk ${name}: ${summary}`,
    ...sectionsOf(sections),
    ...(notes === undefined ? [] : ["", ...notes.split("\n")]),
    ...sectionsOf({ "Exit codes": Object.entries({ ...ofEveryCommand, ...exitCodes }), ...tables }),
  ];
}

const sectionsOf = (sections: Readonly<Record<string, readonly Row[]>>) =>
  Object.entries(sections).flatMap(([title, rows]) => (rows.length === 0 ? [] : ["", title, ...linesOf(rows)]));

function rowOf([name, { short, value, default: initial, summary }]: [string, Option]): Row {
  const words = `${short ? `-${short}, ` : ""}--${name}${value ? ` <${value}>` : ""}`;
  return [words, typeof initial === "string" ? `${summary} (default ${initial})` : summary];
}

/** Rows, with their meanings in one column. */
export function linesOf(rows: readonly Row[]): string[] {
  const width = rows.reduce((widest, [words]) => Math.max(widest, words.length), 0);
  return rows.flatMap(([words, meaning]) =>
    meaning.split("\n").map((line, index) => `  ${(index === 0 ? words : "").padEnd(width)}  ${line}`.trimEnd()),
  );
}

/** An invalid command line. */
export class UsageError extends Error {}

/**
 * The values of options, and the arguments.
 *
 * @throws {UsageError} for an argument that isn't taken or is empty, an unknown option, with the closest known one, or
 * a second value of an option that isn't a list.
 */
export function parsedCommandLine(given: Command, commandLine: readonly string[]) {
  const { values, positionals, tokens } = tokensOf(given, commandLine);
  const names = tokens.flatMap((token) => (token.kind === "option" ? [token.name] : []));
  const [repeated] = Object.entries(given.options).flatMap(([name, { type, multiple = false }]) => {
    const times = names.filter((given) => given === name).length;
    return times > 1 && type === "string" && !multiple ? [`--${name} was given ${times} times`] : [];
  });
  if (repeated !== undefined) throw new UsageError(`${repeated}, but takes one value.`);
  const empty = positionals.findIndex((word) => word.trim() === "");
  if (empty === -1) return { values, positionals };
  const [, name = "An argument"] = /^[<[](\w+)[>\]]$/.exec(given.usage[0]?.[0].split(" ")[empty] ?? "") ?? [];
  throw new UsageError(`${name} is empty. Is a variable unset?`);
}

function tokensOf({ options: own, takesArguments = false }: Command, commandLine: readonly string[]) {
  const options = { ...own, help: HELP };
  try {
    return parseArgs({
      args: [...commandLine],
      options,
      strict: true,
      tokens: true,
      allowNegative: true,
      allowPositionals: takesArguments,
    });
  } catch (error) {
    const message = messageOf(error);
    const [, name] = /^Option '(?:-\w, )?--([^' ]+)[^']*' argument (?:missing|is ambiguous)/.exec(message) ?? [];
    if (name !== undefined) throw new UsageError(missingValue(`--${name}`, commandLine));
    // The first sentence. The next one explains arguments that look like options.
    const sentence = message.replace(/\. To specify .*$|\.?$/, ".");
    throw new UsageError(sentence + hint(message, Object.keys(options), commandLine));
  }
}

function missingValue(option: string, commandLine: readonly string[]): string {
  const next = commandLine.includes(option) ? commandLine[commandLine.indexOf(option) + 1] : undefined;
  if (next === undefined) return `${option} needs a value: write ${option} <value>.`;
  return `${option} needs a value, but ${next} follows. Write ${option}=${next} if it is the value.`;
}

function hint(message: string, known: readonly string[], commandLine: readonly string[]): string {
  const single = known.find((name) => commandLine.some((given) => given.split("=")[0] === `-${name}`));
  if (single) return ` Write it with two dashes: --${single}.`;
  const [, name] = /^Unknown option '--([^'=]+)'/.exec(message) ?? [];
  if (name === undefined) return "";
  if (name === "body") return " It takes no body.";
  if (/key|token|secret/i.test(name)) return " Keys can't be passed as options; set SVC_API_KEY.";
  const meant = nearestName(name, known);
  return meant === undefined ? "" : ` Did you mean --${meant}?`;
}
