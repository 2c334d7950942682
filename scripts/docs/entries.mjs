// The package's entries with types, in the order of its manifest: `svc-sdk/webhooks` and where its declarations lie.
import { readFileSync } from "node:fs";
import { entry, TYPES } from "../../tsup.config.ts";

const manifest = JSON.parse(readFileSync("package.json", "utf8"));

export const version = manifest.version;

export const ENTRIES = Object.entries(manifest.exports).flatMap(([path, { types }]) => {
  if (types === undefined) return [];
  const source = entry[types.replace(/^\.\/dist\/(.*)\.d\.ts$/, "$1")];
  return {
    /** As it is imported: `svc-sdk/webhooks/node`. */
    name: manifest.name + path.slice(1),
    /** As a file is named after it: `webhooks-node`. */
    slug: path === "." ? manifest.name : path.slice(2).replaceAll("/", "-"),
    /** Where its declarations are published. */
    types,
    /** The declarations that scripts/types.ts generated from its source. */
    declarations: source.replace(/^src\/(.*)\.ts$/, `${TYPES}/$1.d.ts`),
  };
});
