// Reads what the package exports from the declaration files that scripts/types.ts wrote.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import ts from "typescript";
import { ENTRIES } from "./entries.mjs";

const printers = {
  bare: ts.createPrinter({ removeComments: true }),
  documented: ts.createPrinter(),
};

/**
 * The exports of every entry, by name. What an earlier entry exports already is only named there.
 *
 * @returns {{ name, slug, types, exports: { name, symbol, from? }[], helpers: { name, symbol }[] }[]} `helpers` are not
 * exported, but exports are made of them
 */
export function readSurface() {
  const missing = ENTRIES.filter(({ declarations }) => !existsSync(declarations));
  if (missing.length > 0) throw new Error("There are no declaration files to read. Run npm run build first.");
  // Names and docs need no types of others: without them this takes a fraction of the time.
  const program = ts.createProgram(
    ENTRIES.map(({ declarations }) => resolve(declarations)),
    { noLib: true, types: [], module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023 },
    withoutPackages(),
  );
  const checker = program.getTypeChecker();
  const ownerOf = new Map();
  const entries = ENTRIES.map(({ name, slug, types, declarations }) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(resolve(declarations)));
    const exports = checker.getExportsOfModule(module).map((exported) => {
      const symbol = aliased(exported, checker);
      const from = ownerOf.get(symbol);
      if (from === undefined) ownerOf.set(symbol, name);
      return { name: exported.name, symbol, from };
    });
    return { name, slug, types, exports: exports.sort(byName), checker };
  });
  return entries.map((entry) => {
    const own = entry.exports.filter(({ from }) => from === undefined).map(({ symbol }) => symbol);
    const helpers = helpersOf(own, checker).map((symbol) => ({ name: symbol.name, symbol }));
    return { ...entry, helpers: helpers.sort(byName) };
  });

  /** Declarations that those of `symbols` name, directly or through others, and that no entry exports. */
  function helpersOf(symbols, checker) {
    const found = new Set();
    const visit = (node) => {
      if (ts.isIdentifier(node)) {
        const symbol = checker.getSymbolAtLocation(node);
        if (symbol) add(aliased(symbol, checker));
      }
      if (!isHidden(node)) ts.forEachChild(node, visit);
    };
    const add = (symbol) => {
      if (ownerOf.has(symbol) || found.has(symbol) || !symbol.declarations?.some(isTopLevel)) return;
      found.add(symbol);
      for (const declaration of symbol.declarations) visit(declaration);
    };
    for (const symbol of symbols) for (const declaration of symbol.declarations) visit(declaration);
    return [...found];
  }
}

/** The text of a symbol's declarations: with their docs, or bare and with sorted members, for a report. */
export function print({ name, declarations }, how) {
  return declarations.map((declaration) => {
    const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
    // What a schema is made of says nothing that its record does not say.
    if (isSchema(declaration) && declarations.length > 1)
      return `export declare const ${name}: z.ZodMiniType<${name}>;`;
    const shown = how === "bare" ? withSortedMembers(statement) : withoutHidden(statement);
    return printers[how].printNode(ts.EmitHint.Unspecified, shown, statement.getSourceFile());
  });
}

const isSchema = (node) => ts.isVariableDeclaration(node) && node.getSourceFile().fileName.endsWith(".zod.d.ts");

/** Names of fields that need no docs anywhere. */
const PLAIN = new Set("items name description displayName display_name email success deleted method error".split(" "));
/**
 * Types whose own doc speaks of all their fields: those of other packages, and values that only the providers explain.
 */
const SPOKEN_FOR = new Set([
  "ConnectionCredentialsPatch",
  "ConnectionPrefill",
  "FastifyReplyLike",
  "FastifyRequestLike",
  "IoRedisClient",
  "KoaContextLike",
  "NodeRedisClient",
  "NodeRequest",
  "NodeResponse",
]);

/** Forms of an exported namespace. */
const NAMESPACES = new Set([
  ts.SyntaxKind.ModuleDeclaration,
  ts.SyntaxKind.NamespaceExport,
  ts.SyntaxKind.NamespaceImport,
  ts.SyntaxKind.SourceFile,
]);

/**
 * Names of exports, and of their members, that no doc explains. A member that overrides one is explained by that one's
 * doc, a constructor by its class'; a field whose type is a single literal, and an index signature, say all there is.
 */
