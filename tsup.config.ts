import { defineConfig } from "tsup";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    contract: "src/contract/index.ts",
    "emulator/index": "src/emulator/index.ts",
    "emulator/node": "src/emulator/node.ts",
    cli: "src/cli/main.ts",
  },
  format: ["esm"],
  target: "es2022",
  platform: "neutral",
  // Only the emulator needs them, so they travel inside its chunks and are nobody's dependency.
  noExternal: ["hono", "@hono/node-server"],
  external: [/^node:/],
  // Constructors of resources take the core, which is nobody's to make.
  dts: { compilerOptions: { stripInternal: true } },
  sourcemap: true,
  clean: true,
  splitting: true,
  treeshake: true,
});
