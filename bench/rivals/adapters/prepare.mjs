// The same with a rival's adapter, which imports the rival's client. Stands beside its node_modules.
import { cpuSince } from "../../kit/measure.mjs";
import { recordsFor, toolsOf } from "../../kit/real-tools.mjs";

const { adapter, count } = JSON.parse(process.argv[2]);
const tools = toolsOf(recordsFor(count));
// Some adapters print a warning for each tool.
console.warn = () => {};

const startedAt = performance.now();
const module = await import(adapter.specifier);
const provider = new module[adapter.provider]();
const before = process.cpuUsage();
for (const { name, description, schema } of tools) {
  provider.wrapTool({ slug: name, description, inputParameters: schema }, () => ({}));
}
const preparingCpuMs = cpuSince(before) / 1_000;
const ms = performance.now() - startedAt;
process.send({ ms, preparingCpuMs }, () => process.exit());
