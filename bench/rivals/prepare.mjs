// One fresh process: imports the client and an adapter, prepares tools, and tells how long both took together, and the
// processor time of the preparation alone.
import { readFileSync } from "node:fs";
import { cpuSince } from "../kit/measure.mjs";
import { inRequests, recordsFor } from "../kit/real-tools.mjs";

const { adapter, count, saved } = JSON.parse(process.argv[2]);
const requests = saved
  ? JSON.parse(readFileSync(saved, "utf8"))
  : inRequests(recordsFor(count)).map((tools) => ({ formatVersion: 1, tools }));

const startedAt = performance.now();
const [{ Svc }, { toolset }, adapters] = await Promise.all([
  import("svc-sdk"),
  import("svc-sdk/agents"),
  import(`svc-sdk/agents/${adapter.path}`),
]);
const svc = new Svc({ apiKey: "key", baseUrl: "http://127.0.0.1:9" });
const before = process.cpuUsage();
for (const from of requests) adapters[adapter.name](await toolset(svc, { userId: "user-4711", from }));
const preparingCpuMs = cpuSince(before) / 1_000;
const ms = performance.now() - startedAt;
process.send({ ms, preparingCpuMs }, () => process.exit());
