import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import worker from "../../examples/workers/receiver.js";
import { signedDelivery } from "../../src/testing/index.js";
import { stopwatch } from "../support/size.js";

const run = promisify(execFile);

test("queues a delivery once in the Worker, and rejects a forged one", async () => {
  const sent: object[] = [];
  const secret = "whsec_of_the_worker";
  const environment = { SVC_WEBHOOK_SECRET: secret, COMMITS: { send: async (commit: object) => sent.push(commit) } };
  const delivery = signedDelivery({ secret, overrides: { data: { id: "c0ffee", message: "Fix", author: "ada" } } });
  for (let copy = 0; copy < 3; copy += 1) {
    expect((await worker.fetch(delivery.request, environment)).status).toBe(200);
  }
  expect((await worker.fetch(signedDelivery({ secret: "another" }).request, environment)).status).toBe(401);
  expect(sent).toEqual([{ id: delivery.id, message: "Fix" }]);
});

test("lets a program exit whose deliveries wait for a stopped clock", async () => {
  const program = `
    import { Svc } from "svc-sdk";
    import { createEmulator } from "svc-sdk/emulator";
    const fetch = async () => new Response(null, { status: 500 });
    const emulator = createEmulator({ deliveries: { fetch } });
    const svc = new Svc(emulator.connection);
    const webhook_url = "https://app.example.com/hooks";
    await svc.webhookSubscriptions.create({ webhook_url, enabled_events: ["svc.connected_account.expired"] });
    emulator.accounts.expire("ca_github_demo");
    await emulator.waitForDeliveries();
    console.log(emulator.deliveries.items[0].state);`;
  const watch = stopwatch();
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });
  expect(stdout.trim()).toBe("pending");
  watch.expectBelow(30_000);
});
