// The same with a rival's adapter, which imports the rival's client. Stands beside its node_modules.
const { adapter, tools } = JSON.parse(process.argv[2]);

const startedAt = performance.now();
const module = await import(adapter.specifier);
const provider = new module[adapter.provider]();
for (const { name, description, schema } of tools) {
  provider.wrapTool({ slug: name, description, inputParameters: schema }, () => ({}));
}
const ms = performance.now() - startedAt;
process.send({ ms }, () => process.exit());
