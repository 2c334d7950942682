import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import type ts from "typescript";
import { libraryDeclarations } from "./declarations.js";
import { Kinds } from "./kinds.js";
import type { FieldTableName } from "./names.js";

/** TypeScript's API. The package doesn't depend on it: a project brings its own. */
export type TypeScript = typeof ts;

/**
 * Loads the project's TypeScript, or the one that npx installed next to this package.
 *
 * @throws {Error} if it isn't installed, or has no API: TypeScript 7 has only the command.
 */
export function loadTypeScript(folder: string): TypeScript {
  const places = [join(folder, "package.json"), import.meta.url];
  const found = places.flatMap((place) => {
    try {
      // The package's main export is its API.
      return [createRequire(place)("typescript") as Partial<TypeScript>];
    } catch {
      return [];
    }
  });
  // Without these functions it isn't the API.
  const usable = found.find(({ createProgram, findConfigFile }) => createProgram && findConfigFile);
  // It has them.
  if (usable) return usable as TypeScript;
  const problem =
    found.length === 0 ? "needs TypeScript, which isn't installed" : "needs TypeScript 5 or 6; 7 has no API";
  throw new Error(`svc-sdk migrate ${problem}. Run npx -p typescript@6 -p svc-sdk svc-sdk migrate.`);
}

/** A program's files, and the compiler that finds out which declaration a name stands for. */
export interface Project {
  readonly ts: TypeScript;
  readonly checker: ts.TypeChecker;
  readonly kinds: Kinds;
  /** @param path Absolute. */
  file(path: string): ts.SourceFile | undefined;
  /** The first syntax error of a file, with its line. */
  syntaxError(file: ts.SourceFile): string | undefined;
}

/** A file while it is rewritten. */
export interface FileContext {
  readonly project: Project;
  readonly source: ts.SourceFile;
  /** The objects whose fields are renamed, of all files. */
  readonly marks: Map<ts.Node, FieldTableName>;
  /** A part of the file as it will be. */
  print(node: ts.Node): string;
  /** The same, but only what is in it is replaced. */
  printChildren(node: ts.Node): string;
  /** The rest of a node from a position on, such as a call's arguments. */
  printBetween(from: number, node: ts.Node): string;
  /** Leaves a comment at the statement: why a person must decide, and `#` with the section of the guide. */
  todo(reason: string): void;
  /** Imports a name, and returns its name in this file. */
  need(name: string, from: string): string;
  /** The new name of what a library exports, if it is imported or declared here with another one. */
  readonly localNames: ReadonlyMap<ts.Node, string>;
  /** Imports that the file won't have. */
  readonly dropped: ReadonlySet<ts.Node>;
}

/**
 * Reads files as one program, with what they import from each other. Packages aren't read: the declarations of the old
 * ones are our own, so none needs to be installed.
 *
 * @param contents Contents by absolute path. Other files are read from the disk.
 */
export function openProject(ts: TypeScript, folder: string, contents: ReadonlyMap<string, string>): Project {
  const options: ts.CompilerOptions = {
    allowJs: true,
    // With strict types, a page that gives the cursor of the next page would depend on itself, and have no type.
    strict: false,
    lib: ["lib.es2023.d.ts"],
    types: [],
    target: ts.ScriptTarget.Latest,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    jsx: ts.JsxEmit.Preserve,
    ...pathsOf(ts, folder),
  };
  const host = ts.createCompilerHost(options, true);
  const { fileExists, readFile } = host;
  const declarations = join(folder, "svc-sdk-migrate.d.ts");
  const files = new Map([[declarations, libraryDeclarations()], ...contents]);
  host.readFile = (path) => files.get(resolve(path)) ?? readFile(path);
  host.fileExists = (path) => files.has(resolve(path)) || fileExists(path);
  host.resolveModuleNameLiterals = (literals, from) =>
    literals.map(({ text }) => {
      const { resolvedModule } = ts.resolveModuleName(text, from, options, { fileExists: host.fileExists, readFile });
      return { resolvedModule: resolvedModule?.isExternalLibraryImport ? undefined : resolvedModule };
    });
  const program = ts.createProgram([...files.keys()], options, host);
  const checker = program.getTypeChecker();
  return {
    ts,
    checker,
    kinds: new Kinds(ts, checker, program.getSourceFile(declarations)),
    file: (path) => program.getSourceFile(path),
    syntaxError(file) {
      const [error] = program.getSyntacticDiagnostics(file);
      if (!error) return undefined;
      const { line } = file.getLineAndCharacterOfPosition(error.start);
      return `line ${line + 1}: ${ts.flattenDiagnosticMessageText(error.messageText, " ")}`;
    },
  };
}

/** The compiler, and what reads its trees, recurse into nested code. */
export const MAX_DEPTH = 400;

/** Whether a file has deeper code than that. */
export function isDeep(ts: TypeScript, path: string, text: string): boolean {
  try {
    let level: ts.Node[] = [ts.createSourceFile(path, text, ts.ScriptTarget.Latest)];
    for (let depth = 0; level.length > 0; depth += 1) {
      if (depth > MAX_DEPTH) return true;
      const children: ts.Node[] = [];
      for (const node of level) ts.forEachChild(node, (child) => void children.push(child));
      level = children;
    }
    return false;
  } catch (error) {
    if (error instanceof RangeError) return true;
    throw error;
  }
}

/** The aliases of the project's own modules, such as `@/*`. */
function pathsOf(ts: TypeScript, folder: string): ts.CompilerOptions {
  const config = ts.findConfigFile(folder, ts.sys.fileExists);
  if (config === undefined) return {};
  const { config: json = {} } = ts.readConfigFile(config, ts.sys.readFile);
  const only = { ...json, files: [], include: [], references: [] };
  const { options } = ts.parseJsonConfigFileContent(only, ts.sys, dirname(config), undefined, config);
  const { baseUrl, paths, pathsBasePath } = options;
  if (!paths) return {};
  return { paths, pathsBasePath, ...(baseUrl === undefined ? {} : { baseUrl }) };
}
