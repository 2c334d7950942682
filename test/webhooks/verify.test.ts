import { inspect } from "node:util";
import { runInNewContext } from "node:vm";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import {
  ConfigError,
  type SignWebhookInput,
  signWebhook,
  type VerifyOptions,
  verifySignature,
  verifyWebhook,
  WebhookPayloadError,
} from "../../src/webhooks/index.js";
import { errorOf, reasonOf } from "./rejection.js";
import { now, SECRET, SENT_AT, sign, VECTORS } from "./vectors.js";

const BODY = '{"type":"x"}';

test.each(VECTORS)(
  "verifies the fixed vector of $id with body $body",
  async ({ secret, id, timestamp, body, signature }) => {
    const headers = { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": signature };
    const verified = await verifySignature({ body, headers }, { secret, now });
    expect(verified).toMatchObject({ id, timestamp, secretIndex: 0, body });
    expect(signWebhook({ id, timestamp, body, secret })).toEqual(headers);
  },
);

test("reads headers from Headers, objects with names in any case, and arrays of Node and API Gateway", async () => {
  const signed = sign(BODY);
  const upper = Object.fromEntries(Object.entries(signed).map(([name, value]) => [name.toUpperCase(), value]));
  const lists = Object.fromEntries(Object.entries(signed).map(([name, value]) => [name, [value]]));
  for (const headers of [new Headers(signed), signed, upper, lists, { ...signed, other: undefined, more: null }]) {
    expect((await verifyWebhook({ body: BODY, headers }, { secret: SECRET, now })).id).toBe("msg_1");
  }
});

test("accepts a body as a string, bytes, any view of bytes, and API Gateway's base64", async () => {
  const bytes = new TextEncoder().encode(`..${BODY}`).subarray(2);
  const headers = sign(BODY);
  const view = new DataView(bytes.buffer, 2);
  for (const body of [BODY, bytes, Buffer.from(BODY), view as unknown as Uint8Array]) {
    expect((await verifyWebhook({ body, headers }, { secret: SECRET, now })).id).toBe("msg_1");
  }
  const encoded = { body: btoa(BODY), headers, isBase64Encoded: true };
  expect((await verifyWebhook(encoded, { secret: SECRET, now })).event).toEqual({ type: "x" });
  expect(await reasonOf({ ...encoded, body: "?" })).toBe("no_match");
});

test("rejects each missing or empty header as missing_header, and names it", async () => {
  for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"] as const) {
    for (const value of [undefined, "", []]) {
      const error = await errorOf({ body: BODY, headers: { ...sign(BODY), [name]: value } });
      expect(error).toMatchObject({ reason: "missing_header", message: expect.stringContaining(name) });
    }
  }
  for (const input of [undefined, null, "text", 7, { body: BODY }, { body: BODY, headers: null }]) {
    expect(await reasonOf(input)).toBe("missing_header");
  }
});

test("rejects a repeated header as duplicate_header, in every form", async () => {
  const signed = sign(BODY);
  for (const name of ["webhook-id", "webhook-timestamp", "webhook-signature"] as const) {
    const joined = new Headers(signed);
    joined.append(name, signed[name]);
    const listed = { ...signed, [name]: [signed[name], signed[name]] };
    const cased = { ...signed, [name.toUpperCase()]: signed[name] };
    const gateway = { ...signed, [name]: `${signed[name]},${signed[name]}` };
    for (const headers of [joined, listed, cased, gateway]) {
      expect(await reasonOf({ body: BODY, headers })).toBe("duplicate_header");
    }
  }
});

test.each([
  "1767225600abc",
  "0x1",
  "1767225600.5",
  "-1",
  "01767225600",
  "1767225600000",
  "1e9",
  " 1767225600",
  "١",
  "NaN",
])("rejects the timestamp %j as bad_timestamp", async (timestamp) => {
  const headers = { ...sign(BODY), "webhook-timestamp": timestamp };
  expect(await reasonOf({ body: BODY, headers })).toBe("bad_timestamp");
});

