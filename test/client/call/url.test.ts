import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { endpoint, type Svc, typed, ValidationError } from "../../../src/index.js";
import { clientOf, rejectionOf } from "../../support/client.js";
import { codePoints } from "../../support/code-points.js";
import { scriptedFetch } from "../../support/scripted-fetch.js";

const nested = endpoint({
  name: "things.get",
  method: "GET",
  path: "/api/{apiVersion}/things/{id}/parts/{partId}",
  auth: ["apiKey"],
  retry: "safe",
  query: typed<object>(),
  response: typed<object>(),
});

/** Sends one call and gives its path and query, as sent. */
async function targetOf(call: (svc: Svc) => PromiseLike<unknown>): Promise<string> {
  const fetch = scriptedFetch(Response.json({}));
  await call(clientOf(fetch));
  expect(fetch.sent).toHaveLength(1);
  return fetch.sent[0]?.target ?? "";
}

/** The refusal of a call, which must have sent nothing. */
async function refusalOf(call: (svc: Svc) => PromiseLike<unknown>): Promise<ValidationError> {
  const fetch = scriptedFetch(Response.json({}));
  const error = await rejectionOf(ValidationError, call(clientOf(fetch)));
  expect(fetch.sent).toEqual([]);
  expect(error.outcome).toBe("not_sent");
  return error;
}

describe("a path parameter", () => {
  test.each([
    ["a/b", "a%2Fb"],
    ["../../etc/passwd", "..%2F..%2Fetc%2Fpasswd"],
    ["a\\b", "a%5Cb"],
    ["a?b=1", "a%3Fb%3D1"],
    ["a#b", "a%23b"],
    ["%2e%2e", "%252e%252e"],
    ["%2f", "%252f"],
    ["100%", "100%25"],
    ["a;b:c@d", "a%3Bb%3Ac%40d"],
    ["line\r\nbreak", "line%0D%0Abreak"],
    ["tab\there", "tab%09here"],
    ["nul\0", "nul%00"],
    [" ", "%20"],
    ["...", "..."],
    [".hidden", ".hidden"],
    ["a..b", "a..b"],
    ["grüße", "gr%C3%BC%C3%9Fe"],
    ["日本", "%E6%97%A5%E6%9C%AC"],
    ["👍", "%F0%9F%91%8D"],
    ["x".repeat(4_000), "x".repeat(4_000)],
  ])("%j arrives as one segment, byte for byte", async (value, segment) => {
    expect(await targetOf((svc) => svc.authConfigs.get(value))).toBe(`/api/v3/auth_configs/${segment}`);
  });

  test("any string becomes exactly one segment that decodes to it, or is rejected", async () => {
    await fc.assert(
      fc.asyncProperty(codePoints({ minLength: 1 }), async (value) => {
        fc.pre(value !== "." && value !== ".." && value.isWellFormed());
        const target = await targetOf((svc) => svc.call(nested, { params: { id: value, partId: "p" } }));
        const segments = target.split("/");
        expect(segments).toHaveLength(7);
        expect(decodeURIComponent(segments[4] ?? "")).toBe(value);
      }),
    );
  });

  test.each([
    ["", "is empty"],
    [".", 'must not be "." or ".."'],
    ["..", 'must not be "." or ".."'],
    ["\ud800", "contains half of a surrogate pair"],
    ["a\udc00b", "contains half of a surrogate pair"],
    [undefined, "must be a string, not undefined"],
    [null, "must be a string, not null"],
    [42, "must be a string, not number"],
    [{ id: "x" }, "must be a string, not object"],
    [["x"], "must be a string, not array"],
  ])("%j is rejected before anything is sent", async (value, problem) => {
    // What a JavaScript program may hand over, whatever the type says.
    const id = value as string;
    const error = await refusalOf((svc) => svc.authConfigs.get(id));
    expect(error.message).toContain(`authConfigs.get: the path parameter id ${problem}`);
    // An empty or missing id on DELETE would reach the collection.
    await refusalOf((svc) => svc.authConfigs.delete(id));
    await refusalOf((svc) => svc.tools.execute(id, { version: "latest", arguments: {} }));
  });

  test("each parameter replaces its name, under the client's API version", async () => {
    const target = await targetOf((svc) => svc.call(nested, { params: { partId: "2", id: "1" } }));
    expect(target).toBe("/api/v3.1/things/1/parts/2");
  });

  test("a parameter's name may contain characters other than letters", async () => {
    const team = endpoint({
      name: "team.get",
      method: "GET",
      path: "/api/v3/team/{team-id}",
      auth: ["apiKey"],
      retry: "safe",
      response: typed<object>(),
    });
    expect(await targetOf((svc) => svc.call(team, { params: { "team-id": "t/1" } }))).toBe("/api/v3/team/t%2F1");
  });

  test("a value that looks like a placeholder isn't replaced", async () => {
    const target = await targetOf((svc) => svc.call(nested, { params: { id: "{partId}", partId: "$&" } }));
    expect(target).toBe("/api/v3.1/things/%7BpartId%7D/parts/%24%26");
  });
});

describe("the path of a custom endpoint", () => {
  const problemOf = async (path: string) => {
    const facts = { name: "stray", method: "GET", auth: ["apiKey"], retry: "safe", response: typed<object>() } as const;
    return (await refusalOf((svc) => svc.call(endpoint({ ...facts, path }), {}))).message;
  };

  test.each([".evil.example/x", "@evil.example/x", ":8080/x", "x", ""])(
    "%j is rejected: it would reach a host that isn't the client's",
    async (path) => {
      expect(await problemOf(path)).toContain("stray: the endpoint's path must start with /");
    },
  );

  test.each(["/a?x=1", "/a#b"])("%j is rejected: the call's query would get lost", async (path) => {
    expect(await problemOf(path)).toContain(
      "stray: the endpoint's path must not contain ? or #. Pass the call a query.",
    );
  });
});

