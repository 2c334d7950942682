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

/** Colors of a terminal, as parameters of its escape sequences. */
const COLORS = { good: 32, bad: 31, quiet: 2 } as const;

/** A part of a line, and the color that a terminal shows it in. */
export type Cell = string | { readonly text: string; readonly color: keyof typeof COLORS };

/** A line, or its parts. */
type PrintedLine = string | readonly Cell[];

/** Several lines are one argument: an array of any length would overflow the stack as arguments. */
type Lines = string | readonly PrintedLine[];

/** Prints lines of a command's result. */
export function print(terminal: Terminal, lines: Lines): void {
  writeLines(terminal, terminal.stdout, lines);
}

export function printJson(terminal: Terminal, value: unknown): void {
  print(terminal, JSON.stringify(value, null, 2).split("\n"));
}

/** Prints progress, logs and errors to standard error. */
export function printNotice(terminal: Terminal, lines: Lines): void {
  writeLines(terminal, terminal.stderr, lines);
}

function writeLines(terminal: Terminal, output: Output, lines: Lines): void {
  for (const line of typeof lines === "string" ? [lines] : lines) {
    output.write(
      `${[line]
        .flat()
        .map((cell) => shownCell(terminal, output, cell))
        .join("")}\n`,
    );
  }
}

/** Prints rows of a command's result. A terminal shows columns; in a pipe, two spaces separate the cells. */
export function printRows(terminal: Terminal, rows: readonly (readonly Cell[])[]): void {
  const { isTerminal } = terminal.stdout;
  const widths = (isTerminal ? rows : []).reduce<number[]>(
    (widest, row) => row.map((cell, index) => Math.max(widest[index] ?? 0, shownLine(textOf(cell)).length)),
    [],
  );
  const lines = rows.map((row) => {
    const cells = row.flatMap((cell, index) => {
      const width = isTerminal ? (widths[index] ?? 0) : shownLine(textOf(cell)).length;
      return width === 0 ? [] : [{ cell, space: " ".repeat(width - shownLine(textOf(cell)).length) }];
    });
    return cells.flatMap(({ cell, space }, index) => (index === cells.length - 1 ? [cell] : [cell, `${space}  `]));
  });
  print(terminal, lines);
}

/** A line whose first word is an outcome: an HTTP status, or the kind of a problem. */
export function withOutcome(line: string): Cell[] {
  const [word = ""] = /^\S*/.exec(line) ?? [];
  const color = /^[23]\d\d$/.test(word) ? "good" : /^(pending|dry_run)$/.test(word) ? "quiet" : "bad";
  return [{ text: word, color }, line.slice(word.length)];
}

/** A line that starts with an exclamation mark if it's about a problem. */
export function withMark(line: string): Cell {
  return /^\s*!/.test(line) ? { text: line, color: "bad" } : line;
}

const textOf = (cell: Cell) => (typeof cell === "string" ? cell : cell.text);

/** Colored only in a terminal that shows colors, unless `NO_COLOR` is set. */
function shownCell({ env }: Terminal, { isTerminal }: Output, cell: Cell): string {
  const shown = shownLine(textOf(cell));
  const hasColors = isTerminal && !env["NO_COLOR"] && env["TERM"] !== "dumb";
  return hasColors && typeof cell !== "string" ? `\u001b[${COLORS[cell.color]}m${shown}\u001b[0m` : shown;
}
