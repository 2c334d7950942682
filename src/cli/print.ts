import { escapeHidden } from "../shared/hidden-text.js";
import type { Output, Terminal } from "./terminal.js";

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

/** One line, or several. Not separate arguments: an array of any length would overflow the stack. */
type Lines = string | readonly string[];

/** Prints lines of a command's result. */
export function print({ stdout }: Terminal, lines: Lines): void {
  writeLines(stdout, lines);
}

export function printJson(terminal: Terminal, value: unknown): void {
  writeLines(terminal.stdout, JSON.stringify(value, null, 2).split("\n"));
}

/** Prints progress, logs and errors to standard error. */
export function printNotice({ stderr }: Terminal, lines: Lines): void {
  writeLines(stderr, lines);
}

function writeLines(output: Output, lines: Lines): void {
  for (const line of [lines].flat()) output.write(`${shownLine(line)}\n`);
}
