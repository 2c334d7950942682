// The source files of the package as syntax trees, for the tests of its structure.
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import ts from "typescript";
import { afterAll } from "vitest";

/** An import of a file, or an export from another one. */
export interface Import {
  /** `client/client.ts` for a source file, otherwise the package's name. */
  readonly target: string;
  readonly isTypeOnly: boolean;
  /** `import("./file.js")`: loaded when the statement runs. */
  readonly isDynamic: boolean;
}

/** A file of `src`. */
export interface SourceFile {
  /** From `src/`. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

/** The TypeScript files of a folder and its folders, from the folder, sorted. */
export function filesBelow(folder: string): string[] {
  return globSync("**/*.{ts,tsx}", { cwd: folder, exclude: ["**/node_modules/**"] })
    .map((path) => path.replaceAll("\\", "/"))
    .sort();
}

/** A file is parsed once for all tests. Then the memory is free for other test files. */
const parsed = new Map<string, ts.SourceFile>();
afterAll(() => parsed.clear());

/** The syntax tree of a file. */
export function syntaxOf(path: string, text: string): ts.SourceFile {
  const kind = path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = parsed.get(path) ?? ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
  parsed.set(path, file);
  return file;
}

function importsOf(path: string, text: string): Import[] {
  const file = syntaxOf(path, text);
  const targetOf = (source: string) =>
    source.startsWith(".")
      ? normalize(join(dirname(path), source))
          .replaceAll("\\", "/")
          .replace(/\.js(x?)$/, ".ts$1")
      : source;
  const found: Import[] = [];
  for (const statement of file.statements) {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue;
    if (!statement.moduleSpecifier || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const isTypeOnly = ts.isImportDeclaration(statement)
      ? statement.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
      : statement.isTypeOnly;
    found.push({ target: targetOf(statement.moduleSpecifier.text), isTypeOnly, isDynamic: false });
  }
  if (!text.includes("import(")) return found;
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [source] = node.arguments;
      if (source && ts.isStringLiteral(source)) {
        found.push({ target: targetOf(source.text), isTypeOnly: false, isDynamic: true });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

export const sources: readonly SourceFile[] = filesBelow("src").map((path) => {
  const text = readFileSync(join("src", path), "utf8");
  return { path, text, imports: importsOf(path, text) };
});

/** The shapes of resources. */
export const SHAPES = /^resources\/(shared|[\w-]+\/[\w-]*schema)\.ts$/;

/** The files and packages that a file loads at once. */
export function loadedBy(entry: string): Set<string> {
  const byPath = new Map(sources.map((file) => [file.path, file]));
  const loaded = new Set<string>();
  const visit = (path: string) => {
    if (loaded.has(path)) return;
    loaded.add(path);
    for (const { target, isTypeOnly, isDynamic } of byPath.get(path)?.imports ?? []) {
      if (!isTypeOnly && !isDynamic) visit(target);
    }
  };
  visit(entry);
  return loaded;
}

/** The deepest folder that contains both files, and its children to which the files belong. */
export function neighbors(path: string, target: string): { folder: string; from: string; to: string } {
  const [left, right] = [path.split("/"), target.split("/")];
  const depth = left.findIndex((name, index) => name !== right[index]);
  return { folder: left.slice(0, depth).join("/"), from: String(left[depth]), to: String(right[depth]) };
}
