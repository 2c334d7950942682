// One fresh process: imports, makes a first call, and tells how long each took. Stands beside its node_modules.
const { specifiers, contender, baseUrl } = JSON.parse(process.argv[2]);

const startedAt = performance.now();
await Promise.all(specifiers.map((specifier) => import(specifier)));
const importMs = performance.now() - startedAt;

let firstCallMs;
if (contender) {
  const { CONTENDERS } = await import("./contenders.mjs");
  const { load, create } = CONTENDERS[contender];
  const module = await load();
  const importedAt = performance.now();
  await create(module, { baseUrl }).one();
  firstCallMs = performance.now() - importedAt;
}
process.send({ importMs, firstCallMs }, () => process.exit());
