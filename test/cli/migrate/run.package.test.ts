import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { isInstalled, needs, vendorService } from "../../agreement/vendor.js";
import { programs } from "./golden.js";

const RUN = /^\d+-run-/;
const paths = [...programs("before").keys()].filter((path) => RUN.test(path));

/** Runs the main function of each program in a process, one after the other, and returns what they return. */
async function results(folder: string, url: string, apiKey: string): Promise<unknown[]> {
  const code = `
    const results = [];
    for (const path of ${JSON.stringify(paths.map((path) => resolve(folder, path)))}) {
      const { main } = await import(path);
      results.push(await main(${JSON.stringify({ url, apiKey })}).catch((error) => String(error.stack)));
    }
    process.stdout.write(JSON.stringify(results));`;
  const flags = ["--experimental-strip-types", "--no-warnings", "--input-type=module", "--eval", code];
  const { stdout } = await promisify(execFile)(process.execPath, flags);
  return JSON.parse(stdout);
}

describe.skipIf(!isInstalled)(`migrated programs${needs}`, () => {
  test("return what they returned with the library that they came from", { timeout: 60_000 }, async () => {
    const old = mkdtempSync("test/programs/agreement/tmp-");
    onTestFinished(() => rmSync(old, { recursive: true }));
    cpSync("test/cli/migrate/golden/before", old, { recursive: true });
    const [vendor, ours] = await Promise.all([vendorService(), vendorService()]);
    const { apiKey = "" } = vendor.emulator.connection;
    const [then, now] = await Promise.all([
      results(old, vendor.origin, apiKey),
      results("test/cli/migrate/golden/after", ours.emulator.url, apiKey),
    ]);
    expect(paths.length).toBe(6);
    for (const [index, path] of paths.entries()) {
      expect({ path, result: now[index] }).toEqual({ path, result: then[index] });
      expect(now[index]).toBeInstanceOf(Array);
    }
  });
});
