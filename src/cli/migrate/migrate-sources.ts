import type ts from "typescript";
import { openProject, type TypeScript } from "./project.js";
import { type Rewritten, rewriteFiles } from "./rewrite.js";

/** The result for the files of a project. */
export interface Migration {
  /** The files that change, by path. */
  readonly changed: ReadonlyMap<string, string>;
  /** The comments for a person, by path. */
  readonly todos: ReadonlyMap<string, Rewritten["todos"]>;
  /** The files that aren't read, with the reason. */
  readonly skipped: ReadonlyMap<string, string>;
}

/** The compiler, and what reads its trees, recurse into nested code. */
const MAX_DEPTH = 400;
const TOO_DEEP = `its code is nested more than ${MAX_DEPTH} levels deep. Split its longest expression`;

/** Whether a file can use one of the libraries: by its name, or through another module of the program. */
function mayUseLibrary(text: string): boolean {
  return /@composio\b|\bimport\b|\bexport\b|\brequire\b|\bdeclare\b/.test(text);
}

function isDeep(ts: TypeScript, path: string, text: string): boolean {
  try {
    let level: ts.Node[] = [ts.createSourceFile(path, text, ts.ScriptTarget.Latest)];
    for (let depth = 0; level.length > 0; depth += 1) {
      if (depth > MAX_DEPTH) return true;
      const children: ts.Node[] = [];
      for (const node of level) ts.forEachChild(node, (child) => void children.push(child));
      level = children;
    }
    return false;
  } catch (error) {
    if (error instanceof RangeError) return true;
    throw error;
  }
}

const BYTE_ORDER_MARK = "\uFEFF";

/**
 * Rewrites sources for this package. Writes nothing.
 *
 * @param folder The project's, absolute: for the aliases in its `tsconfig.json`.
 * @param contents Contents by absolute path.
 */
export function migrateSources(ts: TypeScript, folder: string, contents: ReadonlyMap<string, string>): Migration {
  const plain = new Map<string, string>();
  const skipped = new Map<string, string>();
  for (const [path, content] of contents) {
    const text = content.replace(/^\uFEFF/, "");
    if (!mayUseLibrary(text)) continue;
    if (isDeep(ts, path, text)) skipped.set(path, TOO_DEEP);
    else plain.set(path, text);
  }
  const project = openProject(ts, folder, plain);
  const files = [...plain.keys()].flatMap((path) => {
    const file = project.file(path);
    const problem = file ? project.syntaxError(file) : "it can't be read";
    if (problem !== undefined) skipped.set(path, problem);
    return file && problem === undefined ? [{ path, file }] : [];
  });
  const rewritten = rewriteFiles(
    project,
    files.map(({ file }) => file),
  );
  const changed = new Map<string, string>();
  const todos = new Map<string, Rewritten["todos"]>();
  for (const { path, file } of files) {
    const result = rewritten.get(file);
    if (!result) continue;
    if (result.todos.length > 0) todos.set(path, result.todos);
    if (result.text === plain.get(path)) continue;
    changed.set(path, (contents.get(path)?.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "") + result.text);
  }
  return { changed, todos, skipped };
}
