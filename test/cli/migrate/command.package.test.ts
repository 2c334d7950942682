import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, inject, onTestFinished, test } from "vitest";

const { project } = inject("packed");
const CLIENT = 'import Composio from "@composio/client";\nexport const composio = new Composio({ timeout: 1 });\n';
const APP =
  'import { composio } from "./client.js";\ncomposio.withOptions({});\nawait composio.tools.retrieveEnum();\n';
const APP_AFTER = /\/\/ TODO\(svc-sdk\): .*\ncomposio\.withOptions\(\{\}\);\nawait composio\.tools\.enum\(\);\n/;

/** A program in a project with the packed package, and with a compiler if it is given. */
function program(compiler?: string) {
  const folder = mkdtempSync(join(project, "migrate-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "package.json"), "{}");
  writeFileSync(join(folder, "src/client.ts"), CLIENT);
  writeFileSync(join(folder, "src/app.ts"), APP);
  if (compiler !== undefined) {
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(resolve(compiler), join(folder, "node_modules/typescript"), "junction");
  }
  const command = join(project, "node_modules/svc-sdk/dist/cli.js");
  const run = (...options: string[]) => {
    try {
      const stdio = ["ignore", "pipe", "pipe"] as const;
      return {
        code: 0,
        text: execFileSync(process.execPath, [command, "migrate", ...options], {
          cwd: folder,
          encoding: "utf8",
          stdio: [...stdio],
        }),
      };
    } catch (error) {
      const shown = Object(error);
      return { code: Number(shown.status), text: `${String(shown.stdout)}${String(shown.stderr)}` };
    }
  };
  return { run, read: (path: string) => readFileSync(join(folder, path), "utf8"), folder, command };
}

const canMount = spawnSync("unshare", ["-m", "true"]).status === 0;
const needsMount = canMount ? "" : " [skipped: needs the right to use unshare]";

describe("the command svc-sdk migrate", () => {
  test.skipIf(!canMount)(`writes nothing if one file can't be replaced${needsMount}`, () => {
    const { folder, read, command } = program("node_modules/typescript");
    const before = ["src/app.ts", "src/client.ts"].map(read);
    // A file that something is mounted on can be written, but not replaced.
    const script = `mount --bind src/client.ts src/client.ts && "${process.execPath}" "${command}" migrate --write`;
    const { status, stderr } = spawnSync("unshare", ["-m", "sh", "-c", script], { cwd: folder, encoding: "utf8" });
    expect(stderr).toMatch(/^svc-sdk: Nothing was written: EBUSY: .*\n$/);
    expect(status).toBe(1);
    expect(["src/app.ts", "src/client.ts"].map(read)).toEqual(before);
    expect(readdirSync(join(folder, "src")).sort()).toEqual(["app.ts", "client.ts"]);
  });

  test("shows what would change, then writes it, then finds nothing more", () => {
    const { run, read } = program("node_modules/typescript");
    const shown = run();
    expect(shown.code).toBe(0);
    const lines = shown.text.split("\n");
    expect(lines).toContain("-export const composio = new Composio({ timeout: 1 });");
    expect(lines).toContain("+export const composio = new Svc({ timeoutMs: 1 });");
    expect(shown.text).toContain("To do, 1:\n  src/app.ts:2  clients can't be derived");
    expect(read("src/client.ts")).toBe(CLIENT);

    const written = run("src", "--write");
    expect(written.text).toContain("Wrote src/app.ts.\nWrote src/client.ts.\n");
    expect(written.text).toContain("Changed 2 of 2 files.\nNext: npm install svc-sdk");
    expect(read("src/app.ts")).toMatch(APP_AFTER);
    expect(JSON.parse(run("--json").text)).toEqual({ written: false, changed: [], todos: [], skipped: [] });
  });

  test("exits with 1 for a file that doesn't parse, and still changes the others", () => {
    const { run, read, folder } = program("node_modules/typescript");
    writeFileSync(join(folder, "src/broken.ts"), "export const = 1;");
    const { code, text } = run("--write");
    expect(code).toBe(1);
    expect(text).toMatch(/Not read, and not changed, 1:\n {2}src\/broken\.ts {2}line 1: /);
    expect(read("src/app.ts")).toMatch(APP_AFTER);
  });

  test.each([
    [undefined, "needs TypeScript, which isn't installed. Run npx -p typescript@6 -p svc-sdk svc-sdk migrate."],
    ["node_modules/@typescript/native", "needs TypeScript 5 or 6; 7 has no API. Run npx -p typescript@6 "],
  ])("says how to get a TypeScript that it can use, with %s installed", (compiler, message) => {
    const { code, text } = program(compiler).run();
    expect({ code, text }).toEqual({ code: 1, text: expect.stringContaining(message) });
  });

  test("rejects options and paths that don't exist", () => {
    const { run } = program("node_modules/typescript");
    expect(run("--writ")).toEqual({ code: 2, text: expect.stringContaining("Did you mean --write?") });
    expect(run("missing")).toEqual({ code: 1, text: expect.stringContaining("Can't read missing") });
  });
});
