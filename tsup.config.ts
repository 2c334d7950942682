import { readFileSync, writeFileSync } from "node:fs";
import { defineConfig } from "tsup";

/** Only the emulator needs them, so they travel inside its chunks and are nobody's dependency. */
const BUNDLED = ["hono", "@hono/node-server"];

export default defineConfig({
  entry: {
    index: "src/index.ts",
    contract: "src/contract/index.ts",
    "emulator/index": "src/emulator/index.ts",
    "emulator/node": "src/emulator/node.ts",
    "webhooks/index": "src/webhooks/index.ts",
    "webhooks/node": "src/webhooks/node.ts",
    "stores/redis": "src/stores/redis.ts",
    "testing/index": "src/testing/index.ts",
    "testing/msw": "src/testing/msw.ts",
    cli: "src/cli/main.ts",
  },
  format: ["esm"],
  target: "es2022",
  platform: "neutral",
  noExternal: BUNDLED,
  external: [/^node:/],
  // Constructors of resources take the core, which is nobody's to make.
  dts: { compilerOptions: { stripInternal: true } },
  sourcemap: true,
  clean: true,
  splitting: true,
  treeshake: true,
  onSuccess: async () => writeFileSync("dist/THIRD_PARTY_LICENSES.txt", licences()),
});

/** The licences of what is bundled travel with it. */
function licences(): string {
  return BUNDLED.map((name) => {
    const { version } = JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8")) as { version: string };
    return `${name} ${version}\n\n${readFileSync(`node_modules/${name}/LICENSE`, "utf8")}`;
  }).join("\n\n");
}
