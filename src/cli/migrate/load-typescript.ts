import { createRequire } from "node:module";
import { join } from "node:path";
import type ts from "typescript";

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
