// What generated types cost a user's compiler: check time and memory of 1,000 tools of mixed size, over an empty file.
//
//   npm run bench:typed-tools [tools, 1000 by default] [rounds, 5 by default]
//
// Projects take turns in each round; figures are medians. The compiler that the project lacks is installed into
// bench/compilers.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { median } from "./kit/measure.mjs";

const ROOT = resolve(import.meta.dirname, "..");
const COMPILERS = {
  "TypeScript 5.9": "bench/compilers/node_modules/typescript-5.9",
  "TypeScript 6": "node_modules/typescript",
  "TypeScript 7": "node_modules/@typescript/native",
};
const count = Number(process.argv[2] ?? 1_000);
const rounds = Number(process.argv[3] ?? 5);
if (!existsSync(join(ROOT, COMPILERS["TypeScript 5.9"]))) {
  const install = ["install", "--no-package-lock", "--no-audit", "--no-fund", "--silent", "--ignore-scripts"];
  execFileSync("npm", install, { cwd: join(ROOT, "bench/compilers"), stdio: "inherit" });
}

/** Fields as tools have them. */
const field = (tool, number) =>
  [
    { type: "string", description: `Field ${number}: what it is for, in a sentence of usual length.` },
    { type: "integer", minimum: 1, maximum: 100, default: 20, description: "A number." },
    { type: "string", enum: ["open", "closed", "all", `special_${tool}`], description: "One of several." },
    { type: "array", items: { type: "string" }, description: "Several." },
    { anyOf: [{ type: "string" }, { type: "null" }], description: "May be cleared." },
    { type: "object", properties: { id: { type: "string" }, tags: { type: "array", items: { type: "string" } } } },
  ][number % 6];

const object = (tool, size) => ({
  type: "object",
  properties: Object.fromEntries(Array.from({ length: size }, (_, number) => [`field_${number}`, field(tool, number)])),
  required: ["field_0"],
});

/** A catalog as services have them: some tools have one argument, some forty. */
const catalog = {
  formatVersion: 1,
  toolkits: [
    {
      slug: "acme",
      name: "Acme",
      version: "20260101_00",
      tools: Array.from({ length: count }, (_, index) => ({
        slug: `ACME_TOOL_${index}`,
        name: `Tool ${index}`,
        description: `Does what tool ${index} does, and says so in a sentence.`,
        version: "20260101_00",
        is_deprecated: index % 50 === 0,
        input_parameters: object(index, 1 + ((index * 7) % 40)),
        output_parameters: object(index, 1 + ((index * 3) % 20)),
      })),
      trigger_types: [],
    },
  ],
};

const call = (index) =>
  `await svc.tools.execute("ACME_TOOL_${(index * 19) % count}", { version: "20260101_00", arguments: { field_0: "x" } });`;
const CALLS = `import { Svc } from "svc-sdk";\nconst svc = new Svc();\n${Array.from({ length: 50 }, (_, index) => call(index)).join("\n")}`;

const folder = mkdtempSync(join(tmpdir(), "svc-typed-tools-"));
try {
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(ROOT, join(folder, "node_modules/svc-sdk"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "catalog.json"), JSON.stringify(catalog));
  const startedAt = performance.now();
  const generate = [join(ROOT, "dist/cli.js"), "generate", "--from", "catalog.json", "--out", "svc.gen.ts"];
  execFileSync(process.execPath, generate, { cwd: folder, stdio: "ignore" });
  console.log(`svc-sdk generate: ${count} tools in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s\n`);

  const projects = {
    "an empty file": project("empty", ["empty.ts"], "export {};"),
    "the types alone": project("types", ["types.ts", "svc.gen.ts"], 'import "svc-sdk";'),
    "50 calls, no types": project("plain", ["plain.ts"], CALLS),
    [`50 calls, ${count} tools`]: project("typed", ["typed.ts", "svc.gen.ts"], CALLS),
  };
  for (const [name, compiler] of Object.entries(COMPILERS)) report(name, measured(compiler, projects));
} finally {
  rmSync(folder, { recursive: true });
}

/** A project of a user: its name. */
function project(name, files, code) {
  writeFileSync(join(folder, `${name}.ts`), code);
  const compilerOptions = {
    strict: true,
    target: "es2022",
    lib: ["es2023", "dom", "dom.iterable", "dom.asynciterable"],
    module: "nodenext",
    types: [],
    skipLibCheck: true,
    noEmit: true,
  };
  writeFileSync(join(folder, `${name}.json`), JSON.stringify({ compilerOptions, files }));
  return `${name}.json`;
}

/** The compiler's statistics for each project, as medians over the rounds. */
function measured(compiler, projects) {
  const runs = Object.fromEntries(Object.keys(projects).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, config] of Object.entries(projects)) {
      // Compilers in JavaScript collect their garbage before they report their memory if they can.
      const parameters = ["--expose-gc", join(ROOT, compiler, "bin/tsc"), "-p", config, "--extendedDiagnostics"];
      const said = execFileSync(process.execPath, parameters, { cwd: folder, encoding: "utf8" });
      const figure = (label) => Number(new RegExp(`^${label}:\\s+([\\d.]+)`, "m").exec(said)[1]);
      runs[name].push([figure("Check time"), figure("Total time"), figure("Memory used") / 1_000]);
    }
  }
  return Object.entries(runs).map(([name, figures]) => [name, [0, 1, 2].map((at) => median(figures.map((run) => run[at])))]);
}

/** A table of one compiler, with what each project takes over the first. */
function report(compiler, [[, base], ...others]) {
  const [check, total, memory] = base;
  console.log(`${compiler}; an empty file: check ${check.toFixed(2)} s, total ${total.toFixed(2)} s, ${memory.toFixed(0)} MB`);
  for (const [name, figures] of others) {
    const [checkMore, totalMore, memoryMore] = figures.map((figure, at) => more(figure - base[at], at === 2 ? 0 : 2));
    console.log(`  ${name.padEnd(24)} check ${checkMore} s  total ${totalMore} s  memory ${memoryMore} MB`);
  }
  console.log();
}

function more(value, digits) {
  return `${value < 0 ? "" : "+"}${value.toFixed(digits)}`;
}
