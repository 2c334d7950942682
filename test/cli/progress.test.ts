import { expect, test } from "vitest";
import { type ReadProgress, readCatalog } from "../../src/catalog/read-catalog.js";
import { progressOn } from "../../src/cli/progress.js";
import { createEmulator } from "../../src/emulator/index.js";
import { Svc } from "../../src/index.js";

const CLEAR = "\r\u001b[K";

function output(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, written, write: (text: string) => written.push(text) };
}

const half = { toolkit: "github", version: "20251023_00", read: 100, total: 200, isDone: false };

test("shows one line with a bar on a terminal, and removes it at the end", () => {
  const terminal = output(true);
  const progress = progressOn(terminal);
  progress.report(half);
  progress.report({ ...half, toolkit: "slack", read: 0, total: 200 });
  progress.report({ ...half, read: 200, isDone: true });
  progress.end();
  expect(terminal.written).toEqual([
    `${CLEAR}${"█".repeat(12)}${"░".repeat(12)} 100 of 200  github`,
    `${CLEAR}${"█".repeat(6)}${"░".repeat(18)} 100 of 400  slack`,
    `${CLEAR}${"█".repeat(12)}${"░".repeat(12)} 200 of 400  github`,
    CLEAR,
  ]);
});

test("writes one plain line per toolkit to a log", () => {
  const log = output(false);
  const progress = progressOn(log);
  progress.report(half);
  progress.report({ ...half, read: 200, isDone: true });
  progress.end();
  expect(log.written).toEqual(["Read github 20251023_00: 200 tools and trigger types.\n"]);
});

test("writes nothing before anything is read, and handles an empty toolkit", () => {
  const terminal = output(true);
  const progress = progressOn(terminal);
  progress.end();
  expect(terminal.written).toEqual([]);
  progress.report({ ...half, read: 0, total: 0 });
  expect(terminal.written).toEqual([`${CLEAR}${"░".repeat(24)} 0 of 0  github`]);
});

test("knows the total from the start", async () => {
  const told: ReadProgress[] = [];
  await readCatalog(new Svc(createEmulator().connection), {
    toolkits: ["github"],
    onProgress: (progress) => told.push(progress),
  });
  const github = { toolkit: "github", version: "20251023_00", total: 7 };
  expect(told[0]).toEqual({ ...github, read: 0, isDone: false });
  expect(told.at(-1)).toEqual({ ...github, read: 7, isDone: true });
});
