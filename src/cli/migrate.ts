import { relative } from "node:path";
import { counted } from "../errors/mismatch-words.js";
import { messageOf } from "../shared/message-of.js";
import { declareCommand, flag, JSON_OUTPUT } from "./command.js";
import { overwriteAll } from "./files.js";
import { diffLines } from "./migrate/diff.js";
import { isDeep, loadTypeScript, MAX_DEPTH, openProject, type TypeScript } from "./migrate/project.js";
import { type Rewritten, rewriteFiles } from "./migrate/rewrite.js";
import { findSources, readSource } from "./migrate/source-files.js";
import { print, printJson } from "./print.js";

export const command = declareCommand({
  usage: [
    ["", "show what would change in the files below this folder"],
    ["src --write", "change the files below src"],
  ],
  options: { write: flag("write the files; all of them or none"), json: JSON_OUTPUT },
  notes: `It reads TypeScript and JavaScript that uses @composio/client, @composio/core or one of its providers, and rewrites
imports, construction, calls, fields, errors and webhooks. What it can't decide gets a comment, TODO(svc-sdk), with the
reason. Running it again changes nothing. It needs no key, sends nothing, and doesn't touch package.json. In a project
without TypeScript 5 or 6, run npx -p typescript@6 -p svc-sdk svc-sdk migrate.`,
  exitCodes: { 1: "error, or a file can't be read; see the message" },
  takesArguments: true,
  run: async (values, paths) => {
    const ts = loadTypeScript(process.cwd());
    const contents = new Map<string, string>();
    const unreadable = new Map<string, string>();
    for (const path of await findSources(paths.length === 0 ? ["."] : paths)) {
      const text = await readSource(path);
      if (text === undefined) unreadable.set(path, "it isn't UTF-8");
      else contents.set(path, text);
    }
    const migration = migrateSources(ts, process.cwd(), contents);
    const skipped = new Map([...unreadable, ...migration.skipped]);
    if (values.write) await writeSources(migration.changed);
    if (values.json) printJson(reportOf(migration, skipped, values.write));
    else print(...linesOf(migration, skipped, contents, values.write));
    if (skipped.size > 0) process.exitCode = 1;
  },
});

/** Writes all files or none. */
export async function writeSources(contents: ReadonlyMap<string, string>): Promise<void> {
  await overwriteAll(contents).catch((error: unknown) => {
    throw new Error(`Nothing was written: ${messageOf(error)}`, { cause: error });
  });
}

function shown(path: string): string {
  return relative("", path).replaceAll("\\", "/");
}

function reportOf({ changed, todos }: Migration, skipped: ReadonlyMap<string, string>, isWritten: boolean) {
  return {
    written: isWritten,
    changed: [...changed.keys()].map(shown),
    todos: [...todos].flatMap(([path, list]) => list.map((todo) => ({ file: shown(path), ...todo }))),
    skipped: [...skipped].map(([path, reason]) => ({ file: shown(path), reason })),
  };
}

function linesOf(
  { changed, todos }: Migration,
  skipped: ReadonlyMap<string, string>,
  contents: ReadonlyMap<string, string>,
  isWritten: boolean,
): string[] {
  const diffs = [...changed].flatMap(([path, text]) => diffLines(shown(path), contents.get(path) ?? "", text));
  const open = [...todos].flatMap(([path, list]) =>
    list.map(({ line, reason }) => `  ${shown(path)}:${line}  ${reason}`),
  );
  const unread = [...skipped].map(([path, reason]) => `  ${shown(path)}  ${reason}`);
  const files = `${changed.size} of ${counted(contents.size, "file")}`;
  const names = isWritten ? [...changed.keys()].map((path) => `Wrote ${shown(path)}.`) : diffs;
  return [
    ...names,
    ...(names.length > 0 ? [""] : []),
    ...(open.length > 0 ? [`To do, ${open.length}:`, ...open, ""] : []),
    ...(unread.length > 0 ? [`Not read, and not changed, ${unread.length}:`, ...unread, ""] : []),
    isWritten ? `Changed ${files}.` : `${files} would change.${changed.size > 0 ? " Pass --write to write them." : ""}`,
    ...(isWritten && changed.size > 0 ? NEXT : []),
  ];
}

const NEXT = [
  "Next: npm install svc-sdk, run your compiler and tests, then npm uninstall the old packages. There is no default URL:",
  "set SVC_BASE_URL, and SVC_API_KEY where the key isn't passed. See node_modules/svc-sdk/docs/guide/migrating.md.",
];

export interface Migration {
  /** The files that change, by path. */
  readonly changed: ReadonlyMap<string, string>;
  /** The comments for a person, by path. */
  readonly todos: ReadonlyMap<string, Rewritten["todos"]>;
  /** The files that aren't read, with the reason. */
  readonly skipped: ReadonlyMap<string, string>;
}

const TOO_DEEP = `its code is nested more than ${MAX_DEPTH} levels deep. Split its longest expression`;

/** Whether a file can use one of the libraries: by its name, or through another module of the program. */
function mayUseLibrary(text: string): boolean {
  return /@composio\b|\bimport\b|\bexport\b|\brequire\b|\bdeclare\b/.test(text);
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
