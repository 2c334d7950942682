// Shares a retry budget between clients, and puts urgent calls before batches. Run it with:
// node examples/share-limits.ts
// #region priority
import { RetryBudget, Svc, shareRetryBudget } from "svc-sdk";

const svc = new Svc();
const batch = Array.from({ length: 30 }, () => svc.tools.listSlugs());
const person = svc.toolkits.list({}, { priority: "high" }); // Goes ahead of queued calls.
await Promise.all([...batch, person]);
// #endregion

// #region state
const { reported, remaining, inFlight, queued } = svc.rateLimit;
console.log(`${reported?.limit} per window, ${remaining} left, ${inFlight} in flight, ${queued} queued`);
// 2000 per window, 1969 left, 0 in flight, 0 queued
// #endregion

// #region budget
const budget = new RetryBudget();
const shared = shareRetryBudget(budget); // One for all clients of the same service.
const acme = new Svc({ apiKey: process.env["ACME_API_KEY"], use: [shared] });
const globex = new Svc({ apiKey: process.env["GLOBEX_API_KEY"], use: [shared] });
// #endregion

await Promise.all([acme, globex].map((client) => client.toolkits.list()));
console.log(`${budget.tokens} tokens`);
