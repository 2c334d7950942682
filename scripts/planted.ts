// Plants each bug of test/planted/bugs.ts in a copy of the project, and tells which test finds it: first the tests of the
// folder that mirrors its file, as `npm test -- src/…` runs them, then all tests of the sources.
//
//   npm run planted                       all of them
//   npm run planted -- 3 17               by number
//   npm run planted -- client/call "501"  by a part of the file or the name
//   npm run planted -- --mirrored         only the tests of the mirrored folder
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { basename, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { BUGS, type PlantedBug } from "../test/planted/bugs.ts";
import { testsFor } from "./dev.ts";

const { values, positionals } = parseArgs({
  options: { mirrored: { type: "boolean", default: false } },
  allowPositionals: true,
});
const ROOT = process.cwd();
/** Not in a copy: what is built or installed, and the test that sees a bug's text instead of its effect. */
const LEFT_OUT = [".git", "dist", "node_modules", "test/planted"];
/** A bug that lets tests hang is found by their time limits. */
const LIMIT_MS = 1_800_000;

interface JsonReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

function copyOfProject(): string {
  const copy = mkdtempSync(join(tmpdir(), "svc-planted-"));
  cpSync(ROOT, copy, {
    recursive: true,
    filter: (path) => !LEFT_OUT.includes(relative(ROOT, path)),
  });
  symlinkSync(resolve("node_modules"), join(copy, "node_modules"), "dir");
  return copy;
}

/** The first test that fails; `undefined` if none does. */
async function failingTest(copy: string, tests: readonly string[]): Promise<string | undefined> {
  const outputFile = join(copy, "planted-report.json");
  rmSync(outputFile, { force: true });
  const options = [
    "--project",
    "source",
    "--bail",
    "1",
    "--maxWorkers",
    "1",
    "--reporter",
    "json",
    "--outputFile",
    outputFile,
  ];
  const vitest = spawn("vitest", ["run", ...options, ...tests], {
    cwd: copy,
    stdio: ["ignore", "ignore", "pipe"],
    timeout: LIMIT_MS,
  });
  const said: Buffer[] = [];
  vitest.stderr.on("data", (bytes: Buffer) => said.push(bytes));
  const [code, signal] = await once(vitest, "close");
  if (code === 0) return undefined;
  if (signal !== null) return `no end within ${LIMIT_MS / 1_000} s`;
  // What ends without a report has not tried the bug.
  if (!existsSync(outputFile))
    throw new Error(`vitest run ${tests.join(" ")} ended with ${code}: ${Buffer.concat(said)}`);
  const report = JSON.parse(readFileSync(outputFile, "utf8")) as JsonReport;
  const failed = report.testResults.find(({ status }) => status === "failed");
  const test = failed?.assertionResults.find(({ status }) => status === "failed");
  return failed ? `${relative(copy, failed.name)} > ${test?.fullName ?? "the file"}` : `the tests end with ${code}`;
}

/** Where a bug is found, and by which test, which passes without the bug. */
async function checkedFinding(copy: string, bug: PlantedBug): Promise<readonly [string, string]> {
  const [where, test] = await finding(copy, bug);
  const [file = ""] = test.split(" > ");
  if (file.endsWith(".ts")) {
    const again = await failingTest(copy, [file]);
    if (again !== undefined) throw new Error(`This test fails without a bug, too: ${again}`);
  }
  return [where, test];
}

/** Where a bug is found, and by which test. */
async function finding(copy: string, { file, find, replace }: PlantedBug): Promise<readonly [string, string]> {
  const path = join(copy, file);
  const text = readFileSync(path, "utf8");
  writeFileSync(
    path,
    text.replace(find, () => replace),
  );
  try {
    const mirrored = await failingTest(copy, testsFor([file]));
    if (mirrored !== undefined) return ["mirrored", mirrored];
    const wider = values.mirrored ? undefined : await failingTest(copy, []);
    return wider === undefined ? ["NOT FOUND", ""] : ["wider", wider];
  } finally {
    writeFileSync(path, text);
  }
}

const isSelected = ({ name, file }: PlantedBug, index: number) =>
  positionals.length === 0 ||
  positionals.some((word) => (/^\d+$/.test(word) ? Number(word) === index + 1 : `${file} ${name}`.includes(word)));
const queue = BUGS.map((bug, index) => ({ bug, number: index + 1 })).filter(({ bug, number }) =>
  isSelected(bug, number - 1),
);
const counts: Record<string, number> = {};

async function work(): Promise<void> {
  const copy = copyOfProject();
  try {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const { bug, number } = next;
      const startedAt = Date.now();
      const [where, test] = await checkedFinding(copy, bug);
      counts[where] = (counts[where] ?? 0) + 1;
      const seconds = Math.round((Date.now() - startedAt) / 1_000);
      console.log(
        `${where.padEnd(9)} ${seconds} s  ${number} ${basename(bug.file)}: ${bug.name}${test && `\n            ${test}`}`,
      );
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, work));
console.log(
  `\n${Object.entries(counts)
    .map(([where, count]) => `${where}: ${count}`)
    .join(", ")}`,
);
if (counts["NOT FOUND"]) process.exitCode = 1;