test("applies the tolerance in both directions, inclusively", async () => {
  const at = (seconds: number, options: VerifyOptions = {}) =>
    reasonOf({ body: BODY, headers: sign(BODY, { timestamp: SENT_AT + seconds }) }, options);
  expect(await at(-300)).toBeUndefined();
  expect(await at(300)).toBeUndefined();
  expect(await at(-301)).toBe("too_old");
  expect(await at(301)).toBe("too_new");
  expect(await at(-11, { toleranceSeconds: 10 })).toBe("too_old");
  expect(await at(-100_000, { toleranceSeconds: 100_000 })).toBeUndefined();
});

test("throws a ConfigError if toleranceSeconds isn't finite and above 0, or another option isn't usable", async () => {
  for (const toleranceSeconds of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, "300" as unknown as number]) {
    expect(await errorOf({ body: BODY, headers: sign(BODY) }, { toleranceSeconds })).toBeInstanceOf(ConfigError);
  }
  const wrong = [
    { maxBodyBytes: 0 },
    { now: 5 },
    { now: () => Number.NaN },
    { secretEncoding: "hex" },
    { secrets: [SECRET] },
  ];
  for (const options of wrong) {
    const error = await errorOf({ body: BODY, headers: sign(BODY) }, options as VerifyOptions);
    expect(error).toBeInstanceOf(ConfigError);
  }
});

test("rejects an id with a period as ambiguous_id, even if correctly signed", async () => {
  expect(await reasonOf({ body: BODY, headers: sign(BODY, { id: "msg.1" }) })).toBe("ambiguous_id");
});

test("accepts any matching v1 entry of the header, but no other scheme or notation", async () => {
  const good = sign(BODY)["webhook-signature"];
  const other = sign("other")["webhook-signature"];
  const check = (value: string) => reasonOf({ body: BODY, headers: { ...sign(BODY), "webhook-signature": value } });
  expect(await check(`${other} v1a,xyz ${good}`)).toBeUndefined();
  const bare = good.slice(3);
  const bad = [
    other,
    bare,
    `V1,${bare}`,
    `v1a,${bare}`,
    `v1,${bare}x`,
    `v1,${bare.slice(0, -1)}`,
    `v1,${bare.slice(0, 4)}`,
    "v1,",
    " ",
    ",",
  ];
  for (const value of bad) expect(await check(value)).toBe("no_match");
});

test("rejects more than 32 signatures, or a header over 64 KiB, without checking them", async () => {
  const good = sign(BODY)["webhook-signature"];
  const check = (value: string) => reasonOf({ body: BODY, headers: { ...sign(BODY), "webhook-signature": value } });
  expect(await check(`${"v1,x ".repeat(31)}${good}`)).toBeUndefined();
  expect(await check(`${"v1,x ".repeat(32)}${good}`)).toBe("no_match");
  expect(await check(`${good} ${"x".repeat(65_536)}`)).toBe("no_match");
});

test("returns the index of the secret that matched", async () => {
  const headers = sign(BODY, { secret: "old" });
  const secrets = ["new", "old"];
  expect((await verifyWebhook({ body: BODY, headers }, { secrets, now })).secretIndex).toBe(1);
  expect(await reasonOf({ body: BODY, headers }, { secret: undefined, secrets: ["new", "newer"] })).toBe("no_match");
});

