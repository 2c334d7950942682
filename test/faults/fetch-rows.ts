import { ConnectionError, ResponseError } from "../../src/index.js";
import { type Failure, type Fault, fetching } from "./table.js";

/** No response, and no one knows how far the request came. */
const broke: Failure = { error: ConnectionError, outcome: "unknown", again: "harmless", shows: { phase: "headers" } };

const brokeInBody: Failure = { ...broke, shows: { phase: "body" } };

const throwing = (thrown: unknown) => () => {
  throw thrown;
};

/** A response whose body is this stream, as a polyfill might build it. */
const streaming = (start: (controller: ReadableStreamDefaultController<unknown>) => void) => () =>
  // `Response` takes bytes only, and finds out when it is read.
  new Response(new ReadableStream({ start }) as ReadableStream<Uint8Array<ArrayBuffer>>);

function looped(): Error {
  const error = new Error("in a circle");
  error.cause = error;
  return error;
}

function guarded(): Error {
  return Object.defineProperty(new Error("guarded"), "code", {
    get() {
      throw new Error("not for you");
    },
  });
}

/** The response that a browser shows for a redirect that it didn't follow. */
function opaqueRedirect(): Response {
  return Object.defineProperty(Response.error(), "type", { value: "opaqueredirect" });
}

const NO_ANSWER: readonly (readonly [name: string, fetch: (request: Request) => unknown, right?: Failure])[] = [
  ["throws at once", throwing(new TypeError("fetch failed"))],
  ["throws a string", throwing("a string")],
  ["throws nothing", throwing(undefined)],
  ["throws null", throwing(null)],
  ["throws a symbol", throwing(Symbol("odd"))],
  ["throws a number", throwing(7)],
  ["throws an object", throwing({ message: "an object" })],
  ["throws a frozen error", throwing(Object.freeze(new Error("frozen")))],
  ["throws an error that is its own cause", throwing(looped())],
  ["throws an error whose code cannot be read", throwing(guarded())],
  ["throws an abort nobody asked for", throwing(new DOMException("This operation was aborted", "AbortError"))],
  ["throws an error without a message", throwing(new Error(""))],
  ["throws an error of a mebibyte", throwing(new Error("x".repeat(2 ** 20)))],
  [
    "rejects with the request in hand",
    async (request) => Promise.reject(Object.assign(new Error("sent"), { request, headers: [...request.headers] })),
  ],
  [
    "rejects with the key in the message",
    async (request) => Promise.reject(new Error(`bad header ${request.headers.get("x-api-key")}`)),
  ],
  [
    "rejects with the key as its code",
    async (request) => Promise.reject(Object.assign(new Error("sent"), { code: request.headers.get("x-api-key") })),
  ],
  ["rejects with a code of a mebibyte", throwing(Object.assign(new Error("sent"), { code: "E".repeat(2 ** 20) }))],
  ["gives undefined", () => undefined],
  ["gives null", () => null],
  ["gives a string", () => '{"ok":true}'],
  ["gives a plain object", () => ({ ok: true, status: 200 })],
  [
    "gives an object that is almost an answer",
    () => ({ ok: true, status: 200, headers: {}, body: null, text: async () => '{"ok":true}' }),
  ],
  ["gives a network error", () => Response.error()],
  ["breaks the body with a string", streaming((controller) => controller.error("a string")), brokeInBody],
  ["breaks the body with nothing", streaming((controller) => controller.error()), brokeInBody],
  ["gives a body of text instead of bytes", streaming((controller) => controller.enqueue('{"ok":true}')), brokeInBody],
  ["gives a body of objects", streaming((controller) => controller.enqueue({ ok: true })), brokeInBody],
  ["gives a body that was read before", usedUp, brokeInBody],
  ["gives a body somebody else reads", locked, brokeInBody],
];

async function usedUp(): Promise<Response> {
  const response = Response.json({ ok: true });
  await response.text();
  return response;
}

function locked(): Response {
  const response = Response.json({ ok: true });
  response.body?.getReader();
  return response;
}

export const FETCH_ROWS: readonly Fault[] = [
  ...NO_ANSWER.map(
    ([name, fetch, right = broke]): Fault => ({ name: `a fetch that ${name}`, peer: fetching(fetch), right }),
  ),
  {
    name: "a fetch that hides a redirect",
    peer: fetching(opaqueRedirect),
    right: {
      error: ResponseError,
      outcome: "unknown",
      again: "none",
      shows: { status: 0 },
      says: /redirects.*Redirects aren't followed/,
    },
  },
  {
    name: "a fetch that answers at once",
    peer: fetching(() => Response.json({ ok: true })),
    right: { value: { ok: true } },
  },
];
