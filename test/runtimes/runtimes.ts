import { existsSync, readFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";

/** The scripts that a runtime can run. */
export interface Scripts {
  /**
   * As a consumer writes them, the package being found in `node_modules`: a program, and a module that exports `run`.
   */
  readonly program: string;
  readonly module: string;
  /** With the package inside: a module that exports `run`, and a script that sets the global `scenarios`. */
  readonly bundledModule: string;
  readonly bundledScript: string;
}

/** A place where the package must work. */
export interface Runtime {
  readonly name: string;
  /** Files that the runtime needs. If one is missing, the runtime isn't installed. */
  readonly needs: readonly string[];
  /**
   * The command that prints, as one line of JSON, what the scenarios saw. `connection` leads to an emulator on a port.
   */
  command(scripts: Scripts, connection: string): readonly string[];
}

const root = resolve(import.meta.dirname, "../..");
const tools = join(root, "test/programs/runtimes");
const installed = join(tools, "node_modules");
const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(tools, "package.json"), "utf8")) as {
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
};
/** `5.4.5` of `npm:typescript@5.4.5`. */
const versionOf = (name: string) => (dependencies[name] ?? optionalDependencies[name] ?? "").replace(/^.*@/, "");

const driver = (name: string) => join(tools, `${name}.mjs`);
const platform = `${process.platform}-${process.arch}`;
const libc = process.platform === "linux" ? "-glibc" : "";

/** A program on the PATH, under the first of these names that is there. */
function find(...names: string[]): string {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const candidates = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return candidates.find((candidate) => existsSync(candidate)) ?? names.join(" or ");
}

function node(name: string, program: string): Runtime {
  return {
    name,
    needs: [program],
    command: ({ module }, connection) => [program, driver("process"), module, connection],
  };
}

export const BUN = join(installed, "@oven", `bun-${platform}`, "bin/bun");
export const DENO = join(installed, "@deno", `${platform}${libc}`, "deno");
const chromium = find("chromium-headless-shell", "chromium", "google-chrome");

const THIS_NODE = node(`Node ${process.versions.node} (this one)`, process.execPath);

/** Those of edge platforms, which have no Node and no code made of text. */
export const EDGE: readonly Runtime[] = [
  {
    name: `workerd of miniflare ${versionOf("miniflare")} without Node compatibility`,
    needs: [join(installed, "miniflare"), join(installed, "workerd")],
    command: ({ bundledModule }, connection) => [process.execPath, driver("workerd"), bundledModule, connection],
  },
  {
    name: `@edge-runtime/vm ${versionOf("@edge-runtime/vm")} without eval`,
    needs: [join(installed, "@edge-runtime/vm")],
    command: ({ bundledScript }) => [process.execPath, driver("edge-vm"), bundledScript],
  },
];

/** Every place where the package must work. */
export const RUNTIMES: readonly Runtime[] = [
  ...["node-22.12", "node-22", "node-26"].map((name) =>
    node(`Node ${versionOf(name)}`, join(installed, name, "bin/node")),
  ),
  THIS_NODE,
  {
    name: `Bun ${versionOf("bun")}`,
    needs: [BUN],
    command: ({ module }, connection) => [BUN, driver("process"), module, connection],
  },
  {
    name: `Deno ${versionOf("deno")} without permissions`,
    needs: [DENO],
    command: ({ program }) => [DENO, "run", "--no-prompt", "--cached-only", "--node-modules-dir=manual", program],
  },
  ...EDGE,
  {
    name: "Chromium under a strict Content-Security-Policy",
    needs: [chromium, join(installed, "playwright-core")],
    command: ({ bundledModule }, connection) => [
      process.execPath,
      driver("chromium"),
      chromium,
      bundledModule,
      connection,
    ],
  },
];
