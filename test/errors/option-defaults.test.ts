import { globSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";

const files = globSync("src/**/*.ts").map((path) =>
  ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true),
);
const constants = new Map<string, ts.Expression>();
const interfaces = new Map<string, ts.InterfaceDeclaration>();
const aliases = new Map<string, string>();
/** The table of rules for each interface of options. */
const tables: [options: string, rules: ts.ObjectLiteralExpression][] = [];

for (const file of files) {
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer) {
      constants.set(node.name.text, node.initializer);
    }
    if (ts.isInterfaceDeclaration(node)) interfaces.set(node.name.text, node);
    if (ts.isTypeAliasDeclaration(node)) aliases.set(node.name.text, node.type.getText());
    if (ts.isSatisfiesExpression(node)) {
      const [, options] = /^option\.Rules<(.*)>$/s.exec(node.type.getText()) ?? [];
      const table = plain(node);
      if (options && ts.isObjectLiteralExpression(table)) tables.push([options, table]);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
}

function plain(node: ts.Expression): ts.Expression {
  return ts.isAsExpression(node) || ts.isSatisfiesExpression(node) ? plain(node.expression) : node;
}

/** The expression behind a name, or behind the property of one. */
function behind(node: ts.Expression): ts.Expression {
  if (ts.isIdentifier(node)) {
    const value = constants.get(node.text);
    return value ? behind(plain(value)) : node;
  }
  if (!ts.isPropertyAccessExpression(node)) return plain(node);
  // A name of errors/option-rules.ts, which tables import under this one.
  if (node.expression.getText() === "option") return behind(node.name);
  const owner = behind(node.expression);
  return (ts.isObjectLiteralExpression(owner) && memberOf(owner, node.name.text)) || node;
}

function memberOf(literal: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
  for (const member of literal.properties.toReversed()) {
    if (ts.isPropertyAssignment(member) && member.name.getText() === name) return behind(member.initializer);
    if (!ts.isSpreadAssignment(member)) continue;
    const spread = behind(member.expression);
    const found = ts.isObjectLiteralExpression(spread) && memberOf(spread, name);
    if (found) return found;
  }
  return undefined;
}

/** The names in a table, those that it takes over from other tables included. */
function namesIn(table: ts.ObjectLiteralExpression): string[] {
  return table.properties.flatMap((member) => {
    if (!ts.isSpreadAssignment(member)) return member.name?.getText() ?? [];
    const spread = behind(member.expression);
    return ts.isObjectLiteralExpression(spread) ? namesIn(spread) : [];
  });
}

/** What the docs of an option say after `@default`. */
function documented(options: string, name: string): string | undefined {
  for (const [type] of options.matchAll(/\b[A-Z]\w+/g)) {
    const declaration = interfaces.get(type);
    const alias = aliases.get(type);
    const aliased = alias && documented(alias, name);
    if (aliased) return aliased;
    if (!declaration) continue;
    const member = declaration.members.find((one) => one.name?.getText() === name);
    if (member) {
      const [tag] = ts.getJSDocTags(member).filter(({ tagName }) => tagName.text === "default");
      return tag && ts.getTextOfJSDocComment(tag.comment)?.trim();
    }
    const inherited = (declaration.heritageClauses ?? []).map((clause) => documented(clause.getText(), name));
    const found = inherited.find((text) => text !== undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The value of a literal, as code or docs write it. Docs may explain it. */
function literal(text: string | undefined): string | undefined {
  const [, found] = /^(-?[\d_]+(?: \* [\d_]+)*|"[^"]*"|true|false|\[\]|\{\})(?=$|[ ,(])/.exec(text ?? "") ?? [];
  if (found === undefined) return undefined;
  if (!/^-?\d/.test(found)) return found;
  return String(
    found
      .replaceAll("_", "")
      .split(" * ")
      .reduce((product, factor) => product * Number(factor), 1),
  );
}

/** The default of a sample: an event that is given has its own. */
const OF_SAMPLES = ["type", "version"];

/** Docs say "none" for an empty object. */
const NONE = ["{}", "[]"];

test("every table of options has docs, and there are many", () => {
  expect(tables.length).toBeGreaterThan(30);
  for (const [options] of tables)
    for (const [type] of options.matchAll(/\b[A-Z]\w+Options\b/g)) {
      expect(interfaces.has(type) || aliases.has(type), type).toBe(true);
    }
});

test.each(tables.map(([options, table]) => ({ options, table })))(
  "$options has the defaults of its docs",
  ({ options, table }) => {
    for (const name of namesIn(table)) {
      const rule = memberOf(table, name);
      const given = rule && ts.isObjectLiteralExpression(rule) ? memberOf(rule, "default")?.getText() : undefined;
      // `7 * DAY_MS`.
      const value = given?.replace(/\b[A-Z]+_MS\b/g, (unit) => constants.get(unit)?.getText() ?? unit);
      const docs = documented(options, name);
      const place = `${options}.${name}: the default is ${value}, and its docs say ${docs}`;
      if (value !== undefined) expect(docs, place).toBeDefined();
      if (docs === "none") expect(NONE, place).toContain(value);
      else if (!OF_SAMPLES.includes(name)) expect(literal(docs), place).toBe(literal(value));
    }
  },
);
