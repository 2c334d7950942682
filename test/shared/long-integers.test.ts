import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { tool } from "../../src/agents/index.js";
import { argumentValidator } from "../../src/contract/arguments.js";
import { ApiError, ValidationError } from "../../src/index.js";
import { BOUNDS, KEYWORDS_OF } from "../../src/json-schema/keywords.js";
import { readJson } from "../../src/shared/json.js";
import { verifyWebhook } from "../../src/webhooks/index.js";
import { bench } from "../agents/support.js";
import { clientOf, collect, rejectionOf } from "../support/client.js";
import { scriptedFetch } from "../support/scripted-fetch.js";
import { deliver, now, SECRET } from "../webhooks/vectors.js";

const ID = "7256535639334584321";
const NEXT = "7256535639334584322";
const json = (text: string, status = 200) => new Response(text, { status });
const VERSION = { version: "20251023_00" };

describe("an integer beyond 2^53 - 1 keeps its digits", () => {
  test("in the result of a tool", async () => {
    const answer = `{"successful": true, "error": null, "data": {"id": ${ID}, "ids": [${ID},${NEXT},-${NEXT}, 7]}}`;
    const svc = clientOf(scriptedFetch(json(answer)));
    const run = await svc.tools.execute("X_POST", { user_id: "ada", ...VERSION, arguments: {} });
    expect(run.data).toEqual({ id: ID, ids: [ID, NEXT, `-${NEXT}`, 7] });
  });

  test("in the items of a list", async () => {
    const page = `{"items": [{"id": ${ID}}, {"id": ${NEXT}}], "next_cursor": null}`;
    const svc = clientOf(scriptedFetch(json(page)));
    expect(await collect(svc.connectedAccounts.list())).toEqual([{ id: ID }, { id: NEXT }]);
  });

  test("in the body of an error, encoded once or twice", async () => {
    const error = `{"error": {"message": "no", "status": 400, "code": 1, "post": ${ID}}}`;
    for (const body of [error, JSON.stringify(error)]) {
      const list = clientOf(scriptedFetch(json(body, 400))).connectedAccounts.list();
      expect((await rejectionOf(ApiError, list)).body).toMatchObject({ error: { post: ID } });
    }
  });

  test("in a delivery", async () => {
    const sent = `{"type": "x", "data": {"id": ${ID}, "text": "id: ${ID}, \\"${ID}"}}`;
    const { event } = await verifyWebhook(deliver(sent), { secret: SECRET, now });
    expect(event).toMatchObject({ data: { id: ID, text: `id: ${ID}, "${ID}` } });
  });

  test("in the arguments that a model writes, for which it counts as a number", async () => {
    const ran: unknown[] = [];
    const parameters = { type: "object", properties: { id: { type: "integer" } }, required: ["id"] };
    const post = tool({ name: "post", description: "Posts.", parameters, execute: (args) => void ran.push(args) });
    const { tools } = await bench({ tools: [post] });
    const call = { callId: "1", name: "post", arguments: `{"id": ${ID}}` };
    expect(await tools.run([call])).toMatchObject([{ status: "succeeded" }]);
    expect(ran).toEqual([{ id: ID }]);
    const words = { callId: "2", name: "post", arguments: '{"id": "seven"}' };
    expect(await tools.run([words])).toMatchObject([{ status: "not_run" }]);
  });
});

test("a bound in a schema stays a number, and other values of keywords are read as data", () => {
  const bounds = [...BOUNDS, "multipleOf", "minContains", "maxContains"];
  for (const keyword of new Set([...Object.values(KEYWORDS_OF).flat(), ...bounds])) {
    const read = readJson(`{"${keyword}": ${ID}}`, true);
    const edit = `${keyword}: if its values are numbers, add it to BOUND in shared/json.ts and to the list in this test`;
    expect(read, edit).toEqual({ [keyword]: bounds.includes(keyword) ? Number(ID) : ID });
  }
});

