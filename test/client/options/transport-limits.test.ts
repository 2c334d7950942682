import { Agent } from "undici";
import { describe, expect, test } from "vitest";
import { ConfigError, ConnectionError, Svc, ValidationError } from "../../../src/index.js";
import { undiciFetch } from "../../../src/undici/index.js";
import { clientOf, rejectionOf, send } from "../../support/client.js";
import { broken, scriptedFetch } from "../../support/scripted-fetch.js";

const options = { baseUrl: "https://api.example.com", apiKey: "ak_test", env: {} };
const PROBLEM =
  "timeoutMs must be at most 300000 with Node's own fetch, which ends a silent request after 5 minutes. For more, pass fetch: undiciFetch() from svc-sdk/undici.";

describe("a timeoutMs of more than the five minutes that Node's fetch waits", () => {
  test("is rejected with Node's fetch, for the client and for a call", async () => {
    expect(() => new Svc({ ...options, timeoutMs: 420_000 })).toThrow(new ConfigError(`new Svc(): ${PROBLEM}`));
    expect(() => new Svc({ ...options, fetch: globalThis.fetch, timeoutMs: 300_001 })).toThrow(ConfigError);
    const svc = new Svc({ ...options, timeoutMs: 300_000, deadlineMs: 420_000 });
    const error = await rejectionOf(ValidationError, send(svc, "safe", { timeoutMs: 420_000 }));
    expect(error.message).toBe(`probe.safe: ${PROBLEM}`);
    const download = svc.files.download("https://storage.example/file", { timeoutMs: 420_000 });
    expect((await rejectionOf(ValidationError, download)).message).toBe(`files.download: ${PROBLEM}`);
  });

  test("is accepted with another fetch, whose own limits are named if they end a request", async () => {
    expect(new Svc({ ...options, fetch: undiciFetch(), timeoutMs: 420_000 })).toBeInstanceOf(Svc);
    for (const code of ["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]) {
      const svc = clientOf(scriptedFetch(broken(code)), { timeoutMs: 420_000, maxRetries: 0 });
      const { message } = await rejectionOf(ConnectionError, send(svc));
      expect(message).toContain("Set both to 0: timeoutMs of the client limits each attempt.");
    }
  });

  test("isn't cut short by undiciFetch(), whose dispatcher has no such limits", async () => {
    const limits: unknown[] = [];
    const { dispatch } = Agent.prototype;
    Agent.prototype.dispatch = function (options, handler) {
      limits.push(
        Reflect.get(
          this,
          Object.getOwnPropertySymbols(this).find(({ description }) => description === "options") ?? "",
        ),
      );
      return dispatch.call(this, options, handler);
    };
    try {
      await undiciFetch()("http://127.0.0.1:1/").catch(() => undefined);
    } finally {
      Agent.prototype.dispatch = dispatch;
    }
    expect(limits).toMatchObject([{ headersTimeout: 0, bodyTimeout: 0 }]);
  });
});
