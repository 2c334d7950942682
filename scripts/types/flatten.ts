// Writes the plain types of a module of schemas: everything it exports, except the schemas themselves.
import { dirname, relative } from "node:path/posix";
import ts from "typescript";
import { argumentsOf, createPrinter, DECLARE_FIELDS, docOf, FIELDS, type Printer, symbolOf } from "./print.ts";

/** Notes that a symbol is used, so that it gets imported, and returns its name. */
type Use = (symbol: ts.Symbol) => string;

/** A schema whose module exports a type of the same name. */
interface SchemaRecord {
  readonly symbol: ts.Symbol;
  /** Whether it is made of an object's shape. */
  readonly isObject: boolean;
}

/** Whether a module holds schemas, by its path. */
export function holdsSchemas(path: string): boolean {
  return /\/src\/(resources\/(schema-kit|shared|[\w-]+\/[\w-]*schema)|emulator\/\w+\/[\w-]*schema|contract\/run-schema)\.ts$/.test(
    path,
  );
}

/** @returns a function that writes the declaration file of a module that holds schemas */
export function createFlattener(program: ts.Program): (file: ts.SourceFile) => string {
  const checker = program.getTypeChecker();
  const records = recordsIn(program, checker);

  return (file) => {
    const imports = new Map<string, string>();
    const mentioned = new Set<string>(file.text.match(/\w+/g));
    const use: Use = (symbol) => {
      const source = symbol.declarations?.[0]?.getSourceFile();
      if (source !== undefined && source !== file) imports.set(symbol.name, source.fileName);
      return symbol.name;
    };
    const nameOf = (type: ts.Type): string | undefined => {
      const record = records.get(type)?.find(({ isObject, symbol }) => isObject || mentioned.has(symbol.name));
      if (record) return use(record.symbol);
      const symbol = type.aliasSymbol ?? symbolOf(type);
      if (!symbol?.declarations?.some(isShapeType) || isSchema(type)) return undefined;
      const parts = (type.aliasTypeArguments ?? []).map((part) => printer.plain(part, symbol.name));
      return use(symbol) + (parts.length > 0 ? `<${parts.join(", ")}>` : "");
    };
    const printer = createPrinter(checker, nameOf);
    const exported = file.statements.flatMap((statement) => {
      if (ts.isExportDeclaration(statement)) return statement.getText();
      const text = isExported(statement) ? declare(statement, checker, printer, use) : undefined;
      return text === undefined ? [] : docAbove(statement, checker) + text;
    });
    // A declaration file without an export of this kind exports everything it declares.
    const helper = exported.some((text) => text.includes(`${FIELDS}<`)) ? [DECLARE_FIELDS, "export {};"] : [];
    return `${[...importLines(imports, file.fileName), ...helper, ...exported].join("\n")}\n`;
  };
}

/** The doc of a statement. A type without one has its schema's. */
function docAbove(statement: ts.Statement, checker: ts.TypeChecker): string {
  const isType = ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement);
  const schema = isType ? checker.getSymbolAtLocation(statement.name)?.valueDeclaration : undefined;
  return docOf(statement) || docOf(schema);
}

/** One exported statement without its schema; nothing if it only has schemas. */
function declare(statement: ts.Statement, checker: ts.TypeChecker, printer: Printer, use: Use): string | undefined {
  if (ts.isVariableStatement(statement)) return constant(statement.declarationList.declarations[0], checker);
  if (!ts.isInterfaceDeclaration(statement) && !ts.isTypeAliasDeclaration(statement)) return undefined;
  const asWritten = () => (isAboutSchemas(statement, checker, use) ? undefined : statement.getText());
  const symbol = checker.getSymbolAtLocation(statement.name);
  if (symbol === undefined || statement.typeParameters) return asWritten();

  const { name, valueDeclaration } = symbol;
  const schema = valueDeclaration && checker.getTypeOfSymbolAtLocation(symbol, valueDeclaration);
  if (ts.isTypeAliasDeclaration(statement)) {
    const isInferred = schema && statement.type.getText().startsWith("z.infer<");
    return isInferred ? `export type ${name} = ${printer.schema(schema, name)};` : asWritten();
  }
  const text = schema ? printer.schema(schema, name) : printer.bag(checker.getDeclaredTypeOfSymbol(symbol), name);
  if (text.startsWith(`${FIELDS}<`)) return `export interface ${name} extends ${text} {}`;
  if (!text.startsWith("{"))
    throw new Error(`${name} isn't an object type: declare it with \`type\`, not with \`interface\`.`);
  const isReadonly = statement.heritageClauses?.some((clause) => clause.getText().startsWith("extends Readonly<"));
  return isReadonly ? `export interface ${name} extends Readonly<${text}> {}` : `export interface ${name} ${text}`;
}

