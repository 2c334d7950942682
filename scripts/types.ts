// Writes the declaration files that tsup bundles into the published types: the compiler's own, except that a type
// inferred from a schema is written out field by field. docs/decisions/0008-the-published-types.md says why. The
// types are not checked here: the native compiler does that in a third of the time.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import ts from "typescript";
import { COMMAND, ENTRIES, TYPES } from "./entries.ts";
import { createFlattener, holdsSchemas } from "./types/flatten.ts";
import { importSchemas, schemasOf } from "./types/schemas.ts";

const config = ts.getParsedCommandLineOfConfigFile(
  "tsconfig.json",
  {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    noCheck: true,
    // With it, the compiler would write paths that end in .ts.
    allowImportingTsExtensions: false,
    // Constructors of resources take the core, which users can't create.
    stripInternal: true,
    rootDir: "src",
    outDir: TYPES,
  },
  { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (diagnostic) => fail([diagnostic]) },
);
const program = ts.createProgram(
  [...ENTRIES.map(({ source }) => source), COMMAND].map((path) => resolve(path)),
  config?.options ?? {},
);

// Before anything else uses the checker: it lists the members of a union in the order in which it met them.
const plainTypesOf = createFlattener(program);
const plain = new Map(
  program
    .getSourceFiles()
    .filter(({ fileName }) => holdsSchemas(fileName))
    .map((file) => [file.fileName, plainTypesOf(file)]),
);

const emitted = new Map<string, { readonly path: string; readonly text: string }>();
const { diagnostics } = program.emit(undefined, (path, text, _mark, _onError, sources) => {
  emitted.set(sources?.[0]?.fileName ?? path, { path, text });
});
if (diagnostics.length > 0) fail(diagnostics);

rmSync(TYPES, { recursive: true, force: true });
for (const [fileName, { path, text }] of emitted) {
  const plainTypes = plain.get(fileName);
  if (plainTypes !== undefined) {
    write(path, plainTypes);
    write(path.replace(/\.d\.ts$/, ".zod.d.ts"), schemasOf(text, plainTypes, fileName));
  } else write(path, namesSchemas(fileName) ? importSchemas(text, fileName) : withoutSchemas(text));
}

/** The declarations of a file without its schemas. Outside resources, they're for the package's own use. */
function withoutSchemas(text: string): string {
  const file = ts.createSourceFile("", text, ts.ScriptTarget.Latest);
  return file.statements
    .map((statement) => ({ text: statement.getFullText(file), isConst: ts.isVariableStatement(statement) }))
    .filter((declared) => !declared.isConst || !/\bz\.(core|ZodMini)/.test(declared.text))
    .reduce((kept, declared) => kept + declared.text, "");
}

/** Whether the declarations of a file name schemas, not only the types that they infer. */
function namesSchemas(fileName: string): boolean {
  return /\/src\/(contract\/|resources\/[\w-]+\/contract\.ts$)/.test(fileName);
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function fail(problems: readonly ts.Diagnostic[]): never {
  const host: ts.FormatDiagnosticsHost = {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => resolve("."),
    getNewLine: () => "\n",
  };
  console.error(ts.formatDiagnostics(problems, host));
  process.exit(1);
}
