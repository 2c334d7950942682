import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import ts from "typescript";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Catalog, CatalogTool } from "../../../src/catalog/catalog.js";
import { generateTypes } from "../../../src/catalog/generate/generate-types.js";
import { codePoints } from "../../support/code-points.js";
import { sized } from "../../support/size.js";
import { FEATURE_TOOLS } from "./features.js";

const NEWEST = {
  version: "7.0",
  file: "node_modules/@typescript/native/bin/tsc",
  options: ["--erasableSyntaxOnly"],
};
/** `npm run runtimes` installs the older ones. */
const ALL_COMPILERS = [
  // It doesn't have this option yet.
  { version: "5.4", file: "test/programs/runtimes/node_modules/typescript-5.4/bin/tsc", options: [] },
  {
    version: "5.9",
    file: "test/programs/runtimes/node_modules/typescript-5.9/bin/tsc",
    options: ["--erasableSyntaxOnly"],
  },
  { version: "6.0", file: "node_modules/typescript/bin/tsc", options: ["--erasableSyntaxOnly"] },
  NEWEST,
];
const COMPILERS = sized([NEWEST], ALL_COMPILERS);

/** A compiler's errors in a project. */
function complaints(compiler: string, project: string, options: readonly string[] = []): string {
  try {
    return execFileSync(process.execPath, [compiler, "-p", project, ...options], { encoding: "utf8" });
  } catch (error) {
    return String(Reflect.get(Object(error), "stdout"));
  }
}

/** A project with calls, next to the real one, so that it finds the built package. */
function projectWith(calls: string, types: string): string {
  const folder = mkdtempSync("test/catalog/generate/tmp-");
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "calls.ts"), `import { Svc } from "svc-sdk";\nconst { tools } = new Svc();\n${calls}\n`);
  writeFileSync(join(folder, "svc.gen.ts"), types);
  writeFileSync(join(folder, "tsconfig.json"), '{ "extends": "../typed-project/tsconfig.json", "include": ["."] }');
  return folder;
}

function catalogOf(tools: readonly CatalogTool[]): Catalog {
  const toolkit = { slug: "any", name: "Any", version: "20260101_00", tools: [...tools], trigger_types: [] };
  return { formatVersion: 1, toolkits: [toolkit] };
}

describe("generated types, with the built package,", { timeout: 600_000 }, () => {
  for (const { version, file, options } of COMPILERS) {
    test.skipIf(!existsSync(file))(`accept valid calls and reject invalid ones in TypeScript ${version}`, () => {
      expect(complaints(file, "test/catalog/generate/typed-project", options)).toBe("");
    });
  }

  test("name a wrong argument among 500 tools of every kind", async () => {
    const kinds = FEATURE_TOOLS.length;
    const all = Array.from({ length: Math.ceil(500 / kinds) }, () => FEATURE_TOOLS).flat();
    const tools = all.slice(0, 500).map((tool, index) => ({ ...tool, slug: `ANY_${index}` }));
    const text = generateTypes(catalogOf(tools), "svc-sdk generate");
    const folder = projectWith(
      `await tools.execute("ANY_0", { arguments: { b: 1 } });\nawait tools.execute("ANY_${kinds}", { arguments: { b: "1" } });`,
      text,
    );
    expect(complaints(NEWEST.file, folder).trim()).toMatch(
      /^\S*calls\.ts\(4,\d+\): error TS2322: Type 'string' is not assignable to type 'number'\.$/,
    );
  });
});

const STRICT = `import { Svc } from "svc-sdk";
import { createReceiver, normalizeTrigger, type Delivery } from "svc-sdk/webhooks";

const { tools, triggers, toolRouter } = new Svc();
const user = { user_id: "ada", version: "latest" };
await tools.execute("SLACK_SEND_MESSAGE", { ...user, arguments: { channel: "a", text: "b" } });
await tools.get("SLACK_SEND_MESSAGE");
// @ts-expect-error a misspelled slug
await tools.execute("SLACK_SEND_MESAGE", { ...user, arguments: {} });
// @ts-expect-error a misspelled slug
await tools.generateArguments("SLACK_SEND_MESAGE", { text: "a" });
// @ts-expect-error a misspelled slug
await tools.get("SLACK_SEND_MESAGE");
// @ts-expect-error a slug that isn't known
await tools.get(String(process.argv));
// @ts-expect-error a misspelled slug
await toolRouter.use("trs_1").execute({ tool_slug: "SLACK_SEND_MESAGE", arguments: {} });
// @ts-expect-error a misspelled slug
await triggers.upsert("GITHUB_COMIT_EVENT", { user_id: "ada" });
// @ts-expect-error a misspelled slug
await triggers.getType("GITHUB_COMIT_EVENT");

const onUnhandled = () => undefined;
createReceiver({
  secret: "s",
  on: { GITHUB_COMMIT_EVENT: ({ payload }) => payload.author.length, "svc.connected_account.expired": () => undefined },
  onUnhandled,
});
createReceiver({
  secret: "s",
  // @ts-expect-error a misspelled slug
  on: { GITHUB_COMIT_EVENT: () => undefined },
  onUnhandled,
});
export const read = (delivery: Delivery) => normalizeTrigger(delivery, "GITHUB_COMMIT_EVENT")?.payload.author;

declare const process: { argv: string[] };
`;