describe("the query", () => {
  const queryOf = async (query: object) => {
    const target = await targetOf((svc) => svc.call(nested, { params: { id: "1", partId: "2" }, query }));
    return target.replace("/api/v3.1/things/1/parts/2", "");
  };

  test.each([
    [{}, ""],
    [{ a: undefined }, ""],
    [{ a: null }, "?a="],
    [{ a: "" }, "?a="],
    [{ a: 0, b: false, c: true, d: 1.5 }, "?a=0&b=false&c=true&d=1.5"],
    [{ a: "x y&z=1+2" }, "?a=x%20y%26z%3D1%2B2"],
    [{ a: "ü#?" }, "?a=%C3%BC%23%3F"],
    [{ "a b": "c" }, "?a%20b=c"],
    [{ a: ["x"] }, "?a=x"],
    [{ a: ["x", "y", 3] }, "?a=x%2Cy%2C3"],
    [{ a: { github: "latest", slack: "20250101_00" } }, "?a%5Bgithub%5D=latest&a%5Bslack%5D=20250101_00"],
    [{ a: { github: undefined, slack: null } }, "?a%5Bslack%5D="],
    [{ a: Object.assign(Object.create(null), { b: 1 }) }, "?a%5Bb%5D=1"],
  ])("%j is sent as %s", async (query, expected) => {
    expect(await queryOf(query)).toBe(expected);
  });

  test.each([
    [{ a: [] }, "the query parameter a is an empty array"],
    [{ a: [""] }, "the query parameter a contains an empty string, which might not filter"],
    [{ a: ["x", null] }, "the query parameter a contains an empty string"],
    [
      { a: ["Doe, Jane"] },
      "the query parameter a contains an item with a comma, which the service would read as several",
    ],
    [{ a: ["x,1", "y"] }, "the query parameter a contains an item with a comma"],
    [{ a: Number.NaN }, "must be a string, a finite number or a boolean, not NaN"],
    [{ a: Number.POSITIVE_INFINITY }, "must be a string, a finite number or a boolean, not Infinity"],
    [{ a: 1n }, "not bigint"],
    [{ a: () => 1 }, "not function"],
    [{ a: Symbol("s") }, "not symbol"],
    [{ a: ["x", undefined] }, "not undefined"],
    [{ a: [["x"]] }, "not object"],
    [{ a: [{ b: 1 }] }, "not object"],
    [{ a: { b: { c: 1 } } }, "the query parameter a[b] must be a string, a finite number or a boolean"],
    [{ a: { b: ["c"] } }, "the query parameter a[b] must be a string, a finite number or a boolean"],
    [{ a: new Date(0) }, "the query parameter a must be a string, a finite number or a boolean"],
    [{ a: new Map([["b", 1]]) }, "the query parameter a must be a string, a finite number or a boolean"],
    [{ a: new Set(["b"]) }, "the query parameter a must be a string, a finite number or a boolean"],
    [{ a: new URLSearchParams("b=1") }, "the query parameter a must be a string, a finite number or a boolean"],
    [{ a: "\ud800" }, "contains half of a surrogate pair"],
  ])("%o is rejected before anything is sent", async (query, problem) => {
    const error = await refusalOf((svc) => svc.call(nested, { params: { id: "1", partId: "2" }, query }));
    expect(error.message).toContain(`things.get: the query parameter a`);
    expect(error.message).toContain(problem);
  });

  test("a call without a query has no question mark", async () => {
    expect(await targetOf((svc) => svc.tools.list())).toBe("/api/v3.1/tools");
    expect(await targetOf((svc) => svc.tools.list({}))).toBe("/api/v3.1/tools");
  });
});

describe("the body", () => {
  test("a call without a body sends neither body nor content type", async () => {
    const fetch = scriptedFetch(Response.json({}));
    await clientOf(fetch).authConfigs.delete("ac_1", { revoke_on_delete: true });
    expect(fetch.sent[0]).toMatchObject({ method: "DELETE", body: undefined });
    expect(fetch.sent[0]?.target).toBe("/api/v3/auth_configs/ac_1?revoke_on_delete=true");
    expect(fetch.sent[0]?.headers.has("content-type")).toBe(false);
    expect(fetch.sent[0]?.headers.get("accept")).toBe("application/json");
  });

  test("a body is sent as JSON, with nulls and without undefined fields", async () => {
    const fetch = scriptedFetch(Response.json({}));
    const given = { title: "ü", none: null, absent: undefined, deep: { list: [1, "2"] } };
    await clientOf(fetch).tools.execute("A_TOOL", { version: "latest", arguments: given });
    expect(fetch.sent[0]?.headers.get("content-type")).toBe("application/json");
    expect(fetch.sent[0]?.body).toEqual({
      version: "latest",
      arguments: { title: "ü", none: null, deep: { list: [1, "2"] } },
    });
  });

  test("a body that can't be JSON is rejected before anything is sent", async () => {
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    for (const wrong of [circle, { list: [circle] }]) {
      const error = await refusalOf((svc) => svc.tools.execute("A_TOOL", { version: "latest", arguments: wrong }));
      expect(error.message).toContain("tools.execute: the body can't be converted to JSON");
    }
  });
});
