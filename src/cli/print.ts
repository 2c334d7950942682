import { escapeHidden } from "../shared/hidden-text.js";

/** Where text is written to: a standard stream, as a rule. */
export interface Output {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

/**
 * One line as it may be shown. Names and messages come from a service: nothing in them moves the cursor, turns the direction of
 * what is read, or begins a line that looks like our own.
 */
export function shownLine(line: string): string {
  return escapeHidden(line).replaceAll("\n", "\\n");
}

/** Prints lines of what a command is for. What it says about itself goes to standard error. */
export function print(...lines: readonly string[]): void {
  writeLines(process.stdout, lines);
}

/** Prints a value as JSON that other programs read. */
export function printJson(value: unknown): void {
  print(...JSON.stringify(value, null, 2).split("\n"));
}

/** Prints lines of what a command says about itself. */
export function tell(...lines: readonly string[]): void {
  writeLines(process.stderr, lines);
}

function writeLines(output: Output, lines: readonly string[]): void {
  for (const line of lines) output.write(`${shownLine(line)}\n`);
}
