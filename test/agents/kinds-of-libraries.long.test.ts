import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");

/** The types of each library, with the page and the header of the table about them. */
const UNIONS = [
  ["openai/resources/responses/responses.d.ts", "ResponseOutputItem", "openai.md", "Item"],
  ["openai/resources/chat/completions/completions.d.ts", "ChatCompletionMessageToolCall", "openai.md", "Tool call"],
  ["@anthropic-ai/sdk/resources/messages/messages.d.ts", "ContentBlock", "anthropic.md", "Block"],
  ["@google/genai/dist/genai.d.ts", "Part", "gemini.md", "Field of a part"],
] as const;

const fileOf = (module: string) => resolve(root, "node_modules", module);
const program = ts.createProgram(
  UNIONS.map(([module]) => fileOf(module)),
  { skipLibCheck: true, strict: true, types: [], noLib: true },
);
const checker = program.getTypeChecker();

/** The kinds of a union's members: the literals of their field `type`, or the fields that a part may have. */
function kindsOf(module: string, union: string): string[] {
  const source = program.getSourceFile(fileOf(module));
  const symbol = source && checker.getSymbolAtLocation(source);
  const found = symbol && checker.getExportsOfModule(symbol).find(({ name }) => name === union);
  if (!found) throw new Error(`${module} has no ${union}.`);
  const type = checker.getDeclaredTypeOfSymbol(found);
  const members = type.isUnion() ? type.types : [type];
  return members.flatMap((member) => {
    const kind = member.getProperty("type");
    if (!kind) return member.getProperties().map(({ name }) => name);
    const literal = checker.getTypeOfSymbol(kind);
    return literal.isStringLiteral() ? [literal.value] : [];
  });
}

/** The rows of a table in the guide: each kind, and what happens to it. */
function rowsOf(page: string, header: string): Map<string, string> {
  const guide = readFileSync(resolve(root, "docs/guide", page), "utf8");
  const [, section = ""] = guide.split(`| ${header} | What \`run\` does |\n`);
  const [table = ""] = section.split("\n\n");
  return new Map(
    [...table.matchAll(/^\| (`.*`) \| (.*) \|$/gm)].flatMap(([, kinds = "", what = ""]) => {
      return kinds.split(", ").map((kind) => [kind.replaceAll("`", ""), what] as const);
    }),
  );
}

describe("the guide says what happens to each kind that the newest library lists:", () => {
  test.each(UNIONS)("%s: %s", (module, union, page, header) => {
    expect([...rowsOf(page, header).keys()].sort()).toEqual([...new Set(kindsOf(module, union))].sort());
  });
});
