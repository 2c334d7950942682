import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { startModel } from "../agents/sdk/model-server.js";
import { CREATE_ISSUE, ISSUE } from "../agents/support.js";
import { freePort } from "../support/ports.js";
import { hasRedis, NEEDS_REDIS, startRedis } from "../webhooks/redis-server.js";
import { emulatorWithEnvironment, type Owner, start } from "./example-process.js";

const SECRET = "8f742231b10e8888abcd99yyyzzz85a5";

/** A message of the agent, or its change. */
interface Message {
  readonly channel?: string;
  readonly text: string;
  readonly blocks: readonly { readonly text: { readonly text: string }; readonly elements: readonly object[] }[];
}

/** Slack's API on a port: keeps what it is told. */
async function fakeSlack({ onTestFinished }: Owner) {
  const received: { path: string; authorization: string | undefined; body: Message }[] = [];
  const receive = async (request: IncomingMessage) => {
    const body = JSON.parse(await text(request));
    received.push({ path: request.url ?? "", authorization: request.headers.authorization, body });
  };
  const server = createServer((request, response) => {
    void receive(request).then(() => response.end(JSON.stringify({ ok: true })));
  }).listen(0);
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => void server.close());
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const signed = (body: string, seconds = Math.floor(Date.now() / 1_000), secret = SECRET) => ({
  "content-type": "application/x-www-form-urlencoded",
  "x-slack-request-timestamp": String(seconds),
  "x-slack-signature": `v0=${createHmac("sha256", secret).update(`v0:${seconds}:${body}`).digest("hex")}`,
});

describe.skipIf(!hasRedis)(`approvals in Slack${NEEDS_REDIS}`, () => {
  test("decide a call once, which then runs once, in a process that started later", async (context) => {
    const model = await startModel();
    model.script({ calls: [{ name: CREATE_ISSUE, arguments: ISSUE }] }, { text: "I opened issue #1." });
    const slack = await fakeSlack(context);
    const { emulator, environment } = await emulatorWithEnvironment(context);
    const redis = await startRedis();
    context.onTestFinished(() => redis.stop());
    const port = await freePort();
    const variables = {
      ...environment,
      ...model.env,
      REDIS_URL: redis.path,
      APPROVAL_SECRET: "an approval key for tests, 0123456789",
      SLACK_API_URL: slack.url,
      SLACK_BOT_TOKEN: "xoxb-test",
      SLACK_CHANNEL: "C1",
      SLACK_SIGNING_SECRET: SECRET,
      APPROVERS: "U1 U2",
      PORT: String(port),
    };
    const run = async () => {
      const server = start(context, ["examples/slack-approvals/server.ts"], variables);
      await server.line(/^Port /);
      return server;
    };
    const first = await run();
    const asked = await fetch(`http://127.0.0.1:${port}/tasks`, { method: "POST", body: "Report it." });
    expect(await asked.text()).toBe("It waits for a decision in Slack.");
    const [message] = slack.received;
    expect(message).toMatchObject({
      path: "/chat.postMessage",
      authorization: "Bearer xoxb-test",
      body: { channel: "C1" },
    });
    const blocks = message?.body.blocks ?? [];
    expect(blocks[0]?.text.text).toContain('title: "From a model"');
    const [approve = {}, deny = {}] = blocks.at(-1)?.elements ?? [];
    await first.kill();

    const second = await run();
    const click = async (button: object, user: string, headers = signed) => {
      const payload = {
        type: "block_actions",
        user: { id: user },
        actions: [button],
        response_url: `${slack.url}/response`,
      };
      const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
      const url = `http://127.0.0.1:${port}/slack/interactions`;
      return (await fetch(url, { method: "POST", body, headers: headers(body) })).status;
    };
    const now = Date.now() / 1_000;
    const forged = [
      await click(approve, "U1", (body) => signed(body, undefined, "another secret")),
      await click(approve, "U1", (body) => ({ ...signed(body), "x-slack-signature": "v0=" })),
      await click(approve, "U1", () => signed("payload=%7B%7D")),
      await click(approve, "U1", (body) => signed(body, Math.floor(now) - 310)),
      await click(approve, "U1", (body) => signed(body, Math.floor(now) + 310)),
      await click(approve, "U1", (body) => signed(body, Number.NaN)),
      await click(approve, "U3"),
    ];
    expect(forged).toEqual([401, 401, 401, 401, 401, 401, 403]);
    expect(slack.received).toHaveLength(1);

    // Two clicks of the button at the same time, then one of the other button by another person.
    expect(await Promise.all([click(approve, "U1"), click(approve, "U1")])).toEqual([200, 200]);
    await second.line(/^I opened issue #1\./);
    expect(await click(deny, "U2")).toBe(200);
    const told = slack.received.slice(1);
    expect(told.map(({ path, body }) => [path, body.text])).toEqual(
      Array(3).fill(["/response", `${CREATE_ISSUE}: approved by U1`]),
    );
    expect(told.every(({ authorization }) => authorization === undefined)).toBe(true);
    expect(model.requests).toHaveLength(2);
    expect(emulator.tools.calls(CREATE_ISSUE)).toHaveLength(1);
  });
});
