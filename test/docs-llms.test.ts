import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";

const FILES = ["llms.txt", "llms-full.txt"];
const folder = mkdtempSync(join(tmpdir(), "svc-llms-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

execFileSync(process.execPath, ["scripts/llms.mjs", folder]);
const [index = "", full = ""] = FILES.map((name) => readFileSync(join(folder, name), "utf8"));

test.each(FILES)("%s in the build matches the guides and declarations", (name) => {
  const isBuilt = readFileSync(join("dist", name), "utf8") === readFileSync(join(folder, name), "utf8");
  expect(isBuilt, `dist/${name} is out of date: run npm run build.`).toBe(true);
});

test("every guide is completely in the text, and in the index", () => {
  const guides = readdirSync("docs/guide").filter((name) => name !== "README.md");
  for (const name of guides) {
    const page = readFileSync(join("docs/guide", name), "utf8");
    const [, title = ""] = /^# (.+)$/m.exec(page) ?? [];
    expect(index).toContain(`- [${title}](llms-full.txt): `);
    const parts = [`# ${title}\n`, ...(page.match(/^```ts\n[\s\S]*?^```$/gm) ?? [])];
    expect(parts.filter((part) => !full.includes(`\n${part}`))).toEqual([]);
  }
});

test("every export of an entry point is named", () => {
  const reports = readdirSync("generated/api").map((name) => readFileSync(join("generated/api", name), "utf8"));
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
  expect(links.filter((target = "") => !built.includes(target))).toEqual([]);
  const text = full.replaceAll(/^(```+)ts\n[\s\S]*?^\1$/gm, "");
  expect(text.match(/\]\((?!https?:)[^)]*\)/g)).toBeNull();
});

test("it is short enough for an agent to read completely", () => {
  expect(index.length).toBeLessThan(8_000);
  expect(full.length).toBeLessThan(300_000);
});
