import { lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { writeResult } from "../../src/cli/files.js";
import { HIDDEN_CHARACTERS } from "../support/hidden-characters.js";
import { svc, testTerminal } from "./run.js";
import { emulated } from "./setups.js";

const ODD = `x${HIDDEN_CHARACTERS.join("x")}\nsvc-sdk: forged`;

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "svc-terminal-"));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

/** The output of a command on both streams. */
async function printed(words: string[], env: Record<string, string> = {}, cwd = folder()): Promise<string> {
  const { stdout, stderr } = await svc(words, { env, cwd });
  return stdout + stderr;
}

function expectPlain(text: string, quoted: string): void {
  expect(text).toContain(quoted);
  expect(HIDDEN_CHARACTERS.filter((character) => text.includes(character))).toEqual([]);
  expect(text).not.toMatch(/^svc-sdk: forged/m);
}

const OUT = ["--out", "a.ts"];

describe("no terminal gets cursor movements or invisible characters", () => {
  test("from a service's errors, its lists and its log", async () => {
    const { emulator, env: environment } = await emulated();
    const error = { message: ODD, code: 1, slug: "X", status: 400, request_id: "r" };
    emulator.faults.next("toolkits.get", { status: 400, body: { error } }, { times: 10 });
    expectPlain(await printed(["generate", "--toolkits", "slack", ...OUT], environment), "x\\u0000x");
    expectPlain(await printed(["generate", "--toolkits", "slack", ...OUT, "--verbose"], environment), "\\u202e");
  });

  test("from a catalog's names, and JSON keeps its value", async () => {
    const cwd = folder();
    const tool = { slug: ODD, name: ODD, description: ODD, version: "20260101_00", is_deprecated: false };
    const tools = [{ ...tool, no_auth: false, input_parameters: {}, output_parameters: {} }];
    const toolkits = [{ slug: ODD, name: ODD, version: "20260101_00", tools, trigger_types: [] }];
    writeFileSync(join(cwd, "in.json"), JSON.stringify({ formatVersion: 1, toolkits }));
    for (const line of [
      ["generate", ...OUT],
      ["lock", "--catalog-out", "out.json"],
    ]) {
      expectPlain(await printed([...line, "--from", "in.json"], {}, cwd), "\\u202e");
    }
    for (const name of readdirSync(cwd).filter((file) => file !== "in.json")) {
      const written = readFileSync(join(cwd, name), "utf8");
      expect([name, HIDDEN_CHARACTERS.filter((character) => written.includes(character))]).toEqual([name, []]);
    }
    expect(JSON.parse(readFileSync(join(cwd, "out.json"), "utf8")).toolkits[0].slug).toBe(ODD);
    expectPlain(await printed(["generate", ...OUT, "--from", "in.json", "--toolkits", "y"], {}, cwd), "\\u001b");
  });

  test("from the command line itself", async () => {
    expectPlain(await printed(["generate", "--out", `a\u001b[31m\u202e.txt`]), "a\\u001b[31m\\u202e.txt");
    expectPlain(await printed([`gen\u202eerate`]), "gen\\u202eerate");
  });
});

describe("a file is written", () => {
  test("through no planted link, and leaves no draft", async () => {
    const cwd = folder();
    const [victim, out] = [join(cwd, "victim"), join(cwd, "svc.gen.ts")];
    writeFileSync(victim, "mine");
    symlinkSync("victim", `${out}.${process.pid}.tmp`);
    await writeResult(testTerminal({ cwd }), "svc.gen.ts", "/* ours */\n");
    expect(readFileSync(victim, "utf8")).toBe("mine");
    expect([readFileSync(out, "utf8"), lstatSync(out).isSymbolicLink()]).toEqual(["/* ours */\n", false]);
    expect(readdirSync(cwd)).toHaveLength(3);
  });
});
