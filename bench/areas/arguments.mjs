// Checking arguments: the structural check of toolsets and the whole check, beside a validator that generates code.
import { createRequire } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";
import { compare, cpuSince, interleave } from "../kit/measure.mjs";
import { root } from "../kit/rivals.mjs";
import { ratioRows } from "../kit/tables.mjs";

const AJV = "ajv, compiled before";
const AJV_FIRST = "ajv, first call";
const STRUCTURE = "svc-sdk, structure";
const WHOLE = "svc-sdk, argumentValidator()";

const list = (items) => ({ type: "object", required: ["items"], properties: { items: { type: "array", items } } });
const values = (count, item) => ({ items: Array.from({ length: count }, (_, index) => item(index)) });
const hundred = (branch) => list({ anyOf: Array.from({ length: 100 }, (_, index) => branch(index)) });
const text = { type: "string" };

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
};

async function checks() {
  const contents = `export { structuralMismatches } from "./src/json-schema/check/check-structure.js"; export { argumentValidator } from "./src/contract/arguments.js";`;
  const options = { bundle: true, write: false, format: "esm", platform: "node" };
  const { outputFiles } = await build({ stdin: { contents, resolveDir: root }, ...options });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`);
}

export const argumentChecks = {
  title: "Checking arguments",
  about: `Processor time as ratios to [ajv](https://ajv.js.org), which generates code for each schema, so it needs \`eval\`. Its first call
includes that. A toolset checks the structure; \`argumentValidator()\` checks everything, and reads the arguments as JSON first.`,
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
      figures[name] = await interleave(Object.keys(runs), { rounds: quick ? 5 : 21, warmUps: 2 }, (one) => {
        const before = process.cpuUsage();
        if (!runs[one]()) throw new Error(`${one} rejects: ${name}`);
        return Math.max(cpuSince(before), 1);
      });
    }
    return figures;
  },
  rows: (figures) => ratioRows(figures, AJV_FIRST),
  budgets: (figures) =>
    Object.entries(figures).map(([name, samples]) => {
      const { ratio, certain } = compare(samples[STRUCTURE], samples[AJV_FIRST]);
      return [`structure of ${name}, ÷ the first call of ajv`, ratio, 5, certain];
    }),
};
