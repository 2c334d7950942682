import { execFileSync } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { declareCommand, runCommand } from "../../src/cli/command.js";
import { printRows } from "../../src/cli/print.js";
import { Svc } from "../../src/index.js";
import { type RunOptions, svc, testTerminal } from "./run.js";
import { directoryWith, emulated } from "./setups.js";

const ROWS = [
  ["wd_1", { text: "delivered", color: "good" }, "", "end"],
  ["wd_22", { text: "\u001b[2Jfailed", color: "bad" }, "200", "end"],
] as const;

function printed(options: RunOptions): string[] {
  const terminal = testTerminal(options);
  printRows(terminal, ROWS);
  return terminal.printed().stdout.trimEnd().split("\n");
}

test("a terminal shows rows in columns and colors, and no string can add an escape sequence", () => {
  const lines = printed({ answers: [] });
  expect(lines.join("\n")).toContain("\u001b[32mdelivered\u001b[0m");
  expect(lines.join("\n")).not.toContain("\u001b[2J");
  const [first, second] = printed({ answers: [], env: { NO_COLOR: "1" } });
  expect(first).toMatch(/^wd_1 {3}delivered +end$/);
  expect(first?.indexOf("end")).toBe(second?.indexOf("end"));
});

test("a pipe gets neither columns nor colors", () => {
  const [first, second] = printed({});
  expect(first).toBe("wd_1  delivered  end");
  expect(second).toMatch(/^wd_22 {2}\S+failed {2}200 {2}end$/);
});

test.each([
  ["in a terminal", [], "Reading…\n"],
  ["but not in a pipe", undefined, ""],
])("a command that runs for two seconds says what it waits for, %s", async (_where, answers, stderr) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const terminal = testTerminal({ ...(answers && { answers }), env: { NO_COLOR: "1" } });
  const waiting = new EventEmitter();
  const run = async () => void (await once(waiting, "done"));
  const command = declareCommand({ usage: [], options: {}, progress: "Reading", run });
  const ended = runCommand("read", "reads", command, [], terminal);
  vi.advanceTimersByTime(1_999);
  expect(terminal.printed().stderr).toBe("");
  vi.advanceTimersByTime(1);
  waiting.emit("done");
  expect([await ended, terminal.printed().stderr]).toEqual([0, stderr]);
});

test("deliveries have the time of the last attempt, and are lines of JSON with --json", async () => {
  const { emulator, env } = await emulated();
  const client = new Svc(emulator.connection);
  await client.webhookSubscriptions.create({
    webhook_url: "https://app.invalid/webhooks",
    enabled_events: ["svc.trigger.message"],
  });
  const fired = await svc("trigger GITHUB_COMMIT_EVENT --json", { env });
  expect(JSON.parse(fired.stdout)).toMatchObject({ state: "failed", type: "svc.trigger.message" });
  expect(fired.stderr).toContain("Fired msg_");
  const { stdout } = await svc("deliveries", { env });
  expect(stdout).toMatch(/^wd_\S+ {2}failed .* at attempt \d {2}\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ /);
  const lines = await svc("deliveries --json", { env });
  expect(JSON.parse(lines.stdout)).toEqual(emulator.deliveries.items[0]);
});

test("tools lists slugs, versions and descriptions of tools that match", async () => {
  const { env } = await emulated();
  const { stdout } = await svc("tools issue --toolkit github", { env });
  expect(stdout).toMatch(/^GITHUB_CREATE_AN_ISSUE {2}\d{8}_\d\d {2}Opens an issue in a repository/m);
  expect(stdout).not.toContain("SLACK_");
  const json = await svc("tools --toolkit github --json", { env });
  expect(JSON.parse(json.stdout)[0]).toMatchObject({ slug: expect.stringMatching(/^GITHUB_/) });
  expect(await svc("tools zzzz", { env })).toMatchObject({ code: 0, stdout: "", stderr: "No tools match.\n" });
});

test("call --help describes each operation as its method's doc does", async () => {
  const { stdout } = await svc("call --help");
  expect(stdout).toMatch(/^ {2}tools\.execute +Runs a tool for a user$/m);
  execFileSync(process.execPath, ["scripts/call-summaries.ts", "--check"]);
});

test("a terminal colors the outcomes of checks and requests, and a pipe gets the same lines without colors", async () => {
  const { env } = await emulated();
  const cwd = directoryWith({
    "policy.json": '{ "rules": [{ "allow": { "tools": ["GITHUB_GET_*"] } }] }',
    "calls.json": '[{ "tool": "GITHUB_GET_A", "expect": "allow" }, { "tool": "OTHER", "expect": "allow" }]',
  });
  const check = "policy check policy.json --calls calls.json";
  const colored = await svc(check, { cwd, answers: [] });
  expect(colored.stdout).toContain("\u001b[31m! deny  \u001b[0m  OTHER         (no rule), expected allow");
  expect((await svc(check, { cwd })).stdout).toContain("! deny    OTHER  (no rule), expected allow\n");
  await svc("lock --toolkits textkit", { cwd, env });
  const file = join(cwd, "svc.lock.json");
  writeFileSync(file, readFileSync(file, "utf8").replace("sha256-5P2L", "sha256-0000"));
  const locked = await svc("lock --check", { cwd, env, answers: [] });
  expect(locked.stdout).toContain("\u001b[31mmoved\u001b[0m    TEXTKIT_");
});
