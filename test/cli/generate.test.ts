import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { EmulatorOptions } from "../../src/emulator/index.js";
import { startEmulator } from "../../src/emulator/node.js";
import { calendar } from "../catalog/generate/calendar.js";
import { shapes } from "../catalog/generate/shapes.js";
import { svc } from "./run.js";

/** A user's folder, an emulator, and the command line in it. */
async function userFolder(options: EmulatorOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), "svc-generate-"));
  const emulator = await startEmulator(options);
  onTestFinished(async () => {
    rmSync(folder, { recursive: true });
    await emulator.close();
  });
  const environment = { SVC_BASE_URL: emulator.url, SVC_API_KEY: "ak_emulator" };
  const inFolder = (...words: string[]) => run(words, folder, environment);
  const file = (name: string) => join(folder, name);
  return { emulator, svc: inFolder, folder, file, read: (name: string) => readFileSync(file(name), "utf8") };
}

const run = (words: string[], cwd: string, env: Record<string, string>) => svc(words, { cwd, env });

const OUT = ["--out", "src/svc.gen.ts"];

describe("svc-sdk generate", () => {
  test("writes the file, reports what it read, and doesn't rewrite an unchanged file", async () => {
    const { svc, read, file } = await userFolder();
    expect(await svc("generate", "--toolkits", "slack,github", ...OUT)).toEqual({
      code: 0,
      stdout:
        "github 20251023_00: 5 tools, 2 trigger types\nslack 20251001_01: 3 tools, 2 trigger types\nWrote src/svc.gen.ts.\n",
      stderr: "",
    });
    const text = read("src/svc.gen.ts");
    expect(text).toContain(" *   svc-sdk generate --toolkits github,slack --out src/svc.gen.ts\n");
    const { mtimeMs } = statSync(file("src/svc.gen.ts"));
    expect((await svc("generate", "--toolkits", "github,slack", ...OUT)).stdout).toMatch(
      /\nsrc\/svc\.gen\.ts is up to date\.\n$/,
    );
    expect(statSync(file("src/svc.gen.ts")).mtimeMs).toBe(mtimeMs);
  });

  test("reads every page", async () => {
    const tools = Array.from({ length: 1_050 }, (_, index) => ({
      slug: `ACME_TOOL_${index}`,
      name: "Tool",
      description: "A tool.",
      input: { type: "object", properties: { [`field_${index}`]: { type: "string" } } },
      output: { type: "object" },
      run: () => ({}),
    }));
    const acme = { slug: "acme", name: "Acme", description: "Ours.", categories: [], auth: [], tools };
    const { svc, read } = await userFolder({ toolkits: [{ ...acme, versions: { "20260101_00": "First." } }] });
    expect((await svc("generate", "--toolkits", "acme", ...OUT)).stdout).toContain("acme 20260101_00: 1050 tools");
    expect(read("src/svc.gen.ts").match(/field_\d+\?: string;/g)).toHaveLength(1_050);
  });

  test("writes the same types offline from a catalog", async () => {
    const { svc, read, emulator } = await userFolder({ toolkits: [shapes, calendar] });
    await svc("generate", "--toolkits", "calendar,shapes", "--catalog-out", "catalog.json", ...OUT);
    const before = read("src/svc.gen.ts");
    const requests = emulator.requests.length;
    expect(await svc("generate", "--from", "catalog.json", ...OUT)).toMatchObject({ code: 0, stderr: "" });
    expect(emulator.requests).toHaveLength(requests);
    const body = (text: string) => text.slice(text.indexOf("import type {}"));
    expect(body(read("src/svc.gen.ts"))).toBe(body(before));
    expect(read("src/svc.gen.ts")).toContain("--toolkits calendar,shapes --from catalog.json --out");
    expect((await svc("generate", "--from", "catalog.json", "--toolkits", "shapes", ...OUT)).stdout).not.toContain(
      "calendar",
    );
  });

  test("uses the versions and toolkits of the lockfile in the folder", async () => {
    const { svc, read } = await userFolder({ toolkits: [calendar] });
    await svc("lock", "--toolkits", "calendar", "--toolkit-version", "calendar=20250918_00");
    expect((await svc("generate", ...OUT)).stdout).toContain("calendar 20250918_00, locked: 4 tools");
    expect(read("src/svc.gen.ts")).toContain("calendar 20250918_00: 4 tools");
    expect(read("src/svc.gen.ts")).toContain("/** @deprecated */\n    CALENDAR_QUICK_ADD: {");
    expect(read("src/svc.gen.ts")).toContain('visibility?: "default" | "public" | "private" | "confidential";');
    const { stdout } = await svc("generate", "--toolkits", "calendar,slack", ...OUT);
    expect(stdout).toContain("calendar 20250918_00, locked: ");
    expect(stdout).toContain("slack 20251001_01: ");
  });

  test("writes the types of the next version when it is locked", async () => {
    const { svc, read } = await userFolder({ toolkits: [calendar] });
    await svc("lock", "--toolkits", "calendar", "--toolkit-version", "calendar=20250918_00");
    await svc("generate", ...OUT);
    await svc("lock");
    expect((await svc("generate", ...OUT)).stdout).toContain("calendar 20251030_00, locked: 3 tools");
    expect(read("src/svc.gen.ts")).not.toContain("CALENDAR_QUICK_ADD");
    expect(read("src/svc.gen.ts")).toContain('visibility?: "public" | "private";');
  });

  test("writes strict types with --strict", async () => {
    const { svc, read } = await userFolder();
    await svc("generate", "--toolkits", "slack", "--strict", ...OUT);
    expect(read("src/svc.gen.ts")).toContain("--toolkits slack --out src/svc.gen.ts --strict\n");
    expect(read("src/svc.gen.ts")).toContain("  interface CatalogSettings {\n    strict: true;\n  }\n}\n");
    await svc("generate", "--toolkits", "slack", ...OUT);
    expect(read("src/svc.gen.ts")).not.toMatch(/CatalogSettings|--strict/);
  });

  test("requests the same versions from v3", async () => {
    const { svc, emulator, read } = await userFolder();
    await svc("generate", "--toolkits", "slack", "--api-version", "v3", ...OUT);
    expect(read("src/svc.gen.ts")).toContain("slack 20251001_01: 3 tools");
    expect(emulator.requests.some(({ path }) => path.startsWith("/api/v3/tools?"))).toBe(true);
  });

  test("logs its requests, and never its key, with --verbose", async () => {
    const { svc } = await userFolder();
    const { stderr } = await svc("generate", "--toolkits", "slack", "--verbose", ...OUT);
    expect(stderr).toContain("tools.list");
    expect(stderr).not.toContain("ak_emulator");
  });
});

