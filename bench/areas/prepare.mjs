// From tools that were just read to what a model's library takes: in a process that does it for each request, and in a new one.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compare, cpuSince, interleave, mapValues, median } from "../kit/measure.mjs";
import { withProcesses } from "../kit/processes.mjs";
import { adapterVersions, installAdapters, root } from "../kit/rivals.mjs";
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

/** Records of the tools that the other area compares, again under other names if they aren't enough. */
function recordsFor(count) {
  const servers = JSON.parse(readFileSync(join(root, "test/agents/schema/real-tools.json"), "utf8"));
  const all = servers.flatMap(({ tools }) => tools);
  return Array.from({ length: count }, (_, index) => {
    const { name, description = "", inputSchema } = all[(index * 7) % all.length];
    const slug = `TOOL_${index}_${name}`.slice(0, 64);
    return { slug, description, toolkit: "real", version: "1", tags: [], input_parameters: inputSchema };
  });
}

const toolsOf = (records) =>
  records.map(({ slug, description, input_parameters }) => ({ name: slug, description, schema: input_parameters }));

/** Milliseconds of processor time for 1,000 tools that were just parsed, in a process that has done it before. */
async function warm(quick) {
  const { ADAPTERS_OF_SVC, Svc, toolset } = await import("../rivals/agents.mjs");
  const { ADAPTERS } = await import("../rivals/adapters/index.mjs");
  const text = JSON.stringify(recordsFor(1_000));
  const svc = new Svc({ apiKey: "key", baseUrl: "http://127.0.0.1:9" });
  const ours = (name) => async (records) =>
    ADAPTERS_OF_SVC[name](await toolset(svc, { userId: "user-4711", snapshot: { formatVersion: 1, tools: records } }));
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
  const snapshot = { formatVersion: 1, tools: recordsFor(10) };
  const subjects = Object.fromEntries([
    ...OURS.map(([label, adapter]) => [label, ["../rivals/prepare.mjs", { adapter, snapshot }]]),
    ...THEIRS.map(([label, adapter]) => [
      label,
      ["../rivals/adapters/prepare.mjs", { adapter, tools: toolsOf(snapshot.tools) }],
    ]),
  ]);
  return withProcesses((opened) =>
    interleave(Object.keys(subjects), { rounds: quick ? 2 : 11, warmUps: 1 }, async (label) => {
      const [file, input] = subjects[label];
      return (await opened(file, [JSON.stringify(input)])).greeting.ms;
    }),
  );
}

export const prepare = {
  title: "Preparing tools",
  about: `From tools that were just read to the definitions that a library takes: \`toolset()\` and an adapter. The ratios are
processor time for 1,000 tools, divided by a copy of the tools as JSON in the same turn. The last column is a new process with 10 tools,
in milliseconds, with the import of the client and the adapter.`,
  versions: adapterVersions,
  async measure({ quick }) {
    installAdapters();
    // Some adapters print a warning for each tool.
    const { warn } = console;
    console.warn = () => {};
    const samples = await warm(quick);
    console.warn = warn;
    return { warm: samples, cold: await cold(quick) };
  },
  rows: ({ warm, cold }) =>
    mapValues(warm, (times, label) => ({
      "1,000 tools, ÷ JSON copy": label === COPY ? `${digits(median(times))} ms` : digits(compare(times, warm[COPY]).ratio),
      "10 tools, new process, ms": label === COPY ? "" : digits(median(cold[label])),
    })),
  budgets: ({ warm, cold }) =>
    OURS.flatMap(([label, { name }, rival, , most]) => {
      const [copies, against] = [compare(warm[label], warm[COPY]), compare(cold[label], cold[rival])];
      return [
        [`preparing 1,000 tools for \`${name}\`, ÷ copying them as JSON`, copies.ratio, most, copies.certain],
        [`import and 10 tools for \`${name}\`, ÷ \`${rival}\``, against.ratio, 1, against.certain],
      ];
    }),
};
