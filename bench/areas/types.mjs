// The cost of an import for a user's compiler, compared with an empty program.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { mapValues } from "../kit/measure.mjs";
import { closure, installCompilers, manifestOf, resolved, rivals, root } from "../kit/rivals.mjs";
import { digits } from "../kit/tables.mjs";

const COMPILERS = ["bench/compilers/node_modules/typescript-5.9", "node_modules/typescript", "node_modules/@typescript/native"];
const OLDEST = manifestOf(join(root, "bench/compilers")).dependencies["typescript-5.9"].replace("npm:typescript@", "");
const RIVALS = ["ky", "zod/mini", "@composio/client", "composio-client-0", "openai", "stripe", "svix", "standardwebhooks", "@pipedream/sdk"];
const OPTIONS = {
  module: "nodenext",
  target: "es2022",
  lib: ["es2023", "dom", "dom.iterable", "dom.asynciterable"],
  types: ["node"],
  strict: true,
  noEmit: true,
  // The same for all: it would only take time.
  skipDefaultLibCheck: true,
  // Packages see only their own dependencies.
  preserveSymlinks: true,
};

/**
 * Checks one file in the folder and reads the compiler's statistics. Declarations of other packages may contain errors.
 */
async function check(folder, compiler, name) {
  writeFileSync(join(folder, "use.mts"), name ? `import * as all from "${name}"; export type All = typeof all;` : "export {};");
  // With this flag, compilers in JavaScript collect garbage before they report their memory.
  const parameters = ["--expose-gc", join(root, compiler, "bin/tsc"), "-p", folder, "--extendedDiagnostics"];
  const { stdout } = await promisify(execFile)(process.execPath, parameters).catch((failure) => failure);
  const hasErrors = /error TS\d+/.test(stdout);
  if (hasErrors && name.startsWith("svc-sdk")) throw new Error(`${name} does not compile: ${stdout}`);
  const figure = (label) => {
    const [, value] = new RegExp(`^${label}:\\s+([\\d.]+)`, "m").exec(stdout) ?? [];
    if (value === undefined) throw new Error(`${compiler} reports no ${label} for ${name}: ${stdout}`);
    return Number(value);
  };
  return { instantiations: figure("Instantiations"), megabytes: figure("Memory used") / 1_000, hasErrors };
}

/** A project with these packages and their dependencies. */
function projectWith(packages) {
  const project = mkdtempSync(join(tmpdir(), "svc-sdk-types-"));
  for (const folder of packages.reduce((found, folder) => closure(folder, found), closure(join(root, "node_modules/@types/node")))) {
    const link = join(project, "node_modules", folder.split("node_modules/").at(-1));
    mkdirSync(dirname(link), { recursive: true });
    if (!existsSync(link)) symlinkSync(folder, link, "junction");
  }
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions: OPTIONS, files: ["use.mts"] }));
  return project;
}

/** The packages that an import needs, with the peers of the entry points of svc-sdk. */
function packagesFor(name) {
  const own = resolved(name.match(/^(@[^/]+\/)?[^/]+/)[0], rivals);
  const peers = name.startsWith("svc-sdk/") ? Object.keys(manifestOf(own).peerDependencies) : [];
  return [own, ...peers.map((peer) => resolved(peer, rivals))];
}

/** The statistics of one import in a project with nothing else; of an empty program for "". */
async function checkIn(compiler, name) {
  const project = projectWith(name ? packagesFor(name) : []);
  try {
    return await check(project, compiler, name);
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

/** The types and instantiations that each import adds to an empty program. */
async function checkAll(compiler, names) {
  const empty = await checkIn(compiler, "");
  const added = {};
  for (const name of names) {
    const { instantiations, megabytes, hasErrors } = await checkIn(compiler, name);
    added[name] = { instantiations: instantiations - empty.instantiations, megabytes: megabytes - empty.megabytes, hasErrors };
  }
  return added;
}

export const types = {
  title: "Type-checking",
  about: `Type instantiations and MB of memory that \`import * as all\` adds to an empty program with Node's types, without
\`skipLibCheck\`. TypeScript 7 reports its memory before garbage collection.`,
  async measure({ quick }) {
    installCompilers();
    const entries = Object.entries(manifestOf(join(rivals, "node_modules/svc-sdk")).exports);
    const ours = entries.flatMap(([entry, target]) => (target.types ? [`svc-sdk${entry.slice(1)}`] : []));
    const names = quick ? ["svc-sdk"] : [...ours, ...RIVALS];
    const versions = COMPILERS.map((compiler) => `TypeScript ${manifestOf(join(root, compiler)).version}`);
    const figures = await Promise.all(COMPILERS.map((compiler) => checkAll(compiler, names)));
    return Object.fromEntries(versions.map((version, index) => [version, figures[index]]));
  },
  rows: (figures) => {
    const [names] = Object.values(figures).map(Object.keys);
    return Object.fromEntries(
      names.map((name) => [
        name,
        mapValues(figures, (subjects) => {
          const { instantiations, megabytes, hasErrors } = subjects[name];
          return `${digits(instantiations)}, ${digits(megabytes)} MB${hasErrors ? ", with errors" : ""}`;
        }),
      ]),
    );
  },
  budgets: (figures) =>
    Object.entries(figures).flatMap(([compiler, { "svc-sdk": own }]) => [
      [`types of \`svc-sdk\`, ${compiler}: instantiations`, own.instantiations, 5_000],
      [`types of \`svc-sdk\`, ${compiler}: MB`, own.megabytes, 30],
    ]),
  chart: ({ [`TypeScript ${OLDEST}`]: subjects }) => ({
    title: `Instantiations that an import adds, TypeScript ${OLDEST}`,
    rows: ["svc-sdk", "svc-sdk/webhooks", ...RIVALS].map((label) => ({ label, value: subjects[label].instantiations })),
  }),
};
