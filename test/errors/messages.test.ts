import { describe, expect, test } from "vitest";
import { argumentValidator } from "../../src/contract/arguments.js";
import {
  ApiError,
  type CallPhase,
  ContractMismatchError,
  type Mismatch,
  TimeoutError,
  ToolLockError,
  ToolVersionRequiredError,
  ValidationError,
} from "../../src/index.js";
import { clientOf, rejectionOf, send } from "../support/client.js";
import { failure, scriptedFetch } from "../support/scripted-fetch.js";

/** What the message says of a response with this error. */
async function messageOf(error: object): Promise<string> {
  const svc = clientOf(scriptedFetch(failure(418, { code: undefined, slug: undefined, ...error })), { maxRetries: 0 });
  return (await rejectionOf(ApiError, send(svc))).message;
}

describe("the message of a response", () => {
  test.each([
    [{ message: "Gone" }, "Gone."],
    [{ message: "Gone!" }, "Gone!"],
    [{ message: "Why? Nobody knows" }, "Why? Nobody knows."],
    [{ message: "v1.2 is gone" }, "v1.2 is gone."],
    [{ message: "Bad", errors: ["a", "b", "c"] }, "Bad (a; b; c)."],
    [{ message: "Bad", errors: ["a", "b", "c", "d"] }, "Bad (a; b; c)."],
    [{ message: "Bad", suggested_fix: "Do it" }, "Bad. Do it."],
    [{ message: "Bad", request_id: "req_1" }, "Bad. [request req_1]"],
    [{ message: " \n", suggested_fix: " " }, "the response has no readable error body."],
  ])("has a period after each sentence with %o: %s", async (error, message) => {
    expect(await messageOf(error)).toBe(`probe.safe: 418 ${message}`);
  });

  test("contains a fix of up to 1,000 characters, and truncates a longer one", async () => {
    const advice = "x".repeat(1_000);
    expect(await messageOf({ message: "Bad", suggested_fix: advice })).toBe(`probe.safe: 418 Bad. ${advice}.`);
    expect(await messageOf({ message: "Bad", suggested_fix: `${advice}y` })).toBe(`probe.safe: 418 Bad. ${advice}….`);
  });
});

test.each<[CallPhase, string]>([
  ["queue", "while waiting for the rate limit"],
  ["headers", "before the response started"],
  ["body", "while reading the response body"],
  ["retry_wait", "while waiting to retry"],
])("a timeout in the phase %s reports that time ran out %s", (phase, where) => {
  const call = { operation: "tools.list", outcome: undefined, phase, timeoutMs: 60_000, option: "deadlineMs" } as const;
  const message = `tools.list: no result within deadlineMs (60000 ms): timed out ${where}.`;
  expect(new TimeoutError({ ...call, attempts: 1 }).message).toBe(message);
  expect(new TimeoutError({ ...call, attempts: 3 }).message).toBe(`${message} Tried 3 times.`);
});

describe("the message of a call that was rejected before sending says what to do", () => {
  test("a tool that isn't in the lockfile, and one that is locked to another version", () => {
    expect(new ToolLockError("tools.get", "A_TOOL", undefined).message).toBe(
      "tools.get: A_TOOL isn't in the lockfile. Lock its toolkit with `svc-sdk lock`, then pass the new lockfile. " +
        "The client uses toolLock with rejectUnlocked: true.",
    );
    expect(new ToolLockError("tools.get", "A_TOOL", "20250905_00").message).toBe(
      "tools.get: A_TOOL is locked to 20250905_00, but the call wouldn't use that version. Omit the version from the " +
        "call, or update the lockfile with `svc-sdk lock --toolkit-version`. The client uses toolLock with rejectUnlocked: true.",
    );
  });

  test("a tool without a version", () => {
    const error = new ToolVersionRequiredError("tools.execute", "A_TOOL");
    expect(error.message).toBe(
      'tools.execute: A_TOOL needs a version. Pass version: "<YYYYMMDD>_<NN>" in the call, or pin it once with ' +
        'new Svc({ toolVersions }) or new Svc({ toolkitVersions }). tools.get("A_TOOL") lists available_versions; ' +
        '"latest" works if you pass it explicitly.',
    );
    expect(error).toMatchObject({ toolSlug: "A_TOOL", outcome: "not_sent", mismatches: [] });
  });

  test("an argument that no contract checked has no mismatches", () => {
    expect(new ValidationError("tools.get", "m").mismatches).toEqual([]);
  });
});

describe("a response that doesn't match", () => {
  const mismatch = (path: string): Mismatch => ({ path, expected: "a string", received: "null" });
  const said = (...paths: string[]) => new ContractMismatchError("tools.get", paths.map(mismatch)).message;
  const start = "tools.get: succeeded, but the response doesn't match the contract: ";
  const places = (...paths: string[]) => paths.map((path) => `${path}: expected a string, received null`).join("; ");

  test("lists up to five places", () => {
    expect(said("items[0].name", "total")).toBe(start + places("items[0].name", "total"));
    expect(said("a", "b", "c", "d", "e")).toBe(start + places("a", "b", "c", "d", "e"));
    expect(said("a", "b", "c", "d", "e", "f")).toBe(`${start}${places("a", "b", "c", "d", "e")}; and 1 more`);
  });

  test("says so if the whole response doesn't match", () => {
    expect(said("")).toBe(start + places("the value itself"));
  });
});

describe("the description of a mismatch", () => {
  const { check } = argumentValidator();

  test.each<[object, unknown, string, string]>([
    [{ type: "integer" }, 1.5, "an integer", "number"],
    [{ type: ["object", "null"] }, [], "an object or null", "array"],
    [{ type: "array", maxItems: 1 }, [1, 2], "at most 1 item", "more"],
    [{ type: "array", maxItems: 2 }, [1, 2, 3], "at most 2 items", "more"],
    [{ type: "string", minLength: 1 }, "", "at least 1 character", "fewer"],
    [{ minimum: 1 }, 0, "at least 1", "less"],
  ])("describes what %o expects as %j", (schema, value, expected, received) => {
    expect(check(schema, value)).toEqual([{ path: "", expected, received }]);
  });

  test.each<[object]>([[{}], [{ properties: {} }], [{ properties: { toString: true } }]])(
    "a field named like a member of every object is missing unless the value has its own: %o",
    (properties) => {
      const schema = { type: "object", required: ["toString"], ...properties };
      expect(check(schema, {})).toEqual([{ path: "toString", expected: "a value", received: "missing" }]);
    },
  );
});