test("reads a whsec_ secret as text and as base64 by default, otherwise only as secretEncoding says", async () => {
  const key = new Uint8Array(32).fill(7);
  const secret = `whsec_${Buffer.from(key).toString("base64")}`;
  const [asText, asBase64] = [sign(BODY, { secret }), sign(BODY, { secret: key })];
  const check = (headers: Record<string, string>, secretEncoding?: "auto" | "text" | "base64") =>
    reasonOf({ body: BODY, headers }, { secret, secretEncoding });
  expect(await check(asText)).toBeUndefined();
  expect(await check(asBase64)).toBeUndefined();
  expect(await check(asText, "text")).toBeUndefined();
  expect(await check(asBase64, "text")).toBe("no_match");
  expect(await check(asText, "base64")).toBe("no_match");
  expect(await check(asBase64, "base64")).toBeUndefined();
  const bare = secret.slice("whsec_".length);
  expect(await reasonOf({ body: BODY, headers: asBase64 }, { secret: bare })).toBe("no_match");
  expect(await reasonOf({ body: BODY, headers: asBase64 }, { secret: bare, secretEncoding: "base64" })).toBeUndefined();
  expect(await reasonOf({ body: BODY, headers: asBase64 }, { secret: key })).toBeUndefined();
});

test("accepts a secret's bytes from another realm, as in Jest", async () => {
  const secret = new Uint8Array(32).fill(7);
  const foreign: Uint8Array = runInNewContext("new Uint8Array(32).fill(7)");
  expect(foreign).not.toBeInstanceOf(Uint8Array);
  expect(await reasonOf({ body: BODY, headers: sign(BODY, { secret }) }, { secret: foreign })).toBeUndefined();
});

test.each([
  ["", "is empty"],
  ["  \n", "is empty"],
  ['"topsecret1"', "quotes"],
  ["'topsecret1'\n", "quotes"],
  ["topsecret1 ", "spaces"],
  ["topsecret1\r\n", "line break"],
  ["v1,whsec_topsecret1", "v1,"],
  ["whsec_", "prefix"],
  ["top\u0000secret1", "control character"],
  ["topsecret1\ud800", "Unicode"],
  [7 as unknown as string, "string"],
  [new Uint8Array(), "no bytes"],
])("throws a ConfigError for the secret %j that explains the problem and never quotes it", async (secret, words) => {
  const error = await errorOf({ body: BODY, headers: sign(BODY) }, { secret });
  expect(error).toBeInstanceOf(ConfigError);
  expect(inspect(error)).toContain(words);
  expect(inspect(error) + JSON.stringify(error)).not.toContain("topsecret1");
});

test("throws a ConfigError for a secret that isn't base64 only if secretEncoding is base64", async () => {
  for (const secret of ["whsec_abc", "whsec_QR==", "not base64"]) {
    const error = await errorOf({ body: BODY, headers: sign(BODY) }, { secret, secretEncoding: "base64" });
    expect(error).toBeInstanceOf(ConfigError);
    expect(await reasonOf({ body: BODY, headers: sign(BODY, { secret }) }, { secret })).toBeUndefined();
  }
});

test("rejects a parsed body as body_already_parsed, with the solution for each framework", async () => {
  for (const body of [{ type: "x" }, [], undefined, null, 5, true]) {
    const error = await errorOf({ body, headers: sign(BODY) });
    expect(error).toMatchObject({ reason: "body_already_parsed" });
    for (const name of ["express.raw", "Fastify", "Koa", "Next.js"]) expect(String(error)).toContain(name);
  }
});

test("verifies a request, and rejects one whose body was already read as body_already_parsed", async () => {
  const make = () => new Request("http://localhost/", { method: "POST", body: BODY, headers: sign(BODY) });
  expect((await verifyWebhook(make(), { secret: SECRET, now })).id).toBe("msg_1");
  const read = make();
  await read.text();
  expect(await reasonOf(read)).toBe("body_already_parsed");
  const locked = make();
  locked.body?.getReader();
  expect(await reasonOf(locked)).toBe("body_already_parsed");
  const empty = new Request("http://localhost/", { method: "POST", headers: sign("") });
  expect(await errorOf(empty)).toBeInstanceOf(WebhookPayloadError);
});

