import { describe, expect, test } from "vitest";
import { audited, KEY, pays } from "../agents/audit/support.js";
import { project } from "../catalog/lock/support.js";
import { type RunOptions, svc } from "./run.js";

const env = { SVC_AUDIT_KEYS: `an-older-secret-of-the-log-0123456789 ${KEY.secret.replaceAll(" ", "-")}` };
const keys = [{ ...KEY, secret: KEY.secret.replaceAll(" ", "-") }];

async function logOf(calls: number): Promise<string[]> {
  const { tools, sink } = await audited({ keys });
  for (let index = 0; index < calls; index += 1) await tools.run([pays()]);
  return sink.lines;
}

const verifying = (files: Readonly<Record<string, readonly string[]>>) => {
  const { folder, write } = project();
  for (const [name, lines] of Object.entries(files)) write(name, lines.map((line) => `${line}\n`).join(""));
  return (line: string, given: RunOptions["env"] = {}) => svc(line, { cwd: folder, env: given });
};

describe("svc-sdk audit verify", () => {
  test("prints the end of a log of several files, which it takes as --head", async () => {
    const lines = await logOf(3);
    const run = verifying({ "1.jsonl": lines.slice(0, 4), "2.jsonl": lines.slice(4) });
    const { code, stdout } = await run("audit verify 1.jsonl 2.jsonl", env);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^6 lines\. The log is whole\.\nIts end: --head 6:[0-9a-f]{64}\n$/);
    const head = stdout.slice(stdout.indexOf("--head")).trim();
    expect(await run(`audit verify 1.jsonl 2.jsonl ${head}`, env)).toMatchObject({ code: 0 });
    expect(await run(`audit verify 1.jsonl ${head}`, env)).toMatchObject({
      code: 3,
      stdout: "1.jsonl:5: the log ends here, before its known end.\n",
    });
  });

  test("accepts a log whose lines contain the line separators of Unicode, and the line ends of Windows", async () => {
    const { tools, sink } = await audited({ keys });
    await tools.run([{ ...pays(), callId: "call\u2028of\u2029a model" }]);
    const run = verifying({ "1.jsonl": sink.lines, "2.jsonl": sink.lines.map((line) => `${line}\r`) });
    for (const file of ["1.jsonl", "2.jsonl"]) {
      expect(await run(`audit verify ${file}`, env)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining("2 lines. The log is whole.\n"),
      });
    }
  });

  test("prints no end of an empty log", async () => {
    const run = verifying({ "1.jsonl": [] });
    expect(await run("audit verify 1.jsonl", env)).toMatchObject({ code: 0, stdout: "0 lines. The log is empty.\n" });
  });

  test("names the file and the line of the first problem", async () => {
    const lines = await logOf(3);
    const run = verifying({ "1.jsonl": lines.slice(0, 4), "2.jsonl": lines.slice(5) });
    const command = "audit verify 1.jsonl 2.jsonl";
    expect(await run(command, env)).toMatchObject({
      code: 3,
      stdout: "2.jsonl:1: lines before this line are missing.\n",
    });
    const { stdout } = await run(`${command} --json`, env);
    expect(JSON.parse(stdout)).toEqual({ ok: false, problem: "missing", line: 5, place: "2.jsonl:1" });
  });

  test("says what is missing on its command line", async () => {
    const run = verifying({ "1.jsonl": await logOf(1) });
    const stderr = async (command: string, given: Record<string, string> = env) => {
      const result = await run(command, given);
      expect(result.code).not.toBe(0);
      return result.stderr;
    };
    expect(await stderr("audit verify")).toContain("Pass verify and the files of the log.");
    expect(await stderr("audit verify 1.jsonl", {})).toContain("SVC_AUDIT_KEYS is missing");
    expect(await stderr("audit verify 1.jsonl --head 3")).toContain("--head must be number:hash");
    expect(await stderr("audit verify 2.jsonl")).toContain("Can't read the log 2.jsonl");
    expect(await stderr("audit verify 1.jsonl", { SVC_AUDIT_KEYS: "short" })).toContain(
      "must be a string of at least 32",
    );
  });
});
