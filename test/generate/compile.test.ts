import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import ts from "typescript";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Catalogue } from "../../src/catalogue/catalogue.js";
import { generateTypes } from "../../src/generate/generate-types.js";

const PROJECT = "test/generate/typed-project";
const COMPILERS = ["node_modules/typescript/bin/tsc", "node_modules/@typescript/native/bin/tsc"];

/** What a compiler says about the typed project, with `calls.ts` as it is or with another file of calls. */
function complaints(compiler: string, project = PROJECT): string {
  try {
    return execFileSync(process.execPath, [compiler, "-p", project], { encoding: "utf8" });
  } catch (error) {
    return String(Reflect.get(Object(error), "stdout"));
  }
}

/** A typed project of one file, beside the real one, so that it sees the built package. */
function projectWith(calls: string): string {
  const folder = mkdtempSync("test/generate/tmp-");
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "calls.ts"), calls);
  const config = { extends: "../typed-project/tsconfig.json", include: [".", "../typed-project/svc.gen.ts"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  return folder;
}

describe("what is generated, with the built package", () => {
  test.each(COMPILERS)("types what fits and refuses what does not: %s", { timeout: 120_000 }, (compiler) => {
    expect(complaints(compiler)).toBe("");
  });

  test("a wrong argument is named", { timeout: 120_000 }, () => {
    const folder = projectWith(`import { Svc } from "svc-sdk";
await new Svc().tools.execute("SLACK_SEND_MESSAGE", { arguments: { channel: "general", text: 5 } });
export {};`);
    expect(complaints(COMPILERS[1] ?? "", folder)).toMatch(
      /calls\.ts\(2,\d+\): error TS2322: Type 'number' is not assignable to type 'string'/,
    );
  });
});

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
        description: fc.string({ unit: "binary", maxLength: 20 }),
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

describe("any schema", () => {
  test("gives a file without an error, all of it read", { timeout: 60_000 }, async () => {
    const schemas = fc.sample(root, { numRuns: 150, seed: 7 });
    const tools = schemas.map((input_parameters, index) => ({
      slug: `ANY_${index}`,
      name: "",
      description: "",
      version: "20260101_00",
      is_deprecated: false,
      input_parameters,
      output_parameters: {},
    }));
    const toolkit = { slug: "any", name: "Any", version: "20260101_00", tools, trigger_types: [] };
    const catalogue: Catalogue = { snapshot: 1, toolkits: [toolkit] };
    const { text, unreadable } = await generateTypes(catalogue, "x");
    expect(unreadable).toEqual([]);
    expect(errorsIn(text)).toEqual([]);
  });
});

/** What the compiler says about a generated file alone, under its strictest options. */
function errorsIn(text: string): string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    types: [],
  };
  // The module that is added to is not looked at here.
  const alone = text.replace('declare module "svc-sdk" {', "declare namespace svc {");
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
