import { describe, expect, test } from "vitest";
import { ConnectionError, ResponseError, SvcError } from "../../src/index.js";
import { clientOf, rejection, rejectionOf } from "../support/client.js";
import { fakeClock } from "../support/clock.js";
import { type Step, scriptedFetch } from "../support/scripted-fetch.js";

const FILE = "https://storage.example.com/file?signature=secret";

/** A client and its clock, with a storage that answers like this. */
function downloading(...steps: readonly Step[]) {
  const clock = fakeClock();
  const fetch = scriptedFetch(...steps);
  return { clock, fetch, svc: clientOf(fetch, { clock }) };
}

const busy = (retryAfter: string) => new Response("busy", { status: 503, headers: { "retry-after": retryAfter } });

describe("a file storage", () => {
  test("that asks for a wait gets no request before that", async () => {
    const { clock, svc } = downloading(busy("30"), new Response("content"));
    await svc.files.download(FILE);
    expect(clock.slept).toEqual([30_000]);
  });

  test("that asks for a longer wait than the client's maximum gets no more requests", async () => {
    const { clock, fetch, svc } = downloading(busy("61"));
    expect(await rejectionOf(ResponseError, svc.files.download(FILE))).toMatchObject({ status: 503 });
    expect(clock.slept).toEqual([]);
    expect(fetch.sent).toHaveLength(1);
  });

  test.each([
    ["a network error", () => Response.error()],
    ["nothing", () => undefined],
    ["a plain object", () => ({ ok: true, status: 200 })],
    ["something that is almost an answer", () => ({ status: 200, headers: {}, body: null })],
  ])("wasn't reached if fetch returns %s", async (_, give) => {
    // A user without types may inject anything; that is the fault.
    const svc = clientOf(async () => give() as Response, { maxRetries: 0 });
    await rejectionOf(ConnectionError, svc.files.download(FILE));
  });

  test("whose errors repeat the URL shows no signature", async () => {
    const svc = clientOf(async ({ url }) => Promise.reject(new Error(`cannot reach ${url}`)), { maxRetries: 0 });
    const error = await rejection(svc.files.download(FILE));
    expect(error).toBeInstanceOf(SvcError);
    expect(JSON.stringify(error)).not.toContain("secret");
  });
});
