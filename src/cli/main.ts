#!/usr/bin/env node
import { emulatorCommand } from "./emulator.js";
import { UsageError } from "./usage-error.js";

const HELP = `svc: the command line of svc-sdk

Usage
  svc emulator [options]    run a local service
  svc <command> --help      what a command takes

Exit codes
  0  done
  1  it failed; the message says why
  2  the command line is wrong
`;

const COMMANDS: Readonly<Record<string, (arguments_: string[]) => Promise<void>>> = {
  emulator: emulatorCommand,
};

async function main([name, ...rest]: string[]): Promise<void> {
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    process.stdout.write(HELP);
    return;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new UsageError(`There is no command ${name}. Commands: ${Object.keys(COMMANDS).join(", ")}.`);
  await command(rest);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const isUsage = error instanceof UsageError || (error instanceof TypeError && "code" in error);
  process.stderr.write(`svc: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = isUsage ? 2 : 1;
});