export function undocumented(surface) {
  const names = surface.flatMap(({ name: entry, exports, checker }) =>
    exports
      .filter(({ from }) => from === undefined)
      .flatMap(({ name, symbol }) => {
        // The bundler drops the doc of a namespace. Its members have their own.
        const isTold = symbol.declarations.some((one) => hasDoc(one) || NAMESPACES.has(one.kind));
        const own = isTold ? [] : [`${entry} ${name}`];
        const members = (SPOKEN_FOR.has(name) ? [] : symbol.declarations)
          .flatMap(membersOf)
          .filter((member) => !isHidden(member) && !isPlain(member) && !isExplained(member, symbol, checker))
          .map((member) => `${entry} ${name}.${nameOf(member)}`);
        return [...own, ...members];
      }),
  );
  return [...new Set(names)].sort();
}

function withoutPackages() {
  const host = ts.createCompilerHost({});
  host.resolveModuleNameLiterals = (literals, file) =>
    literals.map(({ text }) => {
      const path = resolve(file, "..", text.replace(/\.js$/, ".d.ts"));
      const isOwn = text.startsWith(".") && existsSync(path);
      return { resolvedModule: isOwn ? { resolvedFileName: path, extension: ".d.ts" } : undefined };
    });
  return host;
}

const byName = (one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0);

const aliased = (symbol, checker) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);

/** A file itself, as `import * as` names it, has no parent. */
const isTopLevel = ({ kind, parent }) =>
  parent !== undefined &&
  (ts.isSourceFile(parent) || (kind === ts.SyntaxKind.VariableDeclaration && ts.isSourceFile(parent.parent.parent)));

const membersOf = (declaration) => declaration.members ?? declaration.type?.members ?? [];

const HIDDEN = new Set([ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.ProtectedKeyword]);

/** Private or protected, by keyword or by `#`. */
const isHidden = (node) =>
  (ts.isClassElement(node) && node.name !== undefined && ts.isPrivateIdentifier(node.name)) ||
  (ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => HIDDEN.has(kind)));

const isPlain = (member) =>
  ts.isIndexSignatureDeclaration(member) ||
  ts.isConstructorDeclaration(member) ||
  PLAIN.has(nameOf(member)) ||
  (member.type !== undefined && ts.isLiteralTypeNode(member.type));

const hasDoc = (node) => {
  const owner = ts.isVariableDeclaration(node) ? node.parent.parent : node;
  return ts.getJSDocCommentsAndTags(owner).length > 0;
};

const nameOf = (member) => member.name?.getText() ?? (ts.isConstructorDeclaration(member) ? "constructor" : "()");

function isExplained(member, symbol, checker) {
  const name = nameOf(member);
  // Overloads are explained by the first.
  const overloads = symbol.declarations.flatMap(membersOf).filter((other) => nameOf(other) === name);
  if (overloads.some(hasDoc)) return true;
  return symbol.declarations
    .flatMap(({ heritageClauses = [] }) => heritageClauses.flatMap(({ types }) => types))
    .some(({ expression }) => {
      const base = checker.getSymbolAtLocation(expression);
      if (!base) return false;
      const { declarations = [] } = aliased(base, checker);
      return declarations.some(
        (declaration) =>
          membersOf(declaration).some((other) => nameOf(other) === name && hasDoc(other)) ||
          isExplained(member, aliased(base, checker), checker),
      );
    });
}

function withoutHidden(node) {
  return withMembers(node, (members) => members.filter((member) => !isHidden(member)));
}

function withSortedMembers(node) {
  const sorted = (members) =>
    members
      .filter((member) => !isHidden(member))
      .map((member) => ({ name: nameOf(member), member }))
      .sort(byName)
      .map(({ member }) => member);
  return withMembers(node, sorted);
}

function withMembers(node, change) {
  const { factory } = ts;
  if (ts.isInterfaceDeclaration(node)) {
    const { modifiers, name, typeParameters, heritageClauses, members } = node;
    const changed = change(members);
    return factory.updateInterfaceDeclaration(node, modifiers, name, typeParameters, heritageClauses, changed);
  }
  if (ts.isClassDeclaration(node)) {
    const { modifiers, name, typeParameters, heritageClauses, members } = node;
    return factory.updateClassDeclaration(node, modifiers, name, typeParameters, heritageClauses, change(members));
  }
  return node;
}
