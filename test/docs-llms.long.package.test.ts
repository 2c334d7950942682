import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";

const FILES = ["llms.txt", "llms-reference.txt"];
const folder = mkdtempSync(join(tmpdir(), "svc-llms-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

execFileSync(process.execPath, ["scripts/llms.mjs", folder]);
const [index = "", full = ""] = FILES.map((name) => readFileSync(join(folder, name), "utf8"));

test.each(FILES)("%s in the build matches the guides and declarations", (name) => {
  const isBuilt = readFileSync(join("dist", name), "utf8") === readFileSync(join(folder, name), "utf8");
  expect(isBuilt, `dist/${name} is out of date: run npm run build.`).toBe(true);
});

test("every guide is in the index, with a link to its file", () => {
  const guides = readdirSync("docs/guide").filter((name) => name !== "README.md");
  for (const name of guides) {
    const [, title = ""] = /^# (.+)$/m.exec(readFileSync(join("docs/guide", name), "utf8")) ?? [];
    expect(index).toContain(`- [${title.replaceAll("`", "")}](../docs/guide/${name}): `);
  }
});

test("every export of an entry point is named", () => {
  const reports = readdirSync("scripts/api").map((name) => readFileSync(join("scripts/api", name), "utf8"));
  const exported = reports.map((report) => report.replace(/^\/\/ Not exported[\s\S]*/m, ""));
  const names = exported.flatMap((report) => [...report.matchAll(/^export (?:declare )?(?:abstract )?\w+ (\w+)/gm)]);
  expect(names.length).toBeGreaterThan(300);
  const words = new Set(full.match(/\w+/g));
  expect(names.map(([, name = ""]) => name).filter((name) => !words.has(name))).toEqual([]);
});

test("its links lead to files in the package", () => {
  const built = readdirSync("dist", { recursive: true, encoding: "utf8" }).map((path) => path.replaceAll("\\", "/"));
  const links = [...index.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target);
  expect(links.length).toBeGreaterThan(20);
  const isFile = (target: string) => built.includes(target) || existsSync(join("dist", target));
  expect(links.filter((target = "") => !isFile(target))).toEqual([]);
  const text = full.replaceAll(/^(```+)ts\n[\s\S]*?^\1$/gm, "");
  expect(text.match(/\]\((?!https?:)[^)]*\)/g)).toBeNull();
});

test("it is short enough for an agent to read completely", () => {
  expect(index.length).toBeLessThan(9_000);
  expect(full.length).toBeLessThan(90_000);
});
