import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readDataFolder, startEmulator, type ToolRunContext, writeDataFolder } from "../../../src/emulator/node.js";
import { eventually } from "../../support/eventually.js";
import { sized } from "../../support/size.js";
import { FILE, folder, lockOf, ownLock, started } from "./support.js";

/** The state on disk while an emulator uses the folder: what another one would start with after a crash. */
function copyOf(data: string): string {
  const copy = folder();
  writeFileSync(join(copy, FILE), readFileSync(join(data, FILE)));
  return copy;
}

test("an emulator connects with a key that its folder's state has, not with one of its seed", async () => {
  const data = folder();
  const first = await started(data);
  const { api_key } = await first.svc.projects.regenerateApiKey("pr_emulator");
  expect(first.emulator.connection.apiKey).toBe(api_key.key);
  await first.emulator.close();
  const second = await started(data, { seed: { keys: [{ kind: "apiKey", value: "ak_of_another_seed" }] } });
  expect(second.emulator.connection.apiKey).toBe(api_key.key);
  expect((await second.svc.tools.list({ limit: 1 })).items).toHaveLength(1);
  second.emulator.reset();
  expect(second.emulator.connection.apiKey).toBe("ak_of_another_seed");
});

describe("a data folder", () => {
  test("keeps every part of the state when the emulator restarts", async () => {
    const data = join(folder(), "new", "folder");
    const first = await started(data);
    await first.createIssue("It works");
    await first.svc.webhookSubscriptions.create({
      webhook_url: "http://127.0.0.1:1/none",
      enabled_events: ["svc.connected_account.expired"],
    });
    await first.svc.connectedAccounts.delete("ca_slack_demo");
    first.emulator.clock.advance("2d");
    first.emulator.tools.stub("GITHUB_GET_AN_ISSUE", { number: 7 });
    const before = first.emulator.snapshot();
    await first.emulator.close();
    const second = await started(data);
    expect(second.emulator.snapshot()).toEqual(before);
    expect((await second.createIssue("Another")).data).toMatchObject({ number: 2 });
  });

  test("has each change before its response is sent", async () => {
    const data = folder();
    const { emulator, svc, createIssue } = await started(data);
    for (let index = 0; index < 30; index += 1) await createIssue(`Issue ${index}`);
    expect(readDataFolder(copyOf(data))).toEqual(emulator.snapshot());
    await svc.connectedAccounts.delete("ca_github_demo");
    expect(readDataFolder(copyOf(data))).toEqual(emulator.snapshot());
    await fetch(`${emulator.url}/_emulator/clock`, { method: "POST", body: '{"advance":"1d"}' });
    expect(readDataFolder(copyOf(data))).toEqual(emulator.snapshot());
    await fetch(`${emulator.url}/_emulator/reset`, { method: "POST" });
    expect(readDataFolder(copyOf(data))).toEqual(emulator.snapshot());
  });

  test("has a change whose response an injected fault broke", async () => {
    const data = folder();
    const { emulator, createIssue } = await started(data);
    emulator.faults.next("tools.execute", { connection: "reset", when: "after" });
    await expect(createIssue("It works")).rejects.toThrow();
    expect(readDataFolder(copyOf(data))).toEqual(emulator.snapshot());
    expect(emulator.tools.calls("GITHUB_CREATE_AN_ISSUE")).toHaveLength(1);
  });

  test("goes back to the seed with reset, not to the state at the start", async () => {
    const data = folder();
    const first = await started(data);
    await first.createIssue("It works");
    await first.emulator.close();
    const { emulator } = await started(data);
    expect(emulator.tools.calls("GITHUB_CREATE_AN_ISSUE")).toHaveLength(1);
    emulator.reset();
    expect(emulator.tools.calls("GITHUB_CREATE_AN_ISSUE")).toEqual([]);
  });

  test("keeps its state while a new one is written, whatever is left of the attempt", async () => {
    const data = folder();
    const { emulator, createIssue } = await started(data);
    await createIssue("It works");
    const before = emulator.snapshot();
    await emulator.close();
    writeFileSync(join(data, `${FILE}.new`), readFileSync(join(data, FILE), "utf8").slice(0, 1_000));
    expect(readDataFolder(data)).toEqual(before);
    const second = await started(data);
    expect(second.emulator.snapshot()).toEqual(before);
    await second.createIssue("Another");
    expect(readdirSync(data).sort()).toEqual([expect.stringMatching(ownLock), FILE]);
  });

  test("isn't written by requests that change nothing", async () => {
    const data = folder();
    const { emulator } = await started(data);
    const health = () => fetch(`${emulator.url}/_emulator/health`);
    await health();
    const { ino } = statSync(join(data, FILE));
    await health();
    expect(statSync(join(data, FILE)).ino).toBe(ino);
  });

  test("has whatever tools do to the provider's data", { timeout: 600_000 }, async () => {
    const set = {
      ...{ slug: "MINE_SET", name: "Set", description: "", input: {}, output: {} },
      run: ({ arguments: given, data: stored }: ToolRunContext) => {
        for (const key of Object.keys(stored)) delete stored[key];
        Object.assign(stored, given);
        return {};
      },
    };
    const toolkit = {
      slug: "mine",
      name: "Mine",
      description: "",
      categories: [],
      auth: [],
      versions: {},
      tools: [set],
    };
    const data = folder();
    const { emulator, svc } = await started(data, { toolkits: [toolkit] });
    // Lists that lose their first items, change in the middle, and grow, and objects with any keys.
    const value = fc.oneof(fc.jsonValue(), fc.array(fc.nat({ max: 3 }), { maxLength: 9 }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.dictionary(fc.constantFrom("a", "b", "c"), value), { maxLength: 5 }),
        async (all) => {
          for (const given of all) {
            await svc.tools.execute("MINE_SET", { user_id: "u", version: "latest", arguments: given });
            expect(readDataFolder(copyOf(data))).toEqual(JSON.parse(JSON.stringify(emulator.snapshot())));
          }
        },
      ),
      { numRuns: sized(4, 120, 500) },
    );
  });

  test("isn't readable by other users", async () => {
    const data = join(folder(), "private");
    await started(data);
    expect([data, join(data, FILE)].map((path) => (statSync(path).mode & 0o077).toString(8))).toEqual(["0", "0"]);
  });
});