describe("svc-sdk generate exits with 1 and one helpful line for", () => {
  test.each([
    ["a misspelled toolkit", ["--toolkits", "githbu"], "svc-sdk: Unknown toolkit githbu. Did you mean github?\n"],
    ["an unknown toolkit", ["--toolkits", "zzzzzz"], /^svc-sdk: Unknown toolkit zzzzzz\. Known ones include github, /],
    ...["constructor", "toString", "__proto__"].map((slug): [string, string[], RegExp] => [
      `a toolkit named like a member of every object: ${slug}`,
      ["--toolkits", slug],
      new RegExp(`^svc-sdk: Unknown toolkit ${slug}\\. `),
    ]),
    [
      "a missing lockfile",
      ["--lock", "no.json"],
      "svc-sdk: No lockfile no.json. Create it with svc-sdk lock --toolkits github,slack.\n",
    ],
    [
      "a file that svc-sdk didn't write",
      ["--toolkits", "slack", "--out", "own.ts"],
      "svc-sdk: own.ts already exists, and isn't a file that svc-sdk writes there. Move it, or choose another name.\n",
    ],
    ["a missing catalog", ["--from", "no.json"], /^svc-sdk: Can't read the catalog no\.json: ENOENT/],
    ["an invalid catalog", ["--from", "odd.json"], /^svc-sdk: odd\.json isn't a valid catalog: formatVersion: /],
    [
      "a file instead of a folder",
      ["--toolkits", "slack", "--out", "odd.json/svc.gen.ts"],
      /^svc-sdk: Can't write odd\.json\//,
    ],
  ])("%s", async (_what, options, message) => {
    const { svc, file } = await userFolder();
    writeFileSync(file("odd.json"), "{}");
    writeFileSync(file("own.ts"), "export const own = 1;\n");
    const { code, stderr } = await svc("generate", ...(options.includes("--out") ? [] : OUT), ...options);
    expect(code).toBe(1);
    if (typeof message === "string") expect(stderr).toBe(message);
    else expect(stderr).toMatch(message);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(existsSync(file("src/svc.gen.ts"))).toBe(false);
    expect(readFileSync(file("own.ts"), "utf8")).toBe("export const own = 1;\n");
  });

  test("a file that can't be read, which may be the user's", async () => {
    const { svc, file } = await userFolder();
    symlinkSync("loop.ts", file("loop.ts"));
    const { code, stderr } = await svc("generate", "--toolkits", "slack", "--out", "loop.ts");
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/svc-sdk: Can't write loop\.ts: the existing file can't be read: ELOOP/),
    ]);
    expect(readlinkSync(file("loop.ts"))).toBe("loop.ts");
  });

  test("no link, but writes its target", async () => {
    const { svc, file, read } = await userFolder();
    symlinkSync("far.ts", file("near.ts"));
    symlinkSync("near.ts", file("link.ts"));
    for (const toolkits of ["slack", "slack,github"]) {
      expect(await svc("generate", "--toolkits", toolkits, "--out", "link.ts")).toMatchObject({ code: 0 });
      expect([readlinkSync(file("link.ts")), readlinkSync(file("near.ts"))]).toEqual(["near.ts", "far.ts"]);
      expect(read("far.ts")).toContain(`--toolkits ${toolkits.split(",").sort().join()} --out link.ts`);
    }
    symlinkSync("far.lock.json", file("svc.lock.json"));
    expect(await svc("lock", "--toolkits", "slack")).toMatchObject({ code: 0 });
    expect(readlinkSync(file("svc.lock.json"))).toBe("far.lock.json");
    expect(read("far.lock.json")).toContain("SLACK_");
    expect(readdirSync(file(".")).filter((name) => name.includes("tmp"))).toEqual([]);
  });

  test("a service that can't be reached, and an environment without one", async () => {
    const { folder } = await userFolder();
    const options = ["generate", "--toolkits", "slack", ...OUT];
    const gone = await run(options, folder, { SVC_BASE_URL: "http://127.0.0.1:9", SVC_API_KEY: "k" });
    expect(gone).toMatchObject({ code: 1, stderr: expect.stringMatching(/^svc-sdk: toolkits\.get.*\n$/) });
    const empty = await run(options, folder, {});
    expect(empty).toMatchObject({ code: 1, stderr: expect.stringMatching(/^svc-sdk: .*SVC_BASE_URL.*\n$/) });
    const revoked = await run([...options, "--verbose"], folder, {
      SVC_BASE_URL: "http://127.0.0.1:9",
      SVC_API_KEY: "k",
    });
    expect(revoked.stderr).toMatch(/\n +at /);
  });

  test("an invalid key", async () => {
    const { folder, emulator } = await userFolder();
    const environment = { SVC_BASE_URL: emulator.url, SVC_API_KEY: "ak_wrong" };
    const { code, stderr } = await run(["generate", "--toolkits", "slack", ...OUT], folder, environment);
    expect([code, stderr.includes("ak_wrong")]).toEqual([1, false]);
    expect(stderr).toMatch(/^svc-sdk: toolkits\.get.*401.*\n$/);
  });
});

