import { readFileSync, writeFileSync } from "node:fs";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { type Catalog, catalogText, toCatalog } from "../../../src/catalog/catalog.js";
import { generateTypes } from "../../../src/catalog/generate/generate-types.js";
import { readCatalog } from "../../../src/catalog/read-catalog.js";
import { createEmulator } from "../../../src/emulator/index.js";
import { Svc } from "../../../src/index.js";
import { HIDDEN_CHARACTERS } from "../../support/hidden-characters.js";
import { calendar } from "./calendar.js";
import { featureCatalog, GROUPS } from "./features.js";
import { shapes } from "./shapes.js";

/** Compares with a file, or writes it: UPDATE_GOLDEN=1 npx vitest run test/catalog/generate. Read the difference before you commit it. */
function expectGolden(file: string, text: string): void {
  const path = `${import.meta.dirname}/${file}`;
  if (process.env["UPDATE_GOLDEN"]) writeFileSync(path, text);
  expect(text).toBe(readFileSync(path, "utf8"));
}

async function demoCatalog(): Promise<Catalog> {
  const svc = new Svc(createEmulator({ toolkits: [shapes, calendar] }).connection);
  return readCatalog(svc, { toolkits: ["github", "slack", "calendar", "shapes", "textkit", "drive", "weathermap"] });
}

/** The same catalog with everything unordered reversed. */
function turnedAround(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turnedAround);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, turnedAround(inner)]),
  );
}

describe("generateTypes writes the golden file of", () => {
  test.each(GROUPS)("%s", async (group) => {
    const text = generateTypes(featureCatalog(group), `svc-sdk generate --toolkits ${group}`);
    expectGolden(`golden/${group}.ts`, text);
  });

  test("the example", async () => {
    const svc = new Svc(createEmulator().connection);
    const catalog = await readCatalog(svc, { toolkits: ["slack", "github"] });
    const text = generateTypes(catalog, "svc-sdk generate --toolkits github,slack --out svc.gen.ts");
    expectGolden("../../../examples/svc.gen.ts", text);
  });

  test("the emulator's toolkits and a user's", async () => {
    const text = generateTypes(await demoCatalog(), "svc-sdk generate --out svc.gen.ts");
    expectGolden("typed-project/svc.gen.ts", text);
  });
});

