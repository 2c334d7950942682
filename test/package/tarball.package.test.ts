import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { longTest, sized } from "../support/size.js";
import { ENTRIES, nameOf } from "./entries.js";
import { withTheirOwn } from "./pack.js";

const root = resolve(import.meta.dirname, "../..");
const { tarball, project } = inject("packed");
const installed = join(project, "node_modules/svc-sdk");
const folder = join(project, "tarball");
const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as {
  readonly version: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly repository: { readonly url: string };
};

beforeAll(() => {
  mkdirSync(folder);
});

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

/** Every file that may be in it, and at least one of each. */
const CONTENTS = [
  /^package\.json$/,
  /^README\.md$/,
  /^CHANGELOG\.md$/,
  /^LICENSE$/,
  /^dist\/THIRD_PARTY_LICENSES\.txt$/,
  /^docs\/guide\/[\w-]+\.md$/,
  /^docs\/decisions\/0017-once-is-searched\.md$/,
  /^docs\/(control-plane|operations|options|terminology|SECURITY)\.md$/,
  /^docs\/pictures\/[\w-]+\.(svg|webp)$/,
  /^examples\/[\w/.-]+\.(ts|tsx|md|txt|json|jsonc|js|mjs|toml)$/,
  /^dist\/openapi\.json$/,
  /^dist\/llms(-reference)?\.txt$/,
  /^dist\/([\w-]+\/)*[\w-]+\.js$/,
  /^dist\/([\w-]+\/)*[\w.-]+\.d\.ts$/,
];

/** The links of the packed pages. */
function pageLinks(): { readonly page: string; readonly target: string }[] {
  const pages = readdirSync(installed, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".md"));
  return pages.flatMap((page) =>
    [...readFileSync(join(installed, page), "utf8").matchAll(/\]\(([^)\s]+)/g)].map(([, target = ""]) => ({
      page,
      target,
    })),
  );
}

const fileOf = (target: string) => target.split("#", 1).join();

