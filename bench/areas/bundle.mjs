// The size of browser bundles.
import { relative } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { mapValues } from "../kit/measure.mjs";
import { rivals } from "../kit/rivals.mjs";
import { digits } from "../kit/tables.mjs";

const all = (name) => ({ code: `export * from "${name}";` });
const SUBJECTS = {
  ky: { code: `export { default } from "ky";` },
  "ky and p-retry": { code: `export { default as ky } from "ky"; export { default as pRetry } from "p-retry";` },
  "svc-sdk": all("svc-sdk"),
  "svc-sdk, its own code without ky and p-retry": { ...all("svc-sdk"), external: ["ky", "p-retry"] },
  "svc-sdk/webhooks: verifySignature": { code: `export { verifySignature } from "svc-sdk/webhooks";` },
  "svc-sdk/webhooks: verifyWebhook": { code: `export { verifyWebhook } from "svc-sdk/webhooks";` },
  "svc-sdk/webhooks": all("svc-sdk/webhooks"),
  "svc-sdk/contract": all("svc-sdk/contract"),
  "svc-sdk/arguments": all("svc-sdk/arguments"),
  "svc-sdk/otel": { ...all("svc-sdk/otel"), external: ["@opentelemetry/api"] },
  "svc-sdk/stores": all("svc-sdk/stores"),
  "svc-sdk/testing": all("svc-sdk/testing"),
  "svc-sdk/emulator": all("svc-sdk/emulator"),
  "svc-sdk/emulator, in one file": { ...all("svc-sdk/emulator"), splitting: false },
  "@composio/client 2": { code: `export { default } from "@composio/client";` },
  "@composio/client 0.1": { code: `export { default } from "composio-client-0";` },
  openai: { code: `export { default } from "openai";` },
  stripe: { code: `export { default } from "stripe";` },
  svix: { code: `export { Svix } from "svix";` },
  "svix: Webhook": { code: `export { Webhook } from "svix";` },
  standardwebhooks: { code: `export { Webhook } from "standardwebhooks";` },
  "@pipedream/sdk": { code: `export { PipedreamClient } from "@pipedream/sdk";` },
};

/**
 * Bytes of what the import loads, and the modules that the runtime must provide. Chunks that it imports later aren't
 * counted.
 */
async function bundled({ code, external = [], splitting = true }) {
  const { outputFiles, metafile } = await build({
    stdin: { contents: code, resolveDir: rivals },
    bundle: true,
    splitting,
    outdir: "out",
    minify: true,
    format: "esm",
    platform: "browser",
    external: ["node:*", ...external],
    metafile: true,
    write: false,
    logLevel: "error",
  });
  const { outputs } = metafile;
  const entry = Object.keys(outputs).find((path) => outputs[path].entryPoint === "<stdin>");
  const loaded = new Set([entry]);
  const needs = new Set();
  // A set is walked in the order in which it grows.
  for (const path of loaded) {
    for (const { path: target, kind, external: isExternal } of outputs[path].imports) {
      if (isExternal) needs.add(target);
      else if (kind === "import-statement") loaded.add(target);
    }
  }
  const contents = outputFiles.filter(({ path }) => loaded.has(relative(process.cwd(), path))).map((file) => file.contents);
  const sum = (sizes) => sizes.reduce((total, size) => total + size, 0);
  return {
    minified: sum(contents.map(({ length }) => length)),
    gzip: sum(contents.map((bytes) => gzipSync(bytes, { level: 9 }).length)),
    needs: [...needs],
  };
}

export const bundle = {
  title: "Bundled for a browser",
  about: "Minified by esbuild, for `platform: browser`, then gzip at level 9. KB of 1,000 bytes. Chunks that are loaded on demand aren't included, except in one file.",
  async measure() {
    const figures = {};
    for (const [name, subject] of Object.entries(SUBJECTS)) figures[name] = await bundled(subject);
    return figures;
  },
  rows: (figures) =>
    mapValues(figures, ({ minified, gzip, needs }) => ({
      "minified, KB": digits(minified / 1_000),
      "gzip, KB": digits(gzip / 1_000),
      "provided by the runtime": needs.join(" "),
    })),
  budgets: (figures) => [
    ["own code of `svc-sdk` without ky and p-retry, KB gzip", figures["svc-sdk, its own code without ky and p-retry"].gzip / 1_000, 9],
    ["verifying a webhook, KB gzip", figures["svc-sdk/webhooks: verifySignature"].gzip / 1_000, 7],
    ["verifying and parsing a webhook, KB gzip", figures["svc-sdk/webhooks: verifyWebhook"].gzip / 1_000, 14],
    // See docs/decisions/0003-the-emulator.md.
    ["`svc-sdk/emulator`, KB gzip (budget: before its inspector)", figures["svc-sdk/emulator"].gzip / 1_000, 107.7],
    ["modules of Node that `svc-sdk` needs in a browser", figures["svc-sdk"].needs.length, 0],
  ],
};
