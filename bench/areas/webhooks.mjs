// A delivery: checking its signature, and reading it. The baseline is one native HMAC, one comparison and one
// JSON.parse.
import { createHmac, timingSafeEqual } from "node:crypto";
import { compare, cpuSince, interleave } from "../kit/measure.mjs";
import { ratioBars, ratioRows } from "../kit/tables.mjs";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const PLAIN = "HMAC of node:crypto";
const TYPED = "svc-sdk verifyWebhook";
const SIZES = [1, 10, 100];

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

/** The work of each library on this body, signed in its format: `verify` alone, and `verify and parse`. */
function contenders({ octokit, StandardWebhook, Stripe, SvixWebhook, ours }, body) {
  const now = Math.floor(Date.now() / 1_000);
  const id = "msg_1";
  const delivered = { body, headers: ours.signWebhook({ id, timestamp: now, body, secret: SECRET }) };
  const signature = createHmac("sha256", SECRET).update(`${id}.${now}.${body}`).digest();
  const plainly = () => {
    const expected = createHmac("sha256", SECRET).update(`${id}.${now}.${body}`).digest();
    if (!timingSafeEqual(expected, signature)) throw new Error("The signature does not match.");
  };
  const standard = new StandardWebhook(SECRET);
  const standardSignature = standard.sign(id, new Date(now * 1_000), body);
  const standardHeaders = { "webhook-id": id, "webhook-timestamp": String(now), "webhook-signature": standardSignature };
  const svix = new SvixWebhook(SECRET);
  const svixHeaders = { "svix-id": id, "svix-timestamp": String(now), "svix-signature": standardSignature };
  const stripeHeader = Stripe.webhooks.generateTestHeaderString({ payload: body, secret: SECRET });
  const octokitSignature = `sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}`;
  const byOctokit = async () => {
    if (!(await octokit.verify(SECRET, body, octokitSignature))) throw new Error("The signature does not match.");
  };
  return {
    verify: {
      [PLAIN]: plainly,
      "svc-sdk verifySignature": () => ours.verifySignature(delivered, { secret: SECRET }),
      stripe: () => Stripe.webhooks.signature.verifyHeader(body, stripeHeader, SECRET),
      octokit: byOctokit,
    },
    "verify and parse": {
      [PLAIN]: () => (plainly(), JSON.parse(body)),
      "svc-sdk verifySignature": async () => JSON.parse((await ours.verifySignature(delivered, { secret: SECRET })).body),
      [TYPED]: () => ours.verifyWebhook(delivered, { secret: SECRET }),
      standardwebhooks: () => standard.verify(body, standardHeaders),
      svix: () => svix.verify(body, svixHeaders),
      stripe: () => Stripe.webhooks.constructEvent(body, stripeHeader, SECRET),
      octokit: async () => (await byOctokit(), JSON.parse(body)),
    },
  };
}

async function microseconds(run) {
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  let calls = 0;
  do {
    for (let index = 0; index < 8; index += 1) await run();
    calls += 8;
  } while (performance.now() - startedAt < 25);
  return cpuSince(cpuBefore) / calls;
}

export const webhooks = {
  title: "A webhook",
  about: `Processor time per delivery as ratios to one native HMAC, one comparison and, if it is parsed, one \`JSON.parse\`. \`svc-sdk
verifyWebhook\` also checks and normalizes the event; the others return the result of \`JSON.parse\`. All in one process.`,
  async measure({ quick }) {
    const modules = await import("../rivals/webhooks.mjs");
    const figures = {};
    for (const kilobytes of SIZES) {
      for (const [task, runs] of Object.entries(contenders(modules, delivery(kilobytes * 1_000)))) {
        const turns = { rounds: quick ? 9 : 31, warmUps: 3 };
        figures[`${task}, ${kilobytes} KB`] = await interleave(Object.keys(runs), turns, (name) => microseconds(runs[name]));
      }
    }
    return figures;
  },
  rows: (figures) => ratioRows(figures, PLAIN),
  budgets: (figures) =>
    SIZES.map((kilobytes) => {
      const samples = figures[`verify and parse, ${kilobytes} KB`];
      return [`a webhook of ${kilobytes} KB, verified and parsed, ÷ HMAC + \`JSON.parse\``, compare(samples[TYPED], samples[PLAIN]).ratio, 1.15];
    }),
  chart: (figures) => ({
    title: "A webhook of 10 KB, verified and parsed",
    unit: "x HMAC + JSON.parse",
    rows: ratioBars(figures["verify and parse, 10 KB"], PLAIN),
  }),
};
