// One fresh process: starts an edge VM, runs a bundled loop in it, and tells how long it took.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [tools, file, input] = process.argv.slice(2);
const { EdgeVM } = createRequire(tools)("@edge-runtime/vm");
const code = readFileSync(file, "utf8");

const startedAt = performance.now();
try {
  const vm = new EdgeVM({ codeGeneration: { strings: false, wasm: false } });
  vm.evaluate(code);
  const text = await vm.evaluate(`loop.run(${input})`);
  const ms = performance.now() - startedAt;
  process.send({ text, ms }, () => process.exit());
} catch (error) {
  process.send({ text: String(error) }, () => process.exit());
}
