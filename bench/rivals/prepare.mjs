// One fresh process: imports the client and an adapter, prepares tools, and tells how long it took.
const { adapter, from } = JSON.parse(process.argv[2]);

const startedAt = performance.now();
const [{ Svc }, { toolset }, adapters] = await Promise.all([
  import("svc-sdk"),
  import("svc-sdk/agents"),
  import(`svc-sdk/agents/${adapter.path}`),
]);
adapters[adapter.name](await toolset(new Svc({ apiKey: "key", baseUrl: "http://127.0.0.1:9" }), { userId: "user-4711", from }));
const ms = performance.now() - startedAt;
process.send({ ms }, () => process.exit());
