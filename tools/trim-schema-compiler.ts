// What the command line does not use of json-schema-to-typescript stays out of the package: the formatter, YAML, files and
// all of lodash but a dozen functions. What is left imports Node's modules as an ES module does.
import { readFileSync } from "node:fs";
import type { Plugin } from "esbuild";

/** The packages whose code ends up in the command line's chunk. Their licences travel with it. */
export const SCHEMA_COMPILER = [
  "json-schema-to-typescript",
  "@apidevtools/json-schema-ref-parser",
  "@jsdevtools/ono",
  "lodash",
];

const COMPILER = "node_modules/json-schema-to-typescript/dist/src";

const LODASH = [
  ...new Set(
    ["applySchemaTyping", "generator", "index", "linker", "optimizer", "parser", "resolver", "typesOfSchema", "utils"]
      .map((name) => readFileSync(`${COMPILER}/${name}.js`, "utf8"))
      .flatMap((text) => [...text.matchAll(/lodash_1\.(\w+)/g)].map(([, name]) => name)),
  ),
].sort();

const REPLACEMENTS: Readonly<Record<string, string>> = {
  lodash: `module.exports = { ${LODASH.map((name) => `${name}: require("lodash/${name}")`).join(", ")} };`,
  // Formatting is off, and schemas come as values.
  prettier: "module.exports = {};",
  "js-yaml": "module.exports = { CORE_SCHEMA: { withTags() {} }, JSON_SCHEMA: {} };",
};

export const trimSchemaCompiler: Plugin = {
  name: "trim-schema-compiler",
  setup(build) {
    build.onResolve({ filter: /^(lodash|prettier|js-yaml)$/ }, ({ path }) => ({ path, namespace: "trimmed" }));
    build.onLoad({ filter: /.*/, namespace: "trimmed" }, ({ path }) => ({
      contents: REPLACEMENTS[path] ?? "",
      resolveDir: process.cwd(),
    }));
    build.onResolve({ filter: /^(fs|path|util)$/ }, ({ path, kind }) =>
      kind === "require-call" ? { path, namespace: "node" } : { path: `node:${path}`, external: true },
    );
    build.onLoad({ filter: /.*/, namespace: "node" }, ({ path }) => ({
      contents: `export * from "node:${path}"; export { default } from "node:${path}";`,
      resolveDir: process.cwd(),
    }));
    // Colours for its own debugging, in a try.
    build.onResolve({ filter: /^cli-color$/ }, ({ path }) => ({ path, namespace: "absent" }));
    build.onLoad({ filter: /.*/, namespace: "absent" }, () => ({ contents: "module.exports = undefined;" }));
  },
};
