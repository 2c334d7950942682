import { randomBytes, randomInt } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import * as native from "../../src/webhooks/index.js";
import { now, SECRET, SENT_AT, sign, VECTORS } from "./vectors.js";

const getBuiltinModule = process.getBuiltinModule;
let portable: typeof native;

// A runtime without Node's crypto, as a second copy of the package sees it.
beforeAll(async () => {
  vi.resetModules();
  Object.assign(process, { getBuiltinModule: undefined });
  portable = await import("../../src/webhooks/index.js");
});
afterAll(() => {
  Object.assign(process, { getBuiltinModule });
});

const outcome = async (copy: typeof native, input: native.WebhookInput, secret: native.WebhookSecret = SECRET) => {
  try {
    return (await copy.verifySignature(input, { secret, now })).id;
  } catch (error) {
    return error instanceof copy.WebhookVerificationError ? error.reason : String(error);
  }
};

test("without native crypto the fixed vectors verify just the same", async () => {
  expect(portable.verifySignature).not.toBe(native.verifySignature);
  for (const { secret, id, timestamp, body, signature } of VECTORS) {
    const headers = { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": signature };
    expect(await outcome(portable, { body, headers }, secret)).toBe(id);
    expect(await outcome(portable, { body: `${body} `, headers }, secret)).toBe("no_match");
  }
});

test("native HMAC and standardwebhooks agree on every delivery, bodies that are no UTF-8 included", async () => {
  for (let round = 0; round < 500; round++) {
    const isText = randomInt(2) === 1;
    const bytes = isText ? Buffer.from(randomBytes(60).toString("latin1")) : randomBytes(randomInt(1, 60));
    const body = isText && randomInt(2) === 1 ? bytes.toString() : bytes;
    const secret = randomInt(2) ? randomBytes(randomInt(1, 100)) : `sécret ${round}`;
    const good = sign(body, { secret });
    const bad = sign(randomBytes(9), { secret });
    for (const headers of [good, { ...good, "webhook-signature": bad["webhook-signature"] }]) {
      const expected = headers === good ? "msg_1" : "no_match";
      expect(await outcome(native, { body, headers }, secret)).toBe(expected);
      expect(await outcome(portable, { body, headers }, secret)).toBe(expected);
    }
  }
});

test("without native crypto too, broken bytes never verify through the replacement character", async () => {
  const broken = Uint8Array.from([0x22, 0xff, 0x22]);
  for (const copy of [native, portable]) {
    expect(await outcome(copy, { body: broken, headers: sign('"\ufffd"') })).toBe("no_match");
    expect(await outcome(copy, { body: '"\ud800"', headers: sign('"\ufffd"') })).toBe("no_match");
    expect(await outcome(copy, { body: broken, headers: sign(broken) })).toBe("msg_1");
  }
});

test("what the library itself signs verifies", async () => {
  const whsec = `whsec_${randomBytes(32).toString("base64")}`;
  const body = '{"note":"grüß dich ✓"}';
  const signature = new Webhook(whsec).sign("msg_1", new Date(SENT_AT * 1000), body);
  const headers = { "webhook-id": "msg_1", "webhook-timestamp": String(SENT_AT), "webhook-signature": signature };
  for (const copy of [native, portable]) expect(await outcome(copy, { body, headers }, whsec)).toBe("msg_1");
});
