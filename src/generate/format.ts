/** Comments, JSON strings, and single characters of what else there is. */
const TOKENS = /\/\*\*[\s\S]*?\*\/|"(?:[^"\\]|\\.)*"|[\s\S]/g;

/** The key of a field, or the head of an alias, and the type that follows it. */
const FIELD = /^((?:"(?:[^"\\]|\\.)*"|\[[^\]]*\]|[\w$]+|type [\w$]+)\??(?::| =)) (.*)$/s;

/** The width at which a union goes one member per line. */
const WIDTH = 120;

/** Declarations as people write them: indented by two, semicolons, no needless parentheses, long unions broken. */
export function format(declarations: string, depth: number): string {
  const lines: string[] = [];
  let level = depth;
  for (const line of statements(withoutNeedlessParentheses(declarations))) {
    if (line.startsWith("/**")) {
      lines.push(...commentLines(line.slice(3, -2)).map((text) => indented(text, level)));
      continue;
    }
    const tokens = tokensOf(line);
    const own = level - (/^[)\]}]*/.exec(line)?.[0].length ?? 0);
    level += tokens.reduce((sum, token) => sum + nesting(token), 0);
    const isOpen = /[{([]$/.test(line);
    const end = isOpen ? "" : ";";
    const isLong = !isOpen && indented(line, own).length >= WIDTH;
    lines.push(...(isLong ? brokenUnion(tokens, own, end) : [indented(line + end, own)]));
  }
  return lines.join("\n");
}

/** A doc comment at a level of indentation, with the line end; nothing for no text. */
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

function tokensOf(text: string): string[] {
  return text.match(TOKENS) ?? [];
}

/** What a token adds to the depth. */
function nesting(token: string): number {
  if (token === "{" || token === "(" || token === "[") return 1;
  return token === "}" || token === ")" || token === "]" ? -1 : 0;
}

/** Whole comments, and lines of code without the blank ones. */
function statements(text: string): string[] {
  const found = [""];
  for (const token of tokensOf(text)) {
    if (token.startsWith("/**")) found.push(token, "");
    else if (token === "\n") found.push("");
    else found.push((found.pop() ?? "") + token);
  }
  return found.map((line) => (line.startsWith("/**") ? line : asAlias(line.trim()))).filter(Boolean);
}

/** An object type goes where any JSON object is taken; an interface would not, because it may be added to. */
function asAlias(line: string): string {
  return line.replace(/^export /, "").replace(/^interface ([\w$]+) \{/, "type $1 = {");
}

/** `a: (x | y) | z` becomes `a: x | y | z`, and a union's bar gets its spaces. */
function withoutNeedlessParentheses(text: string): string {
  const tokens = tokensOf(text);
  const open: number[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token === "(") open.push(index);
    if (token === "|" && tokens[index + 1] !== " ") tokens[index] = " | ";
    if (token !== ")") continue;
    const start = open.pop() ?? 0;
    const before = tokens[start - 1] === " " ? tokens[start - 2] : tokens[start - 1];
    const after = tokens[index + 1] === " " ? tokens[index + 2] : tokens[index + 1];
    const isWord = /^[\w$]+$/.test(tokens.slice(start + 1, index).join(""));
    // In an intersection, or before the brackets of a list, they are needed.
    if (isWord || (/^[:=|( ]*$/.test(before ?? "&") && /^[\n|) ]*$/.test(after ?? ""))) {
      tokens[start] = "";
      tokens[index] = "";
    }
  }
  return tokens.join("");
}

function brokenUnion(tokens: readonly string[], level: number, end: string): string[] {
  const whole = tokens.join("");
  const [, key, type] = FIELD.exec(whole) ?? [];
  const members = [""];
  let depth = 0;
  for (const token of tokensOf(type ?? "")) {
    depth += nesting(token);
    if (token === "|" && depth === 0) members.push("");
    else members.push((members.pop() ?? "") + token);
  }
  if (key === undefined || members.length === 1) return [indented(whole + end, level)];
  const lines = members.map((member) => indented(`| ${member.trim()}`, level + 1));
  return [indented(key, level), ...lines.slice(0, -1), lines.at(-1) + end];
}
