#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { createInterface, type Interface } from "node:readline";
import { field } from "../shared/json.js";
import { EXIT } from "./exit-codes.js";
import { main } from "./main.js";
import { printNotice } from "./print.js";
import type { Output, Terminal } from "./terminal.js";

/** The exit codes of programs that SIGPIPE and SIGINT ended. */
const BROKEN_PIPE = 141;
const INTERRUPTED = 130;

/** The exit code after an output failed. */
let failure: number | undefined;

/** Ends the process, or lets a command that has to clean up end by itself. */
let stop: () => void = () => process.exit();

/** One reader for all questions, because lines that are pasted together answer several. */
let reader: Interface | undefined;

async function ask(question: string): Promise<string | undefined> {
  const { stdin, stdout } = process;
  if (!stdin.isTTY || !stdout.isTTY) return undefined;
  reader ??= createInterface({ input: stdin, output: stdout });
  const lines = reader[Symbol.asyncIterator]();
  reader.setPrompt(question);
  reader.prompt();
  stdin.ref();
  const line = await lines.next();
  // An open terminal must not keep the process running.
  stdin.unref();
  if (!line.done) return line.value;
  // Ctrl-C and Ctrl-D close the reader. Neither accepts a default.
  stdout.write("\n");
  return process.exit(INTERRUPTED);
}

function stopSignal({ withParent } = { withParent: false }): AbortSignal {
  const stopped = new AbortController();
  const abort = () => stopped.abort();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, abort);
  if (withParent) abortWithParent(stopped);
  stop = abort;
  return stopped.signal;
}

/** The time between two looks at the parent: no system tells a process that its parent has ended. */
const PARENT_INTERVAL_MS = 250;

function abortWithParent(stopped: AbortController): void {
  const first = ancestors();
  const timer = setInterval(() => {
    if (ancestors() !== first) stopped.abort();
  }, PARENT_INTERVAL_MS);
  stopped.signal.addEventListener("abort", () => clearInterval(timer), { once: true });
}

/** The processes that started this one. When one of them ends, another process takes its place. */
function ancestors(): string {
  const pids = [process.ppid];
  // npx, and `spawn` with `shell`, start the shell `sh -c`, which outlives them.
  while (isShellForCommand(pids.at(-1))) pids.push(parentOf(pids.at(-1)));
  return `${pids.join()} ${isRunning(process.ppid)}`;
}

/** Only Linux has these files. In macOS, `sh -c` becomes the program that it starts. */
function procFile(pid: number | undefined, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
}

function isShellForCommand(pid: number | undefined): boolean {
  return /^[^\0]*\bsh\0-c\0/.test(procFile(pid, "cmdline"));
}

function parentOf(pid: number | undefined): number {
  // The name, in parentheses, can contain anything.
  return Number(/.*\) \S (\d+)/s.exec(procFile(pid, "stat"))?.[1]);
}

/** In Windows, a process keeps the id of a parent that has ended. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return field(error, "code") === "EPERM";
  }
}

function outputOf(stream: NodeJS.WriteStream): Output {
  return { isTerminal: stream.isTTY, write: (text) => void stream.write(text) };
}

const terminal: Terminal = {
  stdout: outputOf(process.stdout),
  stderr: outputOf(process.stderr),
  env: process.env,
  cwd: process.cwd(),
  execArgv: process.execArgv,
  readInput: () => readFileSync(0, "utf8"),
  ask,
  stopSignal,
};

// A reader that has enough and closes the pipe, as `head` does, isn't an error: like other programs, the command then
// ends without a message, and its code says that output was lost.
process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
  failure = process.exitCode = code === "EPIPE" ? BROKEN_PIPE : EXIT.error;
  if (code !== "EPIPE") printNotice(terminal, `svc-sdk: the output can't be written: ${message}. Some of it is lost.`);
  stop();
});
// Messages have nowhere else to go.
process.stderr.on("error", () => {
  failure = process.exitCode = EXIT.error;
  stop();
});

void main(process.argv.slice(2), terminal).then((code) => {
  process.exitCode = failure ?? code;
});
