import { describe, expect, test } from "vitest";
import { createEmulator, type VersionChanges } from "../../../src/emulator/index.js";
import { startEmulator } from "../../../src/emulator/node.js";
import { ConfigError, NotFoundError, Svc } from "../../../src/index.js";
import { rejectionOf } from "../../support/client.js";

const NEW = "20260301_00";
const STAR = "GITHUB_STAR_A_REPOSITORY";
const READ = "GITHUB_GET_AN_ISSUE";
const input = { type: "object", properties: { id: { type: "string" } }, required: ["id"] };
const changes: VersionChanges = {
  changelog: "Issues have ids.",
  tools: { [READ]: { input, isDeprecated: true }, [STAR]: null },
  triggers: { GITHUB_NEW_ISSUE: { description: "An issue is new." } },
};

function world() {
  const emulator = createEmulator();
  const svc = new Svc(emulator.connection);
  const latest = async () => (await svc.toolkits.get("github")).meta.version;
  return { emulator, svc, latest };
}

describe("a published version", () => {
  test("becomes the latest one, with its changes", async () => {
    const { emulator, svc, latest } = world();
    emulator.catalog.publish("github", NEW, changes);
    expect(await latest()).toBe(NEW);
    expect(await svc.tools.get(READ)).toMatchObject({ version: NEW, is_deprecated: true, input_parameters: input });
    await rejectionOf(NotFoundError, svc.tools.get(STAR));
    expect(await svc.tools.listSlugs()).not.toContain(STAR);
    expect((await svc.triggers.getType("GITHUB_NEW_ISSUE")).description).toBe("An issue is new.");
    const { items } = await svc.toolkits.getChangelog();
    expect(JSON.stringify(items)).toContain("Issues have ids.");
  });

  test("keeps the fields of a tool that its changes set to undefined", async () => {
    const { emulator, svc } = world();
    const { description } = await svc.tools.get(READ);
    emulator.catalog.publish("github", NEW, { tools: { [READ]: { description: undefined, isDeprecated: true } } });
    expect(await svc.tools.get(READ)).toMatchObject({ description, is_deprecated: true });
  });

  test("has changes that are fields of a class", async () => {
    const { emulator, svc } = world();
    class Changes {
      get tools() {
        return changes.tools;
      }
    }
    emulator.catalog.publish("github", NEW, new Changes());
    await rejectionOf(NotFoundError, svc.tools.get(STAR));
  });

  test("rejects a field of a tool with the wrong content", () => {
    const { emulator } = world();
    const odd = { tools: { [READ]: { scopeRequirements: { all_of: 5 } } } };
    // @ts-expect-error the compiler rejects this field too
    expect(() => emulator.catalog.publish("github", NEW, odd)).toThrow("scopeRequirements.all_of: expected an array");
  });

  test("doesn't change older versions and other toolkits", async () => {
    const { emulator, svc, latest } = world();
    const before = await latest();
    const issue = await svc.tools.get(READ, { version: before });
    const slack = await svc.toolkits.get("slack");
    emulator.catalog.publish("github", NEW, changes);
    const { available_versions: _longer, deprecated: _same, ...facts } = issue;
    expect(await svc.tools.get(READ, { version: before })).toMatchObject(facts);
    expect((await svc.tools.get(STAR, { version: before })).slug).toBe(STAR);
    expect(await svc.toolkits.get("slack")).toEqual(slack);
  });

  test("runs with its changes", async () => {
    const { emulator, svc } = world();
    emulator.catalog.publish("github", NEW, changes);
    const call = { user_id: "user-4711", version: NEW };
    const before = { ...call, arguments: { owner: "octo-org", repo: "hello-world", issue_number: 1 } };
    expect(await svc.tools.execute(READ, before)).toMatchObject({ error: expect.stringContaining("missing: id") });
    await rejectionOf(NotFoundError, svc.tools.execute(STAR, before));
  });

  test("builds on the previous one", async () => {
    const { emulator, svc } = world();
    emulator.catalog.publish("github", NEW, changes);
    emulator.catalog.publish("github", "20260401_00");
    expect(await svc.tools.get(READ)).toMatchObject({ version: "20260401_00", input_parameters: input });
    await rejectionOf(NotFoundError, svc.tools.get(STAR));
  });

  test("is removed by a reset, and part of snapshots", async () => {
    const { emulator, latest } = world();
    const before = await latest();
    const atStart = emulator.snapshot();
    emulator.catalog.publish("github", NEW, changes);
    const published = JSON.parse(JSON.stringify(emulator.snapshot()));
    emulator.reset();
    expect(await latest()).toBe(before);
    emulator.restore(published);
    expect(await latest()).toBe(NEW);
    emulator.restore(atStart);
    expect(await latest()).toBe(before);
  });

  test("doesn't change after publishing", async () => {
    const { emulator, svc } = world();
    const facts = { description: "First." };
    emulator.catalog.publish("github", NEW, { tools: { [READ]: facts } });
    facts.description = "Second.";
    expect((await svc.tools.get(READ)).description).toBe("First.");
  });

  test("can be published from another process", async () => {
    await using emulator = Object.assign(await startEmulator(), {
      [Symbol.asyncDispose](this: { close(): Promise<void> }) {
        return this.close();
      },
    });
    const publish = (body: unknown) =>
      fetch(`${emulator.url}/_emulator/catalog`, { method: "POST", body: JSON.stringify(body) });
    expect((await publish({ toolkit: "github", version: NEW, changes })).status).toBe(200);
    expect((await new Svc(emulator.connection).toolkits.get("github")).meta.version).toBe(NEW);
    const refused = await publish({ toolkit: "github", version: NEW });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("isn't newer")]);
  });
});

describe("an invalid publication is a ConfigError", () => {
  test.each<[string, string, unknown, string]>([
    ["githbu", NEW, {}, "unknown toolkit githbu"],
    ["github", "newest", {}, "expected a version like 20260101_00, not newest"],
    ["github", "20251023_00", {}, "20251023_00 isn't newer than github's latest version, 20251023_00"],
    ["github", NEW, { tools: { GITHUB_X: null } }, "github 20251023_00 has no tool GITHUB_X"],
    ["github", NEW, { triggers: { GITHUB_X: {} } }, "github has no trigger type GITHUB_X"],
    ["github", NEW, { tools: { [READ]: { inputs: {} } } }, "inputs"],
    ["github", NEW, { tool: {} }, "tool"],
  ])("%s %s %j", (toolkit, version, wrong, message) => {
    const { emulator } = world();
    // A program in JavaScript may give anything.
    const publish = () => emulator.catalog.publish(toolkit, version, wrong as VersionChanges);
    expect(publish).toThrow(ConfigError);
    expect(publish).toThrow(message);
  });

  test("can't change a removed tool", () => {
    const { emulator } = world();
    emulator.catalog.publish("github", NEW, { tools: { [STAR]: null } });
    const publish = () => emulator.catalog.publish("github", "20260401_00", { tools: { [STAR]: {} } });
    expect(publish).toThrow(`github ${NEW} has no tool ${STAR}`);
  });
});