test("strict types reject slugs that aren't in the file", { timeout: 120_000 }, () => {
  const types = readFileSync("examples/svc.gen.ts", "utf8");
  const strict = types.replace(/\n\}\n/, "\n  interface CatalogSettings {\n    strict: true;\n  }\n}\n");
  const folder = projectWith("", strict);
  writeFileSync(join(folder, "calls.ts"), STRICT);
  expect(complaints(NEWEST.file, folder)).toBe("");
});

const RECEIVER = `import { createReceiver } from "svc-sdk/webhooks";
const onUnhandled = () => undefined;
export const receive = createReceiver({
  secret: "s",
  on: { GITHUB_COMMIT_EVENT: ({ payload }) => payload.author.toUpperCase() },
  onUnhandled,
});
// @ts-expect-error no such field
createReceiver({ secret: "s", on: { GITHUB_COMMIT_EVENT: ({ payload }) => payload.nope }, onUnhandled });
`;

describe("a project finds the generated types if it only imports", { timeout: 120_000 }, () => {
  const RESOLUTIONS = [
    ["nodenext", "nodenext"],
    ["esnext", "bundler"],
  ] as const;
  for (const { version, file } of COMPILERS) {
    for (const [module, moduleResolution] of RESOLUTIONS) {
      test.skipIf(!existsSync(file))(`svc-sdk/webhooks, with TypeScript ${version} and ${moduleResolution}`, () => {
        const folder = projectWith("", readFileSync("examples/svc.gen.ts", "utf8"));
        writeFileSync(join(folder, "calls.ts"), RECEIVER);
        const options = ["--module", module, "--moduleResolution", moduleResolution];
        expect(complaints(file, folder, options)).toBe("");
      });
    }
  }

  test("svc-sdk/arguments", () => {
    const folder = projectWith("", readFileSync("examples/svc.gen.ts", "utf8"));
    writeFileSync(join(folder, "calls.ts"), 'export { argumentValidator } from "svc-sdk/arguments";\n');
    expect(complaints(NEWEST.file, folder)).toBe("");
  });
});

/** A schema nested many times. */
function nested(levels: number, around: (inner: object) => object): object {
  return Array.from({ length: levels }).reduce<object>(around, { type: "string" });
}
const object = (a: object) => ({ type: "object", properties: { a } });

const DEEP: Readonly<Record<string, object>> = {
  objects: nested(300, object),
  lists: object(nested(300, (items) => ({ type: "array", items }))),
  "objects that may be null": nested(300, (inner) => object({ anyOf: [inner, { type: "null" }] })),
  "required fields": object(nested(300, (inner) => ({ ...object(inner), required: ["a"] }))),
  dictionaries: nested(300, (additionalProperties) => ({ type: "object", additionalProperties })),
  "dictionaries with a named field": nested(300, (inner) => ({
    ...object(inner),
    additionalProperties: { type: "null" },
  })),
  tuples: object(
    nested(300, (inner) => ({ type: "array", prefixItems: [inner, ...numbered(9, () => ({ type: "null" }))] })),
  ),
  definitions: {
    ...object({ $ref: "#/$defs/n0" }),
    $defs: Object.fromEntries(
      Array.from({ length: 300 }, (_, level) => [`n${level}`, object({ $ref: `#/$defs/n${level + 1}` })]),
    ),
  },
};

