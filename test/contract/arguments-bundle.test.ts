import { build } from "esbuild";
import { expect, test } from "vitest";

test("svc-sdk/arguments runs at the edge, without eval, Node modules or packages", async () => {
  const result = await build({
    entryPoints: ["src/contract/arguments.ts"],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
  });
  const inputs = Object.keys(result.metafile.inputs);
  const packages = new Set(inputs.flatMap((path) => /node_modules\/(@[^/]+\/[^/]+|[^/]+)/.exec(path)?.[1] ?? []));
  expect([...packages]).toEqual([]);
  expect(result.outputFiles[0]?.text).not.toMatch(/\beval\(|new Function|\bFunction\(/);
});