describe("a generated file", () => {
  test("doesn't depend on the order of the service's lists", async () => {
    const catalogs = [await demoCatalog(), ...GROUPS.map(featureCatalog)];
    for (const catalog of catalogs) {
      const shuffled = catalog.toolkits.map((toolkit) => ({ ...toolkit, tools: toolkit.tools.toReversed() })).reverse();
      const other = toCatalog({ formatVersion: 1, toolkits: turnedAround(shuffled) }, "The test");
      const sorted = toCatalog(catalog, "The test");
      expect(generateTypes(other, "x")).toBe(generateTypes(sorted, "x"));
    }
  });

  test("names the command, the toolkits and their versions, but no time", async () => {
    const text = generateTypes(await demoCatalog(), "svc-sdk generate --toolkits github --out a.ts");
    const [head = ""] = text.split("import type {}");
    expect(head).toContain(" *   svc-sdk generate --toolkits github --out a.ts\n");
    expect(head).toContain(" *   github 20251023_00: 5 tools, 2 trigger types\n");
    expect(head).toContain(" *   calendar 20251030_00: 3 tools, 0 trigger types\n");
  });

  test("keeps its top comment closed, whatever it quotes", async () => {
    const text = generateTypes(featureCatalog("objects"), "svc-sdk generate --out '*/ evil()\n'");
    // The line that disables eslint, and the comment itself.
    expect(text.split("import type {}")[0]?.match(/\*\//g)).toHaveLength(2);
  });

  test("has no tags from the service's descriptions", async () => {
    const words = "Sends.\n@deprecated Not so.\n- see @internal and a\u0085@private\n@@public @";
    const said = { description: words, pattern: "a @deprecated", format: "x\n@deprecated", default: "y @deprecated" };
    const schema = { type: "object", ...said, properties: { a: { type: "string", ...said } } };
    const { toolkits } = featureCatalog("objects");
    const [toolkit] = toolkits;
    const tools = toolkit?.tools.map((tool) => ({ ...tool, description: words, input_parameters: schema })) ?? [];
    const text = generateTypes({ formatVersion: 1, toolkits: toolkits.map((one) => ({ ...one, tools })) }, "x");
    const tags = new Set<string>();
    const visit = (node: ts.Node) => {
      for (const { tagName } of ts.getJSDocTags(node)) tags.add(tagName.text);
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile("a.ts", text, ts.ScriptTarget.ESNext, true));
    expect([...tags].sort()).toEqual(["default", "format", "pattern"]);
    expect(text).toContain("* \\@deprecated Not so.");
  });

  test("has no invisible characters: names escape them, comments omit them", async () => {
    const hidden = [...HIDDEN_CHARACTERS];
    const odd = hidden.join("x");
    const schema = {
      type: "object",
      description: `says ${odd}`,
      properties: {
        [odd]: { enum: hidden, default: odd },
        b: { const: odd, title: odd },
        c: { $ref: `#/$defs/${odd}` },
      },
      required: [odd],
      $defs: { [odd]: { type: "object", properties: { [`x${odd}`]: { type: "string", pattern: odd } } } },
    };
    const tool = { slug: `A_${odd}`, name: odd, description: odd, version: "20260101_00", is_deprecated: false };
    const tools = [{ ...tool, input_parameters: schema, output_parameters: schema }];
    const catalog = {
      formatVersion: 1,
      toolkits: [{ slug: odd, name: odd, version: "20260101_00", tools, trigger_types: [] }],
    };
    const text = generateTypes(catalog as Catalog, `svc-sdk generate --toolkits ${odd}`);
    expect(hidden.filter((character) => text.includes(character))).toEqual([]);
    const source = ts.createSourceFile("a.ts", text, ts.ScriptTarget.ESNext, true);
    const literals = new Set<string>();
    const visit = (node: ts.Node) => {
      if (ts.isStringLiteral(node)) literals.add(node.text);
      ts.forEachChild(node, visit);
    };
    visit(source);
    for (const name of [`A_${odd}`, odd, ...hidden]) expect(literals).toContain(name);
    const written = catalogText(catalog as Catalog);
    expect(hidden.filter((character) => written.includes(character))).toEqual([]);
    expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify(catalog)));
  });

  test("compiles to the slugs, and to nothing as a declaration file", async () => {
    const compiled = (text: string) =>
      ts.transpileModule(text, { compilerOptions: { removeComments: true, target: ts.ScriptTarget.ESNext } })
        .outputText;
    const same = (slugs: readonly string[]) => Object.fromEntries(slugs.map((slug) => [slug, slug]));
    const features = GROUPS.map(featureCatalog);
    const [group] = features;
    const odd = ["__proto__", "constructor", "a\u202eb", "a */ b"].map((slug) => ({ slug }));
    const hostile = {
      toolkits: group?.toolkits.map((kit) => ({ ...kit, tools: kit.tools.map((tool, n) => ({ ...tool, ...odd[n] })) })),
    };
    for (const catalog of [await demoCatalog(), ...features, hostile as Catalog]) {
      const exported = await import(
        `data:text/javascript,${encodeURIComponent(compiled(generateTypes(catalog, "x")))}`
      );
      const [tools, triggers] = [
        catalog.toolkits.flatMap((kit) => kit.tools.map(({ slug }) => slug)),
        catalog.toolkits.flatMap((kit) => kit.trigger_types.map(({ slug }) => slug)),
      ];
      expect({ ...exported }).toEqual({ tools: same(tools), ...(triggers.length > 0 && { triggers: same(triggers) }) });
      expect(Object.keys(exported.tools)).toHaveLength(tools.length);
      expect(compiled(generateTypes(catalog, "x", "src/svc.gen.d.ts"))).toBe("export {};\n");
    }
  });
});
