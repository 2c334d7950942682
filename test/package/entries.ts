import { ENTRIES as ALL } from "../../scripts/entries.js";

/**
 * The package's entries with code, as its manifest names them, and their files: `./webhooks`, `./dist/webhooks.js`.
 */
export const TARGETS = ALL.map(({ path, output }) => ({
  entry: path,
  types: `./dist/${output}.d.ts`,
  code: `./dist/${output}.js`,
}));

/** The names of the entries with code: `./webhooks`. */
export const ENTRIES = TARGETS.map(({ entry }) => entry);

/** The name that a consumer imports: `svc-sdk/webhooks`. */
export const nameOf = (entry: string) => `svc-sdk${entry.slice(1)}`;
