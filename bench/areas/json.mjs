// Reading JSON: what it costs that integers beyond 2^53 - 1 keep their digits.
import { compare, cpuSince, interleave } from "../kit/measure.mjs";
import { ratioBars, ratioRows } from "../kit/tables.mjs";

const PLAIN = "JSON.parse";
const OURS = "svc-sdk parseDelivery";
const SIZES = [1, 10, 100];
const WITHOUT = SIZES.map((kilobytes) => `${kilobytes} KB`);
const WITH = "100 KB, ids beyond 2^53 - 1";

/** An event of a kind that the package doesn't know: it is read, and not checked. */
function event(kilobytes, hasLongIds) {
  const records = [];
  for (let number = 0; JSON.stringify(records).length < kilobytes * 1_000; number += 1) {
    const id = `"id":${hasLongIds ? `72565356393345843${number % 90 + 10}` : number}`;
    records.push({ number, subject: "Printer on fire", at: "2026-03-02T08:15:42.310Z", price: 12.5, id });
  }
  return JSON.stringify({ type: "a.new.type", data: records }).replace(/"id":"\\"id\\":(\d+)"/g, '"id":$1');
}

function microseconds(run) {
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  let calls = 0;
  do {
    for (let index = 0; index < 8; index += 1) run();
    calls += 8;
  } while (performance.now() - startedAt < 25);
  return cpuSince(cpuBefore) / calls;
}

export const json = {
  title: "Reading JSON",
  about: `Processor time as ratios to \`JSON.parse\`. An integer beyond 2^53 - 1 is kept as a string of its digits, which
\`JSON.parse\` changes to another number. All bodies are read by the same function: responses, errors and deliveries.`,
  async measure({ quick }) {
    const { ours } = await import("../rivals/webhooks.mjs");
    const figures = {};
    for (const [index, column] of [...WITHOUT, WITH].entries()) {
      const body = event(SIZES[index] ?? 100, column === WITH);
      const runs = {
        [PLAIN]: () => JSON.parse(body),
        [OURS]: () => ours.parseDelivery({ id: "msg_1", timestamp: 0, secretIndex: 0, body }),
      };
      const turns = { rounds: quick ? 9 : 31, warmUps: 3 };
      figures[column] = await interleave(Object.keys(runs), turns, (name) => microseconds(runs[name]));
    }
    return figures;
  },
  rows: (figures) => ratioRows(figures, PLAIN),
  budgets: (figures) =>
    WITHOUT.slice(1).map((column) => {
      const { ratio, certain } = compare(figures[column][OURS], figures[column][PLAIN]);
      return [`JSON of ${column} without long integers, ÷ \`JSON.parse\``, ratio, 1.15, certain];
    }),
  chart: (figures) => ({ title: "Reading 100 KB of JSON", unit: "x JSON.parse", rows: ratioBars(figures["100 KB"], PLAIN) }),
};
