// Tests of a webhook receiver, with signed deliveries and with an emulator that delivers.
// #region receiver
import { Svc } from "svc-sdk";
import { createEmulator } from "svc-sdk/emulator";
import { connectedAccountRecord, signedDelivery } from "svc-sdk/testing";
import { createReceiver, type Receiver } from "svc-sdk/webhooks";
import { expect, test } from "vitest";

const receiverFor = (secret: string, seen: unknown[], now = Date.now) =>
  createReceiver({
    secret,
    now,
    on: {
      GITHUB_COMMIT_EVENT: ({ payload }) => seen.push(payload["message"]),
      "svc.connected_account.expired": ({ event }) => seen.push(event.data.id),
    },
    onUnhandled: ({ type }) => seen.push(type),
  });
// #endregion

// #region deliveries
test("handles an event once and rejects a forged one", async () => {
  const seen: unknown[] = [];
  const secret = "whsec_of_the_test";
  const receiver = receiverFor(secret, seen);
  const payload = { id: "c0ffee", message: "Fix the build", author: "ada" };
  const commit = signedDelivery({ secret, trigger: "GITHUB_COMMIT_EVENT", payload });
  const expired = signedDelivery({ secret, type: "svc.connected_account.expired" });
  const forged = signedDelivery({ secret: "whsec_of_someone_else" });
  const statuses = [];
  for (const { request } of [commit, commit, expired, forged]) statuses.push((await receiver(request)).status);
  expect(statuses).toEqual([200, 200, 200, 401]); // The second is a duplicate.
  expect(seen).toEqual(["Fix the build", expired.event.data.id]);
});
// #endregion

// #region end-to-end
const NOT_YET = new Response(null, { status: 503 });

test("handles a commit once, even if it's delivered twice", async () => {
  const seen: unknown[] = [];
  const server: { receive?: Receiver } = {};
  const emulator = createEmulator({ deliveries: { fetch: async (request) => server.receive?.(request) ?? NOT_YET } });
  const svc = new Svc(emulator.connection);
  const { secret } = await svc.webhookSubscriptions.ensure({
    webhook_url: "https://app.example/webhooks",
    enabled_events: ["svc.trigger.message"],
  });
  server.receive = receiverFor(secret, seen, () => emulator.clock.now()); // The emulator's clock is stopped, see below.
  const { trigger_id } = await svc.triggers.upsert("GITHUB_COMMIT_EVENT", {
    user_id: "user-4711",
    trigger_config: { owner: "octo-org", repo: "hello-world" },
  });

  emulator.deliveries.injectFaults({ copies: 2 });
  emulator.triggers.fire(trigger_id, { id: "c0ffee", message: "Fix the build", author: "ada" });
  await emulator.waitForDeliveries();
  expect(seen).toEqual(["Fix the build"]);
});
// #endregion

// #region records
test("creates an account record for code that takes one", () => {
  const account = connectedAccountRecord({ status: "EXPIRED", user_id: "ada" });
  expect(account).toMatchObject({ status: "EXPIRED", toolkit: { slug: "github" } });
});
// #endregion
