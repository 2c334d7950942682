import { build } from "esbuild";
import { expect, test } from "vitest";

/** The packages, runtime modules and files that an import of these names from an entry point includes. */
async function bundle(code: string) {
  const result = await build({
    stdin: { contents: code, resolveDir: "src", loader: "ts" },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    external: ["node:*"],
  });
  const inputs = Object.entries(result.metafile.inputs);
  const packages = inputs.flatMap(([path]) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  return {
    packages: [...new Set(packages)].sort(),
    external: inputs.flatMap(([, { imports }]) => imports.filter((one) => one.external).map((one) => one.path)),
    importers: inputs
      .filter(([, { imports }]) => imports.some((one) => one.path.includes("/standardwebhooks/")))
      .map(([path]) => path),
    files: Object.values(result.metafile.outputs).flatMap(({ inputs: parts }) =>
      Object.keys(parts).filter((path) => (parts[path]?.bytesInOutput ?? 0) > 0),
    ),
  };
}

const SIGNING = ["@stablelib/base64", "fast-sha256", "standardwebhooks"];

test("svc-sdk/webhooks imports neither ky, hono, zod nor node: modules", async () => {
  const { packages, external } = await bundle('export * from "./webhooks/index.js"');
  expect(packages).toEqual(SIGNING);
  expect(external).toEqual([]);
});

test("an import of verifySignature includes no event checks", async () => {
  const alone = await bundle('export { verifySignature } from "./webhooks/index.js"');
  const parsing = await bundle('export { verifyWebhook } from "./webhooks/index.js"');
  expect(alone.files).not.toContain("src/webhooks/event-checks.ts");
  expect(parsing.files).toContain("src/webhooks/event-checks.ts");
});

test("the Node adapter imports no packages, and stores import only p-retry", async () => {
  const inStores = ["is-network-error", "p-retry"];
  const packages = { "webhooks/node.js": [], "stores/postgres.js": inStores, "stores/redis.js": inStores };
  for (const [entry, names] of Object.entries(packages)) {
    expect(await bundle(`export * from "./${entry}"`)).toMatchObject({ packages: names, external: [] });
  }
});

test("one file imports standardwebhooks", async () => {
  const { importers } = await bundle('export * from "./webhooks/index.js"');
  expect(importers.filter((path) => path.startsWith("src/"))).toEqual(["src/webhooks/sign.ts"]);
});
