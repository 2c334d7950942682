import type { Catalog, CatalogTool } from "../../../src/catalog/catalog.js";

const object = (properties: Record<string, unknown>, more: object = {}) => ({ type: "object", properties, ...more });
const node = (more: object = {}) => object({ label: { type: "string" }, ...more }, { required: ["label"] });

/** The features of JSON Schema. Each is the input of a tool, in the file of its group. */
const FEATURES: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  objects: {
    REQUIRED_AND_OPTIONAL: object({ a: { type: "string" }, b: { type: "integer" } }, { required: ["b"] }),
    NONE: object({}),
    ANY: { type: "object" },
    CLOSED: object({ inner: { type: "object", additionalProperties: false } }),
    ODD_NAMES: object({
      "content-type": { type: "string" },
      "2nd": { type: "string" },
      'quote"and\nline': { type: "string" },
      constructor: { type: "string" },
      class: { type: "string" },
      "": { type: "string" },
      größe: { type: "string" },
    }),
    DICTIONARY: { type: "object", additionalProperties: { type: "number" } },
    DICTIONARY_WITH_NAMED: object({ a: { type: "number" } }, { additionalProperties: { type: "string" } }),
    PATTERNS: { type: "object", patternProperties: { "^a": { type: "string" }, "^b": { type: "number" } } },
    PATTERNS_AND_MORE: { type: "object", patternProperties: { "^a": { type: "string" } }, additionalProperties: true },
    DEEP: object({ a: object({ b: object({ c: { type: "array", items: object({ d: { type: "string" } }) } }) }) }),
  },
  values: {
    ENUMS: object({ words: { type: "string", enum: ["a", "b"] }, mixed: { enum: ["a", 1, true, null, { x: [1] }] } }),
    LONG_ENUM: object({ country: { enum: Array.from({ length: 40 }, (_, index) => `country-${index}`) } }),
    CONST: object({ text: { const: "x" }, number: { const: 1 }, nothing: { const: null } }),
    NULLABLE: object({ draft: { type: ["string", "null"] }, openapi: { type: "string", nullable: true } }),
    NULLABLE_ENUM: object({ level: { type: "string", enum: ["low", "high"], nullable: true } }),
    ANYTHING: object({ empty: {}, described: { description: "Anything." }, yes: true, no: false }),
    NOTHING: {},
    LISTS: object({ plain: { type: "array" }, texts: { type: "array", items: { type: "string" }, minItems: 1 } }),
    TUPLES: object({
      draft7: { type: "array", items: [{ type: "string" }, { type: "number" }], additionalItems: false, minItems: 2 },
      draft2020: { type: "array", prefixItems: [{ type: "string" }], items: { type: "number" } },
      open: { type: "array", items: [{ type: "string" }] },
    }),
  },
  combined: {
    ONE_OF: object({
      shape: {
        oneOf: [
          object({ kind: { const: "circle" }, radius: { type: "number" } }, { required: ["kind", "radius"] }),
          object({ kind: { const: "square" }, side: { type: "number" } }, { required: ["kind", "side"] }),
        ],
      },
    }),
    ANY_OF: object({ target: { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] } }),
    LIST_OF_ANY_OF: object({
      parts: {
        type: "array",
        items: { anyOf: [object({ text: { type: "string" } }), object({ n: { type: "number" } })] },
      },
    }),
    ALL_OF: { allOf: [object({ a: { type: "string" } }, { required: ["a"] }), object({ b: { type: "string" } })] },
    ALL_OF_BESIDE: object({ a: { type: "string" } }, { allOf: [object({ b: { type: "string" } })] }),
    ROOT_UNION: { oneOf: [object({ a: { type: "string" } }), { type: "string" }] },
    BOUNDS_ONLY: object(
      { a: { type: "string" }, b: { type: "string" } },
      { anyOf: [{ required: ["a"] }, { required: ["b"] }] },
    ),
    // A union limits no type if one of its members takes any.
    VALUE_OR_BOUNDS: object({
      url: { type: "string", anyOf: [{ const: "" }, { format: "uri" }] },
      code: { oneOf: [{ type: "null" }, { minLength: 3 }] },
    }),
  },
  references: {
    SHARED: object(
      { one: { $ref: "#/$defs/item" }, other: { $ref: "#/$defs/item", description: "The other." } },
      {
        $defs: { item: object({ name: { type: "string" } }) },
      },
    ),
    RECURSIVE: object(
      { root: { $ref: "#/$defs/node" } },
      {
        $defs: { node: node({ children: { type: "array", items: { $ref: "#/$defs/node" } } }) },
      },
    ),
    ITSELF: object({ next: { $ref: "#" } }),
    MUTUAL: object(
      { a: { $ref: "#/definitions/a" } },
      {
        definitions: { a: node({ b: { $ref: "#/definitions/b" } }), b: node({ a: { $ref: "#/definitions/a" } }) },
      },
    ),
    MUTUAL_UNIONS: object(
      { a: { $ref: "#/$defs/a" } },
      {
        $defs: {
          a: { anyOf: [{ type: "string" }, { $ref: "#/$defs/b" }] },
          b: { anyOf: [{ type: "number" }, { $ref: "#/$defs/a" }] },
        },
      },
    ),
    INTO_PROPERTIES: object({ tree: node({ parent: { $ref: "#/properties/tree" } }) }),
    ODD_POINTER: object(
      { x: { $ref: "#/components/schemas/a~1b%20c" } },
      {
        components: { schemas: { "a/b c": object({ y: { type: "string" } }) } },
      },
    ),
    JSON_VALUE: object(
      { value: { $ref: "#/$defs/json" } },
      {
        $defs: {
          json: {
            anyOf: [
              { type: ["string", "number", "boolean", "null"] },
              { type: "array", items: { $ref: "#/$defs/json" } },
              { type: "object", additionalProperties: { $ref: "#/$defs/json" } },
            ],
          },
        },
      },
    ),
    NOWHERE: object({
      x: { $ref: "#/nope" },
      y: { $ref: "file:///etc/hostname" },
      z: { $ref: "https://example.com/x" },
    }),
    CIRCLES: object(
      { a: { $ref: "#/$defs/a" }, b: { $ref: "#/$defs/b" }, c: { $ref: "#/$defs/c" } },
      {
        $defs: {
          a: { $ref: "#/$defs/a" },
          b: { anyOf: [{ type: "string" }, { $ref: "#/$defs/b" }] },
          c: { allOf: [object({ d: { type: "string" } }), { $ref: "#/$defs/d" }] },
          d: { allOf: [object({ c: { type: "string" } }), { $ref: "#/$defs/c" }] },
        },
      },
    ),
  },
  hostile: {
    "ODD-SLUG */ alert(1)": object({ a: { type: "string" } }),
    "odd-slug": object({ a: { type: "number" } }),
    __proto__LIKE: object({ ["__proto__"]: { type: "string" } }),
    COMMENTS: object({
      a: { type: "string", description: "ends */ here\r\n// and\u2028goes on\u202e", pattern: "^*/$" },
    }),
    CODE: object({ a: { tsType: "string }; process.exit(); type X = {", tsEnumNames: ["A"], enum: ["a"] } }),
    TITLES: object({ data: { title: "Data", $id: "Arguments", type: "string" } }, { title: "Data }" }),
    NONSENSE: { type: "nonsense", properties: 5, required: "x", anyOf: {}, enum: [], items: "x", $defs: 7 },
    DOCS: object({
      a: { type: "integer", description: "A number.", default: 1, minimum: 0, maximum: 9, deprecated: true },
    }),
  },
};

/** The groups of features, by name. */
export const GROUPS: readonly string[] = Object.keys(FEATURES);

/** The features of a group, each as a tool. */
function featureTools(group: string): CatalogTool[] {
  return Object.entries(FEATURES[group] ?? {}).map(([name, schema]) => ({
    slug: `${group.toUpperCase()}_${name}`,
    name,
    description: `Shows ${name}.`,
    version: "20260101_00",
    is_deprecated: name === "DOCS",
    input_parameters: { ...schema },
    output_parameters: { ...schema },
  }));
}

/** All features, each as a tool. */
export const FEATURE_TOOLS: readonly CatalogTool[] = GROUPS.flatMap(featureTools);

/** A catalog whose tools are the features of a group. */
export function featureCatalog(group: string): Catalog {
  const tools = featureTools(group);
  return {
    formatVersion: 1,
    toolkits: [{ slug: group, name: group, version: "20260101_00", tools, trigger_types: [] }],
  };
}
