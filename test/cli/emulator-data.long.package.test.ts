import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { Svc } from "../../src/index.js";
import { sized } from "../support/size.js";
import { cliInContainer, emulator, started, stop } from "./cli-process.js";
import { svc } from "./run.js";

const canUnshare = spawnSync("unshare", ["-pf", "true"]).status === 0;

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "svc-data-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** Changes the state until the process dies, and returns every change whose response arrived. */
async function changeUntilKilled(baseUrl: string, worker: string, acknowledged: Set<string>): Promise<void> {
  const svc = new Svc({ baseUrl, apiKey: "ak_emulator", maxRetries: 0 });
  for (let index = 0; ; index += 1) {
    const title = `${worker}-${index}`;
    try {
      await svc.tools.execute("GITHUB_CREATE_AN_ISSUE", {
        user_id: "user-4711",
        version: "latest",
        arguments: { owner: "octo-org", repo: "hello-world", title },
      });
    } catch {
      return;
    }
    acknowledged.add(title);
  }
}

describe("svc-sdk emulator --data", () => {
  test("loses no acknowledged change when it's killed under load", {
    timeout: sized(60_000, 300_000, 600_000),
  }, async () => {
    const data = folder();
    const acknowledged = new Set<string>();
    const workers = ["a", "b", "c", "d"];
    for (let round = 0; round < sized(1, 15, 50); round += 1) {
      const running = await emulator("--data", data, "--rate-limit", "1000000", "--log", "none");
      const before = acknowledged.size;
      const load = workers.map((worker) => changeUntilKilled(running.url, `${round}${worker}`, acknowledged));
      // Another number of changes in each round, so that the process dies at different places. Each writes the whole state.
      while (acknowledged.size < before + 5 + (round % 10)) await new Promise((resolve) => setImmediate(resolve));
      await stop(running, "SIGKILL");
      await Promise.all(load);
    }
    const last = await emulator("--data", data, "--log", "none");
    const response = await fetch(`${last.url}/_emulator/tools/GITHUB_CREATE_AN_ISSUE/calls`);
    const { items } = (await response.json()) as { items: { arguments: { title: string } }[] };
    const kept = new Set(items.map(({ arguments: { title } }) => title));
    console.log(`${acknowledged.size} acknowledged changes, ${kept.size} kept`);
    expect([...acknowledged].filter((title) => !kept.has(title))).toEqual([]);
    // Also in the provider's data, where the issues themselves are.
    const snapshot = (await (await fetch(`${last.url}/_emulator/snapshot`)).json()) as { toolkitData: unknown };
    const stored = JSON.stringify(snapshot.toolkitData).matchAll(/"title":"([^"]+)"/g);
    const titles = new Set([...stored].map(([, title]) => title));
    expect([...acknowledged].filter((title) => !titles.has(title))).toEqual([]);
  });

  test("exits with 1 and a reason if another emulator uses the folder", async () => {
    const data = folder();
    const running = await emulator("--data", data);
    const { code, stderr } = await svc(["emulator", "--port", "0", "--data", data]);
    const { pid } = running.process;
    const lock = readdirSync(data).find((name) => name.endsWith(".lock"));
    expect(lock).toMatch(new RegExp(`^${pid}-`));
    expect([code, stderr]).toEqual([
      1,
      `svc-sdk: The emulator can't use the data folder ${data}: process ${pid} uses it. ` +
        `Stop it, or delete ${lock} if it isn't an emulator.\n`,
    ]);
  });

  const needs = canUnshare ? "" : " [skipped: needs the right to use unshare]";

  test.runIf(canUnshare && sized(false, true))(
    `lets one of two containers use a folder, though both are process 1${needs}`,
    async () => {
      const data = folder();
      const options = ["emulator", "--port", "0", "--data", data, "--log", "none"];
      const first = await started(cliInContainer(...options));
      const { code, stderr } = await cliInContainer(...options).ended;
      expect(code).toBe(1);
      expect(stderr).toMatch(/: process 1 uses it\. Stop it, or delete 1-\S+\.lock if it isn't an emulator\.\n$/);
      await stop(first, "SIGKILL");
      await expect(started(cliInContainer(...options))).resolves.toBeDefined();
    },
  );
});
