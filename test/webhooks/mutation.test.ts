import { randomBytes, randomInt, randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseJson } from "../../src/shared/json.js";
import {
  ConfigError,
  SvcError,
  verifySignature,
  verifyWebhook,
  type WebhookInput,
  WebhookVerificationError,
} from "../../src/webhooks/index.js";
import { codePoints } from "../support/code-points.js";
import { sized } from "../support/size.js";
import { now, SENT_AT, sign } from "./vectors.js";

interface Sample {
  body: Uint8Array;
  id: string;
  timestamp: string;
  signature: string;
  secret: string;
}

function randomSample(longest = 200, idLength = 36): Sample {
  const body = randomInt(2)
    ? randomBytes(randomInt(longest))
    : Buffer.from(JSON.stringify({ note: randomBytes(Math.ceil(longest / 10)).toString() }));
  const id = `msg_${randomUUID().slice(0, idLength)}`;
  const timestamp = SENT_AT + randomInt(-300, 301);
  const isBase64 = randomInt(2) === 1;
  const key = randomBytes(randomInt(16, Math.max(17, Math.floor(longest / 3))));
  const secret = isBase64 ? `whsec_${key.toString("base64")}` : key.toString("base64url");
  const headers = sign(body, { id, timestamp, secret: isBase64 && randomInt(2) ? key : secret });
  return { body, id, timestamp: String(timestamp), signature: headers["webhook-signature"], secret };
}

const verify = ({ body, id, timestamp, signature, secret }: Sample) =>
  verifySignature(
    { body, headers: { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature } },
    { secret, now },
  );

function flipText(text: string, bit: number): string {
  const bytes = Buffer.from(text, "latin1");
  bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return bytes.toString("latin1");
}

function flipBytes(bytes: Uint8Array, bit: number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return copy;
}

async function isRefused(sample: Sample): Promise<boolean> {
  try {
    await verify(sample);
    return false;
  } catch (error) {
    return error instanceof WebhookVerificationError || error instanceof ConfigError;
  }
}

const SAMPLES = sized(60, 3_000);

test(`verifies ${SAMPLES} random deliveries, and rejects each with any one bit changed`, async () => {
  let accepted = 0;
  for (let round = 0; round < SAMPLES; round++) {
    const sample = randomSample();
    await verify(sample);
    const mutants: Sample[] = [];
    if (sample.body.length > 0) {
      mutants.push({ ...sample, body: flipBytes(sample.body, randomInt(sample.body.length * 8)) });
    }
    for (const part of ["id", "timestamp", "signature", "secret"] as const) {
      mutants.push({ ...sample, [part]: flipText(sample[part], randomInt(sample[part].length * 8)) });
    }
    for (const mutant of mutants) if (!(await isRefused(mutant))) accepted += 1;
  }
  expect(accepted).toBe(0);
});

/** One in fifty has a usual length. */
const DELIVERIES = sized(2, 400, 2_000);

test(`rejects ${DELIVERIES} deliveries with any single bit changed`, {
  timeout: 1_200_000,
}, async () => {
  const wrong: string[] = [];
  for (let round = 0; round < DELIVERIES; round++) {
    // Short bodies, so that every bit can be tried.
    const sample = round % 50 === 0 ? randomSample() : randomSample(16, 4);
    for (let bit = 0; bit < sample.body.length * 8; bit++) {
      if (!(await isRefused({ ...sample, body: flipBytes(sample.body, bit) }))) wrong.push(`body ${bit}`);
    }
    for (const part of ["id", "timestamp", "signature", "secret"] as const) {
      for (let bit = 0; bit < sample[part].length * 8; bit++) {
        if (!(await isRefused({ ...sample, [part]: flipText(sample[part], bit) }))) wrong.push(`${part} ${bit}`);
      }
    }
  }
  expect(wrong).toEqual([]);
});

test("rejects bytes moved between id, timestamp and body", async () => {
  const headers = sign('1.{"a":1}', { id: "msg_1", timestamp: SENT_AT });
  const moved = { ...headers, "webhook-id": `msg_1.${SENT_AT}`, "webhook-timestamp": "1" };
  expect(await isRefusedInput({ body: '{"a":1}', headers: moved })).toBe("ambiguous_id");
});

async function isRefusedInput(input: WebhookInput): Promise<string | undefined> {
  try {
    await verifyWebhook(input, { secret: "s", now });
    return undefined;
  } catch (error) {
    return error instanceof WebhookVerificationError ? error.reason : String(error);
  }
}

test("rejects any input with typed errors only", async () => {
  const text = fc.oneof(codePoints(), fc.constantFrom("webhook-id", "1767225600", "v1,", "v1,AAAA", ""));
  const value = fc.oneof(text, fc.array(text), fc.anything());
  const names = fc.constantFrom("webhook-id", "Webhook-Id", "webhook-timestamp", "webhook-signature", "other");
  const headers = fc.oneof(fc.dictionary(names, value), fc.anything());
  const input = fc.oneof(fc.record({ body: fc.oneof(text, fc.uint8Array(), fc.anything()), headers }), fc.anything());
  const options = fc.record(
    {
      secret: fc.oneof(text, fc.anything()),
      secrets: fc.anything(),
      secretEncoding: fc.constantFrom("auto", "text", "base64", 5),
      toleranceSeconds: fc.oneof(fc.double(), fc.anything()),
      maxBodyBytes: fc.anything(),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(input, fc.oneof(fc.constant({ secret: "s" }), options), async (given, using) => {
      const call = verifyWebhook(given as WebhookInput, { ...(using as object), now });
      await expect(call).rejects.toBeInstanceOf(SvcError);
    }),
    { numRuns: sized(60, 3_000) },
  );
});

test("returns any authentic JSON object as a delivery with that event, and rejects anything else with a WebhookPayloadError", {
  timeout: 60_000,
}, async () => {
  const field = fc.constantFrom(
    "type",
    "metadata",
    "data",
    "payload",
    "trigger_name",
    "trigger_id",
    "connection_id",
    "id",
    "timestamp",
  );
  const object = fc.oneof(fc.dictionary(fc.oneof(field, codePoints()), fc.jsonValue()), fc.jsonValue());
  await fc.assert(
    fc.asyncProperty(object, async (value) => {
      const body = JSON.stringify(value);
      const call = verifyWebhook({ body, headers: sign(body, { secret: "s" }) }, { secret: "s", now });
      if (typeof value === "object" && value !== null && !Array.isArray(value)) {
        // Integers that a number can't hold are strings.
        expect(JSON.stringify((await call).event)).toBe(JSON.stringify(parseJson(body)));
      } else await expect(call).rejects.toMatchObject({ name: "WebhookPayloadError" });
    }),
    { numRuns: sized(60, 2_000) },
  );
});
