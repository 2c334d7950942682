// What a long queue costs: many calls at once behind an exhausted window, then the window turns. The work for each
// call must not grow with the length of the queue, so the third column stays level. Run it after a build:
// npm run bench:queue
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Svc } from "svc-sdk";

const body = JSON.stringify({ ok: true });
const usedUp = { "x-ratelimit": "1000000", "x-ratelimit-remaining": "0", "x-ratelimit-window-size": "15s" };
const open = { ...usedUp, "x-ratelimit-remaining": "900000" };

/** Queues calls until the window turns, and says how long each one took and how long the loop stood still. */
async function queued(count) {
  let answers = 0;
  let turnedAt = 0;
  const fetch = async () => {
    answers += 1;
    if (answers === 2) turnedAt = performance.now();
    return new Response(body, { headers: { "content-type": "application/json", ...(answers === 1 ? usedUp : open) } });
  };
  const svc = new Svc({ baseUrl: "https://api.example.com", apiKey: "ak", env: {}, fetch });
  await svc.tools.list();
  const startedAt = performance.now();
  const calls = Array.from({ length: count }, () => svc.tools.list());
  const enteredMs = performance.now() - startedAt;
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await Promise.all(calls);
  const perCall = ((enteredMs + performance.now() - turnedAt) / count) * 1_000;
  // A block is recorded when it is over.
  await new Promise((resolve) => setTimeout(resolve, 10));
  delay.disable();
  return { count, enterUs: (enteredMs / count) * 1_000, perCall, blockedMs: delay.max / 1e6 };
}

await queued(2_000);
console.log("calls    µs to enter    µs in all    longest block of the loop, ms");
for (const count of [1_000, 5_000, 10_000, 50_000]) {
  const { enterUs, perCall, blockedMs } = await queued(count);
  console.log(
    [count, enterUs.toFixed(1), perCall.toFixed(1), blockedMs.toFixed(0)].map((value) => String(value).padStart(8)).join("      "),
  );
}
