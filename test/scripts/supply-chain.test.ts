import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";

const LOCKFILES = [
  "package-lock.json",
  "test/programs/agreement/package-lock.json",
  "test/programs/databases/package-lock.json",
  "scripts/mutation/package-lock.json",
  "test/programs/next/package-lock.json",
  "test/programs/runtimes/package-lock.json",
  "test/programs/servers/package-lock.json",
  "test/programs/steps/package-lock.json",
];

interface Entry {
  readonly integrity?: string;
  readonly link?: boolean;
  readonly resolved?: string;
  readonly version?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

function packagesOf(file: string): Readonly<Record<string, Entry>> {
  return JSON.parse(readFileSync(file, "utf8")).packages;
}

/** Every package that a registry delivers: not the project itself, its folders, and links to these. */
function delivered(file: string): (readonly [string, Entry])[] {
  return Object.entries(packagesOf(file)).filter(([path, { link }]) => path.includes("node_modules/") && !link);
}

describe.each(LOCKFILES)("%s", (file) => {
  test("has a checksum for every package, and names no registry", () => {
    const packages = delivered(file);
    expect(packages.length).toBeGreaterThan(10);
    expect(packages.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ""))).toEqual([]);
    expect(packages.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });

  test("has the builds for every platform", () => {
    const packages = packagesOf(file);
    const wanted = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).map((name) => [path, name] as const),
    );
    const isThere = ([path, name]: readonly [string, string]) =>
      [`node_modules/${name}`, `${path}/node_modules/${name}`].some((place) => place in packages);
    expect(wanted.filter((build) => !isThere(build))).toEqual([]);
  });
});

/** A registry that has one platform build in one version. */
async function registry(): Promise<string> {
  const build = { name: "any-linux-x64", version: "1.0.0", cpu: ["x64"], os: ["linux"], license: "MIT" };
  const dist = { integrity: SUM, tarball: "http://127.0.0.1/any.tgz" };
  const known = { name: build.name, "dist-tags": { latest: "1.0.0" }, versions: { "1.0.0": { ...build, dist } } };
  const server = createServer(({ url }, response) => {
    const isKnown = url === `/${build.name}`;
    response.writeHead(isKnown ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(isKnown ? known : { error: "not found" }));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${Number(Reflect.get(Object(server.address()), "port"))}/`;
}
const SUM = `sha512-${"A".repeat(86)}==`;

describe("scripts/complete-lock.mjs", () => {
  async function complete(version: string) {
    const folder = mkdtempSync(join(tmpdir(), "svc-lockfile-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, "package-lock.json");
    const any = { version, integrity: SUM, dev: true, optionalDependencies: { "any-linux-x64": version } };
    writeFileSync(file, JSON.stringify({ packages: { "node_modules/any": any } }));
    // "npm run --silent" hands its level down.
    const env = {
      ...process.env,
      npm_config_registry: await registry(),
      npm_config_cache: folder,
      npm_config_loglevel: "silent",
    };
    const run = promisify(execFile)(process.execPath, ["scripts/complete-lock.mjs", file], { env });
    const { stderr } = await run.catch((error: { stderr: string }) => error);
    return { stderr, packages: packagesOf(file) };
  }

  test("adds a platform build that npm omitted, with its checksum", async () => {
    const { packages } = await complete("1.0.0");
    expect(packages["node_modules/any-linux-x64"]).toEqual({
      version: "1.0.0",
      integrity: SUM,
      cpu: ["x64"],
      dev: true,
      license: "MIT",
      optional: true,
      os: ["linux"],
    });
  });

  test("fails and writes nothing if the registry doesn't have that version", async () => {
    const { stderr, packages } = await complete("2.0.0");
    expect(stderr).toContain("node_modules/any 2.0.0 needs any-linux-x64@2.0.0");
    expect(Object.keys(packages)).toEqual(["node_modules/any"]);
  });
});

test("workflows pin actions by commit, with the version in a comment", () => {
  const folder = ".github/workflows";
  const used = readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), "utf8")
      .split("\n")
      .filter((line) => /^\s*(- )?uses:/.test(line)),
  );
  expect(used.length).toBeGreaterThan(0);
  expect(used.filter((line) => !/uses: [\w-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
});
