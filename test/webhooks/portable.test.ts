import { createHmac, randomBytes, randomInt } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { beforeAll, expect, test, vi } from "vitest";
import * as native from "../../src/webhooks/index.js";
import { sized } from "../support/size.js";
import { now, SECRET, SENT_AT, sign, VECTORS } from "./vectors.js";

const { getBuiltinModule } = process;
let portable: typeof native;

/** A second copy of the package, loaded in a runtime whose `process` has these properties. */
async function readWhere(changed: { getBuiltinModule: unknown }): Promise<typeof native> {
  vi.resetModules();
  Object.assign(process, changed);
  try {
    return await import("../../src/webhooks/index.js");
  } finally {
    Object.assign(process, { getBuiltinModule });
  }
}

beforeAll(async () => {
  portable = await readWhere({ getBuiltinModule: undefined });
});

const outcome = async (copy: typeof native, input: native.WebhookInput, secret: native.WebhookSecret = SECRET) => {
  try {
    return (await copy.verifySignature(input, { secret, now })).id;
  } catch (error) {
    return error instanceof copy.WebhookVerificationError ? error.reason : String(error);
  }
};

test("verifies the fixed vectors without native crypto", async () => {
  expect(portable.verifySignature).not.toBe(native.verifySignature);
  for (const { secret, id, timestamp, body, signature } of VECTORS) {
    const headers = { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": signature };
    expect(await outcome(portable, { body, headers }, secret)).toBe(id);
    expect(await outcome(portable, { body: `${body} `, headers }, secret)).toBe("no_match");
  }
});

test("verifies every delivery the same with native HMAC and standardwebhooks, including bodies that aren't UTF-8", async () => {
  for (let round = 0; round < sized(50, 500); round++) {
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

test("rejects invalid UTF-8 that equals the body after replacement, also without native crypto", async () => {
  const broken = Uint8Array.from([0x22, 0xff, 0x22]);
  for (const copy of [native, portable]) {
    expect(await outcome(copy, { body: broken, headers: sign('"\ufffd"') })).toBe("no_match");
    expect(await outcome(copy, { body: '"\ud800"', headers: sign('"\ufffd"') })).toBe("no_match");
    expect(await outcome(copy, { body: broken, headers: sign(broken) })).toBe("msg_1");
  }
});

test("verifies deliveries signed by standardwebhooks", async () => {
  const whsec = `whsec_${randomBytes(32).toString("base64")}`;
  const body = '{"note":"grüß dich ✓"}';
  const signature = new Webhook(whsec).sign("msg_1", new Date(SENT_AT * 1000), body);
  const headers = { "webhook-id": "msg_1", "webhook-timestamp": String(SENT_AT), "webhook-signature": signature };
  for (const copy of [native, portable]) expect(await outcome(copy, { body, headers }, whsec)).toBe("msg_1");
});

test("uses native HMAC if the runtime has it", async () => {
  const algorithms: string[] = [];
  const counting = (algorithm: string, key: string | Uint8Array) => {
    algorithms.push(algorithm);
    return createHmac(algorithm, key);
  };
  const copy = await readWhere({
    getBuiltinModule: (name: string) => (name === "node:crypto" ? { createHmac: counting } : undefined),
  });
  // The module was tested once when it was loaded.
  algorithms.length = 0;
  expect(await outcome(copy, { body: "{}", headers: sign("{}") })).toBe("msg_1");
  expect(algorithms).toEqual(["sha256"]);
});

const notImplemented = () => {
  throw new Error("not implemented yet");
};

test.each<[string, unknown]>([
  ["has no getBuiltinModule", undefined],
  ["doesn't have the module", () => undefined],
  ["has a module without HMAC", () => ({})],
  ["has HMAC as a stub", () => ({ createHmac: notImplemented })],
  ["has keys as a stub", () => ({ createHmac, createSecretKey: notImplemented })],
  [
    "throws in getBuiltinModule",
    () => {
      throw new Error("not here");
    },
  ],
])("verifies in a runtime that %s", async (_, getBuiltinModule) => {
  const copy = await readWhere({ getBuiltinModule });
  for (const body of ["{}", Uint8Array.from([0xff, 0x00])]) {
    expect(await outcome(copy, { body, headers: sign(body) })).toBe("msg_1");
    expect(await outcome(copy, { body, headers: sign("other") })).toBe("no_match");
  }
});

test("copies the bytes of a secret, so callers can wipe theirs", async () => {
  for (const copy of [native, portable]) {
    const secret = Uint8Array.from(randomBytes(32));
    const receiver = copy.createReceiver({ secret, now, on: {}, onUnhandled: () => undefined });
    const delivery = (key: Uint8Array) => {
      const headers = { "content-type": "application/json", ...sign("{}", { secret: key }) };
      return new Request("http://localhost/", { method: "POST", body: "{}", headers });
    };
    const good = delivery(secret.slice());
    const forged = delivery(new Uint8Array(32));
    secret.fill(0);
    expect((await receiver(good)).status).toBe(200);
    expect((await receiver(forged)).status).toBe(401);
  }
});

test("treats a byte order mark as part of the signed body", async () => {
  const body = Uint8Array.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d]);
  for (const copy of [native, portable]) {
    expect(await outcome(copy, { body, headers: sign(body) })).toBe("msg_1");
    expect(await outcome(copy, { body, headers: sign("{}") })).toBe("no_match");
    expect(copy.signWebhook({ id: "msg_1", timestamp: SENT_AT, body, secret: SECRET })).toEqual(sign(body));
  }
});
