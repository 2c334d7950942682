import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import ts from "typescript";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { nameOf, TARGETS } from "./entries.js";

const root = resolve(import.meta.dirname, "../..");
const { project } = inject("packed");
const installed = join(project, "node_modules/svc-sdk");
const folder = join(project, "types");

/**
 * Entries whose types are written out. The contract publishes its schemas; the others bring types of what they are for.
 */
const PLAIN = TARGETS.filter(({ entry }) => !/contract|msw|otel|node|undici/.test(entry));
const MOST_INSTANTIATIONS = 5_000;
/** The modules that hold schemas. */
const SCHEMAS = /\/src\/resources\/(shared|[\w-]+\/[\w-]*schema)\.ts$/;

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts", "lib.dom.asynciterable.d.ts"],
  module: ts.ModuleKind.NodeNext,
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  // The compiler's own libraries are not ours to check, and take most of its time.
  skipDefaultLibCheck: true,
  types: [],
};

beforeAll(() => {
  mkdirSync(folder);
});

/** The declaration files that importing this one makes a compiler read. */
function reachedFrom(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, path = ""] of readFileSync(file, "utf8").matchAll(/(?:from|import)[ (]?["'](\.[^"']+)\.js["']/g))
    reachedFrom(join(dirname(file), `${path}.d.ts`), found);
  return found;
}

function codeOf(file: string): string {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest);
  return ts.createPrinter({ removeComments: true }).printFile(source);
}

const parsed = new Map<string, ts.SourceFile | undefined>();

/** A program that shares what it reads of packages and sources with those before it: parsing takes most of the time. */
function programOf(files: readonly string[], options: ts.CompilerOptions): ts.Program {
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile;
  host.getSourceFile = (path, ...rest) => {
    if (path.startsWith(folder)) return read(path, ...rest);
    if (!parsed.has(path)) parsed.set(path, read(path, ...rest));
    return parsed.get(path);
  };
  return ts.createProgram(files, options, host);
}

/** A program of one file, which has to compile. */
function compiled(name: string, code: string, options = OPTIONS): ts.Program {
  const file = join(folder, name);
  writeFileSync(file, code);
  const program = programOf([file], options);
  expect(ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText)).toEqual([]);
  return program;
}

describe("the published types", () => {
  test.each(PLAIN)("of $entry contain neither zod nor any", ({ types }) => {
    const code = [...reachedFrom(join(installed, types))].map(codeOf).join("\n");
    expect(code.length).toBeGreaterThan(1_000);
    expect(code.match(/.*(zod|\bany\b).*/gi)).toBeNull();
  });

  test("cost a user's compiler next to nothing", { timeout: 600_000 }, () => {
    const empty = compiled("empty.mts", "export {};").getInstantiationCount();
    for (const { entry } of PLAIN) {
      const program = compiled("use.mts", `import * as all from "${nameOf(entry)}"; export type All = typeof all;`);
      expect(program.getInstantiationCount() - empty, entry).toBeLessThanOrEqual(MOST_INSTANTIATIONS);
    }
  });
});

