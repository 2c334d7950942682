import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { type BuildOptions, build } from "esbuild";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { startEmulator } from "../../src/emulator/node.js";
import { sampled, sized } from "../support/size.js";
import { expected } from "./expected.js";
import { BUN, DENO, EDGE, RUNTIMES, type Runtime, type Scripts } from "./runtimes.js";

const run = promisify(execFile);
const folder = join(inject("packed").project, "runtimes");
const scripts: Scripts = {
  program: join(folder, "program.mjs"),
  module: join(folder, "module.mjs"),
  bundledModule: join(folder, "bundled.mjs"),
  bundledScript: join(folder, "bundled.js"),
};

beforeAll(async () => {
  const bundle = (entry: string, outfile: string, options: BuildOptions) =>
    build({ entryPoints: [resolve(import.meta.dirname, entry)], outfile, bundle: true, format: "esm", ...options });
  await bundle("main.ts", scripts.program, { packages: "external" });
  await bundle("proxy.ts", proxyProgram, { packages: "external" });
  await bundle("over-loopback.ts", scripts.module, { packages: "external" });
  // From the consumer's project, so that the package is the packed one.
  await bundle(scripts.module, scripts.bundledModule, { platform: "browser" });
  const inProcess = join(folder, "in-process.mjs");
  await bundle("in-process.ts", inProcess, { packages: "external" });
  await bundle(inProcess, scripts.bundledScript, { platform: "browser", format: "iife", globalName: "scenarios" });
});

/** Makes a client of a service on this machine, and prints what it says of the environment. */
const proxyProgram = join(folder, "proxy.mjs");

/** What the scenarios saw in a runtime, against an emulator that nobody else uses. */
async function observe(runtime: Runtime): Promise<Record<string, unknown>> {
  const emulator = await startEmulator();
  try {
    const [program = "", ...parameters] = runtime.command(scripts, JSON.stringify(emulator.connection));
    // Of the environment only what programs need to start: variables of the SDK would change what it does.
    const environment = { PATH: process.env["PATH"], HOME: process.env["HOME"], NO_COLOR: "1" };
    const options = { cwd: folder, env: environment, timeout: 20_000 };
    const { stdout } = await run(program, parameters, options);
    return JSON.parse(stdout);
  } finally {
    await emulator.close();
  }
}

describe.each(sized(EDGE.slice(0, 1), RUNTIMES).map((runtime) => [runtime.name, runtime] as const))(
  "%s",
  (_, runtime) => {
    if (!runtime.needs.every((file) => existsSync(file))) {
      test.skip("is not installed here: npm run runtimes", () => undefined);
      return;
    }
    let seen: Record<string, unknown>;
    beforeAll(async () => {
      seen = await observe(runtime);
    }, 30_000);

    test.each(Object.entries(expected))("%s", (title, outcome) => {
      expect(seen[title]).toEqual(outcome);
    });
  },
);

const DENO_RUN = [DENO, "run", "--no-prompt", "--cached-only", "--node-modules-dir=manual"];
const proxy = { HTTP_PROXY: "http://proxy.example.com:3128" };

describe.skipIf(!existsSync(BUN) || !existsSync(DENO))(
  "a runtime whose fetch uses the proxy of the environment",
  () => {
    const programs: readonly (readonly [string, readonly string[], object, string])[] = [
      [
        "Bun",
        [BUN],
        proxy,
        "but HTTP_PROXY sends its requests, including keys, to a proxy. Add 127.0.0.1 to NO_PROXY.",
      ],
      ["Bun with an exception", [BUN], { ...proxy, NO_PROXY: "127.0.0.1" }, "made"],
      ["Deno", [...DENO_RUN, "--allow-env"], proxy, "but HTTP_PROXY sends its requests"],
      ["Deno that can't read the environment, nor can its fetch", DENO_RUN, proxy, "made"],
    ];
    test.each(sampled(programs, 4))("%s", async (_, [program = "", ...parameters], environment, message) => {
      const options = { cwd: folder, env: { HOME: process.env["HOME"], ...environment }, timeout: 20_000 };
      const { stdout } = await run(program, [...parameters, proxyProgram], options);
      expect(stdout).toContain(message);
    });
  },
);
