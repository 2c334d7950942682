import { describe, expect, test } from "vitest";
import { digestsOf, type LockableTool, readableText } from "../../../src/catalog/lock/hash.js";

const hashOf = async (given: LockableTool) => (await digestsOf(given)).hash;

const tool = {
  slug: "ACME_CREATE_TASK",
  input_parameters: {
    type: "object",
    description: "Arguments.",
    required: ["title", "owner"],
    properties: {
      owner: { type: "string", title: "Owner", examples: ["octo-org"] },
      title: { type: ["string", "null"], description: "The title." },
      kind: { anyOf: [{ const: "a" }, { enum: ["b", "c"] }], default: { description: "d" } },
    },
  },
  output_parameters: { type: "object", properties: {} },
};

/** The hash of an edited copy of the tool. */
function hashAfter(edit: (copy: typeof tool) => unknown): Promise<string> {
  const copy = structuredClone(tool);
  edit(copy);
  return hashOf(copy);
}

describe("hashOf", () => {
  test("returns SHA-256 in base64, the same in every release", async () => {
    expect(await hashOf(tool)).toBe("sha256-wrww6NLlup0Cfuup7JC5HDTrHq5jC6QiMpEeW+yfZKM=");
  });

  test.each<[string, (copy: typeof tool) => unknown]>([
    ["other descriptions", ({ input_parameters: input }) => Object.assign(input, { description: "Other." })],
    [
      "other titles and examples",
      ({ input_parameters: input }) => Object.assign(input.properties.owner, { title: "O", examples: [] }),
    ],
    [
      "another order of keys",
      ({ input_parameters: input }) =>
        Object.assign(input, { properties: Object.fromEntries(Object.entries(input.properties).reverse()) }),
    ],
    ["another order of required", ({ input_parameters: input }) => input.required.reverse()],
    ["another order of types", ({ input_parameters: input }) => input.properties.title.type.reverse()],
    ["another order of alternatives", ({ input_parameters: input }) => input.properties.kind.anyOf.reverse()],
    ["other fields of the tool", (copy) => Object.assign(copy, { name: "Other", tags: ["x"] })],
  ])("ignores %s", async (_title, edit) => {
    expect(await hashAfter(edit)).toBe(await hashOf(tool));
  });

  test.each<[string, (copy: typeof tool) => unknown]>([
    ["a type", ({ input_parameters: input }) => Object.assign(input.properties.owner, { type: "integer" })],
    ["a property named title", ({ input_parameters: input }) => Reflect.deleteProperty(input.properties, "title")],
    [
      "a default, including a description in it",
      ({ input_parameters: input }) => Object.assign(input.properties.kind, { default: {} }),
    ],
    ["the output", ({ output_parameters: output }) => Object.assign(output.properties, { id: {} })],
    [
      "which schema is input and which is output",
      (copy) =>
        Object.assign(copy, { input_parameters: copy.output_parameters, output_parameters: copy.input_parameters }),
    ],
  ])("depends on %s", async (_title, edit) => {
    expect(await hashAfter(edit)).not.toBe(await hashOf(tool));
  });

  test.each([
    ["properties", { type: "string" }],
    ["patternProperties", { type: "string" }],
    ["$defs", { type: "string" }],
    ["definitions", { type: "string" }],
    ["dependentSchemas", { required: ["body"] }],
    ["dependentRequired", ["body"]],
    ["dependencies", ["body"]],
    ["dependencies", { required: ["body"] }],
  ])("depends on names in %s that are also keywords of documentation: %j", async (keyword, value) => {
    for (const name of ["title", "description", "examples", "example", "$comment"]) {
      const hashWith = (map: object) => hashOf({ ...tool, input_parameters: { type: "object", [keyword]: map } });
      expect(await hashWith({ [name]: value })).not.toBe(await hashWith({}));
    }
  });

  test("throws with the tool's name for schemas nested too deeply", async () => {
    const nested = (levels: number) =>
      Array.from({ length: levels }).reduce<object>((a) => ({ type: "object", properties: { a } }), {});
    expect(await hashOf({ ...tool, input_parameters: nested(400) })).toMatch(/^sha256-/);
    for (const deep of [{ input_parameters: nested(600) }, { output_parameters: nested(20_000) }]) {
      await expect(hashOf({ ...tool, ...deep })).rejects.toThrow(
        "The schemas of ACME_CREATE_TASK are nested more than 1000 levels deep, too deep to lock or compare. Omit its toolkit.",
      );
    }
  });
});

describe("textHashOf", () => {
  const read = async (given: LockableTool) => {
    const { hash, textHash } = await digestsOf(given);
    return { hash, textHash, text: readableText(given) };
  };

  test("ignores another order of required, and the text that a model reads is the same", async () => {
    const nested = {
      ...tool.input_parameters,
      properties: { ...tool.input_parameters.properties, required: tool.input_parameters },
    };
    const copy = { ...tool, input_parameters: structuredClone(nested) };
    copy.input_parameters.required.reverse();
    copy.input_parameters.properties.required.required.reverse();
    expect(await read(copy)).toEqual(await read({ ...tool, input_parameters: nested }));
  });

  test("depends on the order of a list called required in a default", async () => {
    const withDefault = (required: string[]) => ({ ...tool, input_parameters: { default: { required } } });
    expect(await read(withDefault(["a", "b"]))).not.toEqual(await read(withDefault(["b", "a"])));
  });
});
