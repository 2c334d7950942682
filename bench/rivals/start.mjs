// One fresh process: imports, makes a first call, and tells how long each took. Stands beside its node_modules.
const { specifiers, contender, baseUrl } = JSON.parse(process.argv[2]);

const startedAt = performance.now();
await Promise.all(specifiers.map((specifier) => import(specifier)));
const importMs = performance.now() - startedAt;

/** The emulator answers its own first request: there is no server. */
const EMULATOR = {
  load: () => import("svc-sdk/emulator"),
  create: ({ createEmulator }) => {
    const { fetch, baseUrl, apiKey } = createEmulator().connection;
    const headers = { "x-api-key": apiKey };
    return { one: async () => (await fetch(new Request(`${baseUrl}/api/v3.1/tools/enum`, { headers }))).text() };
  },
};

let firstCallMs;
if (contender) {
  const { CONTENDERS } = await import("./contenders.mjs");
  const { load, create } = CONTENDERS[contender] ?? EMULATOR;
  const module = await load();
  const importedAt = performance.now();
  await create(module, { baseUrl }).one();
  firstCallMs = performance.now() - importedAt;
}
process.send({ importMs, firstCallMs }, () => process.exit());
