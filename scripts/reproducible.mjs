// Builds and packs the project twice, in two folders, and compares the tarballs: npm run check:reproducible
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

// What a build makes itself is left behind, wherever it lies; node_modules is shared.
const LEFT = new Set([".git", ".types", "dist", "node_modules"]);

/**
 * The tarball of a build in a folder of this name, by its hash. The names differ in length, so that no path can hide.
 */
function pack(name) {
  const folder = mkdtempSync(join(tmpdir(), name));
  try {
    cpSync(".", folder, { recursive: true, filter: (path) => !LEFT.has(basename(path)) });
    symlinkSync(join(process.cwd(), "node_modules"), join(folder, "node_modules"), "junction");
    const run = (...parameters) => execFileSync("npm", parameters, { cwd: folder, encoding: "utf8" });
    run("run", "--silent", "build");
    const [{ filename, files }] = Object.values(JSON.parse(run("pack", "--json", "--ignore-scripts")));
    const hashOf = (path) =>
      createHash("sha256")
        .update(readFileSync(join(folder, path)))
        .digest("hex");
    return { tarball: hashOf(filename), files: new Map(files.map(({ path }) => [path, hashOf(path)])) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const one = pack("svc-sdk-a-");
const other = pack("svc-sdk-another-");
if (one.tarball === other.tarball) {
  console.log(`Two builds gave the same tarball: sha256 ${one.tarball}`);
} else {
  const paths = new Set([...one.files.keys(), ...other.files.keys()]);
  const differing = [...paths].filter((path) => one.files.get(path) !== other.files.get(path));
  console.error(`Two builds differ in: ${differing.join(", ") || "the tarball's own order"}`);
  process.exitCode = 1;
}
