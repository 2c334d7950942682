import { fork } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { build } from "esbuild";
import { afterAll, beforeAll } from "vitest";

/** A program of these tests, bundled so that Node can run it in separate processes. */
export function programOf(entryPoint: string) {
  let folder: string;
  let program: string;
  beforeAll(async () => {
    // Inside node_modules, so that the program finds its packages.
    mkdirSync("node_modules/.cache", { recursive: true });
    folder = mkdtempSync("node_modules/.cache/svc-postgres-");
    program = `${folder}/program.mjs`;
    const options = { bundle: true, platform: "node", format: "esm", packages: "external" } as const;
    await build({ entryPoints: [entryPoint], outfile: program, ...options });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return (environment: Record<string, string>) => fork(program, { env: { ...process.env, ...environment } });
}
