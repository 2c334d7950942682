// From tools that were just read to what a model's library takes: in a process that does it for each request, and in a new one.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compare, cpuSince, interleave, mapValues, median } from "../kit/measure.mjs";
import { withProcesses } from "../kit/processes.mjs";
import { inRequests, recordsFor, toolsOf } from "../kit/real-tools.mjs";
import { adapterVersions, installAdapters } from "../kit/rivals.mjs";
import { digits } from "../kit/tables.mjs";

const COPY = "JSON copy";
/** Of each library: our adapter, the rival's, the class that the rival makes it of, and the budget in JSON copies. */
const LIBRARIES = {
  openai: ["openai", "@composio/openai", "OpenAIResponsesProvider", 4],
  anthropic: ["anthropic", "@composio/anthropic", "AnthropicProvider", 5],
  google: ["google", "@composio/google", "GoogleProvider", 5],
  "ai-sdk": ["aiSdk", "@composio/vercel", "VercelProvider", 6],
};
const OURS = Object.entries(LIBRARIES).map(([path, [name, ...rest]]) => [`svc-sdk, ${name}`, { path, name }, ...rest]);
const THEIRS = Object.values(LIBRARIES).map(([, specifier, provider]) => [specifier, { specifier, provider }]);

/** Milliseconds of processor time for 1,000 tools that were just parsed, in a process that has done it before. */
async function warm(quick) {
  const { ADAPTERS_OF_SVC, Svc, toolset } = await import("../rivals/agents.mjs");
  const { ADAPTERS } = await import("../rivals/adapters/index.mjs");
  const text = JSON.stringify(recordsFor(1_000));
  const svc = new Svc({ apiKey: "key", baseUrl: "http://127.0.0.1:9" });
  const ours = (name) => async (records) => {
    for (const tools of inRequests(records)) {
      ADAPTERS_OF_SVC[name](await toolset(svc, { userId: "user-4711", from: { formatVersion: 1, tools } }));
    }
  };
  const runs = {
    [COPY]: (records) => JSON.parse(JSON.stringify(records)),
    ...Object.fromEntries(OURS.map(([label, { name }]) => [label, ours(name)])),
    ...Object.fromEntries(THEIRS.map(([label]) => [label, (records) => ADAPTERS[label](toolsOf(records))])),
  };
  return interleave(Object.keys(runs), { rounds: quick ? 3 : 15, warmUps: 3 }, async (label) => {
    const records = JSON.parse(text);
    const before = process.cpuUsage();
    await runs[label](records);
    return cpuSince(before) / 1_000;
  });
}

/**
 * The preparation of so many tools: a figure of `prepare.mjs`, in a new process each time.
 *
 * @param saved files with our toolsets, by the adapter's name; without it they are compiled.
 */
function cold(quick, count, measured, saved = {}) {
  const subjects = Object.fromEntries([
    ...OURS.map(([label, adapter]) => [label, ["../rivals/prepare.mjs", { adapter, count, saved: saved[adapter.name] }]]),
    ...THEIRS.map(([label, adapter]) => [label, ["../rivals/adapters/prepare.mjs", { adapter, count }]]),
  ]);
  return withProcesses((opened) =>
    interleave(Object.keys(subjects), { rounds: quick ? 2 : 11, warmUps: 1 }, async (label) => {
      const [file, input] = subjects[label];
      return (await opened(file, [JSON.stringify(input)])).greeting[measured];
    }),
  );
}

