// What the package costs, beside other clients.
//
//   npm run bench [-- area ...] [--quick]
//
// Writes docs/benchmarks.md, bench/benchmarks.json and docs/charts; areas that are not named keep what they had.
// With --quick it takes a few samples, prints them, and writes nothing.
import { existsSync, readFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { agents } from "./areas/agents.mjs";
import { argumentChecks } from "./areas/arguments.mjs";
import { bundle } from "./areas/bundle.mjs";
import { calls, heap, loopback } from "./areas/calls.mjs";
import { edge } from "./areas/edge.mjs";
import { install } from "./areas/install.mjs";
import { json } from "./areas/json.mjs";
import { prepare } from "./areas/prepare.mjs";
import { start } from "./areas/start.mjs";
import { types } from "./areas/types.mjs";
import { walk } from "./areas/walk.mjs";
import { webhooks } from "./areas/webhooks.mjs";
import { installRivals, rivalVersions, root } from "./kit/rivals.mjs";
import { budgetRows, rendered, writeReport } from "./kit/report.mjs";

const AREAS = { calls, loopback, heap, json, webhooks, walk, agents, argumentChecks, prepare, edge, start, bundle, types, install };
const { values: { quick = false }, positionals } = parseArgs({ allowPositionals: true, options: { quick: { type: "boolean" } } });
const unknown = positionals.filter((name) => !(name in AREAS));
if (unknown.length > 0) throw new Error(`No area is called ${unknown.join(" or ")}: there are ${Object.keys(AREAS).join(", ")}.`);

installRivals();
const conditions = {
  date: new Date().toISOString().slice(0, 10),
  machine: `${cpus()[0]?.model ?? "an unknown CPU"}, ${cpus().length} cores, ${process.platform} ${process.arch}, Node ${process.version}`,
  versions: rivalVersions(),
};
const file = join(root, "bench/benchmarks.json");
const results = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
for (const name of positionals.length > 0 ? positionals : Object.keys(AREAS)) {
  const area = AREAS[name];
  const startedAt = performance.now();
  const figures = await area.measure({ quick });
  console.log(`\n${area.title} (${Math.round((performance.now() - startedAt) / 1_000)} s)\n${area.about}`);
  console.table(area.rows(figures));
  console.table(budgetRows(area, figures));
  if (quick) continue;
  // After each area: an interrupted run keeps what it measured.
  const versions = area.versions?.() ?? conditions.versions;
  results[name] = { ...conditions, versions, ...rendered(name, area, figures), figures };
  writeReport(AREAS, results);
}