describe("generated types of schemas of any size", { timeout: 120_000 }, () => {
  test.each(Object.entries(DEEP))("let other calls compile, however deeply %s are nested", async (_of, schema) => {
    // The compiler compares two of the same type completely.
    const deep = ["DEEP", "ALIKE"].map((slug) => ({ ...toolOf(schema), slug }));
    const text = generateTypes(catalogOf([{ ...toolOf(object({})), slug: "PLAIN" }, ...deep]), "x");
    const calls = ["PLAIN", "DEEP"].map((slug) => `await tools.execute("${slug}", { arguments: {} });`);
    // Most projects don't set the option. Then each optional field may be undefined, so there is more to compare.
    const options = ["--exactOptionalPropertyTypes", "false"];
    expect(complaints(NEWEST.file, projectWith(calls.join("\n"), text), options)).toBe("");
  });

  test("fit into a file that editors can handle", async () => {
    const texts = numbered(1_500, () => ({ type: "string" }));
    const properties = {
      words: { enum: numbered(200_000, String) },
      mixed: { enum: [...numbered(20_000, Number), "x", null, true] },
      closed: { type: "array", prefixItems: texts, items: false },
      open: { type: "array", items: texts },
      more: { type: "array", prefixItems: [...texts, { type: "number" }], items: { type: "null" } },
    };
    const text = generateTypes(catalogOf([toolOf({ type: "object", properties })]), "x");
    expect(errorsIn(text)).toEqual([]);
    expect(text.length).toBeLessThan(20_000);
    expect(text).toContain("words?: string;");
    expect(text).toContain("mixed?: string | number | boolean | null;");
    expect(text).toContain("closed?: string[];");
    expect(text).toContain("open?: unknown[];");
    expect(text).toContain("more?: (string | number | null)[];");
  });
});

function numbered<Item>(length: number, item: (index: number) => Item): Item[] {
  return Array.from({ length }, (_, index) => item(index));
}

function toolOf(schema: object): CatalogTool {
  const facts = { name: "", description: "", version: "20260101_00", is_deprecated: false };
  return { slug: "ANY", ...facts, input_parameters: { ...schema }, output_parameters: {} };
}

const leaf = fc.oneof(
  fc.constantFrom("string", "number", "integer", "boolean", "null", "object", "array", "odd").map((type) => ({ type })),
  fc
    .array(fc.oneof(fc.string({ maxLength: 8 }), fc.integer(), fc.constant(null)), { maxLength: 4 })
    .map((all) => ({ enum: all })),
  fc.string({ maxLength: 12 }).map((description) => ({ description })),
  fc.constantFrom("#", "#/$defs/a", "#/$defs/b", "#/properties/x", "#/nope", "https://x").map(($ref) => ({ $ref })),
  fc.boolean(),
);

const { schema } = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.record(
      {
        type: fc.constantFrom("object", ["object", "null"]),
        properties: fc.dictionary(fc.string({ maxLength: 6 }), tie("schema"), { maxKeys: 4 }),
        required: fc.array(fc.constantFrom("x", "a"), { maxLength: 2 }),
        additionalProperties: tie("schema"),
        patternProperties: fc.dictionary(fc.constantFrom("^a", "*/"), tie("schema"), { maxKeys: 2 }),
        nullable: fc.boolean(),
        description: codePoints({ maxLength: 20 }),
      },
      { requiredKeys: [] },
    ),
    fc.record({ type: fc.constant("array"), items: tie("schema"), minItems: fc.integer({ min: -1, max: 4 }) }),
    fc.record({
      items: fc.array(tie("schema"), { maxLength: 3 }),
      additionalItems: tie("schema"),
      minItems: fc.nat(5),
    }),
    fc.record(
      {
        allOf: fc.array(tie("schema"), { maxLength: 3 }),
        anyOf: fc.array(tie("schema"), { maxLength: 3 }),
        oneOf: fc.array(tie("schema"), { maxLength: 3 }),
      },
      { requiredKeys: [] },
    ),
  ),
}));

const root = fc.record({
  type: fc.constant("object"),
  properties: fc.record({ x: schema, y: schema }),
  $defs: fc.record({ a: schema, b: schema }),
});

describe("generateTypes, for any schema,", () => {
  test("writes a file without errors", { timeout: 60_000 }, async () => {
    const schemas = fc.sample(root, { numRuns: 150, seed: 7 });
    const tools = schemas.map((schema, index) => ({ ...toolOf(schema), slug: `ANY_${index}` }));
    const text = generateTypes(catalogOf(tools), "x");
    expect(errorsIn(text)).toEqual([]);
  });
});

/** The compiler's errors in a generated file alone, under its strictest options. */
function errorsIn(text: string): string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    types: [],
  };
  // Without the augmented module.
  const alone = text
    .replace('import type {} from "svc-sdk";', "export {};")
    .replace('declare module "svc-sdk" {', "declare namespace svc {");
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, ...rest) =>
    name === "any.ts" ? ts.createSourceFile(name, alone, ts.ScriptTarget.ES2022) : getSourceFile(name, ...rest);
  return ts
    .getPreEmitDiagnostics(ts.createProgram(["any.ts"], options, host))
    .map(
      ({ start, messageText }) =>
        `${alone.slice(start, Number(start) + 80)}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`,
    );
}