/** A list of strings. Other values of these modules are schemas, or parts of them. */
function constant(declaration: ts.VariableDeclaration | undefined, checker: ts.TypeChecker): string | undefined {
  const type = declaration && checker.getTypeAtLocation(declaration.name);
  if (type === undefined || !isStringList(type, checker)) return undefined;
  const text = checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation);
  return `export declare const ${declaration?.name.getText()}: ${text};`;
}

function isStringList(type: ts.Type, checker: ts.TypeChecker): boolean {
  return checker.isTupleType(type) && argumentsOf(type, checker).every((member) => member.isStringLiteral());
}

/** Whether a declaration mentions zod's types, or values that aren't published. Notes what else it names. */
function isAboutSchemas(node: ts.Node, checker: ts.TypeChecker, use: Use): boolean {
  if (ts.isIdentifier(node)) {
    const symbol = aliased(checker.getSymbolAtLocation(node), checker);
    const declarations = symbol?.declarations ?? [];
    if (declarations[0]?.getSourceFile().fileName.includes("/node_modules/zod/")) return true;
    const isShape = declarations.some(isShapeType);
    if (symbol && declarations[0] && ts.isVariableDeclaration(declarations[0]) && !isShape)
      return !isStringList(checker.getTypeOfSymbol(symbol), checker);
    if (symbol && isShape) use(symbol);
  }
  return ts.forEachChild(node, (child) => isAboutSchemas(child, checker, use)) ?? false;
}

function isSchema(type: ts.Type): boolean {
  return type.getProperty("_zod") !== undefined;
}

function aliased(symbol: ts.Symbol | undefined, checker: ts.TypeChecker): ts.Symbol | undefined {
  return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/**
 * The schemas whose modules export a type of the same name, by their types. A type made of an object's shape belongs to
 * one schema. An enum's type belongs to every schema with the same values, so its name counts only in files that
 * mention it.
 */
function recordsIn(program: ts.Program, checker: ts.TypeChecker): Map<ts.Type, readonly SchemaRecord[]> {
  const records = new Map<ts.Type, readonly SchemaRecord[]>();
  for (const file of program.getSourceFiles().filter(({ fileName }) => holdsSchemas(fileName))) {
    const module = checker.getSymbolAtLocation(file);
    for (const symbol of module ? checker.getExportsOfModule(module) : []) {
      if (!symbol.valueDeclaration || !symbol.declarations?.some(isShapeType)) continue;
      const type = checker.getTypeOfSymbol(symbol);
      const isObject = isMadeOf("ZodMiniObject", type, checker);
      if (!isObject && symbolOf(type)?.name !== "OpenEnum") continue;
      const known = records.get(type) ?? [];
      if (!known.some((record) => record.symbol === symbol)) records.set(type, [...known, { symbol, isObject }]);
    }
  }
  return records;
}

function isMadeOf(kind: string, type: ts.Type, checker: ts.TypeChecker): boolean {
  if (symbolOf(type)?.name === kind) return true;
  return argumentsOf(type, checker).some((part) => part !== type && isMadeOf(kind, part, checker));
}

/** Whether this declares an exported type of a module that holds schemas. */
function isShapeType(declaration: ts.Declaration): boolean {
  const isType = ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration);
  return isType && isExported(declaration) && holdsSchemas(declaration.getSourceFile().fileName);
}

export function isExported(node: ts.Node): boolean {
  const modifiers = ts.canHaveModifiers(node) ? ts.getModifiers(node) : undefined;
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

function importLines(imports: ReadonlyMap<string, string>, from: string): string[] {
  const byFile = new Map<string, string[]>();
  for (const [name, fileName] of imports) byFile.set(fileName, [...(byFile.get(fileName) ?? []), name]);
  return [...byFile].sort().map(([fileName, names]) => {
    const path = relative(dirname(from), fileName).replace(/\.ts$/, ".js");
    names.sort();
    return `import type { ${names.join(", ")} } from "${path.startsWith(".") ? path : `./${path}`}";`;
  });
}
