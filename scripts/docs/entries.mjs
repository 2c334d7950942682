// The package's entries with types, and where their declarations lie.
import { readFileSync } from "node:fs";
import { ENTRIES as ALL, declarationsOf } from "../entries.ts";

export const { version } = JSON.parse(readFileSync("package.json", "utf8"));

export const ENTRIES = ALL.map(({ name, source, output }) => ({
  /** As it is imported: `svc-sdk/webhooks/node`. */
  name,
  /** As a file is named after it: `webhooks-node`. */
  slug: name.replace(/^svc-sdk\//, "").replaceAll("/", "-"),
  /** Where its declarations are published. */
  types: `./dist/${output}.d.ts`,
  /** The declarations that scripts/types.ts generated from its source. */
  declarations: declarationsOf(source),
}));
