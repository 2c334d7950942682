import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { Svc } from "../../src/index.js";
import { eventually } from "../support/eventually.js";
import { emulatorCommand } from "./run.js";

async function receiver(status: number): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(status).end();
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server on a port has such a place.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

test("svc-sdk emulator --log lines shows deliveries, control calls, and the reason of each failure", async () => {
  const running = await emulatorCommand();
  const svc = new Svc({ baseUrl: running.url, apiKey: "ak_emulator", maxRetries: 0 });
  const webhook_url = await receiver(503);
  await svc.webhookSubscriptions.create({ webhook_url, enabled_events: ["svc.connected_account.expired"] });
  await svc.connectedAccounts.get("ca_none").catch(() => undefined);
  await svc.tools.execute("GITHUB_CREATE_AN_ISSUE", { user_id: "user-4711", version: "latest", arguments: {} });
  const control = (path: string) => fetch(`${running.url}/_emulator${path}`, { method: "POST" });
  await control("/accounts/ca_none/expire");
  await control("/accounts/ca_github_demo/expire");
  await eventually(() => expect(running.stdout()).toContain("attempt 1"));
  const { stdout } = await running.stop();
  const log = stdout.split("\n\n").at(-1) ?? "";
  const lines = log
    .replaceAll(/^\d\d:\d\d:\d\d /gm, "")
    .replaceAll(/ {2}\d+ ms/g, "")
    .split("\n");
  expect(lines).toEqual(
    expect.arrayContaining([
      "201 POST /api/v3.1/webhook_subscriptions  webhookSubscriptions.create",
      expect.stringMatching(/^404 GET .*\/ca_none {2}connectedAccounts\.get {2}Connected account/),
      expect.stringMatching(/^200 POST .* {2}tools\.execute {2}failed: Invalid request data provided: /),
      "400 POST /_emulator/accounts/ca_none/expire  control  accounts.expire: unknown account ca_none.",
      "200 POST /_emulator/accounts/ca_github_demo/expire  control",
      expect.stringMatching(
        /^503 POST http:\/\/127\.0\.0\.1:\d+\/hook {2}webhook svc\.connected_account\.expired, attempt 1 {2}next attempt at /,
      ),
    ]),
  );
});
