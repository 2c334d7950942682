import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { startEmulator } from "../../../src/emulator/node.js";
import { FILE, folder, lockOf, ownLock, started } from "./support.js";

/** A process that keeps a file as new as the owner of a folder does. */
const RENEW = `
const renew = () => require("node:fs").writeFileSync(process.argv[1], "another machine");
renew();
setInterval(renew, 50);
console.log("started");`;

const problem = (data: string) => startEmulator({ data }).then(() => "", String);

describe("a data folder", () => {
  test("can't be used while another process uses it", async () => {
    const data = folder();
    await started(data);
    expect(await problem(data)).toBe(
      `ConfigError: The emulator can't use the data folder ${data}: this process uses it already.`,
    );
    const other = folder();
    // The parent of this process is running.
    const file = lockOf(process.ppid);
    copyFileSync(join(data, readdirSync(data).find((name) => ownLock.test(name)) ?? ""), join(other, file));
    expect(await problem(other)).toBe(
      `ConfigError: The emulator can't use the data folder ${other}: process ${process.ppid} uses it. ` +
        `Stop it, or delete ${file} if it isn't an emulator.`,
    );
    expect(readdirSync(other)).toEqual([file]);
  });

  test("can be used once the other process has ended", async () => {
    const data = folder();
    const first = await started(data);
    const [lock = ""] = readdirSync(data);
    const content = readFileSync(join(data, lock));
    await first.emulator.close();
    // The maximum id of Linux is smaller.
    writeFileSync(join(data, lockOf(999_999_999)), content);
    await started(data);
    expect(readdirSync(data).sort()).toEqual([expect.stringMatching(ownLock), FILE]);
  });

  test.each([
    ["this one's id", process.pid],
    ["an id of another machine", 1],
  ])("can be used if the file of a process with %s isn't renewed", async (_case, id) => {
    const data = folder();
    const lock = join(data, lockOf(id));
    writeFileSync(lock, "another machine");
    const seconds = Date.now() / 1_000 - 10;
    utimesSync(lock, seconds, seconds);
    await started(data);
    expect(readdirSync(data).sort()).toEqual([expect.stringMatching(ownLock), FILE]);
  });

  test("can't be used while a process with the same id uses it on another machine", async () => {
    const data = folder();
    const lock = join(data, lockOf(process.pid));
    const other = spawn(process.execPath, ["-e", RENEW, lock]);
    onTestFinished(() => void other.kill("SIGKILL"));
    await once(other.stdout, "data");
    expect(await problem(data)).toContain(`process ${process.pid} uses it. Stop it, or delete ${basename(lock)}`);
  });
});

test("a data folder that another process took over isn't written anymore", async () => {
  const data = folder();
  const { emulator, svc } = await started(data);
  for (const name of readdirSync(data)) if (ownLock.test(name)) rmSync(join(data, name));
  const before = readFileSync(join(data, FILE), "utf8");
  const problem = `can't use the data folder ${data}: another process took it over while this one was suspended`;
  await expect(svc.connectedAccounts.delete("ca_slack_demo")).rejects.toThrow(problem);
  await expect(emulator.close()).rejects.toThrow(problem);
  expect(readFileSync(join(data, FILE), "utf8")).toBe(before);
});
