// What importing the package costs a consumer's compiler, over an empty program: instantiations, memory and time.
//
//   npm run bench:types [runs, 3 by default]
//
// It packs the build and checks one file per entry, without skipLibCheck. Instantiations are exact. Memory and time are
// medians over runs that take turns. The compiler that the project lacks is installed into bench/compilers.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const runs = Number(process.argv[2] ?? 3);
const quiet = ["--no-audit", "--no-fund", "--silent", "--ignore-scripts"];
if (!existsSync(join(root, "bench/compilers/node_modules")))
  execFileSync("npm", ["install", "--no-package-lock", ...quiet], { cwd: join(root, "bench/compilers"), stdio: "inherit" });

const COMPILERS = ["bench/compilers/node_modules/typescript-5.9", "node_modules/typescript", "node_modules/@typescript/native"];
const BUDGET = { instantiations: 5_000, megabytes: 30 };
const OPTIONS = {
  module: "nodenext",
  target: "es2022",
  lib: ["es2023", "dom", "dom.iterable", "dom.asynciterable"],
  types: [],
  strict: true,
  noEmit: true,
};

/** A consumer's project with what `npm pack` makes, and its dependencies. */
function packed() {
  const project = mkdtempSync(join(tmpdir(), "svc-sdk-types-"));
  const pack = ["pack", "--json", "--ignore-scripts", "--pack-destination", project];
  const [{ filename }] = Object.values(JSON.parse(execFileSync("npm", pack, { cwd: root, encoding: "utf8" })));
  const installed = join(project, "node_modules/svc-sdk");
  mkdirSync(installed, { recursive: true });
  execFileSync("tar", ["-xzf", join(project, filename), "--strip-components", "1", "-C", installed]);
  const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })) {
    const link = join(project, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, "node_modules", name), link, "junction");
  }
  return { project, manifest };
}

/** Checks one file and reads what the compiler says of itself. */
function check(project, compiler, name) {
  writeFileSync(join(project, "use.mts"), name ? `import * as all from "${name}"; export type All = typeof all;` : "export {};");
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions: OPTIONS, files: ["use.mts"] }));
  // Compilers in JavaScript collect their garbage before they tell their memory where they can.
  const parameters = ["--expose-gc", join(root, compiler, "bin/tsc"), "-p", project, "--extendedDiagnostics"];
  const report = execFileSync(process.execPath, parameters, { encoding: "utf8" });
  const figure = (label) => Number(new RegExp(`^${label}:\\s+([\\d.]+)`, "m").exec(report)[1]);
  return { instantiations: figure("Instantiations"), megabytes: figure("Memory used") / 1_000, seconds: figure("Total time") };
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const spread = (values) => Math.max(...values) - Math.min(...values);

const { project, manifest } = packed();
try {
  const entries = Object.entries(manifest.exports).flatMap(([entry, target]) =>
    typeof target === "string" ? [] : [`svc-sdk${entry.slice(1)}`],
  );
  // Zod is what the plain types keep away.
  const subjects = [...entries, "zod/mini"];
  let isOver = false;
  for (const compiler of COMPILERS) {
    const { version } = JSON.parse(readFileSync(join(root, compiler, "package.json"), "utf8"));
    const samples = new Map([undefined, ...subjects].map((name) => [name, []]));
    for (let run = 0; run < runs; run += 1)
      for (const [name, found] of samples) found.push(check(project, compiler, name));
    const of = (name, key) => samples.get(name).map((sample) => sample[key]);
    const rows = subjects.map((name) => {
      const added = (key) => median(of(name, key)) - median(of(undefined, key));
      return {
        import: name,
        instantiations: added("instantiations"),
        MB: added("megabytes").toFixed(1),
        "± MB": (spread(of(name, "megabytes")) / 2).toFixed(1),
        seconds: added("seconds").toFixed(2),
      };
    });
    console.log(`TypeScript ${version}, over an empty program, ${runs} runs`);
    console.table(rows);
    const [own] = rows;
    isOver ||= own.instantiations > BUDGET.instantiations || Number(own.MB) > BUDGET.megabytes;
  }
  console.log(`Budget of svc-sdk: +${BUDGET.instantiations} instantiations, +${BUDGET.megabytes} MB${isOver ? ": exceeded" : ""}`);
  process.exitCode = isOver ? 1 : 0;
} finally {
  rmSync(project, { recursive: true, force: true });
}
