import { once } from "node:events";
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { verifyAudit } from "../../src/agents/policy-entry.js";
import { ConfigError } from "../../src/index.js";
import { fileAudit } from "../../src/stores/index.js";
import { audited, fieldsOf, KEY, pays } from "../agents/audit/support.js";
import { sized } from "../support/size.js";
import { programOf } from "./postgres-program.js";

const keys = [KEY];
const start = programOf("test/stores/audit-process.ts");

function logFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "svc-audit-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "calls.jsonl");
}

/** The paths of a log's locks. */
const locksOf = (path: string) =>
  readdirSync(dirname(path)).flatMap((name) => (name.endsWith(".lock") ? [join(dirname(path), name)] : []));

/** Leaves a lock as a process does that died long ago. */
function leaveLock(path: string, time = new Date(0)): void {
  const lock = `${path}.${crypto.randomUUID()}.lock`;
  writeFileSync(lock, "");
  utimesSync(lock, time, time);
}

const linesOf = (path: string) => readFileSync(path, "utf8").trimEnd().split("\n");

test("several writers share a file, and a restart goes on with it", async () => {
  const path = logFile();
  for (let round = 0; round < 2; round += 1) {
    const writers = await Promise.all([1, 2, 3].map(() => audited({ to: fileAudit(path) })));
    await Promise.all(writers.map(({ tools }) => tools.run([pays(), pays(), pays()])));
  }
  expect(await verifyAudit(linesOf(path), { keys })).toMatchObject({ ok: true, lines: 36 });
  expect(locksOf(path)).toEqual([]);
});

test("processes that are killed leave a whole log, with the start of each effect", { timeout: 300_000 }, async () => {
  const path = logFile();
  const folder = join(path, "..");
  const effects = join(folder, "effects");
  writeFileSync(effects, "");
  for (let kill = 1; kill <= sized(1, 40); kill += 1) {
    const writers = ["a", "b"].map((name) =>
      start({ LOG: path, EFFECTS: effects, SECRET: KEY.secret, NAME: `${name}${kill}` }),
    );
    const [first, second] = writers;
    // At another moment of its work each time.
    for (let turn = 0; turn < 1 + (kill % 4); turn += 1) await Promise.race(writers.map((one) => once(one, "message")));
    const ends = writers.map((one) => once(one, "exit"));
    first?.kill("SIGKILL");
    second?.kill("SIGKILL");
    await Promise.all(ends);
    // As if the lock of a dead process were old.
    for (const lock of locksOf(path)) utimesSync(lock, new Date(0), new Date(0));
  }
  await (await audited({ to: fileAudit(path) })).tools.run([pays()]);
  const names = readdirSync(folder).filter((name) => name.startsWith("calls"));
  const lines = names.sort().flatMap((name) => linesOf(join(folder, name)));
  expect(await verifyAudit(lines, { keys })).toMatchObject({ ok: true, lines: lines.length });
  const entries = fieldsOf(lines).map(({ entry }) => entry);
  const started = new Set(entries.flatMap(({ type, callId }) => (type === "started" ? [callId] : [])));
  const ran = linesOf(effects);
  expect(ran.length).toBeGreaterThan(3);
  expect(ran.filter((callId) => !started.has(callId))).toEqual([]);
});

test("a line that a crash cut off is removed", async () => {
  const path = logFile();
  await (await audited({ to: fileAudit(path) })).tools.run([pays()]);
  appendFileSync(path, '{"log":"cut o');
  await (await audited({ to: fileAudit(path) })).tools.run([pays()]);
  expect(await verifyAudit(linesOf(path), { keys })).toMatchObject({ ok: true, lines: 4 });
});

test("a file with nothing but a line that was cut off starts a new log", async () => {
  const path = logFile();
  writeFileSync(path, '{"log":"cut o');
  await (await audited({ to: fileAudit(path) })).tools.run([pays()]);
  expect(await verifyAudit(linesOf(path), { keys })).toMatchObject({ ok: true, lines: 2 });
});

