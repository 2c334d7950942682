// Writes docs/benchmarks.md and its charts from the results of the areas.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chart } from "../../scripts/chart.mjs";
import { root } from "./rivals.mjs";
import { digits } from "./tables.mjs";

const INTRODUCTION = `# Benchmarks

The cost of \`svc-sdk\`, compared with other clients and with the libraries they use. \`npm run bench\` measures everything and
writes this page. \`npm run bench -- calls webhooks\` measures only these areas, and \`--quick\` takes a few samples, prints them
and writes nothing. The package is measured as \`npm pack\` creates it. The other clients are installed into \`bench/rivals\`.

The clients take turns, so that other work on the machine affects all of them. A ratio compares times of the same turn, and each
figure is the median of all turns. Times differ between machines, ratios differ less. Bytes, instantiations and packages are
exact. \`bench/benchmarks.json\` has every sample, with the machine and the versions.`;

/** One row for each budget of an area. */
export function budgetRows(area, figures) {
  return area.budgets(figures).map(([what, value, most, certain = value]) => ({
    what,
    budget: `≤ ${digits(most)}`,
    result: digits(value),
    met: value <= most ? "yes" : certain <= most ? "within the margin of error" : "no",
  }));
}

/** The budgets and the picture of an area, kept with its figures, for when the area isn't measured again. */
export function rendered(name, area, figures) {
  return { budgets: budgetRows(area, figures), ...(area.chart && { picture: draw(name, area.chart(figures)) }) };
}

export function writeReport(areas, results) {
  const measured = Object.keys(areas).filter((name) => results[name]);
  const budgets = measured.flatMap((name) => results[name].budgets);
  const pictures = measured.flatMap((name) => results[name].picture ?? []);
  const page = [INTRODUCTION, ...pictures, "## Budgets", table(budgets)];
  writeFileSync(join(root, "docs/benchmarks.md"), `${page.join("\n\n")}\n`);
  writeFileSync(join(root, "bench/benchmarks.json"), `${compactJson(results)}\n`);
}

function draw(name, drawing) {
  mkdirSync(join(root, "docs/charts"), { recursive: true });
  writeFileSync(join(root, `docs/charts/bench-${name}.svg`), chart(drawing));
  return `![${drawing.title}](charts/bench-${name}.svg)`;
}

function table(rows) {
  const columns = [...new Set(rows.flatMap(Object.keys))];
  const line = (cells) => `| ${cells.join(" | ")} |`;
  const alignment = columns.map((_, index) => (index === 0 ? "---" : "--:"));
  return [line(columns), line(alignment), ...rows.map((row) => line(columns.map((column) => row[column] ?? "")))].join("\n");
}

/** JSON with each list of samples on one line. */
const compactJson = (value) =>
  JSON.stringify(value, null, 1).replaceAll(/\[\s+([-\d.,\s]+?)\s+\]/g, (_, numbers) => `[${numbers.replaceAll(/\s+/g, "")}]`);
