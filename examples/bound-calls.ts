// Limits how long calls take, and aborts one. Run it with: node examples/bound-calls.ts
// #region bounds
import { Svc, TimeoutError } from "svc-sdk";

const svc = new Svc({
  timeoutMs: 20_000, // Per attempt, including the body.
  deadlineMs: 45_000, // For the whole call: queueing, attempts and waits.
  maxRetries: 4,
  maxRetryDelayMs: 10_000, // If the service asks for more, fail with `retryAt`.
});
// #endregion

// #region call
try {
  await svc.toolkits.list({}, { deadlineMs: 1, maxRetries: 0 });
} catch (error) {
  if (!(error instanceof TimeoutError)) throw error;
  console.log(`${error.option} of ${error.timeoutMs} ms`); // deadlineMs of 1 ms
}
// #endregion

// #region abort
const controller = new AbortController();
const listing = svc.toolkits.list({}, { signal: controller.signal });
controller.abort(new Error("the user closed the page"));
await listing.catch((reason: Error) => console.log(reason.message)); // Rejects with your reason.
// #endregion
