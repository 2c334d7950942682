import { expect, test } from "vitest";
import { openai } from "../../../src/agents/adapters/openai.js";
import { type SerializedToolset, type Toolset, toolset } from "../../../src/agents/index.js";
import { compileToolset, type Target } from "../../../src/agents/schema/index.js";
import { ConfigError } from "../../../src/index.js";
import { rejectionOf } from "../../support/client.js";
import { type Bench, bench, COUNT_WORDS, CREATE_ISSUE, USER } from "../support.js";

const TARGETS: readonly Target[] = ["openai-strict", "anthropic-strict", "gemini", "portable"];

/** A toolset with tools of this description. Equal schemas share what was compiled, so each test has other ones. */
function described(description: string): Promise<Bench> {
  const properties = {
    labels: { type: "object", description, additionalProperties: { type: "string" } },
    size: { type: "integer", minimum: 1 },
  };
  const tool = (slug: string) => ({
    ...{ slug, description: "A tool.", toolkit: "tests", version: "20250101_00", tags: [], no_auth: true },
    input_parameters: { type: "object", properties, required: ["labels"] },
  });
  return bench({ tools: [], from: { formatVersion: 1, tools: [tool("TESTS_ONE"), tool("TESTS_TWO")] } });
}

type Compiled = SerializedToolset & { readonly compiled: NonNullable<SerializedToolset["compiled"]> };

const parsed = (tools: Toolset): Compiled => JSON.parse(JSON.stringify(tools));
const shownBy = (tools: Toolset) => TARGETS.map((target) => compileToolset(tools, target).tools);
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** As in another process, to which these schemas are new. */
async function elsewhere(tools: Toolset, from: string, to: string): Promise<Toolset> {
  const { svc } = await bench();
  return toolset(svc, { userId: USER, from: JSON.parse(JSON.stringify(tools).replaceAll(from, to)) });
}

test("a toolset from JSON shows what adapters had compiled, without compiling it, and runs calls", async () => {
  const { tools } = await described("first one");
  expect(parsed(tools).compiled).toBeUndefined();
  const shown = plain(shownBy(tools));
  expect(parsed(tools).compiled.forms).toHaveLength(2 * TARGETS.length);
  const again = await elsewhere(tools, "first one", "other one");
  expect(plain(shownBy(again))).toEqual(JSON.parse(JSON.stringify(shown).replaceAll("first one", "other one")));
  const [strict] = compileToolset(again, "openai-strict").tools;
  const [original] = compileToolset(tools, "openai-strict").tools;
  const written = { labels: [{ key: "a", value: "b" }], size: null };
  expect(original?.decode(written)).toEqual({ labels: { a: "b" } });
  expect(strict?.decode(written)).toEqual({ labels: { a: "b" } });
  expect(parsed(again).compiled).toEqual(
    JSON.parse(JSON.stringify(parsed(tools).compiled).replaceAll("first", "other")),
  );
});

test("forms of JSON are used as they are, unless another compiler wrote them", async () => {
  const { tools, svc } = await described("used");
  openai(tools);
  const { compiled, ...from } = parsed(tools);
  const forms = compiled.forms.map((form) => ({ ...form, schema: { type: "object", description: "planted" } }));
  const shown = async (compiler: number, mark: string) => {
    const records = JSON.parse(JSON.stringify(from.tools).replaceAll("used", mark));
    const made = await toolset(svc, { userId: USER, from: { ...from, tools: records, compiled: { compiler, forms } } });
    return JSON.stringify(openai(made).definitions);
  };
  expect(await shown(compiled.compiler, "this version")).toContain("planted");
  expect(await shown(compiled.compiler + 1, "another version")).not.toContain("planted");
});

test("forms of JSON that aren't whole are a ConfigError, and nothing is created", async () => {
  const { tools, svc } = await described("broken");
  openai(tools);
  const { compiled, ...from } = parsed(tools);
  const forms = compiled.forms.map(({ notes: _, ...form }) => form);
  // @ts-expect-error: an edited file has lost the notes.
  const creating = toolset(svc, { userId: USER, from: { ...from, compiled: { ...compiled, forms } } });
  const error = await rejectionOf(ConfigError, creating);
  expect(error.message).toBe(
    "toolset: from has no compiled schema of TESTS_ONE for openai-strict. Write the toolset again.",
  );
});

test("a program that changes the JSON changes no definitions", async () => {
  const { tools } = await described("unchanged");
  const before = JSON.stringify(openai(tools).definitions);
  for (const { schema } of tools.toJSON().compiled?.forms ?? []) Object.assign(schema, { description: "planted" });
  expect(JSON.stringify(openai(tools).definitions)).toBe(before);
});

test("tools whose arguments a program sets are compiled for it", async () => {
  const { svc } = await bench();
  const made = await toolset(svc, { userId: USER, tools: [CREATE_ISSUE, COUNT_WORDS] });
  openai(made);
  const bound = await toolset(svc, {
    userId: USER,
    from: parsed(made),
    bind: { [CREATE_ISSUE]: { owner: "octo-org" } },
  });
  const issue = openai(bound).definitions.find(({ name }) => name === CREATE_ISSUE);
  expect(Object.keys(Object(issue?.parameters).properties)).not.toContain("owner");
  expect(Object.keys(Object(issue?.parameters).properties)).toContain("repo");
});
