import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import ts from "typescript";
import { type Migration, migrateSources } from "../../../src/cli/migrate.js";

const root = resolve("test/cli/migrate/golden");

/** The files of a folder of programs, by their path in it. */
export function programs(folder: "before" | "after"): ReadonlyMap<string, string> {
  const files = readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  const shown = (path: string) => path.slice(join(root, folder).length + 1).replaceAll("\\", "/");
  return new Map(paths.map((path) => [shown(path), readFileSync(path, "utf8")]));
}

/** Migrates sources by their path in a project that isn't on the disk. */
export function migrate(
  sources: ReadonlyMap<string, string>,
): Migration & { readonly contents: ReadonlyMap<string, string> } {
  const folder = join(root, "project");
  const shown = (path: string) => path.slice(folder.length + 1).replaceAll("\\", "/");
  const byName = <Value>(map: ReadonlyMap<string, Value>) =>
    new Map([...map].map(([path, value]) => [shown(path), value]));
  const absolute = new Map([...sources].map(([path, text]) => [join(folder, path), text]));
  const migration = migrateSources(ts, folder, absolute);
  const changed = byName(migration.changed);
  return {
    changed,
    todos: byName(migration.todos),
    skipped: byName(migration.skipped),
    contents: new Map([...sources, ...changed]),
  };
}

/** Migrates one file. */
export function migrated(text: string, path = "program.ts"): string | undefined {
  return migrate(new Map([[path, text]])).contents.get(path);
}
