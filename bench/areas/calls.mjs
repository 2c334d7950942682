// One call: in memory, where only the client counts, and over loopback, where the network counts too.
import { compare, interleave, median, mapValues } from "../kit/measure.mjs";
import { openTogether, openWorkers, withProcesses } from "../kit/processes.mjs";
import { digits, ratioBars, ratioRows } from "../kit/tables.mjs";
import { CONTENDERS } from "../rivals/contenders.mjs";

const EVERYONE = Object.keys(CONTENDERS);
const PLAIN = "fetch + JSON.parse";
const OURS = "svc-sdk";
const CHECKED = "svc-sdk + contract";
const OWN_FETCH = "svc-sdk, own fetch";
const OVER_UNDICI = "svc-sdk + undici";
/** The clients compared in memory. Without sockets, undici changes nothing. */
const IN_MEMORY_NAMES = EVERYONE.filter((name) => name !== OVER_UNDICI);
/** The clients compared over sockets, where a `Request` costs little beside the connection. */
const OVER_SOCKETS_NAMES = EVERYONE.filter((name) => name !== OWN_FETCH);
/** The clients that a call must not be slower than: those of other services, and ky with its defaults. */
const RIVALS = IN_MEMORY_NAMES.filter((name) => ![PLAIN, OURS, OWN_FETCH, CHECKED, "ky, bare"].includes(name));

/** Clients of a service like ours. */
const ALIKE = ["@composio/client 2", "@composio/client 0.1", "@pipedream/sdk"];

/**
 * Turns before the first that counts: code is compiled as it is used, and a client with more of it would pay for that
 * alone.
 */
const WARM_UPS = 20;

const IN_MEMORY = { "GET 0.8 KB": "one", "POST 0.8 KB": "post", "GET 107 KB": "list100", "GET 2.1 MB": "list2000" };

export const calls = {
  title: "A call in memory",
  about: `\`fetch\` is a function that responds immediately, so only the client is measured. Processor time as ratios to \`fetch\` and
\`JSON.parse\`, all clients in one process.

Each client reads the same number of bytes, in its own service's format, and uses the result. \`ky\` has its defaults. \`ky,
bare\` has no retries, deadline or errors, and is what \`svc-sdk\` builds on. \`svc-sdk + contract\` also checks each response
against its schema, which no other client here does. \`ky\` calls \`fetch\` with a \`Request\`, the others with a URL and
options, which is cheaper; \`svc-sdk, own fetch\` is a client with an injected \`fetch\`, which gets a \`Request\`. Over loopback,
\`stripe\` uses \`node:http\` instead.`,
  measure: ({ quick }) =>
    withProcesses(async (opened) => {
      const times = async (row) => {
        const workers = await openTogether(opened, IN_MEMORY_NAMES);
        return interleave(IN_MEMORY_NAMES, { rounds: quick ? 5 : 41, warmUps: WARM_UPS }, (name) =>
          workers[name]({ task: "time", where: "memory", row, width: 1, ms: 30 }),
        );
      };
      return inTurn(IN_MEMORY, times);
    }),
  rows: (figures) => ratioRows(figures, PLAIN),
  budgets: (figures) => [
    ["a call in memory, ÷ ky with its defaults", ratioIn(figures["GET 0.8 KB"], OURS, "ky"), 1],
    ...[...ALIKE, "openai"].map((rival) => {
      const { ratio, certain } = compare(figures["GET 0.8 KB"][OURS], figures["GET 0.8 KB"][rival]);
      return [`a call in memory, ÷ ${rival}`, ratio, 1, certain];
    }),
    ["checking responses of 107 KB, ÷ not checking them", ratioIn(figures["GET 107 KB"], CHECKED, OURS), 1.15],
  ],
  chart: (figures) => ({ title: "A call in memory, 0.8 KB", unit: "x fetch + JSON.parse", rows: ratioBars(figures["GET 0.8 KB"], PLAIN) }),
};

