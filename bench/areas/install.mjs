// The size of an installation.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { mapValues } from "../kit/measure.mjs";
import { closure, manifestOf, resolved, rivals } from "../kit/rivals.mjs";
import { digits } from "../kit/tables.mjs";

const SUBJECTS = ["svc-sdk", "ky", "@composio/client", "composio-client-0", "openai", "stripe", "svix", "standardwebhooks", "@pipedream/sdk"];

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => !file.slice(folder.length).includes("node_modules"));

const bytesOf = (files) => files.reduce((sum, file) => sum + statSync(file).size, 0);

/** Files of `dist` that only the entry points of the emulator and the command need, with their source maps. */
function apartIn(folder) {
  const entries = Object.entries(manifestOf(folder).exports).filter(([entry]) => !entry.startsWith("./emulator"));
  const shared = new Set();
  const visit = (file) => {
    if (shared.has(file)) return;
    shared.add(file);
    const [extension] = /(\.d\.ts|\.js)$/.exec(file);
    for (const [, source] of readFileSync(file, "utf8").matchAll(/(?:from|import) ?['"](\.[^'"]+)/g))
      visit(join(dirname(file), source.replace(/\.js$/, extension)));
  };
  for (const [, { types, default: code }] of entries) if (types) [types, code].map((file) => visit(join(folder, file)));
  return filesIn(folder).filter((file) => /\.(js|d\.ts)(\.map)?$/.test(file) && !shared.has(file.replace(/\.map$/, "")));
}

export const install = {
  title: "Installation",
  about: `Packages and MB on disk that a package installs with its dependencies, without optional peers. The chunks that only the
emulator and the command need are included.`,
  measure: () =>
    Object.fromEntries(
      SUBJECTS.map((name) => {
        const folder = resolved(name, rivals);
        const packages = [...closure(folder)];
        const own = bytesOf(filesIn(folder));
        const needed = name === "svc-sdk" ? own - bytesOf(apartIn(folder)) : own;
        const direct = Object.keys(manifestOf(folder).dependencies ?? {}).length;
        return [name, { packages: packages.length, direct, bytes: bytesOf(packages.flatMap(filesIn)), own, needed }];
      }),
    ),
  rows: (figures) =>
    mapValues(figures, ({ packages, bytes, own }) => ({
      packages,
      "MB, all": digits(bytes / 1e6),
      "MB, its own": digits(own / 1e6),
    })),
  budgets: ({ "svc-sdk": { direct, needed } }) => [
    ["run-time packages", direct, 4],
    ["unpacked with source maps, the chunks of emulator and command apart, MB", needed / 1e6, 1.2],
  ],
};