describe("svc-sdk exits with 2 for an invalid command line", () => {
  test.each([
    [["generate"], /^svc-sdk: Pass the file to write with --out\. See svc-sdk generate --help\.$/],
    [
      ["generate", "--out", "types.json"],
      /^svc-sdk: --out must be a TypeScript file such as src\/svc\.gen\.ts, not types\.json\./,
    ],
    [["generate", ...OUT], "svc-sdk: No svc.lock.json. Pass --toolkits github,slack. See svc-sdk generate --help."],
    [["generate", ...OUT, "--toolkits", "a,,b"], /^svc-sdk: --toolkits must be slugs separated by commas\./],
    [
      ["generate", ...OUT, "--toolkit", "a"],
      /^svc-sdk: Unknown option '--toolkit'.* Did you mean --toolkits\? See svc-sdk generate --help\.$/,
    ],
    [
      ["generate", ...OUT, "--api-key", "a"],
      /^svc-sdk: Unknown option '--api-key'.* SVC_API_KEY\. See svc-sdk generate --help\.$/,
    ],
    [["generate", ...OUT, "--api-version", "v4"], /^svc-sdk: --api-version must be v3\.1 or v3, not v4\./],
    [
      ["generate", ...OUT, "--from", "a", "--lock", "b"],
      /^svc-sdk: --from and --lock can't be combined, because a catalog has its own versions\./,
    ],
    [
      ["generate", ...OUT, "extra"],
      /^svc-sdk: Unexpected argument 'extra'\. .* arguments\. See svc-sdk generate --help\.$/,
    ],
    [["emulator", "--prt", "1"], "svc-sdk: Unknown option '--prt'. Did you mean --port? See svc-sdk emulator --help."],
    [["genrate"], "svc-sdk: Unknown command: genrate. Did you mean generate?"],
  ])("svc %j", async (line, message) => {
    const { code, stdout, stderr } = await run(line, tmpdir(), {});
    expect([code, stdout]).toEqual([2, ""]);
    const said = stderr.replace(/\n$/, "");
    if (typeof message === "string") expect(said).toBe(message);
    else expect(said).toMatch(message);
  });

  test("svc-sdk --version prints the package's version", async () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8"));
    expect(await run(["--version"], tmpdir(), {})).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  });

  test("svc-sdk generate --help lists every option, variable and exit code", async () => {
    const { code, stdout, stderr } = await run(["generate", "--help"], tmpdir(), {});
    expect([code, stderr]).toEqual([0, ""]);
    for (const option of ["out", "toolkits", "lock", "from", "catalog-out", "api-version", "verbose", "help"]) {
      expect(stdout).toContain(`--${option}`);
    }
    expect(stdout).toMatch(/SVC_BASE_URL[\s\S]*SVC_API_KEY[\s\S]*Exit codes\n {2}0 {2}done/);
  });
});
