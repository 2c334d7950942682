import { readFileSync } from "node:fs";
import { resolve } from "node:path";

interface Targets {
  readonly types: string;
  readonly default: string;
}

const manifest = JSON.parse(readFileSync(resolve(import.meta.dirname, "../../package.json"), "utf8")) as {
  readonly exports: Readonly<Record<string, Targets | string>>;
};

/**
 * The package's entries with code, as its manifest names them, and their files: `./webhooks`,
 * `./dist/webhooks/index.js`.
 */
export const TARGETS = Object.entries(manifest.exports).flatMap(([entry, targets]) =>
  typeof targets === "string" ? [] : [{ entry, types: targets.types, code: targets.default }],
);

/** The names of the entries with code: `./webhooks`. */
export const ENTRIES = TARGETS.map(({ entry }) => entry);

/** The name that a consumer imports: `svc-sdk/webhooks`. */
export const nameOf = (entry: string) => `svc-sdk${entry.slice(1)}`;
