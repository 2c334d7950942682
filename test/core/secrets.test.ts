import { inspect } from "node:util";
import { describe, expect, test, vi } from "vitest";
import { Svc, SvcError, type SvcOptions } from "../../src/index.js";
import { rejection, send } from "../support/client.js";
import { fakeClock } from "../support/clock.js";
import { broken, cutOff, type Step, scriptedFetch, silence, stalled } from "../support/scripted-fetch.js";

// Each holds characters that JSON, HTML or a regular expression treats specially. No longer key begins like a shorter one.
const keys = {
  apiKey: 'ak_CANARY/1+"$&(x)',
  userApiKey: "uak_CANARY.2==",
  orgApiKey: "oak_CANARY-3",
  sessionCookie: "oak_CANARY-3-and-more-CANARY",
};
const headers: Readonly<Record<string, string>> = { "x-team": "blue" };

function clientOver(fetch: (request: Request) => Promise<Response>, options: SvcOptions = {}): Svc {
  return new Svc({
    ...keys,
    baseUrl: "https://api.example.com",
    environment: {},
    clock: fakeClock(),
    headers,
    timeoutMs: 5,
    fetch,
    ...options,
  });
}

/** Everything a program can make visible of a value. */
function everythingOf(value: unknown): string {
  const shown = [inspect(value, { depth: 12, showHidden: true, getters: true }), String(value)];
  for (let link = value; link instanceof Error; link = link.cause) {
    shown.push(link.message, link.stack ?? "", inspect(link), JSON.stringify(link), ...Object.values(link).map(String));
  }
  return `${shown.join("\n")}\n${JSON.stringify(value)}`;
}

/** No key, no half of one, and no way of writing one shows. */
function expectNoSecret(text: string): void {
  expect(text).not.toMatch(/CANARY/i);
  expect(text).not.toContain(btoa(keys.apiKey));
}

/** Every key in every way a text may hold it. */
const echo = Object.values(keys)
  .map((key) => `${key} ${JSON.stringify(key)} ${JSON.stringify(JSON.stringify(key))}`)
  .join(" ");
const escaped = [...keys.apiKey].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
const withSlashes = JSON.stringify(keys.apiKey).slice(1, -1).replaceAll("/", "\\/");

const failures: readonly (readonly [string, Step])[] = [
  ["a refused connection", broken("ECONNREFUSED")],
  ["a reset", broken("ECONNRESET")],
  ["a fetch that quotes the key", new TypeError(`Headers.append: "${keys.apiKey}" is an invalid header value.`)],
  ["a fetch whose message is cut in the key", new TypeError(`${"x".repeat(190)} ${keys.apiKey}`)],
  ["a fetch whose cause quotes the key", new TypeError("failed", { cause: new Error(keys.apiKey) })],
  ["a fetch that hands out its request", Object.assign(new Error("failed"), { request: { headers: keys } })],
  ["silence", silence],
  ["a body that stops", () => stalled(200, undefined, `{"key": ${JSON.stringify(keys.apiKey)}`)],
  ["a body that breaks off", () => cutOff(200, keys.apiKey)],
  ["a failing body that breaks off", () => cutOff(500, echo)],
  ["a redirect", new Response(null, { status: 302, headers: { location: `https://x.example/?k=${keys.orgApiKey}` } })],
  ["a page instead of the data", new Response(`<p>${echo}`)],
  ["a page whose snippet is cut in the key", new Response(`${"x".repeat(190)}${keys.apiKey}`)],
  ["a JSON value that is not the data", Response.json(echo)],
  ["an error object with a good status", Response.json({ error: { message: echo } })],
  ...[400, 401, 403, 404, 429, 500].flatMap((status): (readonly [string, Step])[] => [
    [
      `a ${status} that quotes the keys`,
      Response.json(
        {
          error: {
            message: echo,
            suggested_fix: echo,
            errors: [echo],
            slug: echo,
            request_id: echo,
            more: { deep: [echo] },
          },
        },
        { status },
      ),
    ],
    [`a ${status} in plain text`, new Response(echo, { status })],
    [
      `a ${status} in headers`,
      new Response("{}", {
        status,
        headers: {
          "x-request-id": keys.apiKey,
          server: keys.userApiKey,
          "set-cookie": keys.apiKey,
          "x-echo": keys.orgApiKey,
        },
      }),
    ],
    [`a ${status} with escaped letters`, new Response(`{"error":{"message":"Invalid ${escaped}"}}`, { status })],
    [`a ${status} with escaped slashes`, new Response(`{"error":{"message":"Invalid ${withSlashes}"}}`, { status })],
  ]),
];

