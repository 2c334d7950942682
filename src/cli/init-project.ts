import { existsSync } from "node:fs";
import { lstat, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { isObject, type Json, parseJson } from "../shared/json.js";
import { makeFolder } from "../shared/make-folder.js";
import { messageOf } from "../shared/message-of.js";
import { OWN_FOLDER, ownVersion } from "./files.js";
import { withoutMark } from "./read-value.js";
import { overwrite } from "./write-file.js";

export interface InitProject {
  /** Contents of the new files, by path in the folder. */
  readonly files: ReadonlyMap<string, string>;
  /** The new content of a package.json that exists. */
  readonly updatedManifest: string | undefined;
  /** Conflicts with that package.json, in sentences. */
  readonly conflicts: readonly string[];
}

const PARTS = fileURLToPath(new URL("examples/init/", OWN_FOLDER));
/** The part that every project has. */
const BASE = "base";
/** The folder of a part with files for every template. */
const SHARED = "shared";
/** npm never packs a .gitignore. */
const RENAMED: Readonly<Record<string, string>> = { "gitignore.txt": ".gitignore" };

/** A template's project for a folder, with the parts that are added to its base. */
export async function projectFor(folder: string, template: string, parts: readonly string[]): Promise<InitProject> {
  const files = new Map<string, string>();
  for (const part of [BASE, ...parts]) {
    for (const [path, content] of [...(await filesBelow(part, SHARED)), ...(await filesBelow(part, template))]) {
      files.set(path, combined(path, files.get(path), content));
    }
  }
  // Every base has one.
  const manifest = JSON.parse(files.get(MANIFEST) ?? "") as Json;
  const dependencies = sortedEntries({ ...Object(manifest["dependencies"]), "svc-sdk": `^${await ownVersion()}` });
  const complete = { ...manifest, dependencies };

  const existing = await readManifest(join(folder, MANIFEST));
  if (existing === undefined) {
    files.set(MANIFEST, `${JSON.stringify(complete, null, 2)}\n`);
    return { files, updatedManifest: undefined, conflicts: [] };
  }
  files.delete(MANIFEST);
  const updated = mergeManifest(existing.content, complete);
  const updatedManifest = `${JSON.stringify(updated.merged, null, existing.indent)}\n`;
  return { files, updatedManifest, conflicts: updated.conflicts };
}

const MANIFEST = "package.json";

/** Adds a part's file to that of earlier parts: JSON is merged, Markdown appended, and everything else replaced. */
function combined(path: string, earlier: string | undefined, content: string): string {
  if (earlier === undefined) return content;
  if (path.endsWith(".md")) return `${earlier}\n${content}`;
  if (!/\.jsonc?$/.test(path)) return content;
  return `${JSON.stringify(merged(JSON.parse(earlier), JSON.parse(content)), null, 2)}\n`;
}

function merged(earlier: unknown, added: unknown): unknown {
  if (Array.isArray(earlier) && Array.isArray(added)) return [...earlier, ...added];
  if (!isObject(earlier) || !isObject(added)) return added;
  const entries = Object.entries(added).map(([name, value]) => [name, merged(earlier[name], value)] as const);
  return { ...earlier, ...Object.fromEntries(entries) };
}

async function filesBelow(part: string, template: string): Promise<(readonly [path: string, content: string])[]> {
  const folder = join(PARTS, part, template);
  // A part adds nothing to some templates.
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    paths.map(async (path) => {
      const inProject = relative(folder, path).replaceAll("\\", "/");
      return [RENAMED[inProject] ?? inProject, await readFile(path, "utf8")] as const;
    }),
  );
}

/**
 * Writes a project into a folder: all of it or, if anything is in the way, nothing.
 *
 * @throws {Error} that lists everything that is in the way, or if a file can't be written.
 */