/** The same with toolsets that were saved with their compiled schemas. */
async function coldFromFiles(quick, count, measured) {
  const { ADAPTERS_OF_SVC, Svc, toolset } = await import("../rivals/agents.mjs");
  const svc = new Svc({ apiKey: "key", baseUrl: "http://127.0.0.1:9" });
  const folder = mkdtempSync(join(tmpdir(), "toolsets-"));
  try {
    const saved = {};
    for (const [, { name }] of OURS) {
      const requests = [];
      for (const tools of inRequests(recordsFor(count))) {
        const prepared = await toolset(svc, { userId: "user-4711", from: { formatVersion: 1, tools } });
        ADAPTERS_OF_SVC[name](prepared);
        requests.push(prepared);
      }
      saved[name] = join(folder, `${name}.json`);
      writeFileSync(saved[name], JSON.stringify(requests));
    }
    return await cold(quick, count, measured, saved);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Processor time of 254 tools for 501 users of one process, ÷ that of the first user: in a new process each time. */
function users(quick) {
  // OpenAI takes 128 tools.
  const subjects = Object.fromEntries(OURS.filter(([, { path }]) => path !== "openai"));
  return withProcesses((opened) =>
    interleave(Object.keys(subjects), { rounds: quick ? 2 : 11, warmUps: 1 }, async (label) => {
      const { one, all } = (await opened("../rivals/users.mjs", [JSON.stringify(subjects[label])])).greeting;
      return all / one;
    }),
  );
}

export const prepare = {
  title: "Preparing tools",
  about: `From tools that were just read to the definitions that a library takes: \`toolset()\` and an adapter. The ratios are
processor time for 1,000 tools, in requests of at most 127, divided by a copy of the tools as JSON in the same turn. Then come new
processes, in milliseconds with the import of the client and the adapter: 10 tools, 254 tools, and 254 tools of a toolset that
was saved with its compiled schemas; and the preparation of 254 tools alone, in milliseconds of processor time. The last column is
the processor time of \`prepareToolset()\` with 254 tools, an adapter and 500 users, divided by that of one user.`,
  versions: adapterVersions,
  async measure({ quick }) {
    installAdapters();
    // Some adapters print a warning for each tool.
    const { warn } = console;
    console.warn = () => {};
    const samples = await warm(quick);
    console.warn = warn;
    return {
      warm: samples,
      cold: await cold(quick, 10, "ms"),
      cold254: await cold(quick, 254, "ms"),
      saved254: await coldFromFiles(quick, 254, "ms"),
      alone254: await cold(quick, 254, "preparingCpuMs"),
      users: await users(quick),
    };
  },
  rows: ({ warm, cold, cold254, saved254, alone254, users }) =>
    mapValues(warm, (times, label) => {
      const isOurs = OURS.some(([own]) => own === label);
      const msOf = (samples) => (label === COPY ? "" : digits(median(samples[label])));
      return {
        "1,000 tools, ÷ JSON copy": label === COPY ? `${digits(median(times))} ms` : digits(compare(times, warm[COPY]).ratio),
        "10 tools, ms": msOf(cold),
        "254 tools, ms": msOf(cold254),
        "254 saved tools, ms": isOurs ? msOf(saved254) : "",
        "254 tools alone, CPU ms": msOf(alone254),
        "500 users ÷ one": users?.[label] ? digits(median(users[label])) : "",
      };
    }),
  budgets: ({ warm, cold, cold254, saved254, alone254, users = {} }) => [
    ...Object.entries(users).map(([label, ratios]) => [
      `500 users of 254 prepared tools for ${label}, ÷ one`,
      median(ratios),
      1.2,
    ]),
    ...OURS.flatMap(([label, { name }, rival, , most]) => {
      const copies = compare(warm[label], warm[COPY]);
      const beside = (what, samples) => {
        const { ratio, certain } = compare(samples[label], samples[rival]);
        return [`${what} for \`${name}\`, ÷ \`${rival}\``, ratio, 1, certain];
      };
      return [
        [`preparing 1,000 tools for \`${name}\`, ÷ copying them as JSON`, copies.ratio, most, copies.certain],
        beside("import and 10 tools", cold),
        beside("import and 254 tools", cold254),
        beside("import and 254 saved tools", saved254),
        beside("the first 254 tools of a process, alone,", alone254),
      ];
    }),
  ],
};
