// What generated types cost a user's compiler: 1,000 tools of mixed size, over a project that has none.
// Run it after a build: node bench/typed-tools.mjs [tools]
import { execFileSync } from "node:child_process";
import { mkdtempSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "..");
const COMPILERS = { "TypeScript 6": "typescript/bin/tsc", "TypeScript 7": "@typescript/native/bin/tsc" };
const RUNS = 5;
const count = Number(process.argv[2] ?? 1_000);

/** A tool as services have them: some with one argument, some with forty, nested, with enums and lists. */
function tool(index) {
  const field = (number) =>
    [
      { type: "string", description: `Field ${number}: what it is for, in a sentence of usual length.` },
      { type: "integer", minimum: 1, maximum: 100, default: 20, description: "A number." },
      { type: "string", enum: ["open", "closed", "all", `special_${index}`], description: "One of several." },
      { type: "array", items: { type: "string" }, description: "Several." },
      { anyOf: [{ type: "string" }, { type: "null" }], description: "May be cleared." },
      { type: "object", properties: { id: { type: "string" }, tags: { type: "array", items: { type: "string" } } } },
    ][number % 6];
  const object = (size) => ({
    type: "object",
    properties: Object.fromEntries(Array.from({ length: size }, (_, number) => [`field_${number}`, field(number)])),
    required: ["field_0"],
  });
  return {
    slug: `ACME_TOOL_${index}`,
    name: `Tool ${index}`,
    description: `Does what tool ${index} does, and says so in a sentence.`,
    version: "20260101_00",
    is_deprecated: index % 50 === 0,
    input_parameters: object(1 + ((index * 7) % 40)),
    output_parameters: object(1 + ((index * 3) % 20)),
  };
}

const folder = mkdtempSync(join(tmpdir(), "svc-typed-tools-"));
try {
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(ROOT, join(folder, "node_modules/svc-sdk"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const toolkit = {
    slug: "acme",
    name: "Acme",
    version: "20260101_00",
    tools: Array.from({ length: count }, (_, index) => tool(index)),
    trigger_types: [],
  };
  writeFileSync(join(folder, "catalogue.json"), JSON.stringify({ snapshot: 1, toolkits: [toolkit] }));

  const startedAt = performance.now();
  execFileSync(
    process.execPath,
    [join(ROOT, "dist/cli.js"), "generate", "--from", "catalogue.json", "--out", "svc.gen.ts"],
    { cwd: folder, stdio: "ignore" },
  );
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(2);

  const call = (slug, name) =>
    `await svc.tools.execute("${slug}", { user_id: "u", version: "20260101_00", arguments: { ${name}: "x" } });`;
  const calls = Array.from({ length: 50 }, (_, index) => call(`ACME_TOOL_${(index * 19) % count}`, "field_0"));
  const project = (name, files, code) => {
    writeFileSync(join(folder, `${name}.ts`), code);
    const config = {
      compilerOptions: {
        strict: true,
        target: "es2022",
        module: "nodenext",
        types: [],
        skipLibCheck: true,
        noEmit: true,
      },
      files,
    };
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(config));
    return `${name}.json`;
  };
  const client = 'import { Svc } from "svc-sdk";\nconst svc = new Svc();\n';
  const projects = {
    "an empty file": project("empty", ["empty.ts"], "export {};"),
    "50 calls, no types": project("plain", ["plain.ts"], client + calls.join("\n")),
    [`50 calls, ${count} tools`]: project("typed", ["typed.ts", "svc.gen.ts"], client + calls.join("\n")),
  };

  console.log(`svc generate: ${count} tools in ${seconds} s\n`);
  const rows = Object.entries(COMPILERS).flatMap(([compiler, path]) =>
    Object.entries(projects).map(([name, config]) => ({
      compiler,
      project: name,
      ...measure(join(ROOT, "node_modules", path), config),
    })),
  );
  const widths = Object.fromEntries(
    Object.keys(rows[0]).map((key) => [key, Math.max(key.length, ...rows.map((row) => row[key].length))]),
  );
  const line = (row) =>
    Object.entries(widths)
      .map(([key, width]) => row[key].padEnd(width))
      .join("  ")
      .trimEnd();
  console.log(line(Object.fromEntries(Object.keys(widths).map((key) => [key, key]))));
  for (const row of rows) console.log(line(row));
} finally {
  rmSync(folder, { recursive: true });
}

/** The median of some runs, and what the compiler says about the last. */
function measure(compiler, config) {
  const runs = Array.from({ length: RUNS }, () => {
    const output = execFileSync(process.execPath, [compiler, "-p", config, "--extendedDiagnostics"], {
      cwd: folder,
      encoding: "utf8",
    });
    const read = (name) => Number(/[\d.]+/.exec(new RegExp(`^${name}:\\s+(.*)$`, "m").exec(output)?.[1] ?? "0")?.[0]);
    return {
      check: read("Check time"),
      total: read("Total time"),
      memory: read("Memory used"),
      instantiations: read("Instantiations"),
    };
  });
  const median = (name) => runs.map((run) => run[name]).sort((one, other) => one - other)[Math.floor(RUNS / 2)];
  return {
    "check s": median("check").toFixed(2),
    "total s": median("total").toFixed(2),
    "memory MB": (median("memory") / 1_000).toFixed(0),
    instantiations: String(median("instantiations")),
  };
}
