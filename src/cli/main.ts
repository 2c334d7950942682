#!/usr/bin/env node
import { inspect } from "node:util";
import { didYouMean } from "../shared/nearest-name.js";
import { COMMANDS } from "./commands.js";
import { ownVersion } from "./own-package.js";
import { UsageError } from "./parse-options.js";
import { exitWhenOutputFails, print, printNotice } from "./print.js";

const HELP = `svc-sdk: the command line interface of the package

Usage
  svc-sdk init [folder]           start a project: plain Node, Hono on Workers, or Next.js
  svc-sdk doctor [options]        find what is wrong with a setup, and what fixes it
  svc-sdk generate [options]      write types for the tools and trigger types you use
  svc-sdk lock [options]          lock tool versions and compare them with the service's
  svc-sdk lint-tools [options]    check tools against the limits of a model provider
  svc-sdk migrate [paths]         rewrite a program that uses another client
  svc-sdk policy [options]        test a policy with recorded calls
  svc-sdk call <operation> …      call any operation of the service
  svc-sdk emulator [options]      run a local service
  svc-sdk listen [options]        receive an emulator's events at a port of your machine
  svc-sdk trigger <trigger>       fire an event of an emulator
  svc-sdk resend <delivery>       send an emulator's webhook delivery again
  svc-sdk deliveries [options]    list an emulator's webhook deliveries
  svc-sdk completion <shell>      complete these words in bash, zsh or fish
  svc-sdk <command> --help        show a command's options
  svc-sdk --version               show the version

  In a project that has svc-sdk installed, svc is short for it.

Environment
  SVC_BASE_URL   URL of the service or of the emulator
  SVC_API_KEY    project key; not an option, because other programs can see command lines

Exit codes
  0  done
  1  error; see the message. svc-sdk doctor: findings
  2  invalid command line
  3  svc-sdk lock --check found a difference, svc-sdk policy check an unexpected outcome, or svc-sdk lint-tools a tool
     that loses too much
`;

async function main([name, ...rest]: string[]): Promise<void> {
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    print(...HELP.trimEnd().split("\n"));
    return;
  }
  if (name === "--version" || name === "-v") {
    print(await ownVersion());
    return;
  }
  const load = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!load) {
    const names = Object.keys(COMMANDS);
    throw new UsageError(`Unknown command: ${name}.${didYouMean(name, names, ` Commands: ${names.join(", ")}.`)}`);
  }
  const { run } = await load();
  await run(rest);
}

const commandLine = process.argv.slice(2);

exitWhenOutputFails();

main(commandLine).catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  printNotice(`svc-sdk: ${message.replace(/\s*\n\s*/g, " ")}`);
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
