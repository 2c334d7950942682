// Writes the declaration files that tsup bundles into the published types: those of the sources, but with the types that
// schemas infer written out, so that nobody's compiler has to infer them again. Run before the build.
//
// `schema.ts` gives two: `schema.d.ts` with the plain types, and `schema.zod.d.ts` with the schemas, for the contract.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import ts from "typescript";
import { entry, TYPES } from "../tsup.config.ts";
import { createFlattener, holdsSchemas } from "./types/flatten.mjs";
import { importSchemas, schemasOf } from "./types/schemas.mjs";

const { options } = ts.getParsedCommandLineOfConfigFile(
  "tsconfig.json",
  {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    noEmitOnError: true,
    // What is unused is for the type check to say.
    noUnusedLocals: false,
    noUnusedParameters: false,
    skipLibCheck: true,
    // Constructors of resources take the core, which is nobody's to make.
    stripInternal: true,
    rootDir: "src",
    outDir: TYPES,
  },
  { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (diagnostic) => report([diagnostic]) },
);
const program = ts.createProgram(
  Object.values(entry).map((path) => resolve(path)),
  options,
);

// First of all: literals of a union stand in the order in which the compiler met them, and it must not meet them elsewhere.
const plainTypesOf = createFlattener(program);
const plain = new Map(
  program
    .getSourceFiles()
    .flatMap((file) => (holdsSchemas(file.fileName) ? [[file.fileName, plainTypesOf(file)]] : [])),
);

const emitted = new Map();
const { diagnostics } = program.emit(undefined, (path, text, _mark, _onError, [{ fileName }]) => {
  emitted.set(fileName, { path, text });
});
if (diagnostics.length) report(diagnostics);

rmSync(TYPES, { recursive: true, force: true });
for (const [fileName, { path, text }] of emitted) {
  const plainTypes = plain.get(fileName);
  if (plainTypes !== undefined) {
    write(path, plainTypes);
    write(path.replace(/\.d\.ts$/, ".zod.d.ts"), schemasOf(text, plainTypes, fileName));
  } else write(path, fileName.includes("/src/contract/") ? importSchemas(text, fileName) : text);
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function report(diagnostics) {
  const host = {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => resolve("."),
    getNewLine: () => "\n",
  };
  console.error(ts.formatDiagnostics(diagnostics, host));
  process.exit(1);
}
