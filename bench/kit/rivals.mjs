// Installs what is compared into bench/rivals, which git ignores: the rivals, and the package as `npm pack` makes it.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(fileURLToPath(new URL("../../package.json", import.meta.url)));
export const rivals = join(root, "bench/rivals");

const run = (parameters, cwd) => execFileSync("npm", [...parameters, "--ignore-scripts"], { cwd, encoding: "utf8" });
const QUIET = ["--no-audit", "--no-fund", "--no-package-lock", "--prefer-offline", "--loglevel", "error"];

export function installRivals() {
  const [{ filename, files }] = Object.values(JSON.parse(run(["pack", "--json", "--pack-destination", rivals], root)));
  try {
    if (!files.some(({ path }) => path === "dist/index.js")) throw new Error("There is no dist to pack: run npm run build.");
    run(["install", "--no-save", ...QUIET, `./${filename}`], rivals);
  } finally {
    rmSync(join(rivals, filename));
  }
}

/** The compilers that the project does not have itself. */
export function installCompilers() {
  const folder = join(root, "bench/compilers");
  if (!existsSync(join(folder, "node_modules"))) run(["install", ...QUIET], folder);
}

/** Adapters whose libraries differ in version from the libraries of the other rivals. */
export function installAdapters() {
  const folder = join(rivals, "adapters");
  if (!existsSync(join(folder, "node_modules"))) run(["ci", "--no-audit", "--no-fund", "--omit=optional", "--loglevel", "error"], folder);
}

export const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** The folder of a package as Node resolves it from another one, or from the project. */
export function resolved(name, from) {
  for (let folder = from; folder.startsWith(root); folder = dirname(folder)) {
    const found = join(folder, "node_modules", name);
    if (existsSync(join(found, "package.json"))) return found;
  }
  throw new Error(`${name} is not installed for ${from}.`);
}

/** The folders of a package and of all that it depends on. */
export function closure(folder, found = new Set()) {
  if (found.has(folder)) return found;
  found.add(folder);
  for (const name of Object.keys(manifestOf(folder).dependencies ?? {})) closure(resolved(name, folder), found);
  return found;
}

/** The versions of all that is installed beside each other. */
export const rivalVersions = () => versionsIn(rivals, ["svc-sdk", ...Object.keys(manifestOf(rivals).dependencies)]);

/** The versions of the adapters and their libraries. */
export function adapterVersions() {
  const folder = join(rivals, "adapters");
  return [...versionsIn(rivals, ["svc-sdk"]), ...versionsIn(folder, Object.keys(manifestOf(folder).dependencies))];
}

function versionsIn(folder, names) {
  return names.map((name) => {
    const { name: published, version } = manifestOf(join(folder, "node_modules", name));
    return `${published} ${version}`;
  });
}
