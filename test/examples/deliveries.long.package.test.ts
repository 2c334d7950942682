import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, onTestFinished, test, vi } from "vitest";
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

test("handles a delivery once in a Lambda function, encoded or not, and rejects a forged one", async () => {
  const secret = "whsec_of_the_function";
  vi.stubEnv("SVC_WEBHOOK_SECRET", secret);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { handler } = await import("../../examples/lambda-receiver/handler.js");
  const printed = vi.spyOn(console, "log").mockReturnValue();
  onTestFinished(() => printed.mockRestore());
  const delivery = signedDelivery({ secret, trigger: "GITHUB_COMMIT_EVENT", payload: { message: "Fix the build" } });
  const headers = Object.fromEntries(delivery.request.headers);
  const body = await delivery.request.text();
  const plain = { headers, body, isBase64Encoded: false };
  const encoded = { headers, body: Buffer.from(body).toString("base64"), isBase64Encoded: true };
  const forged = { ...plain, body: `${body} ` };
  const statuses: number[] = [];
  for (const event of [encoded, plain, forged]) statuses.push((await handler(event)).statusCode);
  expect(statuses).toEqual([200, 200, 401]);
  expect(printed.mock.calls).toEqual([["commit: Fix the build"]]);
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
