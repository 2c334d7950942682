// One fresh process: prepares tools for one user with an adapter, then for 500 more users, and tells the processor time of both.
import { recordsFor } from "../kit/real-tools.mjs";

const adapter = JSON.parse(process.argv[2]);
const from = { formatVersion: 1, tools: recordsFor(254) };

const [{ Svc }, { prepareToolset }, adapters] = await Promise.all([
  import("svc-sdk"),
  import("svc-sdk/agents"),
  import(`svc-sdk/agents/${adapter.path}`),
]);
const msSince = (before) => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

const before = process.cpuUsage();
const prepared = await prepareToolset(new Svc({ apiKey: "key", baseUrl: "https://service.test" }), { from });
adapters[adapter.name](await prepared.for({ userId: "user-0" }));
const one = msSince(before);
for (let user = 1; user <= 500; user += 1) await prepared.for({ userId: `user-${user}` });
const all = msSince(before);
process.send({ one, all }, () => process.exit());
