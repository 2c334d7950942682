import { readFileSync } from "node:fs";
import type { KnipConfig } from "knip";
import { COMMAND, ENTRIES } from "./entries.ts";

/** The packages that examples import, and only a folder of test/programs has. */
function packagesOf(folder: string): string[] {
  const manifest = (path: string) =>
    JSON.parse(readFileSync(new URL(`../${path}package.json`, import.meta.url), "utf8"));
  const { dependencies, devDependencies } = manifest("");
  const names = Object.keys(manifest(`test/programs/${folder}/`).dependencies);
  return names.filter((name) => !(name in dependencies || name in devDependencies));
}

const config: KnipConfig = {
  entry: [
    ...ENTRIES.map(({ source }) => source),
    COMMAND,
    "src/emulator/inspector/main.tsx",
    "examples/!(init)/**/*.ts",
    "examples/*.ts",
    "test/**/*.test-d.ts",
    "test/runtimes/{main,over-loopback,proxy}.ts",
    "test/*/*-process.ts",
    "test/agents/adapters/*.ts",
    "test/programs/{agents,oldest-agents}/*.{mjs,ts}",
    "test/programs/mcp-servers/*.mjs",
    "scripts/build/mcp-shims.ts",
    "bench/*.mjs",
    "scripts/*.{mjs,ts}",
    "docs/.vitepress/{api,api-plugin,config}.mjs",
    "docs/.vitepress/theme/index.js",
  ],
  project: [
    "{src,test,examples}/**/*.{ts,tsx}",
    "{bench,scripts}/*.{mjs,ts}",
    "scripts/{build,docs,types}/*.{mjs,ts}",
    "docs/.vitepress/**/*.{js,mjs}",
    "*.config.ts",
  ],
  ignore: ["examples/init/**", "test/catalog/generate/golden/**", "test/catalog/generate/typed-project/**"],
  ignoreExportsUsedInFile: {
    interface: true,
    type: true,
  },
  ignoreDependencies: [
    "@arethetypeswrong/cli",
    "publint",
    "axe-core",
    "node-runtime",
    "pg",
    ...["agents", "steps"].flatMap(packagesOf),
  ],
  ignoreBinaries: ["mkfifo", "redis-server", "script", "unshare"],
};

export default config;
