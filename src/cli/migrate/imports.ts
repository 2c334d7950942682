import type ts from "typescript";
import type { FileContext } from "./file-context.js";
import { EXPORTS, libraryOf } from "./names.js";

/** What a file imports of the libraries, and what replaces it. */
export interface Imports {
  /** New names by the declaration that they replace. */
  readonly localNames: Map<ts.Node, string>;
  /** Statements of the libraries, with their replacements. */
  readonly statements: ReadonlyMap<ts.Statement, Replaced>;
}

interface Replaced {
  readonly entries: readonly Entry[];
  /** Names for which there is no replacement. */
  readonly missing: readonly string[];
  /** The old clause with only those names. */
  readonly rest: string | undefined;
}

interface Entry {
  readonly from: string;
  /** `{ Svc }` without braces, or `* as svc`. */
  readonly clause: string;
  readonly isType: boolean;
}

type Module = Pick<FileContext, "project" | "source" | "kinds">;

/** Plans the imports of a file. */
export function planImports(file: Module): Imports {
  const { ts } = file.project;
  const localNames = new Map<ts.Node, string>();
  const statements = new Map<ts.Statement, Replaced>();
  for (const statement of file.source.statements) {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue;
    const { moduleSpecifier } = statement;
    if (!moduleSpecifier || !ts.isStringLiteral(moduleSpecifier) || !libraryOf(moduleSpecifier.text)) continue;
    statements.set(statement, planStatement(file, statement, moduleSpecifier.text, localNames));
  }
  return { localNames, statements };
}

function planStatement(
  file: Module,
  statement: ts.ImportDeclaration | ts.ExportDeclaration,
  module: string,
  localNames: Map<ts.Node, string>,
): Replaced {
  const { ts } = file.project;
  const isExport = ts.isExportDeclaration(statement);
  const clause = isExport ? undefined : statement.importClause;
  const bindings = isExport ? statement.exportClause : clause?.namedBindings;
  const isType = isExport ? statement.isTypeOnly : clause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
  if (!bindings && !clause?.name)
    return { entries: [{ from: "svc-sdk", clause: "*", isType }], missing: [], rest: undefined };
  if (bindings && !ts.isNamedImports(bindings) && !ts.isNamedExports(bindings)) {
    const from =
      libraryOf(module) === "provider" ? [] : [{ from: "svc-sdk", clause: `* as ${bindings.name.text}`, isType }];
    return { entries: from, missing: [], rest: undefined };
  }
  const entries: Entry[] = [];
  const missing: string[] = [];
  const rest: string[] = [];
  const add = (node: ts.ImportClause | ts.ImportSpecifier | ts.ExportSpecifier, old: string, local: string) => {
    const library = libraryOf(module);
    // The caller checked that it is a library.
    const target = EXPORTS[library as "client"].get(old);
    const isOnlyType = !ts.isImportClause(node) && node.isTypeOnly;
    if (!target) {
      if (library === "provider" || /Provider$/.test(old)) return;
      missing.push(old);
      rest.push(ts.isImportClause(node) ? `default as ${local}` : node.getText());
      return;
    }
    const ownName = local === old || (old === "default" && local === "Composio");
    const name = isExport || !ownName || isTaken(file, target.name) ? local : target.name;
    if (name !== local) localNames.set(node, name);
    const specifier = target.name === name ? name : `${target.name} as ${name}`;
    entries.push({ from: target.from, clause: isOnlyType ? `type ${specifier}` : specifier, isType });
  };
  if (clause?.name) add(clause, "default", clause.name.text);
  for (const element of bindings?.elements ?? []) {
    add(element, (element.propertyName ?? element.name).text, element.name.text);
  }
  const keyword = `${isExport ? "export" : "import"}${isType ? " type" : ""}`;
  const kept =
    rest.length === 0 ? undefined : `${keyword} { ${rest.join(", ")} } from ${quoted(file, module)}${end(file)}`;
  return { entries, missing, rest: kept };
}

/** Whether a name means something else in this file. */
export function isTaken({ project: { ts }, source }: Module, name: string): boolean {
  let taken = false;
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text === name && isBinding(ts, node)) taken = true;
    if (!taken) ts.forEachChild(node, visit);
  };
  visit(source);
  return taken;
}

/** Whether an identifier introduces or uses a name, rather than naming a property. */
function isBinding(ts: FileContext["project"]["ts"], node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) || ts.isQualifiedName(parent)) return false;
  if (ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent)) return parent.name !== node;
  const statement = ts.findAncestor(node, ts.isImportDeclaration);
  return !(
    statement &&
    ts.isStringLiteral(statement.moduleSpecifier) &&
    /^(svc-sdk|@composio)\b/.test(statement.moduleSpecifier.text)
  );
}

/** Prints the replacement of a statement, with names that the file needs in addition. */
export function printImports(
  file: Module,
  replaced: Replaced,
  keyword: "import" | "export",
  needed: ReadonlyMap<string, Set<string>>,
): string[] {
  const modules = new Map<string, { names: string[]; isType: boolean }>();
  const lines: string[] = [];
  for (const { from, clause, isType } of replaced.entries) {
    if (clause.startsWith("*")) {
      const what = clause === "*" && keyword === "import" ? "" : `${clause} from `;
      lines.push(`${keyword}${isType ? " type" : ""} ${what}${quoted(file, from)}${end(file)}`);
      continue;
    }
    const group = modules.get(from) ?? { names: [], isType };
    if (!group.names.includes(clause)) group.names.push(clause);
    modules.set(from, group);
  }
  for (const [from, names] of needed) {
    const group = modules.get(from) ?? { names: [], isType: false };
    const types = group.isType ? group.names.map((name) => `type ${name}`) : group.names;
    modules.set(from, {
      names: [...types, ...[...names].filter((name) => !group.names.includes(name))],
      isType: false,
    });
  }
  for (const [from, { names, isType }] of modules) {
    lines.push(`${keyword}${isType ? " type" : ""} { ${names.join(", ")} } from ${quoted(file, from)}${end(file)}`);
  }
  if (replaced.rest !== undefined) lines.push(replaced.rest);
  return lines;
}

/** Prints statements for names in a file that imports nothing of a library. */
export function printNeeded(file: Module, needed: ReadonlyMap<string, Set<string>>): string[] {
  if (!isCommonJs(file)) return printImports(file, { entries: [], missing: [], rest: undefined }, "import", needed);
  return [...needed].map(
    ([from, names]) =>
      `const { ${[...names].join(", ").replaceAll(" as ", ": ")} } = require(${quoted(file, from)})${end(file)}`,
  );
}

function isCommonJs({ project: { ts }, source }: Module): boolean {
  const isModule = source.statements.some(
    (statement) => ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement),
  );
  return !isModule && /\brequire\s*\(/.test(source.text);
}

/** A module's name in the file's quotes. */
function quoted({ source }: Module, module: string): string {
  const [quote = '"'] = /(?<=(?:from|import|require\()\s*)["']/.exec(source.text) ?? [];
  return `${quote}${module}${quote}`;
}

/** The file's end of a statement. */
function end({ source }: Module): string {
  const [first] = source.statements;
  return first?.getText().endsWith(";") ? ";" : "";
}
