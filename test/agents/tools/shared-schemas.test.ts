import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { aiSdk } from "../../../src/agents/adapters/ai-sdk.js";
import { anthropic } from "../../../src/agents/adapters/anthropic.js";
import { google } from "../../../src/agents/adapters/google.js";
import { openai, openaiChat } from "../../../src/agents/adapters/openai.js";
import { type SerializedToolset, type Toolset, toolset } from "../../../src/agents/index.js";
import { compileToolset, type Target } from "../../../src/agents/schema/index.js";
import { digestOf } from "../../../src/shared/canonical-json.js";
import { longTest } from "../../support/size.js";
import { bench, USER } from "../support.js";

const TARGETS: readonly Target[] = [
  "openai-strict",
  "openai",
  "anthropic-strict",
  "anthropic",
  "gemini",
  "json-schema",
  "portable",
];

interface Server {
  readonly tools: readonly { readonly name: string; readonly description?: string; readonly inputSchema: object }[];
}

const SERVERS: readonly Server[] = JSON.parse(
  readFileSync(new URL("../schema/real-tools.json", import.meta.url), "utf8"),
);
const SERIALIZED = JSON.stringify({
  formatVersion: 1,
  tools: SERVERS.flatMap(({ tools }) => tools).map(({ name, description = "", inputSchema }, index) => ({
    slug: `TOOL_${index}_${name}`.slice(0, 64),
    description,
    toolkit: "real",
    version: "1",
    tags: index % 5 === 0 ? ["destructiveHint"] : [],
    input_parameters: inputSchema,
  })),
});

/** A toolset of records that were just parsed, as in each request. */
async function fresh(text = SERIALIZED): Promise<Toolset> {
  const { svc } = await bench();
  const from: SerializedToolset = JSON.parse(text);
  return toolset(svc, { userId: USER, from, accounts: "newest" });
}

/** OpenAI takes 128 tools. This leaves 111. */
const defer = ({ name }: { readonly name: string }) => !name.startsWith("TOOL_1");

/** Everything that a toolset gives to a model's library. */
function shownBy(tools: Toolset): unknown[] {
  const some = [openai, openaiChat].map((adapter) => adapter(tools, { defer }).definitions);
  const definitions = [...some, anthropic(tools).definitions, google(tools).definitions];
  const schemas = Object.values(aiSdk(tools)).map(({ inputSchema }) => inputSchema["~standard"].jsonSchema.input({}));
  return [...definitions, schemas, ...TARGETS.map((target) => compileToolset(tools, target).tools)];
}

/** Adds to every object and list that can be changed. */
function vandalize(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const below = Object.values(value).reduce((sum: number, member) => sum + vandalize(member), 0);
  if (Object.isFrozen(value)) return below;
  if (Array.isArray(value)) value.push("planted");
  else Reflect.set(value, "planted", true);
  return below + 1;
}

/** Changes everything that one of two equal toolsets shows. */
async function changeDefinitions(text: string, places: number): Promise<void> {
  const first = await fresh(text);
  const second = await fresh(text);
  const before = JSON.stringify(shownBy(first));
  expect(vandalize(shownBy(first))).toBeGreaterThan(places);
  expect(vandalize(first.tools)).toBe(0);
  for (const tools of [first, second, await fresh(text)]) expect(JSON.stringify(shownBy(tools)) === before).toBe(true);
}

test("a program that changes its definitions changes no others, of this toolset or another", async () => {
  const { tools, ...rest }: SerializedToolset = JSON.parse(SERIALIZED);
  await changeDefinitions(JSON.stringify({ ...rest, tools: tools.slice(0, 20) }), 500);
});

longTest("a program that changes the definitions of many tools changes no others", () =>
  changeDefinitions(SERIALIZED, 10_000),
);

test("a schema that several toolsets have is compiled once for each target", async () => {
  const [first, second] = [await fresh(), await fresh()];
  for (const target of TARGETS) {
    const decoders = [first, second].map((tools) => compileToolset(tools, target).tools.map(({ decode }) => decode));
    expect(decoders[0]?.every((decode, index) => decode === decoders[1]?.[index])).toBe(true);
  }
});

test("a schema that differs in one value is compiled by itself", async () => {
  const serialized = JSON.parse(SERIALIZED);
  const [record] = serialized.tools;
  serialized.tools = [record, { ...record, slug: "OTHER", input_parameters: structuredClone(record.input_parameters) }];
  serialized.tools[1].input_parameters.properties.planted = { type: "string" };
  const { definitions } = openai(await fresh(JSON.stringify(serialized)));
  const planted = definitions.filter(({ parameters }) => JSON.stringify(parameters).includes("planted"));
  expect(planted.map(({ name }) => name)).toEqual(["OTHER"]);
});

test("schemas that weren't used for long are forgotten", async () => {
  const large = (index: number) => {
    const input_parameters = { type: "object", properties: {}, description: `${index} ${"x".repeat(450_000)}` };
    const record = { slug: "LARGE", description: "", toolkit: "real", version: "1", tags: [], input_parameters };
    return fresh(JSON.stringify({ formatVersion: 1, tools: [record] }));
  };
  const schemaOf = ({ tools: [tool] }: Toolset) => tool?.parameters;
  const [first, second] = [schemaOf(await large(1)), schemaOf(await large(2))];
  expect(schemaOf(await large(1))).toBe(first);
  for (const index of [3, 4, 5]) await large(index);
  // The first one was used after the second one.
  expect(schemaOf(await large(1))).toBe(first);
  expect(schemaOf(await large(2))).not.toBe(second);
});

test("compiled schemas change only with the number of the compiler, which serialized toolsets have", async () => {
  const tools = await fresh();
  const shown = TARGETS.map((target) => compileToolset(tools, target).tools);
  const { compiled } = tools.toJSON();
  // If it differs: raise COMPILER in src/agents/tools/compiled-forms.ts, and write the number and the digest here.
  expect([compiled?.compiler, await digestOf(JSON.parse(JSON.stringify(shown)))]).toEqual([
    1,
    "9e7899f7d892d26cb531556026a4343d1a1dca50fec725aad39a5ddf9676b101",
  ]);
});