test("rejects a body above maxBodyBytes as body_too_large, and stops reading a stream there", async () => {
  const headers = sign(BODY);
  for (const body of ["x".repeat(65), "ü".repeat(33), new Uint8Array(65)]) {
    expect(await reasonOf({ body, headers }, { maxBodyBytes: 64 })).toBe("body_too_large");
  }
  let pulled = 0;
  const endless = new ReadableStream({
    pull(controller) {
      pulled += 1;
      controller.enqueue(new Uint8Array(1024));
    },
  });
  const init = { method: "POST", headers, body: endless, duplex: "half" };
  expect(await reasonOf(new Request("http://localhost/", init), { maxBodyBytes: 10_240 })).toBe("body_too_large");
  expect(pulled).toBeLessThan(20);
});

test("rejects invalid UTF-8 that equals the body after replacement, in either direction", async () => {
  const broken = Uint8Array.from([0x22, 0xff, 0x22]);
  const replaced = '"\ufffd"';
  expect(await reasonOf({ body: broken, headers: sign(replaced) })).toBe("no_match");
  expect(await reasonOf({ body: replaced, headers: sign(broken) })).toBe("no_match");
  expect(await reasonOf({ body: '"\ud800"', headers: sign(replaced) })).toBe("no_match");
  expect(await reasonOf({ body: BODY, headers: { ...sign(BODY, { id: "\ufffd" }), "webhook-id": "\ud800" } })).toBe(
    "no_match",
  );
  expect(await errorOf({ body: broken, headers: sign(broken) })).toBeInstanceOf(WebhookPayloadError);
});

test.each(["", "null", "[]", "7", '"text"', "{", "\ufeff{}", "nope"])(
  "rejects the authentic body %j, which isn't a JSON object, with a WebhookPayloadError that doesn't quote it",
  async (body) => {
    const error = await errorOf({ body, headers: sign(body) });
    expect(error).toBeInstanceOf(WebhookPayloadError);
    expect(error).toMatchObject({ id: "msg_1" });
    expect(inspect(error)).not.toContain("nope");
  },
);

test("signWebhook throws for input that the service would never send", () => {
  const good = { id: "msg_1", timestamp: new Date(SENT_AT * 1000 + 999), body: BODY, secret: SECRET };
  expect(signWebhook(good)).toEqual(sign(BODY));
  const key = new Uint8Array(24).fill(9);
  const whsec = `whsec_${Buffer.from(key).toString("base64")}`;
  const standard = new Webhook(whsec).sign("msg_1", new Date(SENT_AT * 1000), BODY);
  expect(signWebhook({ ...good, secret: whsec, secretEncoding: "base64" })["webhook-signature"]).toBe(standard);
  const wrong = [
    { id: "" },
    { id: "a.b" },
    { timestamp: Date.now() },
    { timestamp: 1.5 },
    { timestamp: Number.NaN },
    { secret: "" },
    { secretEncoding: "hex" },
    { secretEncoding: "constructor" },
  ];
  for (const change of [...wrong, { body: Uint8Array.from([0xff]) }, { body: "\ud800" }]) {
    expect(() => signWebhook({ ...good, ...change } as SignWebhookInput)).toThrow(ConfigError);
  }
});

test("accepts a header named get, an empty base64 body, and a signature header of exactly 64 KiB", async () => {
  expect(await reasonOf({ body: BODY, headers: { ...sign(BODY), get: "x" } })).toBeUndefined();
  expect(await errorOf({ body: "", headers: sign(""), isBase64Encoded: true })).toBeInstanceOf(WebhookPayloadError);
  expect(await reasonOf({ bodyUsed: false, body: BODY, headers: sign(BODY) })).toBeUndefined();
  const good = sign(BODY);
  const padded = good["webhook-signature"].padEnd(65_536, " x");
  expect(await reasonOf({ body: BODY, headers: { ...good, "webhook-signature": padded } })).toBeUndefined();
  const bare = await errorOf({ body: BODY, headers: { ...good, "webhook-signature": "abc" } });
  expect(bare).toMatchObject({ reason: "no_match", message: expect.stringContaining("v1,<base64>") });
});
