import { resolve } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { createFlattener } from "../scripts/types/flatten.js";
import { schemasOf } from "../scripts/types/schemas.js";

/** Schema modules that exist only in memory, by the folder of their resource. */
const MODULES: Readonly<Record<string, string>> = {
  shapes: `
    export const Maker = object({
      /** Its name. */
      name: z.string(),
    });
    export interface Maker extends z.infer<typeof Maker> {}
    export const Color = openEnum(["red", "green"]);
    export type Color = z.infer<typeof Color>;
    export const SIZES = ["small", "large"] as const;
    /** A thing that is sold. */
    export const Thing = object({
      /**
       * How it looks.
       * @deprecated Ask the maker.
       */
      color: Color,
      /** Who made it. */
      maker: Maker,
      former_makers: z.array(z.nullable(Maker)),
      "x-size": z.optional(z.enum(SIZES)),
      /** Its price, or that of each part. */
      price: z.union([z.number(), z.record(z.string(), z.number())]),
      package: object({
        /** In grams. */
        weight: z.number(),
      }),
    });
    export interface Thing extends z.infer<typeof Thing> {}
    export type Named<Value extends Thing> = Value & { readonly name: string };
  `,
  user: `
    import { Thing } from "../shapes/schema.js";
    export const Shelf = object({ things: z.array(Thing) });
    export interface Shelf extends z.infer<typeof Shelf> {}
  `,
  frozen: `
    export const Filters = object({
      sizes: z.optional(list(z.enum(["s", "l"]))),
      parts: list(object({ ids: list(list(z.string())) })),
    });
    export interface Filters extends z.infer<typeof Filters> {}
  `,
  tuple: `
    export const Pair = object({ ends: z.array(z.tuple([z.string(), z.number()])) });
    export interface Pair extends z.infer<typeof Pair> {}
  `,
  any: `
    export const Loose = object({ value: z.any() });
    export interface Loose extends z.infer<typeof Loose> {}
  `,
  list: `
    export const Names = z.array(z.string());
    export interface Names extends z.infer<typeof Names> {}
  `,
};
const pathOf = (resource: string) => resolve(`src/resources/${resource}/schema.ts`);
const IMPORTS = 'import * as z from "zod/mini";\nimport { list, object, openEnum } from "../schema-kit.js";\n';
const FILES = new Map(Object.entries(MODULES).map(([resource, code]) => [pathOf(resource), IMPORTS + code]));

const { config } = ts.readConfigFile("tsconfig.json", ts.sys.readFile);
const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, resolve("."));
const host = ts.createCompilerHost(options);
const program = ts.createProgram([...FILES.keys()], options, {
  ...host,
  directoryExists: () => true,
  fileExists: (path) => FILES.has(path) || host.fileExists(path),
  readFile: (path) => FILES.get(path) ?? host.readFile(path),
  getSourceFile: (path, language, ...rest) => {
    const code = FILES.get(path);
    return code === undefined ? host.getSourceFile(path, language, ...rest) : ts.createSourceFile(path, code, language);
  },
});
const flatten = createFlattener(program);

function plainTypesOf(resource: string): string {
  const file = program.getSourceFile(pathOf(resource));
  if (file === undefined) throw new Error(`There is no module ${resource}.`);
  return flatten(file);
}

describe("the plain types of a module of schemas", () => {
  test("have every field with its doc, and other records by their names", () => {
    expect(plainTypesOf("shapes")).toMatchInlineSnapshot(`
      "import type { Open } from "../schema-kit.js";
      export interface Maker {
        /** Its name. */
        name: string;
      }
      export type Color = Open<"red" | "green">;
      export declare const SIZES: readonly ["small", "large"];
      /** A thing that is sold. */
      export interface Thing {
        /**
         * How it looks.
         * @deprecated Ask the maker.
         */
        color: Color;
        /** Who made it. */
        maker: Maker;
        former_makers: (Maker | null)[];
        "x-size"?: "small" | "large" | undefined;
        /** Its price, or that of each part. */
        price: number | Record<string, number>;
        package: {
          /** In grams. */
          weight: number;
        };
      }
      export type Named<Value extends Thing> = Value & { readonly name: string };
      "
    `);
  });

  test("import the records of other modules", () => {
    expect(plainTypesOf("user")).toMatchInlineSnapshot(`
      "import type { Thing } from "../shapes/schema.js";
      export interface Shelf {
        things: Thing[];
      }
      "
    `);
  });

  test("let lists in requests be frozen", () => {
    expect(plainTypesOf("frozen")).toMatchInlineSnapshot(`
      "export interface Filters {
        sizes?: readonly ("s" | "l")[] | undefined;
        parts: readonly {
          ids: readonly (readonly string[])[];
        }[];
      }
      "
    `);
  });

  test.each([
    ["tuple", "Pair.ends: no plain type is known for ZodMiniTuple. Use a schema that"],
    ["any", "Loose.value: no plain type is known for ZodMiniAny."],
    ["list", "Names isn't an object type: declare it with `type`, not with `interface`."],
  ])("fail with the name of a schema that has none (%s)", (resource, message) => {
    expect(() => plainTypesOf(resource)).toThrow(message);
  });
});

test("the declaration of a schema refers to its plain type, and an open enum keeps its known values", () => {
  const declarations = `import * as z from "zod/mini";
import { Other } from "../other/schema.js";
export declare const Color: import("../schema-kit.js").OpenEnum<"red" | "green">;
export type Color = z.infer<typeof Color>;
/** A thing that is sold. */
export declare const Thing: z.ZodMiniObject<{ color: z.ZodMiniString }, z.core.$strip>;
/** A thing that is sold. */
export interface Thing extends z.infer<typeof Thing> {}
`;
  const plain = "export type Color = Open<string>;\nexport interface Thing { color: Color }\n";
  expect(schemasOf(declarations, plain, pathOf("shapes"))).toMatchInlineSnapshot(`
    "import type { Color as PlainColor, Thing as PlainThing } from "./schema.js";
    import * as z from "zod/mini";
    import { Other } from "../other/schema.zod.js";
    export declare const Color: import("../schema-kit.zod.js").OpenEnum<"red" | "green">;
    export type Color = PlainColor;
    /** A thing that is sold. */
    export declare const Thing: z.ZodMiniType<Thing, Thing>;
    /** A thing that is sold. */
    export type Thing = PlainThing;
    "
  `);
});