/** The compiler's errors about a file. */
function errorsIn(name: string, code: string): string[] {
  const file = join(folder, name);
  writeFileSync(file, code);
  return ts
    .getPreEmitDiagnostics(programOf([file], OPTIONS))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

test("the compiler says which option a toolset lacks, without mentioning sessions", () => {
  const head = 'import type { Svc } from "svc-sdk";\nimport { toolset } from "svc-sdk/agents";\n';
  const of = (options: string) =>
    errorsIn("toolset.mts", `${head}export const made = (svc: Svc) => toolset(svc${options});`);
  expect(of(', { toolkits: ["github"] }')).toEqual([expect.stringContaining("Property 'userId' is missing in type")]);
  expect(of(', { userID: "ada" }')).toEqual([expect.stringContaining("Did you mean to write 'userId'?")]);
  expect(of("")).toEqual(["Expected 2 arguments, but got 1."]);
});

test.each(["svc.trigger.mesage", "github_commit_event"])("the compiler says why on has no handler for %s", (key) => {
  const head = 'import { createReceiver } from "svc-sdk/webhooks";\n';
  const code = `createReceiver({ secret: "s", on: { "${key}": () => {} }, onUnhandled: () => {} });`;
  expect(errorsIn("receiver.mts", head + code)).toEqual([
    expect.stringContaining(`"${key} is neither an event type nor a trigger slug in upper case"`),
  ]);
});

describe("the compiler's error for a new connection", () => {
  const errorOf = (state: string) => {
    const call = `create({ auth_config: { id: "ac_1" }, connection: { user_id: "ada", state: ${state} } })`;
    return errorsIn(
      "state.mts",
      `import type { Svc } from "svc-sdk";\nexport const run = (svc: Svc) => svc.connectedAccounts.${call};`,
    );
  };

  test.each([
    ["API_KEY", '{ generic_api_key: "k" }'],
    ["BASIC", '{ username: "ada", password: "p" }'],
    ["OAUTH2", '{ access_token: "t" }'],
  ])("of %s without a status names the status first, and ends with it", (authScheme, val) => {
    const [error = "", ...others] = errorOf(`{ authScheme: "${authScheme}", val: ${val} }`);
    expect(others).toEqual([]);
    const [first = ""] = error.split("\n");
    expect(first).toMatch(/is not assignable to type '\(\{ status: "/);
    expect(error).toMatch(/Property 'status' is missing in type '[^']*' but required in type '\{ status: "[^']*'\.$/);
    expect(error).not.toContain("COMPANYDOMAIN");
  });

  test("doesn't exist with a status", () => {
    expect(
      errorOf('{ authScheme: "API_KEY", val: { status: "ACTIVE", generic_api_key: "k", subdomain: "s", own: 1 } }'),
    ).toEqual([]);
  });
});

// Compilers from 7 on explain an error with the last overload alone, so that one must name the mistake.
test.each([
  [
    "a toolset without a user",
    'import type { Svc } from "svc-sdk";\nimport { toolset } from "svc-sdk/agents";',
    '(svc: Svc) => toolset(svc, { tools: ["A"] })',
    /Property 'userId' is missing in type '[^']*' but required in type 'ClientToolsetOptions'\.$/,
  ],
  [
    "a receiver without onUnhandled",
    'import { createReceiver } from "svc-sdk/webhooks";',
    'createReceiver({ secret: "s", on: { GITHUB_COMMIT_EVENT: ({ payload }) => payload } })',
    /Property 'onUnhandled' is missing in type '.*' but required in type '[^']*'\.$/,
  ],
  [
    "a receiver with a misspelled option",
    'import { createReceiver } from "svc-sdk/webhooks";',
    'createReceiver({ secret: "s", on: { GITHUB_COMMIT_EVENT: ({ payload }) => payload }, onUnhandeld: () => {} })',
    /'onUnhandeld' does not exist in type '.*'\. Did you mean to write 'onUnhandled'\?$/,
  ],
])("the compiler's error for %s ends with the mistake", (_, imports, code, mistake) => {
  const file = join(folder, "mistake.mts");
  writeFileSync(file, `${imports}\nexport const made = ${code};`);
  const errors = ts.getPreEmitDiagnostics(programOf([file], OPTIONS));
  expect(errors.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([
    expect.stringMatching(mistake),
  ]);
});

/** Whether two types are identical, not only assignable to each other. */
const SAME = "type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;";

describe("the types of the records", () => {
  const ENTRIES = [
    { entry: ".", source: join(root, "src/index.ts"), built: join(installed, "dist/index.d.ts") },
    {
      entry: "./webhooks",
      source: join(root, "src/webhooks/index.ts"),
      built: join(installed, "dist/webhooks.d.ts"),
    },
    { entry: "./contract", source: join(root, "src/contract/index.ts"), built: join(installed, "dist/contract.d.ts") },
  ];
  const options = { ...OPTIONS, skipLibCheck: true };
  const program = programOf(
    ENTRIES.flatMap(({ source, built }) => [source, built]),
    options,
  );
  const checker = program.getTypeChecker();

  const behindAlias = (symbol: ts.Symbol) =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;

  /** The exports of a module or a namespace. In a bundled namespace, each is declared as `type shapes_d_Tool = Tool`. */
  function exportsOf(module: ts.Symbol): [string, ts.Symbol][] {
    return checker.getExportsOfModule(module).map((exported) => {
      const symbol = behindAlias(exported);
      const declared = symbol.declarations?.find(ts.isTypeAliasDeclaration)?.type;
      const isBundled = symbol.name.startsWith("shapes_d_") && declared && ts.isTypeReferenceNode(declared);
      const target = isBundled ? checker.getSymbolAtLocation(declared.typeName) : undefined;
      return [exported.name, target ? behindAlias(target) : symbol];
    });
  }

  /** The types without parameters that a module exports. */
  function typesOf(path: string): ReadonlyMap<string, ts.Symbol> {
    const file = program.getSourceFile(path);
    const module = file && checker.getSymbolAtLocation(file);
    const symbols = (module ? exportsOf(module) : []).flatMap((found): [string, ts.Symbol][] => {
      const [name, symbol] = found;
      // The contract exports its schemas and their types as a namespace.
      return name === "shapes" ? exportsOf(symbol).map(([member, type]) => [`shapes.${member}`, type]) : [found];
    });
    return new Map(
      symbols.filter(([, { declarations = [] }]) =>
        declarations.some(
          (node) => (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) && !node.typeParameters,
        ),
      ),
    );
  }

  /** The names of the types that an entry exports of modules with schemas. */
  function recordsOf(source: string): string[] {
    const isOfSchemas = ({ declarations = [] }: ts.Symbol) =>
      declarations.some((node) => SCHEMAS.test(node.getSourceFile().fileName));
    return [...typesOf(source)].filter(([, symbol]) => isOfSchemas(symbol)).map(([name]) => name);
  }

  test.each(ENTRIES)(
    "of $entry are identical to what their schemas infer",
    { timeout: 60_000 },
    ({ source, built }) => {
      const records = recordsOf(source);
      expect(records.length).toBeGreaterThan(5);
      compiled(
        "same.mts",
        `import type * as inferred from "${source.replace(/\.ts$/, ".js")}";
       import type * as published from "${built.replace(/\.d\.ts$/, ".js")}";
       ${SAME}
       export const optionality: Same<{ a?: string }, { a?: string | undefined }> = false;
       export const mutability: Same<{ a: { b: string } }, { a: { readonly b: string } }> = false;
       ${records.map((name) => `export const ${name.replace(".", "_")}: Same<inferred.${name}, published.${name}> = true;`).join("\n")}`,
        options,
      );
    },
  );

  test("of the contract are what its schemas accept and return", { timeout: 60_000 }, () => {
    const built = join(installed, "dist/contract.d.ts");
    const schemas = [...typesOf(built)].filter(([, { valueDeclaration }]) => valueDeclaration).map(([name]) => name);
    expect(schemas.length).toBeGreaterThan(100);
    compiled(
      "schemas.mts",
      `import type { shapes } from "svc-sdk/contract";
       import type * as z from "zod/mini";
       ${SAME}
       type Both<Schema> = [z.input<Schema>, z.output<Schema>];
       ${schemas.map((name) => `export const ${name.replace(".", "_")}: Same<Both<typeof ${name}>, [${name}, ${name}]> = true;`).join("\n")}`,
      options,
    );
  });

  /** The comment above a declaration, as one line. */
  const docOf = (node: ts.Node): string[] =>
    ts
      .getJSDocCommentsAndTags(node)
      .filter(ts.isJSDoc)
      .map((comment) => comment.getText().replace(/\s*\n\s*\*?\s*/g, " "));

  /** The docs of a type's fields, and of theirs, by path. A path through a union has those of all its members. */
  function docsOf(type: ts.Type, path: string, docs = new Map<string, Set<string>>(), above: readonly ts.Type[] = []) {
    if (above.includes(type)) return docs;
    const within = [...above, type];
    const parts = type.isUnionOrIntersection()
      ? type.types
      : checker.isArrayType(type)
        ? checker.getTypeArguments(type as ts.TypeReference)
        : [];
    for (const part of parts) docsOf(part, path, docs, within);
    if (parts.length > 0 || !(type.flags & ts.TypeFlags.Object)) return docs;
    const index = type.getStringIndexType();
    if (index) docsOf(index, `${path}[]`, docs, within);
    for (const property of type.getProperties()) {
      const field = `${path}.${property.name}`;
      const known = docs.get(field) ?? new Set();
      docs.set(field, known);
      for (const doc of property.declarations?.flatMap(docOf) ?? []) known.add(doc);
      docsOf(checker.getTypeOfSymbol(property), field, docs, within);
    }
    return docs;
  }

  /** The docs of records and of all their fields. */
  function allDocs(path: string, names: readonly string[]): Map<string, Set<string>> {
    const types = typesOf(path);
    const docs = new Map<string, Set<string>>();
    for (const name of names) {
      const symbol = types.get(name);
      const { declarations = [], valueDeclaration } = symbol ?? {};
      const own = declarations.filter((node) => node !== valueDeclaration).flatMap(docOf);
      // A type without its own doc has its schema's.
      docs.set(name, new Set(own.length > 0 || !valueDeclaration ? own : docOf(valueDeclaration)));
      if (symbol) docsOf(checker.getDeclaredTypeOfSymbol(symbol), name, docs);
    }
    return docs;
  }

  test.each(ENTRIES)("of $entry have the docs of their schemas, field by field", { timeout: 60_000 }, (entry) => {
    const records = recordsOf(entry.source);
    expect(allDocs(entry.built, records)).toEqual(allDocs(entry.source, records));
  });

  test("contain every doc above a field of a schema", { timeout: 60_000 }, () => {
    const published = ENTRIES.flatMap(({ source, built }) => [...allDocs(built, recordsOf(source)).values()]);
    const known = new Set(published.flatMap((docs) => [...docs]));
    const written = program
      .getSourceFiles()
      .filter(({ fileName }) => SCHEMAS.test(fileName))
      .flatMap((file) => {
        const fields: string[] = [];
        const visit = (node: ts.Node): void => {
          if (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)) fields.push(...docOf(node));
          ts.forEachChild(node, visit);
        };
        visit(file);
        return fields;
      });
    expect(written.length).toBeGreaterThan(500);
    expect(written.filter((doc) => !known.has(doc))).toEqual([]);
  });
});
