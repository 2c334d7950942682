import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { callables } from "../../src/cli/call/callable.js";
import { COMMANDS } from "../../src/cli/commands.js";
import { completedWords, SCRIPTS } from "../../src/cli/completion.js";
import { directoryWith } from "./setups.js";

const run = promisify(execFile);
const completion = (shell: string) => run(process.execPath, [resolve("dist/cli.js"), "completion", shell]);

describe("svc-sdk completion", () => {
  test("keeps fish from reading words that start with hyphens as options", async () => {
    const script = SCRIPTS["fish"]?.(await completedWords(COMMANDS)) ?? "";
    expect(script.match(/string split /g)?.length).toBeGreaterThan(90);
    expect(script.match(/string split (?!-- ' ' '[\w. -]+'$)/gm)).toBeNull();
  });

  test("completes every command, operation and field", async () => {
    const { commands, operations: completed } = await completedWords(COMMANDS);
    expect([...commands.keys()]).toEqual(
      expect.arrayContaining(["call", "completion", "doctor", "emulator", "generate", "lock"]),
    );
    for (const [name, { fields }] of callables()) {
      const words = completed.get(name) ?? [];
      expect(words.length).toBeGreaterThan(fields.length);
      for (const word of words) expect(word).toMatch(/^--[\w.-]+$/);
    }
  });
});

describe("svc-sdk completion bash", () => {
  test("completes commands, operations, fields, and options in bash", async () => {
    const { stdout: script } = await completion("bash");
    const cwd = directoryWith({ "completion.bash": script });
    const complete = async (...words: string[]) => {
      const line = `source completion.bash; COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _svc_sdk; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const { stdout } = await run("bash", ["--norc", "-c", line], { cwd });
      return stdout.trim().split("\n");
    };
    expect(await complete("svc-sdk", "do")).toEqual(["doctor"]);
    expect(await complete("svc", "call", "tools.ex")).toEqual(["tools.execute"]);
    expect(await complete("svc", "call", "tools.execute", "X", "--us")).toEqual(["--user_id"]);
    expect(await complete("svc", "lock", "--al")).toEqual(["--allow-newer"]);
    expect(await complete("svc", "completion", "")).toEqual(["bash", "zsh", "fish"]);
    expect(await complete("svc", "call", "tools.nothing", "--x")).toEqual([""]);
  });

  test("is rejected for another shell", async () => {
    await expect(completion("tcsh")).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining("bash, zsh, fish"),
    });
  });
});