describe("the packed tarball", () => {
  test.each(sized(ENTRIES.slice(0, 2), ENTRIES))("has %s for an ESM project and for require()", (entry) => {
    const name = nameOf(entry);
    const imported = runScript("import.mjs", `import * as all from "${name}"; console.log(Object.keys(all).join());`);
    const required = runScript("require.cjs", `console.log(Object.keys(require("${name}")).join());`);
    expect(imported.split(",").filter(Boolean).length).toBeGreaterThan(0);
    expect(required.replace(/,?__esModule|,?module\.exports/g, "")).toBe(imported);
  });

  test("exports the OpenAPI document as JSON", () => {
    const output = runScript(
      "openapi.mjs",
      `import document from "svc-sdk/openapi.json" with { type: "json" };
       console.log(document.openapi, document.info.version, Object.keys(document.paths).length > 70);`,
    );
    expect(output).toBe(`3.1.0 ${manifest.version} true`);
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

  test("shows the readable line that threw for an uncaught error", () => {
    writeFileSync(join(folder, "uncaught.mjs"), `import { Svc } from "svc-sdk"; new Svc({ apiKey: "" });`);
    const { stderr } = spawnSync(process.execPath, ["uncaught.mjs"], { cwd: folder, encoding: "utf8" });
    expect(stderr).toMatch(
      /^file:.*\n {2}if \(problems\.length > 0\) throw new ConfigError\(.*\n *\^\n\nConfigError: new Svc\(\): /,
    );
  });

  test("has the command svc-sdk", () => {
    const file = join(installed, manifest.bin["svc-sdk"] ?? "");
    expect(readFileSync(file, "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect(run(process.execPath, [file, "--help"], folder)).toContain("svc-sdk emulator");
  });

  test("contains the target of each relative link in its pages", () => {
    const links = pageLinks();
    expect(links.length).toBeGreaterThan(100);
    const relative = links.filter(({ target }) => !/^(https?:|#)/.test(target));
    const missing = relative.filter(({ page, target }) => !existsSync(join(installed, dirname(page), fileOf(target))));
    expect(missing).toEqual([]);
  });

  test("links only to files of the repository that exist", () => {
    const repository = manifest.repository.url.replace(/^git\+|\.git$/g, "");
    const files = pageLinks().flatMap(({ target }) =>
      target.startsWith(`${repository}/`) ? [fileOf(target).slice(repository.length + 1)] : [],
    );
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((file) => !existsSync(file.replace(/^(blob|tree)\/main\//, "")))).toEqual([]);
  });

  test("contains the build, the docs and the licenses, and nothing else", () => {
    const files = readdirSync(installed, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(installed.length + 1)
          .replaceAll("\\", "/"),
      );
    expect(files.filter((file) => !CONTENTS.some((pattern) => pattern.test(file)))).toEqual([]);
    expect(CONTENTS.filter((pattern) => !files.some((file) => pattern.test(file)))).toEqual([]);
  });

  test("names no source map, because it contains none", () => {
    const files = readdirSync(join(installed, "dist"), { recursive: true, encoding: "utf8" });
    const code = files.filter((file) => /\.(js|ts|css)$/.test(file));
    expect(files.filter((file) => file.endsWith(".map"))).toEqual([]);
    expect(
      code.filter((file) => /# sourceMappingURL=/.test(readFileSync(join(installed, "dist", file), "utf8"))),
    ).toEqual([]);
  });

  test("names and licenses everything that is bundled", () => {
    const licences = readFileSync(join(installed, "dist/THIRD_PARTY_LICENSES.txt"), "utf8");
    const bundled = new Set(
      readdirSync(join(installed, "dist"), { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".js"))
        // The bundler names each file that it put in.
        .flatMap((file) => readFileSync(join(installed, "dist", file), "utf8").match(/^\/\/ node_modules\/.*/gm) ?? [])
        .flatMap((source) => source.match(/node_modules\/(@[\w.-]+\/[\w.-]+|[\w.-]+)/)?.[1] ?? []),
    );
    expect(bundled.size).toBeGreaterThan(0);
    for (const name of bundled) {
      const { version } = JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8"));
      expect(licences).toContain(`${name} ${version}\n`);
    }
  });

  test("installs four packages and their three dependencies", () => {
    const packages = withTheirOwn(Object.keys(manifest.dependencies));
    expect(packages.sort()).toEqual([
      "@stablelib/base64",
      "fast-sha256",
      "is-network-error",
      "ky",
      "p-retry",
      "standardwebhooks",
      "zod",
    ]);
  });

  longTest("can be published", () => {
    const output = run("npm", ["publish", "--dry-run", "--ignore-scripts", "--json", tarball], project);
    expect(output).toContain(`svc-sdk@${manifest.version}`);
  });

  test("keeps hono inside the emulator's chunks and zod out of the client", () => {
    const client = readFileSync(join(installed, "dist/index.js"), "utf8");
    const chunks = [...client.matchAll(/(?:from|import) ?["'](\.\/[^"']+)/g)].map(([, chunk]) =>
      readFileSync(join(installed, "dist", chunk ?? ""), "utf8"),
    );
    expect(chunks.join("\n")).toMatch(/from ?["']ky["']/);
    expect([client, ...chunks].join("\n")).not.toMatch(/(from|import) ?["'](zod|hono|node:)/);
    const everything = readdirSync(join(installed, "dist"), { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".js"),
    );
    for (const file of everything)
      expect(readFileSync(join(installed, "dist", file), "utf8")).not.toMatch(/^(?!\s*\*).*(from|import) ?["']@?hono/m);
  });

  longTest("is clean for publint", () => {
    expect(
      run(process.execPath, [join(root, "node_modules/publint/src/cli.js"), "--strict", installed], root),
    ).toContain("All good");
  });

  longTest("is clean for arethetypeswrong, as an ESM-only package", () => {
    const cli = join(root, "node_modules/@arethetypeswrong/cli/dist/index.js");
    // It exits with 1 for a problem under a resolution that the profile does not leave out.
    const output = run(
      process.execPath,
      [cli, tarball, "--profile", "esm-only", "--no-color", "--no-emoji", "--format", "ascii"],
      root,
    );
    for (const entry of ENTRIES) expect(output).toContain(`"${nameOf(entry)}"`);
  });
});
