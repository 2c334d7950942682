import fc from "fast-check";
import { expect, test } from "vitest";
import { withUploads } from "../../src/agents/files.js";
import { withFilesAsStrings } from "../../src/agents/tools/shared-schema.js";
import { schemaTypes } from "../../src/catalog/generate/schema-types.js";
import { diffSchemas } from "../../src/catalog/lock/diff-schemas.js";
import { kindsOf } from "../../src/cli/call/callable.js";
import { argumentProblem } from "../../src/emulator/tools/run-tool.js";
import { formatPath } from "../../src/errors/mismatch-words.js";
import { mismatchesOfJsonSchema } from "../../src/json-schema/check/check-json-schema.js";
import { structuralMismatches } from "../../src/json-schema/check/check-structure.js";
import { nodeOf } from "../../src/json-schema/graph.js";
import { UPLOAD } from "../../src/json-schema/keywords.js";
import { hasMark, replaceMarked } from "../../src/json-schema/marked-schemas.js";
import { acceptsNull, type SchemaNode, unionOf } from "../../src/json-schema/node.js";
import type { Json } from "../../src/shared/json.js";
import { sized } from "../support/size.js";

/** A schema with one marked place. */
interface Marked {
  readonly schema: Json;
  readonly definitions: Json;
  /** The place in a value. */
  readonly path: readonly PropertyKey[];
  /** The place where the lock shows a change of the mark: where it stops to compare, or the same place. */
  readonly lockPath: string;
  /** Whether a comment of the generated type shows what the marked schema says; `undefined` until that is decided. */
  readonly hasComment: boolean | undefined;
  /** A value with another value at the place. */
  readonly valueWith: (marked: unknown) => unknown;
}

type Wrap = (inner: Marked) => Marked;

const integer = { type: "integer" };
const object = (schema: Json) => ({ type: "object", ...schema });

/** A schema of a value around the marked one. */
function around(key: PropertyKey, schemaOf: (inner: Json) => Json, lockStep?: string, more: Json = {}): Wrap {
  return ({ schema, path, lockPath, valueWith, ...inner }) => ({
    ...inner,
    schema: schemaOf(schema),
    path: [key, ...path],
    lockPath: lockStep === undefined ? "" : lockStep + lockPath,
    hasComment: inner.hasComment ?? typeof key === "string",
    valueWith: (marked) => (typeof key === "number" ? [valueWith(marked)] : { ...more, [key]: valueWith(marked) }),
  });
}

/** A schema of the same value that has the marked one as a part. */
const combined =
  (schemaOf: (inner: Json) => Json): Wrap =>
  ({ schema, ...inner }) => ({
    ...inner,
    schema: schemaOf(schema),
    lockPath: "",
    hasComment: inner.hasComment ?? false,
  });

const referred =
  (keyword: "$defs" | "definitions"): Wrap =>
  ({ schema, definitions, ...inner }) => {
    const known = Object(definitions[keyword]);
    const name = `part${Object.keys(known).length}`;
    return {
      ...inner,
      schema: { $ref: `#/${keyword}/${name}` },
      definitions: { ...definitions, [keyword]: { ...known, [name]: schema } },
      hasComment: inner.hasComment ?? true,
    };
  };

const WRAPS: readonly Wrap[] = [
  around("own", (inner) => object({ properties: { own: inner, other: integer } }), ".own"),
  around("default", (inner) => object({ properties: { default: inner }, required: ["default"] }), ".default"),
  around(0, (inner) => ({ type: "array", items: inner }), "[]"),
  around(0, (inner) => ({ type: "array", items: [inner], additionalItems: integer })),
  around(0, (inner) => ({ type: "array", prefixItems: [inner], items: integer })),
  around("any", (inner) => object({ additionalProperties: inner })),
  around("p_1", (inner) => object({ patternProperties: { "^p_": inner }, additionalProperties: false })),
  combined((inner) => ({ allOf: [{ description: "Words." }, inner] })),
  combined((inner) => ({ anyOf: [integer, inner] })),
  combined((inner) => ({ oneOf: [inner, integer] })),
  referred("$defs"),
  referred("definitions"),
];

/** Schemas that hold under a condition. Types and the lock don't look into them. */
const CONDITIONS: readonly Wrap[] = [
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  around("own", (inner) => object({ if: { required: ["on"] }, then: { properties: { own: inner } } }), undefined, {
    on: 1,
  }),
  around("own", (inner) => object({ dependentSchemas: { on: { properties: { own: inner } } } }), undefined, { on: 1 }),
  around("own", (inner) => object({ dependencies: { on: { properties: { own: inner } } } }), undefined, { on: 1 }),
];

