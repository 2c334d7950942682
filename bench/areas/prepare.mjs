// From tools that were just read to what a model's library takes: in a process that does it for each request, and in a new one.
import { compare, cpuSince, interleave, mapValues, median } from "../kit/measure.mjs";
import { withProcesses } from "../kit/processes.mjs";
import { recordsFor } from "../kit/real-tools.mjs";
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

const toolsOf = (records) =>
  records.map(({ slug, description, input_parameters }) => ({ name: slug, description, schema: input_parameters }));

/** Milliseconds of processor time for 1,000 tools that were just parsed, in a process that has done it before. */
async function warm(quick) {
  const { ADAPTERS_OF_SVC, Svc, toolset } = await import("../rivals/agents.mjs");
  const { ADAPTERS } = await import("../rivals/adapters/index.mjs");
  const text = JSON.stringify(recordsFor(1_000));
  const svc = new Svc({ apiKey: "key", baseUrl: "http://127.0.0.1:9" });
  const ours = (name) => async (records) =>
    ADAPTERS_OF_SVC[name](await toolset(svc, { userId: "user-4711", from: { formatVersion: 1, tools: records } }));
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

/** Milliseconds from the start of the imports to ten prepared tools, in a new process each time. */
function cold(quick) {
  const from = { formatVersion: 1, tools: recordsFor(10) };
  const subjects = Object.fromEntries([
    ...OURS.map(([label, adapter]) => [label, ["../rivals/prepare.mjs", { adapter, from }]]),
    ...THEIRS.map(([label, adapter]) => [
      label,
      ["../rivals/adapters/prepare.mjs", { adapter, tools: toolsOf(from.tools) }],
    ]),
  ]);
  return withProcesses((opened) =>
    interleave(Object.keys(subjects), { rounds: quick ? 2 : 11, warmUps: 1 }, async (label) => {
      const [file, input] = subjects[label];
      return (await opened(file, [JSON.stringify(input)])).greeting.ms;
    }),
  );
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
processor time for 1,000 tools, divided by a copy of the tools as JSON in the same turn. Then come a new process with 10 tools,
in milliseconds, with the import of the client and the adapter, and the processor time of \`prepareToolset()\` with 254 tools, an adapter and
500 users, divided by that of one user.`,
  versions: adapterVersions,
  async measure({ quick }) {
    installAdapters();
    // Some adapters print a warning for each tool.
    const { warn } = console;
    console.warn = () => {};
    const samples = await warm(quick);
    console.warn = warn;
    return { warm: samples, cold: await cold(quick), users: await users(quick) };
  },
  rows: ({ warm, cold, users }) =>
    mapValues(warm, (times, label) => ({
      "1,000 tools, ÷ JSON copy": label === COPY ? `${digits(median(times))} ms` : digits(compare(times, warm[COPY]).ratio),
      "10 tools, new process, ms": label === COPY ? "" : digits(median(cold[label])),
      "500 users ÷ one": users?.[label] ? digits(median(users[label])) : "",
    })),
  budgets: ({ warm, cold, users = {} }) => [
    ...Object.entries(users).map(([label, ratios]) => [
      `500 users of 254 prepared tools for ${label}, ÷ one`,
      median(ratios),
      1.2,
    ]),
    ...OURS.flatMap(([label, { name }, rival, , most]) => {
      const [copies, against] = [compare(warm[label], warm[COPY]), compare(cold[label], cold[rival])];
      return [
        [`preparing 1,000 tools for \`${name}\`, ÷ copying them as JSON`, copies.ratio, most, copies.certain],
        [`import and 10 tools for \`${name}\`, ÷ \`${rival}\``, against.ratio, 1, against.certain],
      ];
    }),
  ],
};
