import type { TypeScript } from "./load-typescript.js";
import { openProject } from "./project.js";
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

const BYTE_ORDER_MARK = "\uFEFF";

/**
 * Rewrites sources for this package. Writes nothing.
 *
 * @param folder The project's, absolute: for the aliases in its `tsconfig.json`.
 * @param contents Contents by absolute path.
 */
export function migrateSources(ts: TypeScript, folder: string, contents: ReadonlyMap<string, string>): Migration {
  const plain = new Map([...contents].map(([path, text]) => [path, text.replace(/^\uFEFF/, "")]));
  const project = openProject(ts, folder, plain);
  const skipped = new Map<string, string>();
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
