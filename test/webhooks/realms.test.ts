import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { beforeAll, expect, test } from "vitest";
import type * as testing from "../../src/testing/index.js";
import type * as webhooks from "../../src/webhooks/index.js";

type Copy = typeof testing & typeof webhooks;
let copy: Copy;

/**
 * A copy of the package in another realm, with the host's encoders, requests and crypto, as in jsdom: bytes from an
 * encoder aren't instances of that realm's `Uint8Array`.
 */
beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: 'export * from "./testing/signed-delivery.js"; export * from "./webhooks/index.js";',
      resolveDir: "src",
      loader: "ts",
    },
    bundle: true,
    write: false,
    format: "iife",
    globalName: "copy",
  });
  const { atob, Blob, btoa, crypto, Headers, process, Request, Response, TextDecoder, TextEncoder, URL } = globalThis;
  const host = { atob, Blob, btoa, crypto, Headers, process, Request, Response, TextDecoder, TextEncoder, URL };
  // The bundle contains the exports of both entry points.
  copy = runInContext(`${outputFiles[0]?.text}; copy`, createContext(host)) as Copy;
});

test.each(["abc", new TextEncoder().encode("abc"), Buffer.from("abc")])(
  "signs and verifies a delivery with %o if globals come from two realms",
  async (secret) => {
    const { body, headers, id } = copy.signedDelivery({ secret });
    expect(await copy.verifyWebhook({ body, headers }, { secret })).toMatchObject({ kind: "known", id });
    const bytes = new TextEncoder().encode(body);
    expect(await copy.verifyWebhook({ body: bytes, headers }, { secret })).toMatchObject({ kind: "known", id });
  },
);
