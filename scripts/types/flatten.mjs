// Writes the plain types of a schema module: everything it exports, except the schemas themselves.
import { dirname, relative } from "node:path/posix";
import ts from "typescript";
import { createPrinter, DECLARE_FIELDS, docOf, FIELDS } from "./print.mjs";

/** The modules that hold schemas. */
export const holdsSchemas = (path) => /\/src\/(schema-kit|resources\/(shared|[\w-]+\/[\w-]*schema))\.ts$/.test(path);

/** @returns a function that gives the text of a declaration file for a module that holds schemas */
export function createFlattener(program) {
  const checker = program.getTypeChecker();
  const records = recordsIn(program, checker);

  return (file) => {
    const imports = new Map();
    const mentioned = new Set(file.text.match(/\w+/g));
    const use = (symbol) => {
      const source = symbol.declarations[0].getSourceFile();
      if (source !== file) imports.set(symbol.name, source.fileName);
      return symbol.name;
    };
    const nameOf = (type) => {
      const record = records.get(type)?.find(({ isObject, symbol }) => isObject || mentioned.has(symbol.name));
      if (record) return use(record.symbol);
      const symbol = type.aliasSymbol ?? type.symbol;
      if (!symbol?.declarations?.some(isShapeType) || isSchema(type)) return undefined;
      const parts = (type.aliasTypeArguments ?? []).map((part) => printer.plain(part, symbol.name));
      return use(symbol) + (parts.length ? `<${parts.join(", ")}>` : "");
    };
    const printer = createPrinter(checker, nameOf);
    const exported = file.statements.flatMap((statement) => {
      if (ts.isExportDeclaration(statement)) return statement.getText();
      const text = isExported(statement) && declare(statement, checker, printer, use);
      return text ? docOf(statement) + text : [];
    });
    // Without an export of its own kind, a declaration file exports everything it declares.
    const helper = exported.some((text) => text.includes(`${FIELDS}<`)) ? [DECLARE_FIELDS, "export {};"] : [];
    return `${[...importLines(imports, file.fileName), ...helper, ...exported].join("\n")}\n`;
  };
}

/** One exported statement without its schema; nothing where it is about schemas only. */
function declare(statement, checker, printer, use) {
  if (ts.isVariableStatement(statement)) return constant(statement.declarationList.declarations[0], checker);
  if (!ts.isInterfaceDeclaration(statement) && !ts.isTypeAliasDeclaration(statement)) return undefined;
  const name = statement.name.text;
  const symbol = checker.getSymbolAtLocation(statement.name);
  const { valueDeclaration } = symbol;
  const schema = valueDeclaration && checker.getTypeOfSymbolAtLocation(symbol, valueDeclaration);

  if (ts.isTypeAliasDeclaration(statement)) {
    if (statement.type.getText().startsWith("z.infer<"))
      return `export type ${name} = ${printer.schema(schema, name)};`;
    return isAboutSchemas(statement, checker, use) ? undefined : statement.getText();
  }
  if (statement.typeParameters) return isAboutSchemas(statement, checker, use) ? undefined : statement.getText();
  const text = schema ? printer.schema(schema, name) : printer.bag(checker.getDeclaredTypeOfSymbol(symbol), name);
  if (text.startsWith(`${FIELDS}<`)) return `export interface ${name} extends ${text} {}`;
  if (!text.startsWith("{"))
    throw new Error(`${name} gives no object: declare it with \`type\`, not with \`interface\`.`);
  return `export interface ${name} ${text}`;
}

/** A list of texts. Other values of these modules are schemas, or parts of them. */
function constant({ name }, checker) {
  const type = checker.getTypeAtLocation(name);
  if (!isTextList(type, checker)) return undefined;
  return `export declare const ${name.text}: ${checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation)};`;
}

const isTextList = (type, checker) =>
  checker.isTupleType(type) && checker.getTypeArguments(type).every((member) => member.isStringLiteral());

/** Whether a declaration speaks of zod's types, or of values that are not published. Notes what else it names. */
function isAboutSchemas(node, checker, use) {
  if (ts.isIdentifier(node)) {
    const symbol = aliased(checker.getSymbolAtLocation(node), checker);
    const [declaration] = symbol.declarations;
    if (declaration.getSourceFile().fileName.includes("/node_modules/zod/")) return true;
    if (ts.isVariableDeclaration(declaration) && !symbol.declarations.some(isShapeType))
      return !isTextList(checker.getTypeOfSymbol(symbol), checker);
    if (symbol.declarations.some(isShapeType)) use(symbol);
  }
  return ts.forEachChild(node, (child) => isAboutSchemas(child, checker, use)) ?? false;
}

const isSchema = (type) => type.getProperty("_zod") !== undefined;

const aliased = (symbol, checker) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);

/**
 * The schemas that a type of the same name is exported for. A type made of an object's shape belongs to one schema only; an
 * enum's type belongs to every schema with the same values, so its name counts only where it is mentioned.
 */
function recordsIn(program, checker) {
  const records = new Map();
  for (const file of program.getSourceFiles().filter(({ fileName }) => holdsSchemas(fileName))) {
    for (const symbol of checker.getExportsOfModule(checker.getSymbolAtLocation(file))) {
      if (!symbol.valueDeclaration || !symbol.declarations.some(isShapeType)) continue;
      const type = checker.getTypeOfSymbol(symbol);
      const isObject = isMadeOf("ZodMiniObject", type, checker);
      if (!isObject && type.symbol?.name !== "OpenEnum") continue;
      const known = records.get(type) ?? [];
      if (!known.some((record) => record.symbol === symbol)) records.set(type, [...known, { symbol, isObject }]);
    }
  }
  return records;
}

function isMadeOf(kind, type, checker) {
  if (type.symbol?.name === kind) return true;
  const parts = type.objectFlags & ts.ObjectFlags.Reference ? checker.getTypeArguments(type) : [];
  return parts.some((part) => part !== type && isMadeOf(kind, part, checker));
}

function isShapeType(declaration) {
  const isType = ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration);
  return isType && isExported(declaration) && holdsSchemas(declaration.getSourceFile().fileName);
}

export function isExported(statement) {
  return (
    ts.canHaveModifiers(statement) &&
    ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
  );
}

function importLines(imports, from) {
  const byFile = Map.groupBy([...imports], ([, fileName]) => fileName);
  return [...byFile].sort().map(([fileName, entries]) => {
    const path = relative(dirname(from), fileName).replace(/\.ts$/, ".js");
    const names = entries.map(([name]) => name).sort();
    return `import type { ${names.join(", ")} } from "${path.startsWith(".") ? path : `./${path}`}";`;
  });
}