test("a bigint in a body is sent as an integer, and counts as one for checkArguments()", async () => {
  const sent: string[] = [];
  const fetch = async (request: Request) => {
    sent.push(await request.text());
    return json('{"successful": true, "data": {}}');
  };
  const input_parameters = {
    type: "object",
    properties: { id: { type: "integer" }, few: { type: "integer", maximum: 3 } },
  };
  const toolkits = [{ tools: [{ slug: "X_POST", version: "20251023_00", input_parameters }] }];
  const validator = argumentValidator({ catalog: { toolkits } as never });
  const svc = clientOf(fetch, { validateArguments: validator });
  const post = (args: object) => svc.tools.execute("X_POST", { ...VERSION, arguments: { ...args } });
  await post({ id: BigInt(ID), few: 3n });
  expect(sent).toEqual([`{"version":"20251023_00","arguments":{"id":${ID},"few":3}}`]);
  expect(await rejectionOf(ValidationError, post({ id: BigInt(ID), few: 4n }))).toMatchObject({
    mismatches: [{ path: "few" }],
  });
});

test("bounds in the schemas of tools stay numbers, as JSON Schema wants them", async () => {
  const schema = `{"maximum": 9223372036854775807, "exclusiveMinimum" :-9223372036854775808, "default": ${ID}}`;
  const svc = clientOf(scriptedFetch(json(`{"slug": "A", "input_parameters": {"properties": {"maxId": ${schema}}}}`)));
  const { input_parameters } = await svc.tools.get("A", VERSION);
  expect(input_parameters["properties"]).toEqual({
    maxId: { maximum: 2 ** 63, exclusiveMinimum: -(2 ** 63), default: ID },
  });
});

test("nothing else changes: readJson() agrees with JSON.parse() on what a number can hold", () => {
  const number = fc.oneof(
    fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }).map(String),
    fc.integer().map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
    fc.constantFrom("9007199254740991", "-9007199254740991", "1.12345678901234567890", "12345678901234567.5", "1e21"),
  );
  const blank = fc.constantFrom("", " ", "\n\t");
  const { value } = fc.letrec<{ value: string; name: string }>((tie) => ({
    name: fc
      .string({ unit: fc.constantFrom('"', "\\", ":", ",", "[", " ", "-", "1234567890123456", "e", "é") })
      .map((text) => JSON.stringify(text)),
    value: fc.oneof(
      { depthSize: "small" },
      number,
      tie("name"),
      fc.array(fc.tuple(blank, tie("value"), blank).map((parts) => parts.join(""))).map((items) => `[${items}]`),
      fc
        .array(
          fc.tuple(blank, tie("name"), blank, fc.constant(":"), blank, tie("value")).map((parts) => parts.join("")),
        )
        .map((members) => `{${members}}`),
    ),
  }));
  const isLong = (value: unknown, source: string) =>
    typeof value === "number" && /^-?\d+$/.test(source) && !Number.isSafeInteger(value);
  // V8 sometimes passes no source to the reviver. Such a text can't be compared.
  const reference = (text: string): unknown =>
    Reflect.apply(JSON.parse, JSON, [
      text,
      (_: string, value: unknown, { source }: { source?: string }) => {
        fc.pre(typeof value !== "number" || source !== undefined);
        return isLong(value, String(source)) ? source : value;
      },
    ]);
  fc.assert(
    fc.property(value, (text) => {
      expect(readJson(text)).toEqual(reference(text));
    }),
    { numRuns: 2_000 },
  );
});

test.each(["", "{", "[01234567890123456789]", `[${ID}`, `{"a": ${ID},}`, `- ${ID}`, `"${ID}`, `[.${ID}]`])(
  "readJson() rejects %j as JSON.parse() does",
  (text) => {
    expect(() => readJson(text)).toThrow(SyntaxError);
  },
);

test("readJson() takes numbers with millions of digits, and strings with millions of escapes", () => {
  const digits = "1".repeat(9_000_000);
  expect(readJson(`[${digits}]`)).toEqual([digits]);
  const text = '"\\'.repeat(1_000_000);
  expect(readJson(`{"id":${ID},"text":${JSON.stringify(text)}}`)).toEqual({ id: ID, text });
});
