/** Maximum line length. */
export const WIDTH = 120;

/** A doc comment at a level of indentation, with its line break. Empty if the text is. */
export function docComment(text: string, level: number): string {
  if (text === "") return "";
  return commentLines(text)
    .map((line) => `${indented(line, level)}\n`)
    .join("");
}

function commentLines(text: string): string[] {
  const lines = text.split("\n").map((line) => line.replace(/^ \* ?/, "").trimEnd());
  while (lines[0] === "") lines.shift();
  while (lines.at(-1)?.trim() === "") lines.pop();
  const [only] = lines;
  if (lines.length === 1 && only !== undefined && only.length < WIDTH - 20) return [`/** ${only} */`];
  return ["/**", ...lines.map((line) => ` * ${line}`.trimEnd()), " */"];
}

function indented(line: string, level: number): string {
  return "  ".repeat(level) + line;
}
