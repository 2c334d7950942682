import { closeSync, type Dirent, existsSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { type ReadCatalogOptions, readCatalog } from "../../catalog/read-catalog.js";
import { generateTypes } from "../../generate/generate-types.js";
import type { Svc, ToolLock } from "../../index.js";
import { checkLock } from "../../lock/diff-lock.js";
import { readLocked } from "../../lock/read-locked.js";
import { LOCK_FILE, readLockFile } from "../files.js";
import { type CheckResult, checked, type Finding, messageOf, quoted, type Setup, skipped } from "./finding.js";
import { clientFor } from "./keys.js";

/**
 * Checks the lockfile and the generated types: whether they are valid, belong together, and match the service.
 *
 * @param url - The service; `undefined` if it can't be read. Then only the files are checked.
 */
export async function checkTools(url: URL | undefined, setup: Setup): Promise<CheckResult[]> {
  const svc = url && clientFor(url, setup);
  const { result, lock } = await checkLockFile(svc, setup);
  return [result, await checkTypes(svc, lock, setup)];
}

const NO_SERVICE = "not compared with the service";

async function checkLockFile(svc: Svc | undefined, { directory, lockFile }: Setup) {
  const name = "lockfile";
  const file = resolve(directory, lockFile);
  if (!existsSync(file)) return { result: withoutLockFile(name, lockFile), lock: undefined };
  let lock: ToolLock;
  try {
    lock = await readLockFile(file);
  } catch (error) {
    const why = "toolLock, svc-sdk lock and svc-sdk generate can't read it.";
    const finding = {
      id: "lockfile_invalid",
      problem: messageOf(error),
      why,
      fix: `git checkout -- ${quoted(lockFile)}`,
    };
    return { result: checked(name, lockFile, [finding]), lock: undefined };
  }
  if (svc === undefined) return { result: checked(name, `${lockFile}, ${NO_SERVICE}`), lock };
  return { result: checked(name, lockFile, await lockFindings(svc, lock, lockFile)), lock };
}

/** A project needs no lockfile, unless the user names one. */
function withoutLockFile(name: string, lockFile: string): CheckResult {
  if (lockFile === LOCK_FILE) return skipped(name, `no ${lockFile}`);
  const fix = `npx svc-sdk lock --lock ${quoted(lockFile)} --toolkits <slugs>`;
  const why = "Your program doesn't use the versions that you expect.";
  return checked(name, lockFile, [{ id: "lockfile_missing", problem: `There is no lockfile ${lockFile}.`, why, fix }]);
}

/** Newer versions aren't findings: a lockfile exists so that they don't matter. */
async function lockFindings(svc: Svc, lock: ToolLock, lockFile: string): Promise<Finding[]> {
  try {
    const differences = await checkLock(lock, await readLocked(svc, lock));
    if (differences.length === 0) return [];
    const tools = listed(differences.map(({ tool }) => tool));
    const problem = `The service has other schemas for locked tools, or no longer has them: ${tools}.`;
    const why = "Calls may fail or behave differently than when the lockfile was written.";
    return [{ id: "lockfile_differs", problem, why, fix: "npx svc-sdk lock --diff && npx svc-sdk lock" }];
  } catch (error) {
    const problem = `${lockFile} can't be compared with the service: ${messageOf(error)}`;
    const why = "It isn't known whether the locked tools are unchanged.";
    return [{ id: "lockfile_unchecked", problem, why, fix: "npx svc-sdk lock --check --allow-newer" }];
  }
}

interface Generated {
  /** From the project's directory. */
  readonly file: string;
  readonly text: string;
  /** The command that wrote it, from its top comment. */
  readonly command: string;
  /** Version by toolkit, from its top comment. */
  readonly versions: Readonly<Record<string, string>>;
}

async function checkTypes(svc: Svc | undefined, lock: ToolLock | undefined, setup: Setup): Promise<CheckResult> {
  const name = "generated types";
  const files = findGenerated(setup.directory);
  if (files.length === 0) return skipped(name, "none found");
  const findings = await Promise.all(
    files.map(async (generated) => {
      const stale = lockedOtherwise(generated, lock);
      return stale ?? (svc && (await differingTypes(svc, generated)));
    }),
  );
  const detail = files.map(({ file }) => file).join(", ");
  const found = findings.filter((finding) => finding !== undefined);
  return checked(name, svc ? detail : `${detail}, ${NO_SERVICE}`, found);
}

function lockedOtherwise({ file, command, versions }: Generated, lock: ToolLock | undefined): Finding | undefined {
  const locked = Object.entries(lock?.toolkits ?? {});
  const differing = locked.filter(([slug, { version }]) => (versions[slug] ?? version) !== version);
  if (differing.length === 0) return undefined;
  const slugs = listed(differing.map(([slug]) => slug));
  const problem = `${file} has types of versions that aren't in the lockfile: ${slugs}.`;
  const why = "The compiler checks arguments against schemas that your program doesn't call.";
  return { id: "types_of_other_versions", problem, why, fix: `npx ${command}` };
}

async function differingTypes(svc: Svc, { file, text, command, versions }: Generated): Promise<Finding | undefined> {
  const options: ReadCatalogOptions = { toolkits: Object.keys(versions), versions };
  const why = "The compiler checks arguments against schemas that the service no longer has.";
  try {
    const now = generateTypes(await readCatalog(svc, options), command, file);
    if (unformatted(now) === unformatted(text)) return undefined;
    return { id: "types_differ", problem: `${file} differs from what the service has.`, why, fix: `npx ${command}` };
  } catch (error) {
    const problem = `${file} can't be compared with the service: ${messageOf(error)}`;
    return { id: "types_differ", problem, why, fix: `npx ${command}` };
  }
}

/** The part of a file that formatters leave alone. */
function unformatted(text: string): string {
  return text.replace(/[\s;,|"'()*]/g, "");
}

const HEAD_BYTES = 4_096;
const MOST_FOLDERS = 2_000;

/** The files that `svc-sdk generate` wrote. */
function findGenerated(directory: string): Generated[] {
  const folders = [directory];
  const found: Generated[] = [];
  // A list that grows while it is walked.
  for (const folder of folders) {
    for (const entry of entriesIn(folder)) {
      const path = join(folder, entry.name);
      const isSkipped = entry.name.startsWith(".") || /^(node_modules|dist|build|coverage)$/.test(entry.name);
      if (entry.isDirectory() && !isSkipped && folders.length < MOST_FOLDERS) folders.push(path);
      if (entry.isFile() && /\.[cm]?ts$/.test(entry.name)) found.push(...generatedAt(path, directory));
    }
  }
  return found;
}

/** The entries of a folder; none if it can't be read. */
function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function generatedAt(path: string, directory: string): Generated[] {
  const head = headOf(path);
  // Only what a shell reads as plain words: the command is shown to be run again.
  const [, command] = /^\s*\* +svc(?:-sdk)? (generate [\p{L}\p{N} ./,@=+"_-]*)$/mu.exec(head) ?? [];
  if (command === undefined || !head.includes("Types of tools and trigger types.")) return [];
  const text = readFileSync(path, "utf8");
  const [comment = ""] = text.split(/^\s*\*\//m, 1);
  const versions = [...comment.matchAll(/^\s*\* +(\S+) (\d{8}_\d{2}): /gm)].map(([, slug, version]) => [slug, version]);
  return [
    { file: relative(directory, path), text, command: `svc-sdk ${command}`, versions: Object.fromEntries(versions) },
  ];
}

function headOf(path: string): string {
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(HEAD_BYTES);
    return bytes.toString("utf8", 0, readSync(file, bytes, 0, HEAD_BYTES, 0));
  } finally {
    closeSync(file);
  }
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 3).join(", ");
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}