describe("a data folder is an error that changes nothing", () => {
  const problem = (data: string) => startEmulator({ data }).then(() => "", String);

  test.each<[string, string, string]>([
    ["a file that isn't its own", "hello\n", `${FILE} doesn't contain a snapshot`],
    ["an empty file", "", `${FILE} doesn't contain a snapshot`],
    ["a newer format", '{"format":4}', "This snapshot has format 4, but this version reads up to 3. Update svc-sdk"],
    ["an incomplete snapshot", '{"format":1}', "This isn't a snapshot of this emulator version"],
  ])("with %s", async (_case, content, reason) => {
    const data = folder();
    writeFileSync(join(data, FILE), content);
    expect(await problem(data)).toContain(`The emulator can't use the data folder ${data}: ${reason}`);
    expect(readdirSync(data)).toEqual([FILE]);
    expect(readFileSync(join(data, FILE), "utf8")).toBe(content);
  });

  test("with a state that lacks the project of its keys", async () => {
    const data = folder();
    await (await started(data)).emulator.close();
    writeFileSync(join(data, FILE), JSON.stringify({ ...readDataFolder(data), projects: [] }));
    expect(await problem(data)).toContain("projects: pr_emulator is missing, and keys belong to it");
  });

  test("with the state of other toolkits", async () => {
    const data = folder();
    await (await started(data)).emulator.close();
    const run = () => ({});
    const toolkit = { slug: "mine", name: "Mine", description: "", categories: [], auth: [], versions: {} };
    const tools = [{ slug: "MINE_ONE", name: "One", description: "", input: {}, output: {}, run }];
    const reason = await startEmulator({ data, toolkits: [{ ...toolkit, tools }] }).then(() => "", String);
    expect(reason).toContain("This is a snapshot of an emulator with other toolkits");
  });

  test("if a change can't be written, and a request gets 500 with the reason", async () => {
    const data = folder();
    const toolkit = { slug: "mine", name: "Mine", description: "", categories: [], auth: [], versions: {} };
    const run = ({ data: own, arguments: { value } }: ToolRunContext) => {
      own["value"] = value === 1 ? 1n : value;
      return {};
    };
    const tools = [{ slug: "MINE_SET", name: "Set", description: "", input: {}, output: {}, run }];
    const { emulator, svc } = await started(data, { toolkits: [{ ...toolkit, tools }] });
    const set = (value: number) =>
      svc.tools.execute("MINE_SET", { user_id: "a", version: "latest", arguments: { value } });
    await expect(set(1)).rejects.toThrow(
      `The emulator can't use the data folder ${data}: Do not know how to serialize a BigInt`,
    );
    await expect(set(2)).resolves.toBeDefined();
    expect(readDataFolder(copyOf(data))).toEqual(emulator.snapshot());
  });
});

