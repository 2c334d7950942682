import { createInterface, type Interface } from "node:readline";
import { escapeHidden } from "../shared/hidden-text.js";

/**
 * Escapes a line for the terminal. Names and messages come from a service, so nothing in them may move the cursor,
 * reverse the direction of text, or start a line that looks like ours.
 */
function shownLine(line: string): string {
  return escapeHidden(line).replaceAll("\n", "\\n");
}

/** A word of a command, quoted for the shell if it needs to be: it may come from a server. */
export function quoted(word: string): string {
  return /^[\w./,@=+:%~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Prints lines of a command's result. */
export function print(...lines: readonly string[]): void {
  writeLines(process.stdout, lines);
}

export function printJson(value: unknown): void {
  print(...JSON.stringify(value, null, 2).split("\n"));
}

/** Prints progress, logs and errors to standard error. */
export function printNotice(...lines: readonly string[]): void {
  writeLines(process.stderr, lines);
}

/** One reader for all questions, because lines that are pasted at once answer several. */
let terminal: Interface | undefined;

/** Asks in a terminal. Returns undefined without one, or if nothing was typed. */
export async function ask(question: string): Promise<string | undefined> {
  const { stdin, stdout } = process;
  if (!stdin.isTTY || !stdout.isTTY) return undefined;
  terminal ??= createInterface({ input: stdin, output: stdout });
  const lines = terminal[Symbol.asyncIterator]();
  terminal.setPrompt(question);
  terminal.prompt();
  stdin.ref();
  const line = await lines.next();
  // An open terminal must not keep the process running.
  stdin.unref();
  return line.done ? undefined : line.value.trim() || undefined;
}

/** Stops the command after its output failed, with the exit code that is set. */
let stop: () => void = () => process.exit();

/** Lets a command that has to clean up end by itself when its output fails. */
export function onOutputFailure(stopCommand: () => void): void {
  stop = stopCommand;
}

/**
 * Ends the process if its output can't be written. A reader that has enough and closes the pipe, as `head` does, isn't
 * an error: like other programs, the command then ends without a message, and its code says that output was lost.
 */
export function exitWhenOutputFails(): void {
  process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
    process.exitCode = code === "EPIPE" ? BROKEN_PIPE : 1;
    if (code !== "EPIPE") printNotice(`svc-sdk: the output can't be written: ${message}. Some of it is lost.`);
    stop();
  });
  // Messages have nowhere else to go.
  process.stderr.on("error", () => {
    process.exitCode = 1;
    stop();
  });
}

/** The code of a program that SIGPIPE ended. */
const BROKEN_PIPE = 141;

function writeLines(output: NodeJS.WritableStream, lines: readonly string[]): void {
  for (const line of lines) output.write(`${shownLine(line)}\n`);
}
