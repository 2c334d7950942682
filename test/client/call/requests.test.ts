import { describe, expect, test } from "vitest";
import {
  ConnectionError,
  endpoint,
  type Middleware,
  MissingCredentialError,
  NotFoundError,
  ResponseError,
  ServerError,
  Svc,
  typed,
  ValidationError,
} from "../../../src/index.js";
import { clientOf, rejectionOf, send } from "../../support/client.js";
import { fakeClock } from "../../support/clock.js";
import { broken, failure, scriptedFetch } from "../../support/scripted-fetch.js";

const ok = Response.json({ ok: true });

const open = endpoint({
  name: "open.post",
  method: "POST",
  path: "/api/{apiVersion}/open",
  auth: [],
  retry: "safe",
  body: typed<unknown>(),
  response: typed<object>(),
});

describe("a request", () => {
  test("has no credential if its endpoint takes none", async () => {
    const fetch = scriptedFetch(ok);
    await clientOf(fetch).call(open, { body: {} });
    const names = [...(fetch.sent[0]?.headers.keys() ?? [])];
    expect(names.filter((name) => /key|cookie|auth/.test(name))).toEqual([]);
  });

  test("gets the API version wherever its path asks for it", async () => {
    const fetch = scriptedFetch(ok);
    const twice = { ...open, path: "/api/{apiVersion}/as/{apiVersion}" as const };
    await clientOf(fetch, { apiVersion: "v3" }).call(twice, { body: {} });
    expect(fetch.sent[0]?.url.pathname).toBe("/api/v3/as/v3");
  });

  test("keeps an unclosed brace in its path", async () => {
    const fetch = scriptedFetch(ok);
    await clientOf(fetch).call({ ...open, path: "/api/{apiVersion}/half{open" as const }, { body: {} });
    expect(decodeURI(String(fetch.sent[0]?.url.pathname))).toBe("/api/v3.1/half{open");
  });

  test("that lacks a credential is rejected with a list of all that it accepts", async () => {
    const svc = new Svc({ env: {}, baseUrl: "https://api.example.com", fetch: scriptedFetch(ok) });
    const call = svc.call({ ...open, auth: ["apiKey", "sessionCookie"] }, { body: {} });
    expect((await rejectionOf(MissingCredentialError, call)).message).toBe(
      "open.post needs a credential. Set new Svc({ apiKey }) or SVC_API_KEY (sent as x-api-key), or new Svc({ sessionCookie }) (sent as cookie).",
    );
  });

  test.each<[unknown, string]>([
    [{ toJSON: () => thrown(new Error("two\nlines")) }, "two"],
    [{ toJSON: () => thrown("a text") }, "unknown reason"],
    [{ toJSON: () => undefined }, "JSON.stringify() returns undefined"],
  ])("whose body can't be JSON is rejected with the reason in one line", async (body, reason) => {
    const fetch = scriptedFetch(ok);
    const error = await rejectionOf(ValidationError, clientOf(fetch).call(open, { body }));
    expect(error.message).toBe(`open.post: the body can't be converted to JSON: ${reason}`);
    expect(fetch.sent).toEqual([]);
  });

  test("that doesn't match the contract as a whole is rejected by the name of its part", async () => {
    const check = (_: string, part: string) => (part === "body" ? [{ path: "", expected: "a", received: "b" }] : []);
    const error = await rejectionOf(
      ValidationError,
      clientOf(scriptedFetch(ok), { contract: { check } }).call(open, { body: 1 }),
    );
    expect(error.mismatches).toEqual([{ path: "body", expected: "a", received: "b" }]);
    expect(error.message).toBe("open.post: body: expected a, received b.");
  });
});

function thrown(fault: unknown): never {
  throw fault;
}

describe("a wait before the next attempt", () => {
  test("isn't started if it would last until the deadline or longer", async () => {
    const attempts = async (deadlineMs: number) => {
      const svc = clientOf(scriptedFetch(failure(503, {}, { "retry-after": "1" })), {
        clock: fakeClock(),
        maxRetries: 1,
      });
      return (await rejectionOf(ServerError, send(svc, "safe", { deadlineMs }))).attempts;
    };
    expect(await attempts(1_000)).toBe(1);
    expect(await attempts(1_001)).toBe(2);
  });
});

describe("an error status of a storage", () => {
  test.each([
    [408, 2],
    [429, 2],
    [500, 2],
    [599, 2],
    [501, 1],
    [499, 1],
    [404, 1],
    [302, 1],
  ])("%i is tried %i times", async (status, attempts) => {
    const fetch = scriptedFetch(new Response(null, { status }));
    const call = clientOf(fetch, { maxRetries: 1 }).files.download("https://storage.example/file");
    expect(await rejectionOf(ResponseError, call)).toMatchObject({ status, attempts });
  });
});

test("a deletion that had run names what was sent, even if a middleware has replaced the input since", async () => {
  const replaceInput: Middleware = (call, next) => {
    const result = next();
    call.input = { params: { id: "other" } };
    return result;
  };
  const svc = clientOf(scriptedFetch(failure(500), failure(404)), { use: [replaceInput] });
  const { data, meta } = await svc.mcp.delete("sent").withResponse();
  expect(data).toMatchObject({ id: "sent", deleted: true });
  expect(meta.alreadyApplied).toBe(true);
});

test("a deletion hasn't been applied because a proxy responds to its retry with a page and 404", async () => {
  const deleted = (body: string) => {
    const svc = clientOf(scriptedFetch(failure(500), new Response(body, { status: 404 })));
    return svc.authConfigs.delete("ac_1");
  };
  const error = await rejectionOf(NotFoundError, deleted("<html>Not found</html>"));
  expect(error.attempts).toBe(2);
  for (const body of ["", "{}"]) expect(await deleted(body)).toEqual({});
});

describe("an untrusted certificate", () => {
  test.each([
    "CERT_HAS_EXPIRED",
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "SELF_SIGNED_CERT_IN_CHAIN",
    "UNABLE_TO_GET_ISSUER_CERT",
  ])("isn't retried: %s", async (code) => {
    const error = await rejectionOf(ConnectionError, send(clientOf(scriptedFetch(broken(code)))));
    expect(error).toMatchObject({ attempts: 1, code });
  });
});