export async function writeProject(folder: string, { files, updatedManifest, conflicts }: InitProject): Promise<void> {
  const paths = [...files.keys()].sort();
  const areTaken = await Promise.all(paths.map((path) => isTaken(join(folder, path))));
  const taken = paths.filter((_, index) => areTaken[index]);
  const problems = [
    ...(taken.length > 0 ? [`Existing files: ${taken.join(", ")}. Move them, or choose another folder.`] : []),
    ...conflicts,
  ];
  if (problems.length > 0) throw new Error(`Nothing was written. ${problems.join(" ")}`);

  const written: string[] = [];
  try {
    for (const [path, content] of files) {
      const file = join(folder, path);
      const created = makeFolder(dirname(file));
      if (created !== undefined) written.push(created);
      // Fails if the file exists by now. Its content comes second, so that a half-written file is removed too.
      await writeFile(file, "", { flag: "wx" });
      written.push(file);
      await writeFile(file, content);
    }
    // Last, because it's the only change to an existing file.
    if (updatedManifest !== undefined) await overwrite(join(folder, MANIFEST), updatedManifest);
  } catch (error) {
    for (const path of written.reverse()) await rm(path, { recursive: true, force: true });
    throw new Error(`Nothing was written. ${messageOf(error)}`, { cause: error });
  }
}

/** Whether something is at a path, or a file in place of one of its folders. */
async function isTaken(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    // Only Node's own errors are thrown here.
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return false;
    if (code === "ENOTDIR") return true;
    throw new Error(`Can't look for ${path}: ${message}`, { cause: error });
  }
}

/**
 * Reads a package.json, with its indentation.
 *
 * @returns undefined if it doesn't exist.
 * @throws {Error} if it can't be read, or isn't a JSON object.
 */
async function readManifest(file: string) {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw new Error(`Can't read ${file}: ${error.message}`, { cause: error });
  });
  if (text === undefined) return undefined;
  const content = parseJson(withoutMark(text));
  if (!isObject(content)) throw new Error(`${file} isn't a JSON object. Repair it first.`);
  return { content, indent: /^[ \t]+/m.exec(text)?.[0] ?? "  " };
}

/** The parts of a package.json that a template adds to. The rest belongs to the project. */
const SECTIONS = ["scripts", "dependencies", "devDependencies"] as const;

/**
 * Adds the scripts and dependencies that a package.json lacks. It keeps everything it has.
 *
 * @returns the result, and its conflicts, in sentences.
 */
function mergeManifest(existing: Json, template: Json): { readonly merged: Json; readonly conflicts: string[] } {
  const conflicts: string[] = [];
  if (existing["type"] !== "module") {
    conflicts.push(`package.json needs "type": "module". Run npm pkg set type=module.`);
  }
  for (const section of SECTIONS.filter((name) => !isObject(existing[name] ?? {}))) {
    conflicts.push(`In package.json, ${section} must be an object.`);
  }
  const scripts = entriesOf(existing, "scripts");
  const taken = Object.entries(entriesOf(template, "scripts")).filter(
    ([name, command]) => Object.hasOwn(scripts, name) && scripts[name] !== command,
  );
  if (taken.length > 0) {
    const names = taken.map(([name]) => name).join(", ");
    conflicts.push(`Existing scripts in package.json: ${names}. Rename them, or choose another folder.`);
  }
  // A package that is installed keeps its version and its section.
  const installed = { ...entriesOf(existing, "dependencies"), ...entriesOf(existing, "devDependencies") };
  const additions = SECTIONS.flatMap((section) => {
    const own = entriesOf(existing, section);
    const known = section === "scripts" ? own : installed;
    const missing = Object.entries(entriesOf(template, section)).filter(([name]) => !Object.hasOwn(known, name));
    if (missing.length === 0) return [];
    const all = { ...own, ...Object.fromEntries(missing) };
    return [[section, section === "scripts" ? all : sortedEntries(all)] as const];
  });
  return { merged: { ...existing, ...Object.fromEntries(additions) }, conflicts };
}

/** By name, as package managers write them. */
function sortedEntries(entries: Json): Json {
  return Object.fromEntries(Object.entries(entries).sort(([left], [right]) => (left < right ? -1 : 1)));
}

function entriesOf(manifest: Json, section: string): Json {
  const entries = manifest[section];
  return isObject(entries) ? entries : {};
}
