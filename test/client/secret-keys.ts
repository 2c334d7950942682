import { inspect } from "node:util";
import { expect } from "vitest";
import { Svc, type SvcOptions } from "../../src/index.js";
import { fakeClock } from "../support/clock.js";
import { broken, cutOff, type Step, silence, stalled } from "../support/scripted-fetch.js";

// Each holds characters that JSON, HTML or a regular expression treats specially. No longer key starts like a shorter
// one.
export const keys = {
  apiKey: 'ak_CANARY/1+"$&(x)',
  userApiKey: "uak_CANARY.2==",
  orgApiKey: "oak_CANARY-3",
  sessionCookie: "oak_CANARY-3-and-more-CANARY",
};

/** Headers of the user's own; all but the first are secrets by their names. */
export const headers = {
  "x-team": "blue",
  "x-gateway-token": "gw_CANARY+4|5",
  authorization: "Bearer jwt.CANARY.6",
  "x-signature-key": "back\\slash_CANARY",
} as const;

export function clientOver(fetch: (request: Request) => Promise<Response>, options: SvcOptions = {}): Svc {
  return new Svc({
    ...keys,
    baseUrl: "https://api.example.com",
    env: {},
    clock: fakeClock(),
    headers,
    timeoutMs: 5,
    fetch,
    ...options,
  });
}

/** Everything a program can make visible of a value. */
export function everythingOf(value: unknown): string {
  const shown = [inspect(value, { depth: 12, showHidden: true, getters: true }), String(value)];
  for (let link = value; link instanceof Error; link = link.cause) {
    shown.push(link.message, link.stack ?? "", inspect(link), JSON.stringify(link), ...Object.values(link).map(String));
  }
  return `${shown.join("\n")}\n${JSON.stringify(value)}`;
}

/** No key, no half of one, and no way of writing one shows. */
export function expectNoSecret(text: string): void {
  // Only the surroundings of what was found: the whole text would bury it.
  expect(/.{0,80}CANARY.{0,20}/i.exec(text)?.[0]).toBeUndefined();
  expect(text.includes(btoa(keys.apiKey))).toBe(false);
}

/** Every secret in every way a string may hold it. */
export const echo = [...Object.values(keys), ...Object.values(headers)]
  .map((key) => `${key} ${JSON.stringify(key)} ${JSON.stringify(JSON.stringify(key))}`)
  .join(" ");
const escaped = [...keys.apiKey].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
const withSlashes = JSON.stringify(keys.apiKey).slice(1, -1).replaceAll("/", "\\/");

export const failures: readonly (readonly [string, Step])[] = [
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
