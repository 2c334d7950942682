import { defineConfig } from "vitest/config";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 12)) {
  console.error(
    `The tests need Node >= 22.12, this is ${process.version}. Run them with npm after "npm ci": it brings its own Node.`,
  );
  process.exit(1);
}

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Packing, installing and driving real processes takes longer than a unit test may.
    testTimeout: 10_000,
    reporters: ["default", "./tools/plain-summary.mjs"],
  },
});
