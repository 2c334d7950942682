import { readFile } from "node:fs/promises";
import { isObject, type Json, parseJson } from "../../shared/json.js";

/** A package.json that exists. */
export interface ExistingManifest {
  readonly content: Json;
  /** Its indentation. */
  readonly indent: string;
}

/**
 * Reads a package.json.
 *
 * @returns undefined if it doesn't exist.
 * @throws {Error} if it can't be read, or isn't a JSON object.
 */
export async function readManifest(file: string): Promise<ExistingManifest | undefined> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw new Error(`Can't read ${file}: ${error.message}`, { cause: error });
  });
  if (text === undefined) return undefined;
  const content = parseJson(text);
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
export function mergeManifest(existing: Json, template: Json): { readonly merged: Json; readonly conflicts: string[] } {
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
    return [[section, section === "scripts" ? all : sorted(all)] as const];
  });
  return { merged: { ...existing, ...Object.fromEntries(additions) }, conflicts };
}

/** By name, as package managers write them. */
export function sorted(entries: Json): Json {
  return Object.fromEntries(Object.entries(entries).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function entriesOf(manifest: Json, section: string): Json {
  const entries = manifest[section];
  return isObject(entries) ? entries : {};
}