test("a line of 200 kB is found", async () => {
  const path = logFile();
  const { tools } = await audited({ to: fileAudit(path), withArguments: true });
  await tools.run([pays({ to: "x".repeat(200_000) })]);
  await (await audited({ to: fileAudit(path) })).tools.run([pays()]);
  expect(await verifyAudit(linesOf(path), { keys })).toMatchObject({ ok: true, lines: 4 });
});

test("a full file is renamed, and the next one continues the log", async () => {
  const path = logFile();
  const { tools } = await audited({ to: fileAudit(path, { maxBytes: 2_000 }) });
  for (let index = 0; index < 6; index += 1) await tools.run([pays()]);
  const restarted = await audited({ to: fileAudit(path, { maxBytes: 2_000 }) });
  await restarted.tools.run([pays()]);
  const folder = join(path, "..");
  const names = readdirSync(folder).sort();
  expect(names.slice(0, 2)).toEqual(["calls.000001.jsonl", "calls.000002.jsonl"]);
  const whole = names.flatMap((name) => linesOf(join(folder, name)));
  expect(await verifyAudit(whole, { keys })).toMatchObject({ ok: true, lines: 14 });
});

const LATER = new Date(Date.now() + 3_600_000);
test.each([
  ["", new Date(0)],
  [", even if the clock was set back since then", LATER],
])("the lock of a process that died is taken%s", async (_, time) => {
  const path = logFile();
  leaveLock(path, time);
  const { tools, effects } = await audited({ to: fileAudit(path) });
  await tools.run([pays()]);
  expect(effects).toHaveLength(1);
  expect(locksOf(path)).toEqual([]);
});

test("one of several waiters takes the lock of a process that died", async () => {
  const path = logFile();
  const sinks = Array.from({ length: 8 }, () => fileAudit(path));
  const rounds = 20;
  for (let round = 0; round < rounds; round += 1) {
    leaveLock(path);
    await Promise.all(
      sinks.map(async (sink) => {
        for (let isAppended = false; !isAppended; ) {
          const last = await sink.last();
          isAppended = await sink.append([String(Number(last ?? 0) + 1)], last);
        }
      }),
    );
  }
  expect(linesOf(path)).toEqual(Array.from({ length: rounds * sinks.length }, (_, index) => String(index + 1)));
});

test("a process whose lock was taken leaves the lock of its successor", async () => {
  const path = logFile();
  const appended = fileAudit(path).append(["x".repeat(20_000_000)], undefined);
  while (!existsSync(path)) await setImmediate();
  const [own = ""] = locksOf(path);
  rmSync(own);
  const successor = own.replace(/[\da-f-]{36}/, crypto.randomUUID());
  writeFileSync(successor, "");
  expect(await appended).toBe(true);
  expect(locksOf(path)).toEqual([successor]);
});

test("a renamed file isn't overwritten after an older one was moved away", async () => {
  const path = logFile();
  const folder = dirname(path);
  const { tools } = await audited({ to: fileAudit(path, { maxBytes: 1 }) });
  await tools.run([pays(), pays()]);
  rmSync(join(folder, "calls.000001.jsonl"));
  const kept = readdirSync(folder).map((name) => [join(folder, name), linesOf(join(folder, name))] as const);
  await tools.run([pays()]);
  expect(kept.map(([file]) => [file, linesOf(file)])).toEqual(kept);
  expect(readdirSync(folder).length).toBeGreaterThan(kept.length);
});

test("nothing runs if the folder is missing", async () => {
  const { tools, effects } = await audited({ to: fileAudit(join(logFile(), "missing", "calls.jsonl")) });
  const [result] = await tools.run([pays()]);
  expect(result).toMatchObject({ status: "not_run", error: { code: "ENOENT" } });
  expect(effects).toEqual([]);
});

test("rejects options that aren't usable", () => {
  expect(() => fileAudit("")).toThrow(ConfigError);
  expect(() => fileAudit("calls.jsonl", { maxBytes: 0 })).toThrow("fileAudit: maxBytes must be an integer above 0.");
});
