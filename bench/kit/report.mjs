// Writes docs/benchmarks.md and its charts from the results of the areas.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chart } from "../../scripts/chart.mjs";
import { root } from "./rivals.mjs";
import { digits } from "./tables.mjs";

const INTRODUCTION = `# Benchmarks

The cost of \`svc-sdk\`, compared with other clients and with the libraries they use. \`npm run bench\` measures everything and
writes this page. \`npm run bench -- calls webhooks\` measures only these areas, and \`--quick\` takes a few samples, prints them
and writes nothing. The package is measured as \`npm pack\` creates it. It and the other clients are installed into
\`bench/rivals\`.

The clients take turns, so that other work on the machine affects all of them. A ratio compares times of the same turn. The
tables show the median of all turns and, in parentheses, the range of the middle 80%. The samples are in
\`generated/benchmarks.json\` in the repository. Times differ between machines; ratios differ less. Bytes, instantiations and
packages are exact.`;

/** One row for each budget of an area. */
export function budgetRows(area, figures) {
  return area.budgets(figures).map(([what, value, most, certain = value]) => ({
    what,
    budget: `≤ ${digits(most)}`,
    result: digits(value),
    met: value <= most ? "yes" : certain <= most ? "within the margin of error" : "no",
  }));
}

/**
 * The page's section of an area, kept with its figures: an area that isn't measured again needs none of today's
 * columns.
 */
export function rendered(name, area, figures) {
  const rows = Object.entries(area.rows(figures)).map(([contender, columns]) => ({ "": contender, ...columns }));
  const { about } = area;
  return { about, rows, budgets: budgetRows(area, figures), ...(area.chart && { picture: draw(name, area.chart(figures)) }) };
}

export function writeReport(areas, results) {
  const measured = Object.entries(areas).filter(([name]) => results[name]);
  const sections = measured.map(([name, area]) => section(area, results[name]));
  const budgets = measured.flatMap(([name]) => results[name].budgets);
  const page = [INTRODUCTION, "## Budgets", table(budgets), ...sections];
  writeFileSync(join(root, "docs/benchmarks.md"), `${page.join("\n\n")}\n`);
  writeFileSync(join(root, "generated/benchmarks.json"), `${compactJson(results)}\n`);
}

function section({ title }, { about, rows, picture, ...conditions }) {
  return [`## ${title}`, about, ...(picture ? [picture] : []), table(rows), describe(conditions)].join("\n\n");
}

function draw(name, drawing) {
  mkdirSync(join(root, "docs/charts"), { recursive: true });
  writeFileSync(join(root, `docs/charts/bench-${name}.svg`), chart(drawing));
  return `![${drawing.title}](charts/bench-${name}.svg)`;
}

const describe = ({ date, machine, versions }) => `Measured on ${date}: ${machine}. ${versions.join(", ")}.`;

function table(rows) {
  const columns = [...new Set(rows.flatMap(Object.keys))];
  const line = (cells) => `| ${cells.join(" | ")} |`;
  const alignment = columns.map((_, index) => (index === 0 ? "---" : "--:"));
  return [line(columns), line(alignment), ...rows.map((row) => line(columns.map((column) => row[column] ?? "")))].join("\n");
}

/** JSON with each list of samples on one line. */
const compactJson = (value) =>
  JSON.stringify(value, null, 1).replaceAll(/\[\s+([-\d.,\s]+?)\s+\]/g, (_, numbers) => `[${numbers.replaceAll(/\s+/g, "")}]`);
