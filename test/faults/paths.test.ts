import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpoint, Svc, typed, ValidationError } from "../../src/index.js";
import { rejectionOf } from "../support/client.js";
import { fakeClock } from "../support/clock.js";
import { codePoints } from "../support/code-points.js";
import { sized } from "../support/size.js";
import { TRANSPORT } from "../support/transport.js";
import { json, type WireServer, wireServer, writes } from "./wire.js";

const part = endpoint({
  name: "things.part",
  method: "DELETE",
  path: "/api/{apiVersion}/things/{thing}/parts/{part}",
  auth: ["apiKey"],
  retry: "idempotent",
  response: typed<object>(),
});

let server: WireServer;
let svc: Svc;
beforeAll(async () => {
  server = await wireServer(() => writes(json(200, {})));
  svc = new Svc({
    apiKey: "ak_test",
    baseUrl: `${server.address}/base`,
    env: {},
    clock: fakeClock(),
    ...TRANSPORT,
  });
});
afterAll(() => server.close());

/** The target of the newest request, as received. */
const target = () => /^DELETE (\S+) HTTP\/1\.1\r\n/.exec(server.requests.at(-1) ?? "")?.[1] ?? "";

const send = (thing: string, name = "p") => svc.call(part, { params: { thing, part: name } });

const HOSTILE = [
  "/",
  "//evil.example",
  "\\",
  "\\\\evil.example\\share",
  "a/b",
  "a/../b",
  "../../admin",
  "..%2f..%2fadmin",
  "%2e%2e",
  "%2E.",
  ".%00.",
  "...",
  "?key=1",
  "#fragment",
  "a?b#c%d;e:f",
  "%",
  "%zz",
  ":80",
  "@evil.example",
  ".evil.example/x",
  "http://evil.example/",
  "javascript:alert(1)",
  "a\r\nhost: evil.example",
  "a HTTP/1.1\r\n\r\nGET /",
  "\u0000",
  "\t \n",
  " ",
  "{thing}",
  "{apiVersion}",
  "$&",
  "$1",
  "é€😀",
  "e\u0301",
  "\u202Etxt.exe",
  "\uFEFF",
  "x".repeat(4_000),
  "😀".repeat(1_000),
];

/** Anything a string can hold, halves of characters and the characters of URLs more often than others. */
const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom(..."./\\?#%;:@&=+$,{}[]|^`'\"<> \t\r\n\0"),
    codePoints({ minLength: 1, maxLength: 1 }),
    fc.integer({ min: 0, max: 0xff_ff }).map((code) => String.fromCharCode(code)),
  ),
  maxLength: 40,
});

describe("a path parameter", () => {
  test.each(HOSTILE)("arrives byte for byte as one segment: %j", async (value) => {
    await send(value);
    const segments = target().split("/");
    expect(segments.slice(0, 5)).toEqual(["", "base", "api", "v3.1", "things"]);
    expect(segments.slice(6)).toEqual(["parts", "p"]);
    expect(decodeURIComponent(segments[5] ?? "")).toBe(value);
  });

  test("arrives as one segment or is rejected before sending, whatever it is", async () => {
    await fc.assert(
      fc.asyncProperty(anyText, anyText, async (thing, name) => {
        const before = server.requests.length;
        const isFit = [thing, name].every((text) => text.isWellFormed() && !["", ".", ".."].includes(text));
        if (!isFit) {
          await rejectionOf(ValidationError, send(thing, name));
          expect(server.requests).toHaveLength(before);
          return;
        }
        await send(thing, name);
        expect(server.requests).toHaveLength(before + 1);
        expect(target().split("/").slice(5).map(decodeURIComponent)).toEqual([thing, "parts", name]);
        // Nothing but characters that no parser takes for more than themselves.
        expect(target()).toMatch(/^[\w/.!~*'()%-]+$/);
      }),
      { numRuns: sized(60, 400) },
    );
  });

  test.each([
    ["empty", ""],
    ["a dot", "."],
    ["two dots", ".."],
    ["half a character", "\uD83D"],
    ["the other half", "a\uDE00b"],
    ["undefined", undefined],
    ["null", null],
    ["a number", 7],
    ["a truth", true],
    ["an array", ["a"]],
    ["an object", { toString: () => "a" }],
    ["a String object", Object("a")],
    ["a function", () => "a"],
    ["a symbol", Symbol("a")],
    ["a bigint", 7n],
  ])("that is %s is rejected, and nothing is sent", async (_, value) => {
    const { length } = server.requests;
    // A user without types may pass anything.
    await rejectionOf(ValidationError, send(value as string));
    // The same rule holds for the methods, where an empty id would meet the collection.
    await rejectionOf(ValidationError, svc.connectedAccounts.delete(value as string));
    await rejectionOf(ValidationError, svc.tools.get(value as string));
    expect(server.requests).toHaveLength(length);
  });
});
