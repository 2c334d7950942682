import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { beforeAll, expect, test } from "vitest";
import type * as testing from "../../src/testing/index.js";
import type * as webhooks from "../../src/webhooks/index.js";

type Copy = typeof testing & typeof webhooks;
let copy: Copy;

/**
 * A copy of the package in a realm of its own whose encoders, requests and crypto are the host's, as the globals of jsdom mix
 * them: bytes that an encoder gives are there no instance of `Uint8Array`.
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
  // The bundle holds what both entries export.
  copy = runInContext(`${outputFiles[0]?.text}; copy`, createContext(host)) as Copy;
});

test.each(["abc", new TextEncoder().encode("abc"), Buffer.from("abc")])(
  "where globals are of two realms, a delivery is signed and verified with %o",
  async (secret) => {
    const { body, headers, id } = copy.signedDelivery({ secret });
    expect(await copy.verifyWebhook({ body, headers }, { secret })).toMatchObject({ kind: "known", id });
    const bytes = new TextEncoder().encode(body);
    expect(await copy.verifyWebhook({ body: bytes, headers }, { secret })).toMatchObject({ kind: "known", id });
  },
);
