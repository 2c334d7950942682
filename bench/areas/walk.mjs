// Iterates a list from its first item to its last.
import { interleave, median } from "../kit/measure.mjs";
import { openWorkers, withProcesses } from "../kit/processes.mjs";
import { digits } from "../kit/tables.mjs";

const NAMES = ["fetch + JSON.parse", "svc-sdk", "svc-sdk + contract", "openai", "stripe", "@pipedream/sdk"];
const TIME = "µs per item";
const LIVE = "live heap grows by, KB";
/** The size of a parsed page of these records. */
const PAGE_KB = 133;

export const walk = {
  title: "Walking 100,000 items",
  about: `1,000 pages of 100 records, in memory, with \`for await\`. The heap is measured ten times, each time after a garbage
collection; the table shows the maximum minus the first. Clients that detect endless lists keep all cursors.`,
  measure: ({ quick }) =>
    withProcesses(async (opened) => {
      const workers = await openWorkers(opened, NAMES);
      const walked = (watchHeap) => (name) => workers[name]({ task: "walk", items: quick ? 20_000 : 100_000, watchHeap });
      return {
        [TIME]: await interleave(NAMES, { rounds: quick ? 1 : 3 }, walked(false)),
        [LIVE]: await interleave(NAMES, { rounds: 1, warmUps: 1 }, async (name) => (await walked(true)(name)) / 1_000),
      };
    }),
  rows: (figures) =>
    Object.fromEntries(
      NAMES.map((name) => [name, Object.fromEntries([TIME, LIVE].map((column) => [column, digits(median(figures[column][name]))]))]),
    ),
  budgets: (figures) => [["walking 100,000 items, the live heap grows by less than a page, KB", median(figures[LIVE]["svc-sdk"]), PAGE_KB]],
};
