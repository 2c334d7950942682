import { expect, test } from "vitest";
import { Svc } from "../../../src/index.js";
import { emulatorWithEnvironment, outputOf, start } from "../../examples/example-process.js";
import { freePort } from "../../support/ports.js";
import { hasRedis, NEEDS_REDIS, startRedis } from "../../webhooks/redis-server.js";
import { CREATE_ISSUE, ISSUE } from "../support.js";
import { startModel } from "./model-server.js";

test.skipIf(!hasRedis)(`an agent continues when its user has connected an account${NEEDS_REDIS}`, async (context) => {
  const model = await startModel();
  model.script({ calls: [{ name: CREATE_ISSUE, arguments: ISSUE }] }, { text: "I opened issue #1." });
  const { emulator, environment } = await emulatorWithEnvironment(context);
  const redis = await startRedis();
  context.onTestFinished(() => redis.stop());
  const port = await freePort();
  const svc = new Svc({ ...emulator.connection, env: {} });
  const { secret } = await svc.webhookSubscriptions.ensure({
    webhook_url: `http://127.0.0.1:${port}/webhooks`,
    enabled_events: ["svc.connected_account.activated", "svc.connected_account.expired"],
  });
  const variables = {
    ...environment,
    ...model.env,
    REDIS_URL: redis.path,
    SVC_WEBHOOK_SECRET: secret,
    PORT: String(port),
  };
  const [line = ""] = await outputOf(["examples/connect-and-continue/ask.ts"], variables);
  expect(line).toMatch(/^Connect your github account: http/);
  const issues = () =>
    emulator.requests.filter(({ operation, status }) => operation === "tools.execute" && status === 200);
  const receiver = start(context, ["examples/connect-and-continue/receiver.ts"], variables);
  await receiver.line(/^Waiting for events/);
  const { items } = await svc.connectedAccounts.list({ user_ids: ["user-new"] });
  emulator.accounts.activate(items[0]?.id ?? "");
  await receiver.line(/^I opened issue #1\./);
  expect(issues()).toHaveLength(1);
  // The event again, and an account that was lost and connected again.
  for (const { id } of [...emulator.deliveries.items]) emulator.deliveries.resend(id);
  emulator.accounts.expire(items[0]?.id ?? "");
  await receiver.line(/^user-new must connect the account again\./);
  emulator.accounts.activate(items[0]?.id ?? "");
  await emulator.waitForDeliveries();
  expect(issues()).toHaveLength(1);
});
