// What verifying a delivery costs, as a ratio to the least there is: one native HMAC, one comparison, one JSON.parse.
//
//   npm run bench:webhooks
//
// All contenders run interleaved in this one process, over the built package; the medians of many short batches are
// compared. Rivals are installed into bench/rivals, which git ignores.
import { execFileSync } from "node:child_process";
import { createHmac, timingSafeEqual } from "node:crypto";
import { existsSync } from "node:fs";
import { cpus } from "node:os";
import { signWebhook, verifySignature, verifyWebhook } from "svc-sdk/webhooks";

const folder = new URL("./rivals/", import.meta.url);
if (!existsSync(new URL("node_modules", folder))) {
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--silent", "--ignore-scripts"], { cwd: folder, stdio: "inherit" });
}
const { octokit, StandardWebhook, Stripe, SvixWebhook } = await import("./rivals/webhooks.mjs");

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const BATCH_MS = 25;
const ROUNDS = 40;

function delivery(bytes) {
  const event = {
    id: "msg_3b1f7c64-52a9-4d0e-8f7b-1f0c2f9a6e21",
    timestamp: "2026-03-02T08:15:42.310Z",
    type: "svc.trigger.message",
    metadata: {
      log_id: "log_1", trigger_slug: "HELPDESK_TICKET_CREATED", trigger_id: "ti_1", connected_account_id: "ca_1",
      auth_config_id: "ac_1", user_id: "user-4711",
    },
    data: { tickets: [] },
  };
  for (let number = 0; JSON.stringify(event).length < bytes; number += 1) {
    event.data.tickets.push({ number, subject: "Printer on fire", priority: "high", requester: { name: "Ada" } });
  }
  return JSON.stringify(event);
}

function contenders(body) {
  const now = Math.floor(Date.now() / 1_000);
  const id = "msg_1";
  const ours = { body, headers: signWebhook({ id, timestamp: now, body, secret: SECRET }) };
  const signature = createHmac("sha256", SECRET).update(`${id}.${now}.${body}`).digest();
  const conventional = new StandardWebhook(SECRET);
  const conventionalHeaders = {
    "webhook-id": id,
    "webhook-timestamp": String(now),
    "webhook-signature": conventional.sign(id, new Date(now * 1_000), body),
  };
  const svixWebhook = new SvixWebhook(SECRET);
  const svixHeaders = { "svix-id": id, "svix-timestamp": String(now), "svix-signature": conventionalHeaders["webhook-signature"] };
  const stripeHeader = Stripe.webhooks.generateTestHeaderString({ payload: body, secret: SECRET });
  const octokitSignature = `sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}`;
  return {
    "plain HMAC + JSON.parse": () => {
      const expected = createHmac("sha256", SECRET).update(`${id}.${now}.${body}`).digest();
      if (!timingSafeEqual(expected, signature)) throw new Error("no match");
      return JSON.parse(body);
    },
    "svc-sdk verifySignature + JSON.parse": async () => JSON.parse((await verifySignature(ours, { secret: SECRET })).body),
    "svc-sdk verifyWebhook (typed event)": () => verifyWebhook(ours, { secret: SECRET }),
    "standardwebhooks": () => conventional.verify(body, conventionalHeaders),
    "svix": () => svixWebhook.verify(body, svixHeaders),
    "stripe": () => Stripe.webhooks.constructEvent(body, stripeHeader, SECRET),
    "octokit": async () => {
      if (!(await octokit.verify(SECRET, body, octokitSignature))) throw new Error("no match");
      return JSON.parse(body);
    },
  };
}

async function perCallMicroseconds(run) {
  const start = performance.now();
  let calls = 0;
  do {
    for (let index = 0; index < 8; index += 1) await run();
    calls += 8;
  } while (performance.now() - start < BATCH_MS);
  return ((performance.now() - start) * 1_000) / calls;
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const spread = (values) => {
  const sorted = values.toSorted((a, b) => a - b);
  return `${sorted[Math.floor(sorted.length * 0.1)].toFixed(1)}-${sorted[Math.floor(sorted.length * 0.9)].toFixed(1)}`;
};

console.log(`${cpus()[0]?.model ?? "unknown CPU"}, Node ${process.version}; microseconds per delivery, medians of ${ROUNDS} batches`);
for (const kilobytes of [1, 10, 100]) {
  const runs = contenders(delivery(kilobytes * 1_000));
  const times = Object.fromEntries(Object.keys(runs).map((name) => [name, []]));
  for (const run of Object.values(runs)) await perCallMicroseconds(run);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, run] of Object.entries(runs)) times[name].push(await perCallMicroseconds(run));
  }
  const base = median(times["plain HMAC + JSON.parse"]);
  console.log(`\n${kilobytes} KB`);
  for (const [name, values] of Object.entries(times)) {
    const ratio = (median(values) / base).toFixed(2);
    console.log(`  ${name.padEnd(40)} ${ratio.padStart(6)} x  ${median(values).toFixed(1).padStart(8)}  (${spread(values)})`);
  }
}
