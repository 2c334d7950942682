import type ts from "typescript";
import { EXPORTS, type Library, libraryOf } from "./exports.js";
import type { FileContext } from "./project.js";

/** The imports of the libraries in a file, with their replacements. */
export interface Imports {
  /** New names by the declaration that they replace. */
  readonly localNames: Map<ts.Node, string>;
  /** Imports of providers. They have no replacement, because an adapter is used elsewhere. */
  readonly dropped: ReadonlySet<ts.Node>;
  /**
   * Statements of the libraries, with what replaces them. What all imports take from a module is one statement: the
   * first.
   */
  readonly statements: ReadonlyMap<ts.Statement, Replacement>;
}

interface Replacement {
  readonly specifiers: Specifier[];
  /** Statements of another form, such as `import * as svc from "svc-sdk"`. */
  readonly whole: string[];
  /** Names that have no replacement, by the old statement around them. */
  readonly missing: Map<string, string[]>;
  /** Whether it exports everything, and with it other names. */
  readonly isOpen: boolean;
}

interface Specifier {
  readonly from: string;
  /** `Svc as Composio`. */
  readonly text: string;
  readonly isType: boolean;
}

type Module = Pick<FileContext, "project" | "source">;
type LibraryStatement = ts.ImportDeclaration | ts.ExportDeclaration;

/** Longer statements have a line for each name. */
const WIDTH = 100;

export function planImports(file: Module): Imports {
  const { ts } = file.project;
  const localNames = new Map<ts.Node, string>();
  const dropped = new Set<ts.Node>();
  const statements = new Map<ts.Statement, Replacement>();
  let first: Replacement | undefined;
  for (const statement of file.source.statements) {
    if (ts.isVariableStatement(statement)) planRequired(file, statement, localNames);
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue;
    const { moduleSpecifier } = statement;
    const library =
      moduleSpecifier && ts.isStringLiteral(moduleSpecifier) ? libraryOf(moduleSpecifier.text) : undefined;
    if (!library) continue;
    const plan = planStatement(file, statement, library, localNames, dropped);
    const empty: Replacement = { specifiers: [], whole: [], missing: new Map(), isOpen: false };
    statements.set(statement, ts.isImportDeclaration(statement) && first ? { ...empty, whole: plan.whole } : plan);
    if (!ts.isImportDeclaration(statement)) continue;
    first?.specifiers.push(...plan.specifiers);
    for (const [around, names] of plan.missing) first?.missing.set(around, names);
    first ??= plan;
  }
  return { localNames, dropped, statements };
}

/** Names of `const { Composio } = require("@composio/client")`. */
function planRequired(file: Module, statement: ts.VariableStatement, localNames: Map<ts.Node, string>): void {
  const { ts } = file.project;
  for (const { name } of statement.declarationList.declarations) {
    if (!ts.isObjectBindingPattern(name)) continue;
    for (const element of name.elements) {
      const kind = element.propertyName || !ts.isIdentifier(element.name) ? undefined : file.project.kinds.of(element);
      const target = kind?.is === "export" ? EXPORTS[kind.library].get(kind.name) : undefined;
      if (target && !isTaken(file, target.name)) localNames.set(element, target.name);
    }
  }
}

function planStatement(
  file: Module,
  statement: LibraryStatement,
  library: Library,
  localNames: Map<ts.Node, string>,
  dropped: Set<ts.Node>,
): Replacement {
  const { ts } = file.project;
  const isOpen = ts.isExportDeclaration(statement) && !statement.exportClause;
  const plan: Replacement = { specifiers: [], whole: [], missing: new Map(), isOpen };
  const isExport = ts.isExportDeclaration(statement);
  const clause = isExport ? undefined : statement.importClause;
  const bindings = isExport ? statement.exportClause : clause?.namedBindings;
  const isType = isExport ? statement.isTypeOnly : clause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
  const keyword = `${isExport ? "export" : "import"}${isType ? " type" : ""}`;
  const add = (node: ts.ImportClause | ts.ImportSpecifier | ts.ExportSpecifier, old: string, local: string) => {
    const target = EXPORTS[library].get(old);
    const isName = !ts.isImportClause(node);
    if (!target) {
      if (library === "provider" || /Provider$/.test(old)) {
        dropped.add(node);
        return;
      }
      const around = `${keyword} { … } from ${statement.moduleSpecifier?.getText()}${end(file)}`;
      const name = isName ? node.getText() : `default as ${local}`;
      plan.missing.set(around, [...(plan.missing.get(around) ?? []), name]);
      return;
    }
    const isOwnName = local === old || (old === "default" && local === "Composio");
    const name = isExport || !isOwnName || isTaken(file, target.name) ? local : target.name;
    if (name !== local) localNames.set(node, name);
    const text = target.name === name ? name : `${target.name} as ${name}`;
    plan.specifiers.push({ from: target.from, text, isType: isType || (isName && node.isTypeOnly) });
  };
  if (clause?.name) add(clause, "default", clause.name.text);
  if (bindings && (ts.isNamedImports(bindings) || ts.isNamedExports(bindings))) {
    for (const element of bindings.elements)
      add(element, (element.propertyName ?? element.name).text, element.name.text);
  } else if (library !== "provider" && (bindings || !clause)) {
    const from = `${quoted(file, "svc-sdk")}${end(file)}`;
    plan.whole.push(`${keyword} ${bindings ? `* as ${bindings.name.text} from ` : isExport ? "* from " : ""}${from}`);
  }
  return plan;
}

