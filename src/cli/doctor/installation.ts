import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { child, parseJson } from "../../shared/json.js";
import { type CheckResult, checked, entriesIn, type Finding, type Setup, skipped } from "./finding.js";

/** The oldest TypeScript that the package's types are tested with. */
const OLDEST_TYPESCRIPT = "5.4";

/** Checks what is installed in the project: Node, TypeScript, and how often the package. */
export function checkInstallation(setup: Setup): CheckResult[] {
  return [checkNode(setup), checkTypeScript(setup), checkCopies(setup)];
}

function checkNode({ nodeVersion }: Setup): CheckResult {
  const oldest = ownRequirement();
  const findings: Finding[] = isOlder(nodeVersion, oldest)
    ? [
        {
          id: "node_too_old",
          problem: `This is Node ${nodeVersion}; the package needs ${oldest} or newer.`,
          why: "It uses functions that older versions don't have.",
          fix: "nvm install --lts",
        },
      ]
    : [];
  return checked("Node", nodeVersion, findings);
}

function checkTypeScript({ directory }: Setup): CheckResult {
  const manifest = ancestors(directory)
    .map((folder) => join(folder, "node_modules/typescript/package.json"))
    .find((file) => existsSync(file));
  const version = manifest && versionIn(manifest);
  if (version === undefined) return skipped("TypeScript", "not installed");
  const findings: Finding[] = isOlder(version, OLDEST_TYPESCRIPT)
    ? [
        {
          id: "typescript_too_old",
          problem: `The project has TypeScript ${version}; the package's types need ${OLDEST_TYPESCRIPT} or newer.`,
          why: "Older compilers report errors in the package's types, or infer any.",
          fix: "npm install --save-dev typescript@latest",
        },
      ]
    : [];
  return checked("TypeScript", version, findings);
}

function checkCopies({ directory }: Setup): CheckResult {
  const name = "copies of svc-sdk";
  const copies = copiesIn(directory);
  if (copies.size === 0) return skipped(name, "not installed in this project");
  const shown = [...copies].map(([folder, version]) => `${version} in ${relative(directory, folder) || "."}`);
  if (copies.size === 1) return checked(name, shown.join());
  const dedupe = Object.entries(LOCKFILES).find(([file]) =>
    ancestors(directory).some((at) => existsSync(join(at, file))),
  );
  const finding: Finding = {
    id: "several_copies",
    problem: `The package is installed ${copies.size} times: ${shown.join(", ")}.`,
    why: "Each copy has its own rate limit and its own types, so generated types reach only one of them.",
    fix: dedupe?.[1] ?? "npm dedupe",
  };
  return checked(name, String(copies.size), [finding]);
}

/** How each package manager removes copies. */
const LOCKFILES: Readonly<Record<string, string>> = {
  "pnpm-lock.yaml": "pnpm dedupe",
  "yarn.lock": "yarn dedupe",
  "package-lock.json": "npm dedupe",
};

/** The folders of all copies, links followed, with their versions. */
function copiesIn(directory: string): Map<string, string> {
  const copies = new Map<string, string>();
  for (const folder of ancestors(directory)) {
    collect(join(folder, "node_modules"), copies);
    // Above the workspace, nothing belongs to the project.
    if (Object.keys(LOCKFILES).some((file) => existsSync(join(folder, file)))) break;
  }
  return copies;
}

function collect(modules: string, copies: Map<string, string>): void {
  for (const entry of entriesIn(modules)) {
    const folder = join(modules, entry.name);
    if (entry.name === "svc-sdk") {
      const version = versionIn(join(folder, "package.json"));
      if (version !== undefined) copies.set(realpathSync(folder), version);
    }
    // Links lead to packages of the workspace, or to folders that are walked anyway.
    if (!entry.isDirectory()) continue;
    if (entry.name.startsWith("@") || entry.name === ".pnpm") collect(folder, copies);
    else collect(join(folder, "node_modules"), copies);
  }
}

/** The oldest Node of the package's own manifest, which is above this file, wherever it was built to. */
function ownRequirement(): string {
  const manifest = ancestors(dirname(fileURLToPath(import.meta.url)))
    .map((folder) => readManifest(join(folder, "package.json")))
    .find((found) => child(found, "name") === "svc-sdk");
  return String(child(child(manifest, "engines"), "node")).replace(/^\D+/, "");
}

function versionIn(manifest: string): string | undefined {
  const version = child(readManifest(manifest), "version");
  return typeof version === "string" ? version : undefined;
}

function readManifest(file: string): unknown {
  return existsSync(file) ? parseJson(readFileSync(file, "utf8")) : undefined;
}

function ancestors(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...ancestors(parent)];
}

/** Compares versions by their numbers; what follows a hyphen is ignored. */
function isOlder(version: string, than: string): boolean {
  const numbers = (text: string) => text.split("-", 1).join().split(".").map(Number);
  const [one, other] = [numbers(version), numbers(than)];
  const differing = other.findIndex((number, index) => (one[index] ?? 0) !== number);
  return differing !== -1 && (one[differing] ?? 0) < (other[differing] ?? 0);
}
