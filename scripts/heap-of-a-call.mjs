// Prints how many bytes of heap a small call takes, once all its code is compiled. Run with --expose-gc and with a
// nursery so large that nothing is collected on the way.
import { strictEqual } from "node:assert/strict";
import { Svc } from "svc-sdk";

const CALLS = 1_000;
const tool = JSON.stringify({ slug: "TOOL_0", description: "x".repeat(780) });
const headers = {
  "content-type": "application/json",
  "x-request-id": "req_1",
  "x-ratelimit": "100000",
  "x-ratelimit-remaining": "99999",
  "x-ratelimit-window-size": "60s",
};
const fetch = async () => new Response(tool, { headers });
const svc = new Svc({ baseUrl: "http://127.0.0.1:9", apiKey: "ak_heap", env: {}, fetch });

async function bytesPerCall() {
  globalThis.gc();
  const before = process.memoryUsage().heapUsed;
  for (let call = 0; call < CALLS; call += 1) strictEqual((await svc.tools.get("TOOL_0")).slug, "TOOL_0");
  return (process.memoryUsage().heapUsed - before) / CALLS;
}

for (let round = 0; round < 20; round += 1) await bytesPerCall();
const samples = [];
for (let round = 0; round < 5; round += 1) samples.push(await bytesPerCall());
console.log(samples.toSorted((a, b) => a - b)[2]);
