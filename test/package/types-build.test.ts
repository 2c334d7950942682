import { execFile } from "node:child_process";
import { appendFileSync, cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { promisify } from "node:util";
import { type TestContext, test } from "vitest";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../..");

function emptyFolder(onTestFinished: TestContext["onTestFinished"]): string {
  const folder = mkdtempSync(join(tmpdir(), "svc-sdk-types-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs the step that writes the types out, in this folder, over the sources with something more in one schema module. */
function typesWith(addition: string, folder: string): Promise<{ stderr: string }> {
  for (const part of ["src", "scripts", "tools", "package.json", "tsconfig.json", "tsup.config.ts"])
    cpSync(join(root, part), join(folder, part), {
      recursive: true,
      filter: (path) => basename(path) !== "node_modules",
    });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  appendFileSync(join(folder, "src/resources/api-keys/schema.ts"), addition);
  return run(process.execPath, ["scripts/types.mjs"], { cwd: folder });
}

test.concurrent("a schema whose type cannot be written out fails the build by name", { timeout: 120_000 }, async ({
  expect,
  onTestFinished,
}) => {
  const folder = emptyFolder(onTestFinished);
  const pair = `
    export const Pair = object({ ends: z.array(z.tuple([z.string(), z.number()])) });
    export interface Pair extends z.infer<typeof Pair> {}`;
  await expect(typesWith(pair, folder)).rejects.toMatchObject({
    stderr: expect.stringMatching(/Pair\.ends: no plain type is known for ZodMiniTuple\. Use a schema that/),
  });
});

test.concurrent("a schema that gives any fails the build by name", { timeout: 120_000 }, async ({
  expect,
  onTestFinished,
}) => {
  const folder = emptyFolder(onTestFinished);
  const loose = `
    export const Loose = object({ value: z.any() });
    export interface Loose extends z.infer<typeof Loose> {}`;
  await expect(typesWith(loose, folder)).rejects.toMatchObject({
    stderr: expect.stringMatching(/Loose\.value: no plain type is known for ZodMiniAny\./),
  });
});
