/** Prints a line of what a command is for. What it says about itself goes to standard error. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
