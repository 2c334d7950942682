import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { child, parseJson } from "../../shared/json.js";
import { type CheckResult, checked, type Finding, type Setup, skipped } from "./finding.js";

/** The oldest TypeScript that the package's types are tested with. */
const OLDEST_TYPESCRIPT = "5.4";

/** Checks the versions of Node and TypeScript. */
export function checkInstallation(setup: Setup): CheckResult[] {
  return [checkNode(setup), checkTypeScript(setup)];
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
