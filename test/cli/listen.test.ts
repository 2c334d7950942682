import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startEmulator } from "../../src/emulator/node.js";
import { Svc } from "../../src/index.js";
import { createReceiver } from "../../src/webhooks/index.js";
import { eventually } from "../support/eventually.js";
import { listen } from "../support/ports.js";
import { start } from "./run.js";

/** A receiver's port, with what arrived there. */
async function port(status = 200) {
  const posts: { headers: NodeJS.Dict<string | string[]>; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text;
    });
    request.on("end", () => {
      posts.push({ headers: request.headers, body });
      response.writeHead(status).end();
    });
  });
  onTestFinished(() => void server.close());
  return { posts, url: `http://127.0.0.1:${await listen(server)}/webhooks` };
}

async function running(port = 0) {
  const emulator = await startEmulator({ port });
  onTestFinished(() => emulator.close());
  const { baseUrl, apiKey } = emulator.connection;
  const run = (...words: string[]) => start(words, { env: { SVC_BASE_URL: baseUrl, SVC_API_KEY: apiKey } });
  return { emulator, svc: new Svc({ ...emulator.connection, env: {} }), run };
}

const WEBHOOKS = { webhook_url: "https://app.invalid/webhooks", enabled_events: ["svc.trigger.message" as const] };

test("svc-sdk listen subscribes for a project without a subscription, even after a restart, until it's stopped", async () => {
  const { emulator, run } = await running();
  const { posts, url } = await port(503);
  const listening = run("listen", "--forward-to", url);
  await eventually(() => expect(listening.stdout()).toContain("event types in V3"));
  const [, secret = ""] = /export SVC_WEBHOOK_SECRET=(\S+)/.exec(listening.stdout()) ?? [];
  emulator.accounts.expire("ca_github_demo");
  await eventually(() => expect(posts).toHaveLength(1));
  const receive = createReceiver({
    secret,
    on: { "svc.connected_account.expired": () => undefined },
    onUnhandled: () => undefined,
  });
  const { headers, body } = posts[0] ?? { headers: {}, body: "" };
  const sent = new Request(url, {
    method: "POST",
    headers: new Headers(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    body,
  });
  expect((await receive(sent)).status).toBe(200);
  await eventually(() => expect(listening.stdout()).toMatch(/svc\.connected_account\.expired V3 .*503 at attempt 1/));

  await emulator.close();
  const before = posts.length;
  const again = await running(Number(new URL(emulator.url).port));
  await eventually(() => expect(listening.stdout().match(/event types in V3/g)).toHaveLength(2));
  again.emulator.accounts.expire("ca_github_demo");
  await eventually(() => expect(posts.length).toBeGreaterThan(before));
  const { code, stderr } = await listening.stop();
  expect([code, stderr]).toEqual([0, "Some deliveries are missing: another run of the emulator.\n"]);
  expect((await again.svc.webhookSubscriptions.list()).items).toEqual([]);
});

test("trigger fires through listen to the local port byte for byte, resend repeats it, and deliveries lists it", async () => {
  const { emulator, svc, run } = await running();
  const { posts, url } = await port();
  expect(await run("deliveries").ended).toMatchObject({ stdout: "", stderr: "No deliveries yet.\n" });
  await svc.webhookSubscriptions.create(WEBHOOKS);
  const listening = run("listen", "--forward-to", url);
  await eventually(() =>
    expect(listening.stdout()).toContain("\n1 event type in V3, subscribed with https://app.invalid"),
  );
  const folder = mkdtempSync(join(tmpdir(), "svc-payload-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "payload.json");
  writeFileSync(file, JSON.stringify({ id: "c1", message: "Fix — the build", author: "ada" }));
  const fired = await run("trigger", "GITHUB_COMMIT_EVENT", "--body", `@${file}`).ended;
  expect([fired.code, fired.stderr]).toEqual([0, expect.stringContaining("Created ti_")]);
  expect(fired.stdout).toMatch(/^Fired msg_\S+ of ti_\S+\.\n(wd_\S+ {2}failed {2}svc\.trigger\.message V3 .*\n)$/);
  await eventually(() => expect(posts).toHaveLength(1));
  const [delivery] = emulator.deliveries.items;
  expect(posts.map(({ body }) => body)).toEqual(emulator.deliveries.items.map(({ body }) => body));
  expect(posts[0]?.headers).toMatchObject(delivery?.attempts[0]?.request?.headers ?? { missing: true });

  const resent = await run("resend", delivery?.id ?? "").ended;
  expect(resent.stdout).toMatch(/^wd_\S+ {2}failed {2}svc\.trigger\.message V3/);
  await eventually(() => expect(posts).toHaveLength(2));
  expect(posts[1]).toEqual({
    ...posts[0],
    headers: { ...posts[0]?.headers, ...delivery?.attempts.at(-1)?.request?.headers },
  });
  const { stdout } = await run("deliveries").ended;
  expect(stdout.split("\n").filter((line) => line.startsWith("wd_"))).toHaveLength(2);
  expect((await listening.stop()).stdout).toMatch(new RegExp(`200 POST ${url} {2}svc\\.trigger\\.message V3 {2}wd_`));
});

test("a trigger that is stopped while it waits lists the deliveries", async () => {
  const { svc, run } = await running();
  const posts: unknown[] = [];
  const silent = createServer((request) => void posts.push(request));
  const webhook_url = `http://127.0.0.1:${await listen(silent)}/webhooks`;
  onTestFinished(() => void silent.close().closeAllConnections());
  await svc.webhookSubscriptions.create({ ...WEBHOOKS, webhook_url });

  const firing = run("trigger", "GITHUB_COMMIT_EVENT");
  await eventually(() => expect(posts).toHaveLength(1));
  const { code, stdout } = await firing.stop();
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^Fired msg_\S+ of ti_\S+\.\nwd_\S+ {2}pending .*\n$/)]);
});

