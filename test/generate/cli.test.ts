import { execFile } from "node:child_process";
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
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { EmulatorOptions } from "../../src/emulator/index.js";
import { startEmulator } from "../../src/emulator/node.js";

const CLI = resolve("dist/cli.js");

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder of a user, an emulator, and the built command line in it. */
async function userFolder(options: EmulatorOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), "svc-generate-"));
  const emulator = await startEmulator(options);
  onTestFinished(async () => {
    rmSync(folder, { recursive: true });
    await emulator.close();
  });
  const environment = { SVC_BASE_URL: emulator.url, SVC_API_KEY: "ak_emulator" };
  const svc = (...commandLine: string[]) => run(commandLine, folder, environment);
  const file = (name: string) => join(folder, name);
  return { emulator, svc, folder, file, read: (name: string) => readFileSync(file(name), "utf8") };
}

function run(commandLine: string[], cwd: string, environment: Record<string, string>): Promise<Run> {
  return new Promise((done) => {
    execFile(process.execPath, [CLI, ...commandLine], { cwd, env: environment }, (error, stdout, stderr) => {
      done({ code: Number(error?.code ?? 0), stdout, stderr });
    });
  });
}

const OUT = ["--out", "src/svc.gen.ts"];

describe("svc generate", { timeout: 30_000 }, () => {
  test("writes the file and says what it read; a second time it leaves it alone", async () => {
    const { svc, read, file } = await userFolder();
    expect(await svc("generate", "--toolkits", "slack,github", ...OUT)).toEqual({
      code: 0,
      stdout:
        "github 20251023_00: 5 tools, 2 trigger types\nslack 20251001_01: 3 tools, 2 trigger types\nWrote src/svc.gen.ts.\n",
      stderr: expect.stringMatching(/^(Read (github|slack) \d{8}_\d{2}: \d tools and trigger types\.\n){2}$/),
    });
    const text = read("src/svc.gen.ts");
    expect(text).toContain(" *   svc generate --toolkits github,slack --out src/svc.gen.ts\n");
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

  test("works offline from a snapshot, with the same types", async () => {
    const { svc, read, emulator } = await userFolder();
    await svc("generate", "--toolkits", "calendar,shapes", "--snapshot", "catalogue.json", ...OUT);
    const before = read("src/svc.gen.ts");
    const requests = emulator.requests.length;
    expect(await svc("generate", "--from", "catalogue.json", ...OUT)).toMatchObject({ code: 0, stderr: "" });
    expect(emulator.requests).toHaveLength(requests);
    const body = (text: string) => text.slice(text.indexOf("import type {}"));
    expect(body(read("src/svc.gen.ts"))).toBe(body(before));
    expect(read("src/svc.gen.ts")).toContain("--toolkits calendar,shapes --from catalogue.json --out");
    expect((await svc("generate", "--from", "catalogue.json", "--toolkits", "shapes", ...OUT)).stdout).not.toContain(
      "calendar",
    );
  });

  test("takes the versions and the toolkits of the lock that lies there", async () => {
    const { svc, read } = await userFolder();
    await svc("lock", "--toolkits", "calendar", "--toolkit-version", "calendar=20250918_00");
    expect((await svc("generate", ...OUT)).stdout).toContain("calendar 20250918_00, locked: 4 tools");
    expect(read("src/svc.gen.ts")).toContain("calendar 20250918_00: 4 tools");
    expect(read("src/svc.gen.ts")).toContain("/** @deprecated */\n    CALENDAR_QUICK_ADD: {");
    expect(read("src/svc.gen.ts")).toContain('visibility?: "default" | "public" | "private" | "confidential";');
    const { stdout } = await svc("generate", "--toolkits", "calendar,slack", ...OUT);
    expect(stdout).toContain("calendar 20250918_00, locked: ");
    expect(stdout).toContain("slack 20251001_01: ");
  });

  test("has the types of the next version once it is locked", async () => {
    const { svc, read } = await userFolder();
    await svc("lock", "--toolkits", "calendar", "--toolkit-version", "calendar=20250918_00");
    await svc("generate", ...OUT);
    await svc("lock");
    expect((await svc("generate", ...OUT)).stdout).toContain("calendar 20251030_00, locked: 3 tools");
    expect(read("src/svc.gen.ts")).not.toContain("CALENDAR_QUICK_ADD");
    expect(read("src/svc.gen.ts")).toContain('visibility?: "public" | "private";');
  });

  test("asks v3 for the same versions", async () => {
    const { svc, emulator, read } = await userFolder();
    await svc("generate", "--toolkits", "slack", "--api-version", "v3", ...OUT);
    expect(read("src/svc.gen.ts")).toContain("slack 20251001_01: 3 tools");
    expect(emulator.requests.some(({ path }) => path.startsWith("/api/v3/tools?"))).toBe(true);
  });

  test("tells its requests, and never its key, with --verbose", async () => {
    const { svc } = await userFolder();
    const { stderr } = await svc("generate", "--toolkits", "slack", "--verbose", ...OUT);
    expect(stderr).toContain("tools.list");
    expect(stderr).not.toContain("ak_emulator");
  });
});

describe("what fails ends with 1, in one line that says what to do", { timeout: 30_000 }, () => {
  test.each([
    ["a misspelt toolkit", ["--toolkits", "githbu"], "svc: There is no toolkit githbu. Did you mean github?\n"],
    [
      "a toolkit like no other",
      ["--toolkits", "zzzzzz"],
      /^svc: There is no toolkit zzzzzz\. Some that there are: github, /,
    ],
    ...["constructor", "toString", "__proto__"].map((slug): [string, string[], RegExp] => [
      `a toolkit called like what every object has: ${slug}`,
      ["--toolkits", slug],
      new RegExp(`^svc: There is no toolkit ${slug}\\. `),
    ]),
    [
      "a lock that is not there",
      ["--lock", "no.json"],
      "svc: There is no lock no.json. svc lock --toolkits github,slack writes one.\n",
    ],
    [
      "a file of the user's own",
      ["--toolkits", "slack", "--out", "own.ts"],
      "svc: own.ts is there already, and svc did not write it. Move it away, or choose another name.\n",
    ],
    ["a snapshot that is not there", ["--from", "no.json"], /^svc: Cannot read the snapshot no\.json: ENOENT/],
    [
      "a snapshot that is none",
      ["--from", "odd.json"],
      /^svc: odd\.json is no catalogue snapshot: snapshot does not fit/,
    ],
    [
      "a folder that is a file",
      ["--toolkits", "slack", "--out", "odd.json/svc.gen.ts"],
      /^svc: Cannot write odd\.json\//,
    ],
  ])("%s", async (_what, options, message) => {
    const { svc, file } = await userFolder();
    writeFileSync(file("odd.json"), "{}");
    writeFileSync(file("own.ts"), "export const own = 1;\n");
    const { code, stderr } = await svc("generate", ...OUT, ...options);
    expect(code).toBe(1);
    const said = stderr.replace(/^Read .*\n/, "");
    if (typeof message === "string") expect(said).toBe(message);
    else expect(said).toMatch(message);
    expect(said.trim().split("\n")).toHaveLength(1);
    expect(existsSync(file("src/svc.gen.ts"))).toBe(false);
    expect(readFileSync(file("own.ts"), "utf8")).toBe("export const own = 1;\n");
  });

  test("a file that cannot be read is not replaced: whose it is cannot be told", async () => {
    const { svc, file } = await userFolder();
    symlinkSync("loop.ts", file("loop.ts"));
    const { code, stderr } = await svc("generate", "--toolkits", "slack", "--out", "loop.ts");
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/svc: Cannot write loop\.ts: what is there cannot be read: ELOOP/),
    ]);
    expect(readlinkSync(file("loop.ts"))).toBe("loop.ts");
  });

  test("a link is kept, and what it leads to is written, there already or not", async () => {
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

  test("a service that is not there, and an environment without one", async () => {
    const { folder } = await userFolder();
    const options = ["generate", "--toolkits", "slack", ...OUT];
    const gone = await run(options, folder, { SVC_BASE_URL: "http://127.0.0.1:9", SVC_API_KEY: "k" });
    expect(gone).toMatchObject({ code: 1, stderr: expect.stringMatching(/^svc: toolkits\.get.*\n$/) });
    const empty = await run(options, folder, {});
    expect(empty).toMatchObject({ code: 1, stderr: expect.stringMatching(/^svc: .*SVC_BASE_URL.*\n$/) });
    const revoked = await run([...options, "--verbose"], folder, {
      SVC_BASE_URL: "http://127.0.0.1:9",
      SVC_API_KEY: "k",
    });
    expect(revoked.stderr).toMatch(/\n +at /);
  });

  test("a wrong key", async () => {
    const { folder, emulator } = await userFolder();
    const environment = { SVC_BASE_URL: emulator.url, SVC_API_KEY: "ak_wrong" };
    const { code, stderr } = await run(["generate", "--toolkits", "slack", ...OUT], folder, environment);
    expect([code, stderr.includes("ak_wrong")]).toEqual([1, false]);
    expect(stderr).toMatch(/^svc: toolkits\.get.*401.*\n$/);
  });
});

describe("a wrong command line ends with 2", { timeout: 30_000 }, () => {
  test.each([
    [["generate"], /^svc: --out must name the file to write\. See svc generate --help\.$/],
    [["generate", "--out", "types.json"], /^svc: --out takes a TypeScript file, src\/svc\.gen\.ts, not types\.json\./],
    [["generate", ...OUT], "svc: There is no lock: name toolkits with --toolkits github,slack."],
    [["generate", ...OUT, "--toolkits", "a,,b"], /^svc: --toolkits takes slugs, separated by commas\./],
    [
      ["generate", ...OUT, "--toolkit", "a"],
      /^svc: Unknown option '--toolkit'.* Did you mean --toolkits\? See svc generate --help\.$/,
    ],
    [
      ["generate", ...OUT, "--api-key", "a"],
      /^svc: Unknown option '--api-key'.* SVC_API_KEY\. See svc generate --help\.$/,
    ],
    [["generate", ...OUT, "--api-version", "v4"], /^svc: --api-version takes v3\.1 or v3, not v4\./],
    [
      ["generate", ...OUT, "--from", "a", "--lock", "b"],
      /^svc: --from and --lock: a snapshot brings its own versions\./,
    ],
    [["generate", ...OUT, "extra"], /^svc: Unexpected argument 'extra'\. .* arguments\. See svc generate --help\.$/],
    [["emulator", "--prt", "1"], "svc: Unknown option '--prt'. Did you mean --port? See svc emulator --help."],
    [["genrate"], "svc: There is no command genrate. Did you mean generate?"],
  ])("svc %j", async (line, message) => {
    const { code, stdout, stderr } = await run(line, tmpdir(), {});
    expect([code, stdout]).toEqual([2, ""]);
    const said = stderr.replace(/\n$/, "");
    if (typeof message === "string") expect(said).toBe(message);
    else expect(said).toMatch(message);
  });

  test("svc --version is the package's", async () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8"));
    expect(await run(["--version"], tmpdir(), {})).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  });

  test("help names every option, the environment and the exit codes", async () => {
    const { code, stdout, stderr } = await run(["generate", "--help"], tmpdir(), {});
    expect([code, stderr]).toEqual([0, ""]);
    for (const option of ["out", "toolkits", "lock", "from", "snapshot", "api-version", "verbose", "help"]) {
      expect(stdout).toContain(`--${option}`);
    }
    expect(stdout).toMatch(/SVC_BASE_URL[\s\S]*SVC_API_KEY[\s\S]*Exit codes\n {2}0 {2}done/);
  });
});
