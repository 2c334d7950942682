// Checking arguments: the structural check of toolsets and the whole check, beside a validator that generates code.
import { createRequire } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";
import { compare, cpuSince, interleave, mapValues } from "../kit/measure.mjs";
import { root } from "../kit/rivals.mjs";
import { ratioRows } from "../kit/tables.mjs";

const AJV = "ajv, compiled before";
const AJV_FIRST = "ajv, first call";
const STRUCTURE = "svc-sdk, structure";
const WHOLE = "svc-sdk, argumentValidator()";

const list = (items, $defs = {}) => ({ type: "object", required: ["items"], properties: { items: { type: "array", items } }, $defs });
const values = (count, item) => ({ items: Array.from({ length: count }, (_, index) => item(index)) });
const hundred = (branch) => list({ anyOf: Array.from({ length: 100 }, (_, index) => branch(index)) });
const text = { type: "string" };
const plain = { type: "object", required: ["id", "name"], properties: { id: { type: "integer" }, name: text, done: { type: "boolean" } } };
const plainItem = (index) => ({ id: index, name: `name ${index}`, done: true });
const branch = (kind, properties) => ({ type: "object", required: ["kind"], properties: { kind: { const: kind }, ...properties } });
const branches = { a: branch("a", { text }), b: branch("b", { size: { type: "integer" } }), c: branch("c", { done: { type: "boolean" } }) };
const node = { type: "object", required: ["name"], properties: { name: text, children: { type: "array", items: { $ref: "#/$defs/node" } } } };
const tree = (levels) => ({ name: `level ${levels}`, children: levels === 0 ? [] : Array.from({ length: 5 }, () => tree(levels - 1)) });

/** Per input: the schema, and arguments that fit it. */
const INPUTS = {
  "120 KB, a union of 100 by a constant": [
    hundred((index) => ({ type: "object", required: ["kind", "text"], properties: { kind: { const: `k${index}` }, text } })),
    values(3_000, (index) => ({ kind: `k${index % 100}`, text: "a few words" })),
  ],
  "120 KB, a union of 100 by names": [
    hundred((index) => ({ type: "object", required: ["text", `f${index}`], properties: { text, [`f${index}`]: { type: "integer" } } })),
    values(3_000, (index) => ({ text: "a few words", [`f${index % 100}`]: index })),
  ],
  "1.5 MB, a list of strings": [list(text), values(150_000, (index) => `s${index}`)],
  "500 KB of records": [
    list({
      type: "object",
      required: ["id", "name"],
      properties: { id: { type: "integer", minimum: 0 }, name: { ...text, maxLength: 50 }, tags: { type: "array", items: { enum: ["a", "b"] } } },
      additionalProperties: false,
    }),
    values(10_000, (index) => ({ id: index, name: `name ${index}`, tags: ["a", "b"] })),
  ],
  "1 MB, a list of integers": [list({ type: "integer" }), values(150_000, (index) => index)],
  "400 KB of records with only types": [list(plain), values(10_000, plainItem)],
  "400 KB of references to such a record": [list({ $ref: "#/$defs/plain" }, { plain }), values(10_000, plainItem)],
  "250 KB, a union of 3 references": [
    list({ anyOf: ["a", "b", "c"].map((name) => ({ $ref: `#/$defs/${name}` })) }, branches),
    values(10_000, (index) => [{ kind: "a", text: "a word" }, { kind: "b", size: index }, { kind: "c", done: true }][index % 3]),
  ],
  "700 KB, a tree": [{ $ref: "#/$defs/node", $defs: { node } }, tree(6)],
  "a call with 4 of 6 arguments": [
    {
      type: "object",
      required: ["owner", "repo", "title"],
      properties: { owner: text, repo: text, title: text, body: text, labels: { type: "array", items: text }, milestone: { type: "integer" } },
    },
    { owner: "octo-org", repo: "hello-world", title: "It works", labels: ["bug"] },
  ],
};

/** A sample has as many runs as take this long. */
const SAMPLE_MS = 20;

function runsPerSample(run) {
  const start = performance.now();
  let runs = 0;
  while (performance.now() - start < SAMPLE_MS) {
    run();
    runs += 1;
  }
  return runs;
}

async function checks() {
  const contents = `export { structuralMismatches } from "./src/json-schema/check/check-structure.js"; export { argumentValidator } from "./src/contract/arguments.js";`;
  const options = { bundle: true, write: false, format: "esm", platform: "node" };
  const { outputFiles } = await build({ stdin: { contents, resolveDir: root }, ...options });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`);
}

export const argumentChecks = {
  title: "Checking arguments",
  about: `Processor time as ratios to [ajv](https://ajv.js.org), which generates code for each schema, so it needs \`eval\`. Its first call
includes that. A toolset checks the structure, with tests that it makes once for each schema; \`argumentValidator()\` checks everything, and reads the arguments as JSON first.`,
  async measure({ quick }) {
    const { structuralMismatches, argumentValidator } = await checks();
    const { default: Ajv } = await import(createRequire(join(root, "package.json")).resolve("ajv/dist/2020.js"));
    const { check } = argumentValidator();
    const figures = {};
    for (const [name, [schema, value]] of Object.entries(INPUTS)) {
      const validate = new Ajv.default().compile(schema);
      const runs = {
        [AJV]: () => validate(value),
        [AJV_FIRST]: () => new Ajv.default().compile(schema)(value),
        [STRUCTURE]: () => structuralMismatches(schema, value, true).length === 0,
        [WHOLE]: () => check(schema, value).length === 0,
      };
      const counts = mapValues(runs, (run) => runsPerSample(run) && runsPerSample(run));
      figures[name] = await interleave(Object.keys(runs), { rounds: quick ? 5 : 21, warmUps: 2 }, (one) => {
        const before = process.cpuUsage();
        for (let run = 0; run < counts[one]; run += 1) if (!runs[one]()) throw new Error(`${one} rejects: ${name}`);
        return Math.max(cpuSince(before), 1) / counts[one];
      });
    }
    return figures;
  },
  rows: (figures) => ratioRows(figures, AJV),
  budgets: (figures) =>
    Object.entries(figures).map(([name, samples]) => {
      const { ratio, certain } = compare(samples[STRUCTURE], samples[AJV]);
      return [`structure of ${name}, ÷ ajv, compiled before`, ratio, 5, certain];
    }),
};
