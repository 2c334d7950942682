import { expect, test } from "vitest";
import type { Catalog } from "../../../src/catalog/catalog.js";
import { generateTypes } from "../../../src/catalog/generate/generate-types.js";
import { sized } from "../../support/size.js";

/** The types of a tool with an argument `x` that refers to these definitions. */
async function typesOf(reference: string, definitions: object): Promise<string> {
  const facts = { name: "", description: "", version: "20260101_00", is_deprecated: false };
  const schema = { type: "object", properties: { x: { $ref: reference } }, $defs: definitions };
  const tool = { slug: "ANY", ...facts, input_parameters: schema, output_parameters: {} };
  const toolkit = { slug: "any", name: "Any", version: "20260101_00", tools: [tool], trigger_types: [] };
  const catalog: Catalog = { formatVersion: 1, toolkits: [toolkit] };
  return generateTypes(catalog, "x");
}

test.each([
  ["#/$defs/50%", "50%"],
  ["#/%24defs/50%25", "50%"],
  // One percent sign encodes a character, the other doesn't.
  ["#/$defs/a%20b%", "a b%"],
  // A tilde can be written in several ways.
  ["#/$defs/a%7E1b", "a/b"],
  ["#/$defs/a~01b", "a~1b"],
  ["#/$defs/%ff", "%ff"],
])("follows the reference %s to the definition %s", async (reference, name) => {
  expect(await typesOf(reference, { [name]: { type: "string" } })).toMatch(/type Arguments\w+ = string;/);
});

const LENGTH = sized(1_000, 5_000);

test(`a chain of ${LENGTH} references has a type`, async () => {
  const links = Array.from({ length: LENGTH }, (_, link) => [
    `d${link}`,
    { anyOf: [{ $ref: `#/$defs/d${link + 1}` }, { type: "null" }] },
  ]);
  const types = await typesOf("#/$defs/d0", { ...Object.fromEntries(links), [`d${LENGTH}`]: { type: "string" } });
  expect(types).toContain("type ArgumentsD0 = ArgumentsD1 | null;");
});

test.each(["#/$defs/toString", "#/nope", "x#/$defs/a", "#$defs/a"])(
  "the reference %s has no target, so any value is valid",
  async (reference) => {
    expect(await typesOf(reference, { a: { type: "string" } })).toContain("x?: unknown;");
  },
);
