// The room of the command: a file for each subcommand, and `deliveries.ts` for three. It imports the package's main
// entry, `agents`, `catalog`, `client`, `contract`, `emulator`, `json-schema`, `testing` and `webhooks`. Only `bin.ts`
// touches the process. Start here, then `commands.ts`.

import { inspect } from "node:util";
import { messageOf } from "../shared/message-of.js";
import { didYouMean } from "../shared/nearest-name.js";
import { linesOf, type Row, runCommand, UsageError } from "./command.js";
import { COMMANDS } from "./commands.js";
import { EXIT, EXIT_CODES } from "./exit-codes.js";
import { ownVersion } from "./files.js";
import { print, printNotice } from "./print.js";
import type { Terminal } from "./terminal.js";

const ROWS: readonly Row[] = [
  ...Object.entries(COMMANDS).map(([name, [words, summary]]): Row => [`svc-sdk ${name} ${words}`, summary]),
  ["svc-sdk <command> --help", "show a command's options"],
  ["svc-sdk --version", "show the version"],
];

const HELP = `svc-sdk: the command line interface of the package

Usage
${linesOf(ROWS).join("\n")}

Environment
  SVC_BASE_URL  URL of the service or of the emulator
  SVC_API_KEY   project key; not an option, because other programs can see command lines

Exit codes
${linesOf(Object.entries(EXIT_CODES)).join("\n")}`;

/**
 * Runs a command line. Never rejects: an error is printed.
 *
 * @returns the exit code.
 */
export async function main(commandLine: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await run(commandLine, terminal);
  } catch (error) {
    printNotice(terminal, `svc-sdk: ${messageOf(error).replace(/\s*\n\s*/g, " ")}`);
    // Its properties and causes contain no key, because the client removes keys.
    if (commandLine.includes("--verbose")) {
      // Indented, so no line of a message looks like our own.
      const lines = inspect(error).split("\n");
      printNotice(
        terminal,
        lines.map((line) => `  ${line}`),
      );
    }
    return error instanceof UsageError ? EXIT.usage : EXIT.error;
  }
}

async function run([name, ...rest]: readonly string[], terminal: Terminal): Promise<number> {
  if (name === "help" && rest.length > 0) return run([...rest, "--help"], terminal);
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    print(terminal, HELP.split("\n"));
    return EXIT.done;
  }
  if (name === "--version" || name === "-v") {
    if (rest[0] !== undefined) throw new UsageError(`Unexpected argument ${rest[0]}. Pass ${name} alone.`);
    print(terminal, await ownVersion());
    return EXIT.done;
  }
  const listed = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!listed) {
    const names = Object.keys(COMMANDS);
    throw new UsageError(`Unknown command: ${name}.${didYouMean(name, names, ` Commands: ${names.join(", ")}.`)}`);
  }
  const [, summary, load] = listed;
  return await runCommand(name, summary, (await load()).command, rest, terminal);
}