/** Whether a name means something else in this file. */
export function isTaken({ project: { ts }, source }: Module, name: string): boolean {
  let taken = false;
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && /^["'](svc-sdk|@composio)\b/.test(node.moduleSpecifier.getText())) return;
    if (ts.isIdentifier(node) && node.text === name && !isPropertyName(ts, node)) taken = true;
    if (!taken) ts.forEachChild(node, visit);
  };
  visit(source);
  return taken;
}

/** Whether an identifier names a property, or what another module exports. */
function isPropertyName(ts: FileContext["project"]["ts"], node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent)) return parent.name === node;
  if (ts.isPropertySignature(parent) || ts.isMethodSignature(parent)) return true;
  return ts.isQualifiedName(parent) && parent.right === node;
}

/** Prints what replaces a statement, with names that the file needs in addition. */
export function printReplacement(
  file: Module,
  { specifiers, whole }: Pick<Replacement, "specifiers" | "whole">,
  keyword: "import" | "export",
  needed: readonly Specifier[],
): string[] {
  const modules = new Map<string, Specifier[]>();
  for (const specifier of [...specifiers, ...needed]) {
    const group = modules.get(specifier.from) ?? [];
    if (!group.some(({ text }) => text === specifier.text)) group.push(specifier);
    modules.set(specifier.from, group);
  }
  const named = [...modules]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([from, group]) => {
      const isType = group.every((one) => one.isType);
      const names = group.map((one) => (one.isType && !isType ? `type ${one.text}` : one.text));
      const source = `from ${quoted(file, from)}${end(file)}`;
      const line = `${keyword}${isType ? " type" : ""} { ${names.join(", ")} } ${source}`;
      if (line.length <= WIDTH) return line;
      return `${line.slice(0, line.indexOf("{") + 1)}\n${names.map((name) => `  ${name},\n`).join("")}} ${source}`;
    });
  return [...whole, ...named];
}

/** Reasons for comments at a statement. */
export function problemsOf({ missing, isOpen }: Replacement): string[] {
  const names = [...missing.values()].flat().map((name) => name.replace(/^type | as .*$/g, ""));
  return [
    ...(names.length > 0 ? [`svc-sdk has no ${names.join(", ")}. #from-another-client`] : []),
    ...(isOpen ? ["svc-sdk exports other names. #from-another-client"] : []),
  ];
}

/** The old statements, with only the names that have no replacement. */
export function restOf({ missing }: Replacement): string[] {
  return [...missing].map(([around, names]) => around.replace("…", names.join(", ")));
}

/** Prints statements for names in a file that imports nothing of a library. */
export function printNeeded(file: Module, needed: readonly Specifier[]): string[] {
  const { project, source } = file;
  const isModule = source.statements.some(
    (one) => project.ts.isImportDeclaration(one) || project.ts.isExportDeclaration(one),
  );
  const lines = printReplacement(file, { specifiers: [], whole: [] }, "import", needed);
  if (isModule || !/\brequire\s*\(/.test(source.text)) return lines;
  return lines.map((line) =>
    line
      .replace("import", "const")
      .replaceAll(" as ", ": ")
      .replace(/ from (["'][^"']+["'])/, " = require($1)"),
  );
}

/** A module's name in the file's quotes. */
function quoted({ source }: Module, module: string): string {
  const [quote = '"'] = /(?<=(?:from|import|require\()\s*)["']/.exec(source.text) ?? [];
  return `${quote}${module}${quote}`;
}

/** The file's end of a statement. */
function end({ source }: Module): string {
  return source.statements.some((one) => one.getText().endsWith(";")) ? ";" : "";
}
