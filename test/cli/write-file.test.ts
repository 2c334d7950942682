import { execFileSync } from "node:child_process";
import { chmodSync, lstatSync, statSync, symlinkSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FIRST, project, serve } from "../catalog/lock/support.js";

const isWindows = process.platform === "win32";

describe.skipIf(isWindows)("a file that svc-sdk writes", () => {
  test("keeps its mode", async () => {
    const { svc, folder, read } = project();
    const service = await serve("before");
    await svc("lock --toolkits acme --catalog-out acme.json", service);
    await svc("generate --toolkits acme --out acme.ts", service);
    const files = ["svc.lock.json", "acme.json", "acme.ts"].map((name) => join(folder, name));
    for (const mode of [0o600, 0o664]) {
      for (const file of files) chmodSync(file, mode);
      const changed = await serve(mode === 0o600 ? "after" : "before");
      await svc("lock --catalog-out acme.json", changed);
      expect(await svc("generate --toolkits acme --out acme.ts", changed)).toMatchObject({ code: 0 });
      expect(files.map((file) => statSync(file).mode & 0o777)).toEqual(files.map(() => mode));
    }
    expect(read("svc.lock.json")).toContain(FIRST);
  });

  test("may be a device, also behind a link, which stays", async () => {
    const { svc, folder } = project();
    const service = await serve("before");
    symlinkSync("/dev/null", join(folder, "nowhere"));
    for (const line of [
      "lock --toolkits acme --out /dev/null --catalog-out nowhere",
      "generate --toolkits acme --out",
    ]) {
      const target = line.startsWith("generate") ? `${line} nowhere.ts` : line;
      if (line.startsWith("generate")) symlinkSync("/dev/null", join(folder, "nowhere.ts"));
      expect(await svc(target, service)).toMatchObject({ code: 0, stderr: "" });
    }
    expect(lstatSync("/dev/null").isCharacterDevice()).toBe(true);
    expect(lstatSync(join(folder, "nowhere")).isSymbolicLink()).toBe(true);
  });

  test("may be a pipe with a reader, and is rejected if nothing reads the pipe", async () => {
    const { svc, folder, read } = project();
    const service = await serve("before");
    await svc("lock --toolkits acme --out copy.json", service);
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    expect(await svc("lock --toolkits acme --out pipe", service)).toMatchObject({
      code: 1,
      stderr: "svc-sdk: Can't write pipe: nothing reads this pipe.\n",
    });
    const reading = readFile(pipe, "utf8");
    // Opening a pipe to read waits for a writer, and the other way around.
    expect(await svc("lock --toolkits acme --out pipe", service)).toMatchObject({ code: 0 });
    expect(await reading).toBe(read("copy.json"));
    expect(lstatSync(pipe).isFIFO()).toBe(true);
  });

  test("is never a folder", async () => {
    const { svc, folder } = project();
    expect(await svc(`lock --toolkits acme --out ${folder}`, await serve("before"))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("the existing file can't be read: EISDIR"),
    });
  });
});