test("a data folder that can't be written keeps its state, and the next request writes it", async () => {
  const data = folder();
  const { emulator, createIssue } = await started(data);
  const before = emulator.snapshot();
  // A folder in place of the draft makes it fail, also for root.
  mkdirSync(join(data, `${FILE}.new`));
  await expect(createIssue("It works")).rejects.toThrow(`can't use the data folder ${data}`);
  expect(readDataFolder(copyOf(data))).toEqual(before);
  rmSync(join(data, `${FILE}.new`), { recursive: true });
  await createIssue("Another");
  expect(readDataFolder(copyOf(data))).toEqual(emulator.snapshot());
});

test("a data folder isn't written through a link that someone else put there", async () => {
  const data = folder();
  const other = join(folder(), "other");
  writeFileSync(other, "theirs");
  utimesSync(other, 0, 0);
  for (const name of [`${FILE}.new`, lockOf(process.pid)]) symlinkSync(other, join(data, name));
  const { emulator } = await started(data);
  await emulator.close();
  expect(readFileSync(other, "utf8")).toBe("theirs");
  expect(statSync(join(data, FILE)).mode & 0o777).toBe(0o600);
});

describe("writeDataFolder and readDataFolder", () => {
  test("move a state between folders and emulators", async () => {
    const { emulator, createIssue } = await started(folder());
    await createIssue("It works");
    const other = join(folder(), "other");
    const snapshot = emulator.snapshot();
    writeDataFolder(other, JSON.parse(JSON.stringify(snapshot)));
    expect(readDataFolder(other)).toEqual(snapshot);
    const second = await started(other);
    expect(second.emulator.snapshot()).toEqual(snapshot);
  });

  test("reject what isn't a snapshot, and keep the folder as it is", () => {
    const data = folder();
    expect(() => readDataFolder(data)).toThrow(`The data folder ${data} contains no state.`);
    expect(() => writeDataFolder(data, { format: 1, keys: 7 })).toThrow(
      "This isn't a snapshot of this emulator version",
    );
    expect(() => writeDataFolder(data, { format: 9 })).toThrow("This snapshot has format 9");
    expect(existsSync(join(data, FILE))).toBe(false);
  });

  test("don't write into a folder that an emulator uses", async () => {
    const data = folder();
    const { emulator } = await started(data);
    expect(() => writeDataFolder(data, emulator.snapshot())).toThrow("this process uses it already");
  });
});

test("a folder keeps the time of a running clock", async () => {
  const data = folder();
  const clock = { running: true, start: "2026-01-01T00:00:00.000Z" };
  const first = await started(data, { clock });
  first.emulator.clock.advance("2d");
  await eventually(() => expect(first.emulator.clock.now()).toBeGreaterThan(Date.parse("2026-01-03T00:00:00.010Z")));
  const { log_id } = await first.createIssue("A");
  await first.emulator.close();
  const second = await started(data, { clock: { ...clock, running: false } });
  const [run] = second.emulator.tools.calls("GITHUB_CREATE_AN_ISSUE");
  expect(run?.logId).toBe(log_id);
  expect(second.emulator.clock.now()).toBeGreaterThanOrEqual(Date.parse(run?.at ?? ""));
  expect(second.emulator.clock.now()).toBeLessThan(first.emulator.clock.now() + 1);
});