const OVER_LOOPBACK = {
  "0.8 KB, one at a time": { row: "one", width: 1, goal: 1.3, undiciGoal: 1.15 },
  "0.8 KB, 64 at once": { row: "one", width: 64, goal: 1.45, undiciGoal: 1.05 },
  "107 KB, one at a time": { row: "list100", width: 1, goal: 1.3 },
  "107 KB, 64 at once": { row: "list100", width: 64, goal: 1.45 },
};

export const loopback = {
  title: "A call over loopback",
  about: `A plain HTTP server in a separate process responds. Time per call as ratios to \`fetch\` and \`JSON.parse\`. Over a real
network, latency hides these differences. \`svc-sdk + undici\` sends through \`undiciFetch()\`, \`stripe\` through
\`node:http\`, all others through Node's \`fetch\`.`,
  measure: ({ quick }) =>
    withProcesses(async (opened) => {
      const { greeting, ask: serve } = await opened("./server.mjs");
      return inTurn(OVER_LOOPBACK, async ({ row, width }) => {
        const workers = await openTogether(opened, OVER_SOCKETS_NAMES, greeting);
        return interleave(OVER_SOCKETS_NAMES, { rounds: quick ? 5 : 31, warmUps: WARM_UPS }, async (name) => {
          await serve({ wire: CONTENDERS[name].wire ?? "tools", row });
          return workers[name]({ task: "time", where: "loopback", row, width, ms: 60 });
        });
      });
    }),
  rows: (figures) => ratioRows(figures, PLAIN),
  budgets: (figures) =>
    Object.entries(OVER_LOOPBACK).flatMap(([column, { goal, undiciGoal }]) => {
      const samples = figures[column];
      const beside = (names, who) => {
        const fastest = names.toSorted((a, b) => median(samples[a]) - median(samples[b]))[0];
        const { ratio, certain } = compare(samples[OURS], samples[fastest]);
        return [`${column}: ÷ ${fastest}, the fastest ${who}`, ratio, 1, certain];
      };
      return [
        beside(RIVALS, "of all"),
        beside(ALIKE, "client of a service like this one"),
        [`${column}: ÷ plain \`fetch\` (a goal)`, ratioIn(samples, OURS, PLAIN), goal],
        ...(undiciGoal === undefined ? [] : [[`${column}: over undici, ÷ plain \`fetch\` (a goal)`, ratioIn(samples, OVER_UNDICI, PLAIN), undiciGoal]]),
      ];
    }),
};

/** A nursery so large that nothing is collected while a sample is taken. */
const LARGE_NURSERY = ["--min-semi-space-size=256", "--max-semi-space-size=256"];
const SMALL_CALLS = { "GET 0.8 KB": "one", "POST 0.8 KB": "post" };

export const heap = {
  title: "Heap per call",
  about: "KB that a small call in memory allocates, without garbage collection. The median of 5 runs of 1,000 calls; runs hardly differ.",
  measure: ({ quick }) =>
    withProcesses(async (opened) => {
      const workers = await openWorkers(opened, IN_MEMORY_NAMES, { flags: LARGE_NURSERY });
      return inTurn(SMALL_CALLS, (row) =>
        interleave(IN_MEMORY_NAMES, { rounds: quick ? 3 : 5, warmUps: WARM_UPS }, async (name) => (await workers[name]({ task: "heap", row, calls: 1_000 })) / 1_000),
      );
    }),
  rows: (figures) =>
    Object.fromEntries(IN_MEMORY_NAMES.map((name) => [name, mapValues(figures, (samples) => `${digits(median(samples[name]))} KB`)])),
  budgets: (figures) => [["heap per small call, KB", median(figures["GET 0.8 KB"][OURS]), 38]],
};

/** The results of `measure` for each of these, one after another. */
async function inTurn(columns, measure) {
  const figures = {};
  for (const [column, of] of Object.entries(columns)) figures[column] = await measure(of);
  return figures;
}

const ratioIn = (samples, name, base) => compare(samples[name], samples[base]).ratio;
