import { createInterface, type Interface } from "node:readline";
import { escapeHidden } from "../shared/hidden-text.js";

/** The stream to write to, usually standard output. */
export interface Output {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

/**
 * Escapes a line for the terminal. Names and messages come from a service, so nothing in them may move the cursor,
 * reverse the direction of text, or start a line that looks like ours.
 */
export function shownLine(line: string): string {
  return escapeHidden(line).replaceAll("\n", "\\n");
}

/** Prints lines of a command's result. */
export function print(...lines: readonly string[]): void {
  writeLines(process.stdout, lines);
}

/** Prints a value as JSON for other programs. */
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

/** Ends the process when the reader of its output has enough and closes the pipe, as `head` does. */
export function exitWhenOutputCloses(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit();
  });
}

function writeLines(output: Output, lines: readonly string[]): void {
  for (const line of lines) output.write(`${shownLine(line)}\n`);
}
