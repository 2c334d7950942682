// npm 10 installs the pinned Node (scripts/node-runtime) and then deletes node_modules/.bin/node, because the packages
// of the other platforms claim the same name. Runs before the scripts that need it; npm 11 and later need nothing of
// it.
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

const windows = process.platform === "win32";
const prefix = process.platform === "darwin" && process.arch === "arm64" ? "node-bin" : "node";
const runtime = join(
  "node_modules",
  `${prefix}-${windows ? "win" : process.platform}-${process.arch}`,
  "bin",
  windows ? "node.exe" : "node",
);
const bin = join("node_modules", ".bin");
const link = join(bin, windows ? "node.cmd" : "node");

if (existsSync(runtime) && !existsSync(link)) {
  mkdirSync(bin, { recursive: true });
  if (windows) {
    writeFileSync(link, `@"%~dp0\\${relative(bin, runtime)}" %*\r\n`);
  } else {
    chmodSync(runtime, 0o755);
    symlinkSync(relative(bin, runtime), link);
  }
}
