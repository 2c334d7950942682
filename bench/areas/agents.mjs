// Tools for a model: what each provider is sent of the same tools, and what making it takes.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { encode } from "gpt-tokenizer";
import { cpuSince, interleave, mapValues, median } from "../kit/measure.mjs";
import { adapterVersions, installAdapters, root } from "../kit/rivals.mjs";
import { digits } from "../kit/tables.mjs";

const SIZES = [20, 200, 1_000];
const RAW = "raw schemas";

/** Who is compared for each target. Tools of the AI SDK go to any provider; here, to OpenAI. */
const CONTENDERS = {
  "openai-strict": ["@composio/openai, strict"],
  openai: ["@composio/openai", "@composio/vercel"],
  "anthropic-strict": [],
  anthropic: ["@composio/anthropic"],
  gemini: ["@composio/google"],
  "json-schema": [],
  portable: [],
};

/** All tools of the public MCP servers that the tests use, again under other names if they aren't enough. */
function toolsFor(count) {
  const servers = JSON.parse(readFileSync(join(root, "test/agents/schema/real-tools.json"), "utf8"));
  const all = servers.flatMap(({ tools }) => tools);
  return Array.from({ length: count ?? all.length }, (_, index) => {
    const { name, description = "", inputSchema } = all[index % all.length];
    return { name: `${name}_${index}`.slice(-64), description, schema: structuredClone(inputSchema) };
  });
}

/** The rules of the targets, as the tests have them: written apart from the compiler. */
async function rules() {
  const entryPoints = [join(root, "test/agents/schema/targets/index.ts")];
  const { outputFiles } = await build({ entryPoints, bundle: true, write: false, format: "esm", platform: "neutral" });
  const { offencesOf } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`);
  return offencesOf;
}

const raw = (strict) => (tools) => tools.map((tool) => ({ ...tool, strict }));

/** The older form of Gemini's parameters, which reads types in any case and counts as numbers or strings. */
function inCapitals(schema) {
  if (Array.isArray(schema)) return schema.map(inCapitals);
  if (typeof schema !== "object" || schema === null) return schema;
  return mapValues(schema, (value, keyword) => {
    if (keyword === "type" && typeof value === "string") return value.toUpperCase();
    if (/^(min|max)(Items|Length|Properties)$/.test(keyword)) return String(value);
    return inCapitals(value);
  });
}

/** The names of all properties in a schema. */
function namesIn(schema) {
  if (typeof schema !== "object" || schema === null) return [];
  const own = Array.isArray(schema) ? [] : Object.keys(schema.properties ?? {});
  return [...own, ...Object.values(schema).flatMap(namesIn)];
}

/** How many of the arguments are missing. Renamed ones aren't, and no matter where a schema has them. */
function lostIn(original, compiled) {
  const [before, after] = [original, compiled].map((schema) => new Set(namesIn(schema)));
  const missing = Object.keys(original.properties ?? {}).filter((name) => !after.has(name)).length;
  return Math.max(0, missing - [...after].filter((name) => !before.has(name)).length);
}

/** Measures the tools as a provider receives them: how many it would reject, what they lack, and their size. */
function judged(target, name, sent, tools, offencesOf) {
  // Whether providers mind a declared draft is uncertain.
  const isInvalid = ({ schema: { $schema, ...schema }, strict }) => {
    const isOlderForm = name === "@composio/google";
    const sent = { schema: isOlderForm ? inCapitals(schema) : schema, strict };
    return offencesOf(sent, isOlderForm ? "gemini-parameters" : target).length > 0;
  };
  return {
    invalid: sent.filter(isInvalid).length,
    lost: sent.reduce((sum, { schema }, index) => sum + lostIn(tools[index].schema, schema), 0),
    strict: sent.filter(({ strict }) => strict).length,
    tokens: encode(JSON.stringify(sent.map(({ name, description, schema }) => ({ name, description, schema })))).length,
  };
}

export const agents = {
  title: "Tools for a model",
  about: `The 473 tools of 14 public MCP servers, as each provider is sent them: by \`svc-sdk\`, by other adapters, and as they are. Invalid
are schemas that break the provider's rules, as our tests have them from its documentation, its types and reported rejections; none was
sent, and \`$schema\` isn't counted. Lost are properties of the arguments that the model isn't told. Tokens are those of \`gpt-tokenizer\` (o200k) for names, descriptions
and schemas as JSON. Times are medians of processor time, in one process; for 1,000 tools the same tools are repeated under other names.`,
  versions: adapterVersions,
  async measure({ quick }) {
    installAdapters();
    const offencesOf = await rules();
    const { compileTools } = await import("../rivals/agents.mjs");
    const { ADAPTERS } = await import("../rivals/adapters/index.mjs");
    const tools = toolsFor();
    const figures = { tools: tools.length, properties: tools.reduce((sum, { schema }) => sum + Object.keys(schema.properties ?? {}).length, 0), rows: {} };
    // Some adapters print a warning for each tool.
    const { warn } = console;
    console.warn = () => {};
    for (const [target, names] of Object.entries(CONTENDERS)) {
      const ours = (some) => compileTools(some, target);
      const runs = { [RAW]: raw(target.endsWith("-strict")), "svc-sdk": ours, ...Object.fromEntries(names.map((name) => [name, ADAPTERS[name]])) };
      const times = {};
      for (const size of SIZES) {
        const some = toolsFor(size);
        times[size] = await interleave(Object.keys(runs), { rounds: quick ? 1 : 7, warmUps: quick ? 0 : 2 }, async (name) => {
          const before = process.cpuUsage();
          await runs[name](some);
          return cpuSince(before) / 1_000;
        });
      }
      for (const [name, run] of Object.entries(runs)) {
        const found = judged(target, name, await run(tools), tools, offencesOf);
        figures.rows[`${target}: ${name}`] = { ...found, times: mapValues(times, (samples) => samples[name]) };
      }
    }
    console.warn = warn;
    return figures;
  },
  rows: ({ tools, properties, rows }) =>
    mapValues(rows, ({ invalid, lost, strict, tokens, times }, name) => ({
      [`invalid, of ${tools}`]: digits(invalid),
      [`lost, of ${digits(properties)}`]: digits(lost),
      strict: name.includes("strict") ? digits(strict) : "",
      tokens: digits(tokens),
      ...Object.fromEntries(
        SIZES.map((size) => [`ms, ${digits(size)} tools`, name.endsWith(RAW) ? "" : digits(median(times[size]))]),
      ),
    })),
  budgets: ({ rows }) => {
    const ours = Object.entries(rows).filter(([name]) => name.endsWith(": svc-sdk"));
    return [
      ["tools for a model: schemas that a provider would reject", ours.reduce((sum, [, { invalid }]) => sum + invalid, 0), 0],
      ["tools for a model: properties that are lost", ours.reduce((sum, [, { lost }]) => sum + lost, 0), 0],
    ];
  },
};