test("svc-sdk listen ends with the client's error if it has no key", async () => {
  const { emulator } = await running();
  const words = ["listen", "--forward-to", "http://localhost:3000/webhooks"];
  const listening = start(words, { env: { SVC_BASE_URL: emulator.url } });
  const { code, stdout, stderr } = await listening.ended;
  expect([code, stdout, stderr]).toEqual([1, "", expect.stringMatching(/^svc-sdk: .*SVC_API_KEY/)]);
});

test("the commands reject wrong command lines, and a service that isn't an emulator", async () => {
  const server = createServer((_, response) => response.writeHead(404).end("{}"));
  onTestFinished(() => void server.close());
  const SVC_BASE_URL = `http://127.0.0.1:${await listen(server)}`;
  const errorOf = async (...words: string[]) => {
    const { code, stderr } = await start(words, { env: { SVC_BASE_URL, SVC_API_KEY: "ak_x" } }).ended;
    return `${code} ${stderr}`;
  };
  const errors = await Promise.all([
    errorOf("listen"),
    errorOf("trigger", "X", "Y"),
    errorOf("trigger", "X", "--body", "[]"),
    ...["trigger", "resend"].map((name) => errorOf(name, "")),
    errorOf("resend", ".."),
    errorOf("listen", "--forward-to", "http://localhost:3000"),
  ]);
  expect(errors).toEqual([
    expect.stringMatching(/^2 .*--forward-to is missing/),
    expect.stringMatching(/^2 .*Pass one trigger type.* See svc-sdk trigger --help\./),
    expect.stringMatching(/^2 .*--body must be a JSON object: in quotes, as @file, or - for standard input\./),
    expect.stringMatching(/^2 .*An argument is empty\. Is a variable unset\? See svc-sdk trigger --help\./),
    expect.stringMatching(/^2 .*delivery is empty\. Is a variable unset\? See svc-sdk resend --help\./),
    expect.stringMatching(/^2 .*Pass the id of one delivery, which starts with wd_\./),
    expect.stringMatching(/^1 .*isn't an emulator: .*run a tunnel/),
  ]);
});