describe("no key shows in an error", () => {
  test.each(failures)("of %s", async (_, step) => {
    for (const repeat of ["safe", "effect"] as const) {
      const error = await rejection(send(clientOver(scriptedFetch(step)), repeat));
      expect(error).toBeInstanceOf(SvcError);
      expectNoSecret(everythingOf(error));
    }
  });

  test("that answers an argument, an option or a header of a call", async () => {
    const svc = clientOver(scriptedFetch(Response.json({})));
    const wrong = [
      svc.authConfigs.get("", { headers: { "x-team": "CANARY" } }),
      svc.authConfigs.get("a", { headers: { "x-team": "CANARY\n" } }),
      svc.authConfigs.get("a", { headers: { "x-api-key": "CANARY" } }),
      svc.tools.execute("A", { arguments: { secret: "CANARY" } }),
      svc.tools.execute("A", { version: "CANARY", arguments: {} }),
    ];
    for (const call of wrong) expectNoSecret(everythingOf(await rejection(call)));
  });

  test("of a client that cannot be made", () => {
    for (const option of Object.keys(keys)) {
      for (const value of ["CANARY\nCANARY", "CANARY CANARY", "CANARY\0", "CANARYé"]) {
        try {
          new Svc({ baseUrl: "https://api.example.com", environment: {}, [option]: value });
          expect.unreachable("the key is wrong");
        } catch (error) {
          expectNoSecret(everythingOf(error));
        }
      }
    }
  });

  test("what is left of the service's words can still be read", async () => {
    const body = { error: { message: `Invalid API key: ${keys.apiKey}`, code: 801, slug: "APIKey_InvalidAPIKey" } };
    const error = await rejection(send(clientOver(scriptedFetch(Response.json(body, { status: 401 })))));
    expect(error).toMatchObject({
      code: 801,
      condition: "invalid_api_key",
      body: { error: { message: "Invalid API key: ***" } },
    });
  });
});

describe("no key shows in what a program holds", () => {
  test("of a client and its resources", () => {
    const svc = clientOver(scriptedFetch(Response.json({})));
    for (const held of [svc, svc.tools, svc.authConfigs, svc.session, svc.toolkits, svc.integrations]) {
      expectNoSecret(everythingOf(held));
    }
    expect(Object.keys(svc).filter((name) => /key|settings|core/i.test(name))).toEqual(
      expect.not.arrayContaining(["apiKey"]),
    );
  });

  test("of a result, its meta and a promise of it", async () => {
    const call = send(clientOver(scriptedFetch(Response.json({ ok: true }))));
    expectNoSecret(inspect(call, { depth: 12, showHidden: true }));
    const result = await call.withResponse();
    expectNoSecret(everythingOf(result));
    expectNoSecret(inspect([...result.meta.headers]));
  });

  test("of what an observer is told", async () => {
    const onResponse = vi.fn();
    await rejection(send(clientOver(scriptedFetch(new Response(echo, { status: 500 })), { onResponse })));
    expect(onResponse).toHaveBeenCalledTimes(3);
    expectNoSecret(inspect(onResponse.mock.calls, { depth: 12 }));
  });
});
