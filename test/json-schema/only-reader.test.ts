import { globSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";

const wordsIn = (lines: readonly string[]) => new Set(lines.flatMap((line) => line.split(" ")));

/** Keywords of JSON Schema that are nothing else in `src`. */
const KEYWORDS = wordsIn([
  "$ref $defs $dynamicRef $recursiveRef anyOf allOf additionalProperties patternProperties propertyNames",
  "unevaluatedProperties minProperties maxProperties dependentRequired dependentSchemas prefixItems additionalItems",
  "unevaluatedItems minItems maxItems uniqueItems minContains maxContains exclusiveMinimum exclusiveMaximum multipleOf",
  "minLength maxLength file_uploadable file_downloadable",
]);
/** Keywords that are also names of other things. They count where a field is read. */
const AMBIGUOUS = wordsIn(["properties required enum const oneOf nullable minimum maximum items"]);

const ANY_KEYWORD = new RegExp(
  `\\b(?:${[...KEYWORDS, ...AMBIGUOUS].map((word) => word.replace("$", "")).join("|")})\\b`,
);

/** Files that name keywords and read no schema, with the reason. */
const WRITERS: readonly { readonly files: RegExp; readonly reason: string }[] = [
  { files: /^agents\/schema\//, reason: "writes schemas for providers, and reads what it has written" },
  { files: /^contract\/openapi\.ts$/, reason: "writes the OpenAPI document" },
  { files: /^agents\/policy\/conditions\.ts$/, reason: "oneOf of a condition" },
  { files: /^emulator\/(connected-accounts\/schemes|toolkits\/show)\.ts$/, reason: "required fields of a toolkit" },
  {
    files: /^emulator\/inspector\/(parts\/schema-form|schema-values)\./,
    reason: "fields of forms, which formOf() makes",
  },
  { files: /^emulator\/engine\/newer-fields\.ts$/, reason: "nullable fields of requests" },
];

function keywordsIn(path: string): string[] {
  const text = readFileSync(`src/${path}`, "utf8");
  if (!ANY_KEYWORD.test(text)) return [];
  const found = new Set<string>();
  const add = (word: string, isField: boolean) => {
    if (KEYWORDS.has(word) || (isField && AMBIGUOUS.has(word))) found.add(word);
  };
  const visit = (node: ts.Node): void => {
    // An object literal with keywords is a schema that the file writes.
    if (ts.isStringLiteralLike(node)) for (const word of node.text.split(" ")) add(word, false);
    if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression))
      add(node.argumentExpression.text, true);
    const isOfZod =
      ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === "z";
    if (ts.isPropertyAccessExpression(node) && !isOfZod) add(node.name.text, node.name.text === "properties");
    if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) {
      const name = node.propertyName ?? node.name;
      if (ts.isIdentifier(name)) add(name.text, name.text !== "items");
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return [...found].sort();
}

const files = globSync("**/*.{ts,tsx}", { cwd: "src" })
  .map((path) => path.replaceAll("\\", "/"))
  .filter((path) => !path.startsWith("json-schema/"))
  .sort();

test("only json-schema reads keywords", () => {
  const readers = files.filter((path) => !WRITERS.some((writer) => writer.files.test(path)));
  const found = readers.flatMap((path) => keywordsIn(path).map((keyword) => `${path}: ${keyword}`));
  expect(found).toEqual([]);
});

test("every writer names keywords", () => {
  const idle = WRITERS.filter(
    (writer) => !files.some((path) => writer.files.test(path) && keywordsIn(path).length > 0),
  );
  expect(idle).toEqual([]);
});
