// One rate limit for all processes. Start several: REDIS_URL=redis://127.0.0.1:6379 node examples/share-rate-window.ts
// #region window
import { Redis } from "ioredis";
import { Svc } from "svc-sdk";
import { redisRateLimit } from "svc-sdk/stores";

const client = new Redis(process.env["REDIS_URL"] ?? "redis://127.0.0.1:6379");

const svc = new Svc({
  sharedRateLimit: redisRateLimit({ client, key: "svc:rate-limit:acme" }), // One key per organization.
});
await Promise.all(Array.from({ length: 25 }, () => svc.tools.listSlugs()));
console.log(`shared: ${svc.rateLimit.isShared}`);
// #endregion

client.disconnect();
