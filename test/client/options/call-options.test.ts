import { describe, expect, test } from "vitest";
import { ConnectionError, type RequestOptions, ValidationError } from "../../../src/index.js";
import { clientOf, rejectionOf } from "../../support/client.js";
import { fakeClock } from "../../support/clock.js";
import { broken, scriptedFetch } from "../../support/scripted-fetch.js";

const NO_OBJECT =
  "tools.listSlugs: the options must be an object, such as { signal }. If you passed a promise, await it.";

describe("the options of a call", () => {
  test.each([
    ["a misspelt name", { timeout: 1 }, "Unknown option timeout. Did you mean timeoutMs?"],
    ["what nobody could have meant", { ["x".repeat(100_000)]: 1 }, `Unknown option ${"x".repeat(100)}.`],
    ["another case", { maxretries: 1 }, "Unknown option maxretries. Did you mean maxRetries?"],
    ["an unknown priority", { priority: "urgent" }, 'priority must be "normal" or "high".'],
    [
      "a controller for its signal",
      { signal: new AbortController() },
      "If you have an AbortController, pass its signal.",
    ],
    ["a bound that is none", { timeoutMs: Number.NaN }, "timeoutMs must be a number"],
    [
      "a signal that is none",
      { signal: null },
      "signal must be an AbortSignal. If you have an AbortController, pass its signal.",
    ],
    ["null", null, NO_OBJECT],
    ["a text", "high", NO_OBJECT],
    ["a promise of them", Promise.resolve({ maxRetries: 0 }), NO_OBJECT],
    ["a Map", new Map([["maxRetries", 0]]), NO_OBJECT],
    ["a Map of headers", { headers: new Map([["x-team", "a"]]) }, "headers must be a plain object with string values."],
    [
      "several mistakes at once",
      { timeout: 1, maxRetries: -1 },
      "Unknown option timeout. Did you mean timeoutMs? maxRetries must be an integer from 0 to 100.",
    ],
  ])("are rejected before anything is sent: %s", async (_, options, complaint) => {
    const fetch = scriptedFetch(Response.json([]));
    // What a JavaScript program may hand over, whatever the types say.
    const error = await rejectionOf(ValidationError, clientOf(fetch).tools.listSlugs(options as RequestOptions));
    expect(error.message).toContain(complaint);
    expect(error.outcome).toBe("not_sent");
    expect(fetch.sent).toEqual([]);
  });
});

test.each([
  ["ECONNREFUSED", "Is the service running there? Check baseUrl. Tried 3 times."],
  ["ENOTFOUND", "The host name couldn't be resolved. Check baseUrl. Tried 3 times."],
  ["CERT_HAS_EXPIRED", "The service's certificate has expired, by this machine's clock."],
  ["ERR_SSL_WRONG_VERSION_NUMBER", "Does baseUrl use https, but the service http? Tried 3 times."],
])("a connection that fails with %s reports what to check and the number of attempts", async (code, advice) => {
  const svc = clientOf(scriptedFetch(broken(code), broken(code), broken(code)), { clock: fakeClock() });
  const error = await rejectionOf(ConnectionError, svc.tools.listSlugs());
  expect(error.message.endsWith(advice)).toBe(true);
});
