import { createInterface } from "node:readline/promises";
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

/** Asks in a terminal. Returns undefined without one, or if nothing was typed. */
export async function ask(question: string): Promise<string | undefined> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return undefined;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return (await terminal.question(question)).trim() || undefined;
  } finally {
    terminal.close();
  }
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
