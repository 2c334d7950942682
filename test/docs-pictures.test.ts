import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { shapes } from "../src/contract/index.js";

const FOLDER = "docs/pictures";
const pictures = readdirSync(FOLDER).filter((name) => name.endsWith(".svg"));

function run(...parameters: string[]): string {
  return execFileSync(process.execPath, parameters, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

test("every picture matches its source", () => {
  const stale = JSON.parse(run("scripts/pictures.mjs", "--check"));
  expect(stale, "Run npm run docs:pictures, look at what it drew, and commit both.").toEqual([]);
  expect(readdirSync(FOLDER).filter((name) => name.endsWith(".dot")).length).toBe(pictures.length);
});

test("the picture of the rooms shows the imports of src", () => {
  expect(
    JSON.parse(run("scripts/rooms.mjs", "--check")),
    "Run node scripts/rooms.mjs, then npm run docs:pictures.",
  ).toBe(true);
});

test.each(pictures)("%s names itself, follows dark mode and loads nothing", (name) => {
  const svg = readFileSync(join(FOLDER, name), "utf8");
  expect(svg).toMatch(/^<svg role="img" aria-label="[^"]+"/);
  expect(svg).toContain("prefers-color-scheme: dark");
  expect(svg).not.toMatch(/href|<script|@import|url\(/);
  expect(svg.length).toBeLessThan(16_384);
});

test("the picture of a connected account shows every status in the contract", () => {
  const source = readFileSync(join(FOLDER, "account.dot"), "utf8");
  const shown = new Set(source.match(/\b[A-Z]{6,}\b/g));
  expect([...shown].sort()).toEqual([...shapes.ConnectionStatus.known].sort());
});

describe("a chart", () => {
  const folder = mkdtempSync(join(tmpdir(), "svc-chart-"));
  const draw = (results: object) => {
    writeFileSync(join(folder, "results.json"), JSON.stringify(results));
    run("scripts/chart.mjs", join(folder, "results.json"), join(folder, "chart.svg"));
    return readFileSync(join(folder, "chart.svg"), "utf8");
  };

  test("draws one bar per row, as long as its value, and highlights svc-sdk", () => {
    const rows = [
      { label: "this & that", value: 2_000, note: "± 1 %" },
      { label: "<other>", value: 1_000 },
      { label: "svc-sdk", value: 500 },
    ];
    const svg = draw({ title: "Calls", unit: "per s", rows });
    const [long = 0, short = 0] = [...svg.matchAll(/class="bar"[^>]* width="(\d+)"/g)].map(([, width]) =>
      Number(width),
    );
    expect(Math.abs(long / short - 2)).toBeLessThan(0.05);
    expect(svg.match(/class="bar ours"/g)).toHaveLength(1);
    expect(svg).toContain("Lower is better");
    expect(svg).toContain("2,000 ± 1 %");
    expect(svg).toContain("1,000 per s");
    expect(svg).toContain("this &amp; that");
    expect(svg).toContain("&lt;other>");
    expect(svg).toContain("prefers-color-scheme: dark");
  });

  test("rejects a value that isn't a length", () => {
    expect(() => draw({ title: "Calls", rows: [{ label: "lost", value: null }] })).toThrow(/cannot show null for lost/);
  });
});
