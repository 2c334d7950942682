import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const {
  exports: entries,
  dependencies,
  version,
} = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  exports: Record<string, unknown>;
  dependencies: Record<string, string>;
  version: string;
};
const ENTRIES = Object.keys(entries).filter((entry) => !entry.endsWith(".json"));
const nameOf = (entry: string) => `svc-sdk${entry.slice(1)}`;

let folder: string;
let installed: string;

/** What `npm pack` makes, unpacked where a consumer's npm would put it, with nothing but its declared dependencies. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "svc-sdk-"));
  run("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], root);
  const [tarball = ""] = readdirSync(folder);
  installed = join(folder, "node_modules", "svc-sdk");
  mkdirSync(installed, { recursive: true });
  run("tar", ["-xzf", join(folder, tarball), "--strip-components", "1", "-C", installed], folder);
  // p-retry and standardwebhooks bring one or two packages of their own.
  const transitive = ["is-network-error", "@stablelib/base64", "fast-sha256"];
  // What svc-sdk/testing/msw is for: its optional peer.
  const peers = ["msw"];
  for (const name of [...Object.keys(dependencies), ...transitive, ...peers]) link(name);
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function link(name: string): void {
  const target = join(folder, "node_modules", name);
  mkdirSync(join(target, ".."), { recursive: true });
  symlinkSync(join(root, "node_modules", name), target);
}

function run(program: string, parameters: string[], cwd: string): string {
  return execFileSync(program, parameters, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

function runScript(name: string, code: string): string {
  writeFileSync(join(folder, name), code);
  return run(process.execPath, [name], folder).trim();
}

const USE_IT = `
  const emulator = createEmulator();
  const svc = new Svc(emulator.connection);
  svc.tools.list({ limit: 2 }).then((page) => console.log(page.items.length));
`;

describe("the packed tarball", () => {
  test.each(ENTRIES)("gives %s to an ESM project and to require()", (entry) => {
    const name = nameOf(entry);
    const imported = runScript("import.mjs", `import * as all from "${name}"; console.log(Object.keys(all).join());`);
    const required = runScript("require.cjs", `console.log(Object.keys(require("${name}")).join());`);
    expect(imported.split(",").filter(Boolean).length).toBeGreaterThan(0);
    expect(required.replace(/,?__esModule|,?module\.exports/g, "")).toBe(imported);
  });

  test("gives the OpenAPI document to whoever reads JSON", () => {
    const output = runScript(
      "openapi.mjs",
      `import document from "svc-sdk/openapi.json" with { type: "json" };
       console.log(document.openapi, document.info.version, Object.keys(document.paths).length > 70);`,
    );
    expect(output).toBe(`3.1.0 ${version} true`);
  });

  test("works in an ESM project", () => {
    const output = runScript(
      "use.mjs",
      `import { Svc } from "svc-sdk"; import { createEmulator } from "svc-sdk/emulator"; ${USE_IT}`,
    );
    expect(output).toBe("2");
  });

  test("works through require()", () => {
    const output = runScript(
      "use.cjs",
      `const { Svc } = require("svc-sdk"); const { createEmulator } = require("svc-sdk/emulator"); ${USE_IT}`,
    );
    expect(output).toBe("2");
  });

  test("ships the contract as an OpenAPI document", () => {
    const output = runScript(
      "openapi.mjs",
      `import api from "svc-sdk/openapi.json" with { type: "json" }; console.log(api.openapi);`,
    );
    expect(output).toBe("3.1.0");
  });

  test("runs its command from an installed project", () => {
    expect(run(process.execPath, [join(installed, "dist/cli.js"), "--help"], folder)).toContain("svc emulator");
  });

  test("type-checks in a project without @types/node and without skipLibCheck", () => {
    writeFileSync(
      join(folder, "use.ts"),
      `import { Svc, NotFoundError, type Tool } from "svc-sdk";
       import { contract } from "svc-sdk/contract";
       import { createEmulator } from "svc-sdk/emulator";
       const svc = new Svc({ ...createEmulator().connection, contract });
       const slugs: Promise<Tool> = svc.tools.get("A");
       export const result = slugs.catch((error: unknown) => error instanceof NotFoundError && error.condition);`,
    );
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({
        compilerOptions: {
          module: "nodenext",
          strict: true,
          noEmit: true,
          types: [],
          lib: ["es2023", "dom", "dom.iterable"],
        },
        files: ["use.ts"],
      }),
    );
    const output = run(process.execPath, [join(root, "node_modules/@typescript/native/bin/tsc"), "-p", folder], folder);
    expect(output).toBe("");
  });

  test("holds the build, the changelog and the licences, and nothing else", () => {
    expect(readdirSync(installed).sort()).toEqual(["CHANGELOG.md", "LICENSE", "README.md", "dist", "package.json"]);
    expect(readFileSync(join(installed, "dist/THIRD_PARTY_LICENSES.txt"), "utf8")).toContain("hono");
  });

  test("keeps hono inside the emulator's chunks and zod out of the client", () => {
    const client = readFileSync(join(installed, "dist/index.js"), "utf8");
    const chunks = [...client.matchAll(/from '(\.\/[^']+)'/g)].map(([, chunk]) =>
      readFileSync(join(installed, "dist", chunk ?? ""), "utf8"),
    );
    expect([client, ...chunks].join("\n")).not.toMatch(/from '(zod|hono|node:)/);
    const everything = readdirSync(join(installed, "dist"), { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".js"),
    );
    for (const file of everything)
      expect(readFileSync(join(installed, "dist", file), "utf8")).not.toMatch(/^(import|export) .* from '@?hono/m);
  });

  test("is clean for publint", () => {
    expect(
      run(process.execPath, [join(root, "node_modules/publint/src/cli.js"), "--strict", installed], root),
    ).toContain("All good");
  });

  test("is clean for arethetypeswrong, as an ESM-only package", () => {
    const [tarball = ""] = readdirSync(folder).filter((file) => file.endsWith(".tgz"));
    const cli = join(root, "node_modules/@arethetypeswrong/cli/dist/index.js");
    // It exits with 1 for a problem under a resolution that the profile does not leave out.
    const output = run(
      process.execPath,
      [cli, join(folder, tarball), "--profile", "esm-only", "--no-color", "--no-emoji", "--format", "ascii"],
      root,
    );
    for (const entry of ENTRIES) expect(output).toContain(`"${nameOf(entry)}"`);
  });
});
