#!/usr/bin/env node
import { inspect } from "node:util";
import { messageOf } from "../shared/message-of.js";
import { didYouMean } from "../shared/nearest-name.js";
import { linesOf, type Row, runCommand, UsageError } from "./command.js";
import { COMMANDS } from "./commands.js";
import { ownVersion } from "./files.js";
import { exitWhenOutputFails, print, printNotice } from "./print.js";

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
  0  done
  1  error; see the message. svc-sdk doctor: findings
  2  invalid command line
  3  svc-sdk lock --check found a difference, or svc-sdk policy check an unexpected outcome`;

async function main([name, ...rest]: string[]): Promise<void> {
  if (name === "help" && rest.length > 0) return main([...rest, "--help"]);
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    print(...HELP.split("\n"));
    return;
  }
  if (name === "--version" || name === "-v") {
    if (rest[0] !== undefined) throw new UsageError(`Unexpected argument ${rest[0]}. Pass ${name} alone.`);
    print(await ownVersion());
    return;
  }
  const listed = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!listed) {
    const names = Object.keys(COMMANDS);
    throw new UsageError(`Unknown command: ${name}.${didYouMean(name, names, ` Commands: ${names.join(", ")}.`)}`);
  }
  const [, summary, load] = listed;
  await runCommand(name, summary, (await load()).command, rest);
}

const commandLine = process.argv.slice(2);

exitWhenOutputFails();

main(commandLine).catch((error: unknown) => {
  printNotice(`svc-sdk: ${messageOf(error).replace(/\s*\n\s*/g, " ")}`);
  // Its properties and causes contain no key, because the client removes keys.
  if (commandLine.includes("--verbose")) {
    // Indented, so no line of a message looks like our own.
    printNotice(
      ...inspect(error)
        .split("\n")
        .map((line) => `  ${line}`),
    );
  }
  process.exitCode = error instanceof UsageError ? 2 : 1;
});