/** Schemas of arguments, with and without a mark in the same place. */
function markedSchemas(schema: Json, mark: Json, wraps: readonly Wrap[]) {
  const wrapped = (start: Json, order: readonly number[]): Marked => {
    const path: readonly PropertyKey[] = [];
    const inner = { schema: start, definitions: {}, path, lockPath: "", hasComment: undefined };
    const all = [...order.map((index) => wraps[index] ?? wraps[0]), WRAPS[0]];
    const whole = all.reduce<Marked>((one, wrap) => wrap?.(one) ?? one, { ...inner, valueWith: (value) => value });
    return { ...whole, schema: { ...whole.schema, ...whole.definitions }, lockPath: whole.lockPath.slice(1) };
  };
  return fc
    .array(fc.nat({ max: wraps.length - 1 }), { maxLength: 5 })
    .map((order) => ({ marked: wrapped({ ...schema, ...mark }, order), plain: wrapped(schema, order) }));
}

/** The node of a place. */
function nodeAt(root: SchemaNode, path: readonly PropertyKey[]): SchemaNode {
  return path.reduce<SchemaNode>((node, key) => {
    const below = node.leaves.map(({ fields, rest, tuple, items }) =>
      typeof key === "number" ? (tuple[key] ?? items) : (fields.get(String(key))?.node ?? rest),
    );
    return unionOf(below.filter((one) => one !== undefined && one !== false));
  }, root);
}

const RUNS = { numRuns: sized(50, 200) };
const lockPathsOf = (before: Json, after: Json) => new Set(diffSchemas(before, after, "input").map(({ path }) => path));

test("a file is in the same place for the emulator, the SDK, the check and the lock", async () => {
  const file = { type: "object", properties: { s3key: { type: "string" } }, required: ["s3key"] };
  const schemas = markedSchemas(file, { file_uploadable: true }, [...WRAPS, ...CONDITIONS]);
  await fc.assert(
    fc.asyncProperty(schemas, async ({ marked: { schema, path, lockPath, valueWith }, plain }) => {
      const stored = { s3key: "stored" };
      const places: string[] = [];
      await replaceMarked(schema, valueWith(stored), UPLOAD, (_, place) => {
        places.push(place);
        return undefined;
      });
      expect(places).toEqual([formatPath(path)]);
      expect([hasMark(schema, UPLOAD), hasMark(plain.schema, UPLOAD)]).toEqual([true, false]);
      expect(await withUploads(schema, valueWith("a.txt"), async () => stored)).toEqual(valueWith(stored));
      const shown = withFilesAsStrings(schema);
      expect(mismatchesOfJsonSchema(shown, valueWith("a.txt"))).toEqual([]);
      expect(mismatchesOfJsonSchema(shown, valueWith(stored))).not.toEqual([]);
      // No file. Assumption A11.
      expect(argumentProblem(schema, Object(valueWith("")))).toBeUndefined();
      expect(argumentProblem(plain.schema, Object(valueWith("")))).toBeDefined();
      expect(lockPathsOf(plain.schema, schema)).toEqual(new Set([lockPath]));
    }),
    RUNS,
  );
});

test("a format is in the same place for the check, the compiler, the lock and the generator", () => {
  const schemas = markedSchemas({ type: "string" }, { format: "date" }, WRAPS);
  fc.assert(
    fc.property(schemas, ({ marked, plain }) => {
      const { schema, path, valueWith } = marked;
      const [mismatch, ...more] = mismatchesOfJsonSchema(schema, valueWith("today"));
      expect(mismatch?.path).toBe(formatPath(path));
      expect(more).toEqual([]);
      expect(mismatchesOfJsonSchema(schema, valueWith("2026-01-02"))).toEqual([]);
      expect(nodeAt(nodeOf(schema), path).leaves.map(({ facts }) => facts["format"])).toContain("date");
      expect(lockPathsOf(plain.schema, schema)).toEqual(new Set([marked.lockPath]));
      expect(schemaTypes(schema, "Arguments", true).includes("@format date")).toBe(marked.hasComment);
    }),
    RUNS,
  );
});

test("null is accepted in the same place by the checks, the compiler, the lock, the generator and the command", () => {
  const schemas = markedSchemas({ type: "string" }, { nullable: true }, WRAPS);
  fc.assert(
    fc.property(schemas, ({ marked: { schema, path, lockPath, valueWith }, plain }) => {
      const value = valueWith(null);
      expect(mismatchesOfJsonSchema(schema, value)).toEqual([]);
      expect(mismatchesOfJsonSchema(plain.schema, value).map((one) => one.path)).toEqual([formatPath(path)]);
      expect(structuralMismatches(schema, value)).toEqual([]);
      // It leaves patterns of names to the full check.
      const found = path.includes("p_1") ? [] : [formatPath(path)];
      expect(structuralMismatches(plain.schema, value).map((one) => one.path)).toEqual(found);
      const [node, plainNode] = [schema, plain.schema].map((one) => nodeAt(nodeOf(one), path));
      expect([node && acceptsNull(node), plainNode && acceptsNull(plainNode)]).toEqual([true, false]);
      expect([node && kindsOf(node).has("null"), plainNode && kindsOf(plainNode).has("null")]).toEqual([true, false]);
      expect(lockPathsOf(plain.schema, schema)).toEqual(new Set([lockPath]));
      const types = [schema, plain.schema].map((one) => schemaTypes(one, "Arguments", true));
      expect(types.map((text) => /\bnull\b/.test(text))).toEqual([true, false]);
    }),
    RUNS,
  );
});
