import { describe, expect, test } from "vitest";
import {
  ConfigError,
  type GetToolQuery,
  type ListToolsQuery,
  type SvcOptions,
  type ToolLock,
  ToolLockError,
  type ToolLockOptions,
  toolLock,
} from "../../../src/index.js";
import { clientOf, rejectionOf } from "../../support/client.js";
import { scriptedFetch } from "../../support/scripted-fetch.js";

const github = { version: "20251023_00" };
const tool = { toolkit: "github", version: "20251023_00", hash: "sha256-x", textHash: "sha256-y" };
const lock: ToolLock = { formatVersion: 1, toolkits: { github }, tools: { GITHUB_A: tool, GITHUB_B: tool } };

/** A client with its own versions and a lock, and what it sent. */
function versioned(options: SvcOptions, lockOptions?: ToolLockOptions) {
  const fetch = scriptedFetch(Response.json({}));
  return { fetch, svc: clientOf(fetch, { ...options, use: [toolLock(lock, lockOptions)] }) };
}

describe("toolLock throws a ConfigError that names the invalid place of", () => {
  test.each<[unknown, string]>([
    [null, "lock must be the parsed content of svc.lock.json."],
    ["svc.lock.json", "lock must be the parsed content of svc.lock.json."],
    [[lock], "lock must be the parsed content of svc.lock.json."],
    [{ ...lock, formatVersion: 4 }, "lock: formatVersion must be 1"],
    [{ formatVersion: 1, tools: {} }, "lock.toolkits must be an object."],
    [{ formatVersion: 1, toolkits: {} }, "lock.tools must be an object."],
    [
      { ...lock, toolkits: { github: { version: "latest" } } },
      'lock.toolkits.github.version must look like "20251023_00".',
    ],
    [{ ...lock, toolkits: { github: null } }, "lock.toolkits.github must be an object."],
    [{ ...lock, tools: { GITHUB_A: { ...tool, version: 1 } } }, "lock.tools.GITHUB_A.version must look like"],
    ...["v20251023_00", "20251023_000", ["20251023_00"]].map((version): [unknown, string] => [
      { ...lock, toolkits: { github: { version } } },
      'lock.toolkits.github.version must look like "20251023_00".',
    ]),
    [{ ...lock, tools: { GITHUB_A: null } }, "lock.tools.GITHUB_A must be an object."],
    [
      { ...lock, toolkits: { 7: github }, tools: { GITHUB_A: { ...tool, toolkit: 7 } } },
      "lock.tools.GITHUB_A.toolkit must be one of its toolkits.",
    ],
    [
      { ...lock, tools: { GITHUB_A: { ...tool, toolkit: "slack" } } },
      "lock.tools.GITHUB_A.toolkit must be one of its toolkits.",
    ],
    [
      { ...lock, tools: { GITHUB_A: { ...tool, toolkit: "toString" } } },
      "lock.tools.GITHUB_A.toolkit must be one of its",
    ],
    [{ ...lock, tools: { GITHUB_A: { ...tool, hash: undefined } } }, "lock.tools.GITHUB_A.hash must be a string."],
  ])("%j", (wrong, message) => {
    // A file may contain anything.
    const make = () => toolLock(wrong as ToolLock);
    expect(make).toThrow(ConfigError);
    expect(make).toThrow(`toolLock: ${message}`);
  });

  const NO_OBJECT = "the options must be an object, such as { rejectUnlocked }. If you passed a promise, await it.";
  test.each<[string, unknown, string]>([
    ["a string, which would count as true", { rejectUnlocked: "false" }, "rejectUnlocked must be true or false."],
    ["a misspelled option", { rejectUnloked: true }, "Unknown option rejectUnloked. Did you mean rejectUnlocked?"],
    ["the option of another release", { requireLocked: true }, "Unknown option requireLocked."],
    ["true in place of the options", true, NO_OBJECT],
    ["null in place of the options", null, NO_OBJECT],
  ])("options: %s", (_title, wrong, message) => {
    // A JavaScript program may pass anything.
    const make = () => toolLock(lock, wrong as ToolLockOptions);
    expect(make).toThrow(ConfigError);
    expect(make).toThrow(`toolLock: ${message}`);
  });
});

describe("a lock next to configured versions", () => {
  test.each<[string, SvcOptions, ToolLockOptions, string]>([
    ["contradicts the lock", { toolVersions: { GITHUB_A: "20250905_00" } }, {}, "toolVersions.GITHUB_A"],
    ["contradicts the lock of a toolkit", { toolkitVersions: { github: "latest" } }, {}, "toolkitVersions.github"],
    [
      "a required lock doesn't have",
      { toolVersions: { GITHUB_NEW: "20251101_00" } },
      { rejectUnlocked: true },
      "toolVersions.GITHUB_NEW",
    ],
    [
      "a required lock doesn't have for a toolkit",
      { toolkitVersions: { slack: "20251101_00" } },
      { rejectUnlocked: true },
      "toolkitVersions.slack",
    ],
  ])(
    "rejects each call with a ConfigError and sends nothing for a version that %s",
    async (title, own, options, name) => {
      const { svc, fetch } = versioned(own, options);
      const said = title.includes("required") ? "nothing" : "20251023_00";
      for (const _ of [1, 2]) {
        const error = await rejectionOf(ConfigError, svc.tools.get("GITHUB_B"));
        expect(error.message).toBe(
          `toolLock: ${name} contradicts the lock, which has ${said}. Remove it, or update the lock.`,
        );
      }
      expect(fetch.sent).toEqual([]);
    },
  );

  test("accepts a version that a required lock has too", async () => {
    const { svc, fetch } = versioned({ toolVersions: { GITHUB_A: "20251023_00" } }, { rejectUnlocked: true });
    await svc.tools.get("GITHUB_A");
    expect(fetch.sent[0]?.url.searchParams.get("version")).toBe("20251023_00");
  });

  test("accepts the same version, and versions of other tools", async () => {
    const { svc, fetch } = versioned({
      toolVersions: { GITHUB_A: "20251023_00", GITHUB_NEW: "20251101_00" },
      toolkitVersions: { github: "20251023_00", slack: "latest" },
    });
    for (const slug of ["GITHUB_A", "GITHUB_NEW", "GITHUB_OTHER", "SLACK_A"]) await svc.tools.get(slug);
    expect(fetch.sent.map(({ url }) => url.searchParams.get("version"))).toEqual([
      "20251023_00",
      "20251101_00",
      "20251023_00",
      "latest",
    ]);
  });

  test("serves several clients, and each keeps its own versions", async () => {
    const locked = toolLock(lock);
    const fetch = scriptedFetch(Response.json({}));
    const first = clientOf(fetch, { use: [locked], toolVersions: { SLACK_A: "20250101_00" } });
    const second = clientOf(fetch, { use: [locked], toolVersions: { SLACK_A: "20250202_00" } });
    for (const svc of [first, second, first]) await svc.tools.get("SLACK_A");
    expect(fetch.sent.map(({ url }) => url.searchParams.get("version"))).toEqual([
      "20250101_00",
      "20250202_00",
      "20250101_00",
    ]);
  });
});

describe("a required lock", () => {
  const slack = { version: "20250101_00" };
  const required = () => {
    const fetch = scriptedFetch(Response.json({ items: [] }));
    return {
      fetch,
      svc: clientOf(fetch, { use: [toolLock({ ...lock, toolkits: { github, slack } }, { rejectUnlocked: true })] }),
    };
  };

  const LOCKED = { github: "20251023_00", slack: "20250101_00" };

  test("accepts a list and a tool whose versions are all locked, however the call passes them", async () => {
    const { fetch, svc } = required();
    await svc.tools.list();
    await svc.tools.list({ toolkit_slug: "slack, github", tool_slugs: "GITHUB_A,GITHUB_B", toolkit_versions: LOCKED });
    await svc.tools.get("GITHUB_A", { toolkit_versions: { github: "20251023_00" } });
    await svc.tools.get("GITHUB_A", { toolkit_versions: "20251023_00", version: "20251023_00" });
    expect(fetch.sent).toHaveLength(4);
    expect(fetch.sent[0]?.target).toBe(
      "/api/v3.1/tools?toolkit_versions%5Bgithub%5D=20251023_00&toolkit_versions%5Bslack%5D=20250101_00",
    );
  });

  test.each<[string, GetToolQuery]>([
    ["another version for all toolkits", { toolkit_versions: "latest" }],
    ["another version for its toolkit", { toolkit_versions: { github: "20250905_00" } }],
    ["a version for other toolkits only", { toolkit_versions: { slack: "20250101_00" } }],
    ["a version for no toolkit", { toolkit_versions: {} }],
    ["no version for any toolkit", { toolkit_versions: null }],
    ["its version, and another one for its toolkit", { version: "20251023_00", toolkit_versions: "latest" }],
  ])("rejects a tool with %s", async (_title, query) => {
    const { fetch, svc } = required();
    const error = await rejectionOf(ToolLockError, svc.tools.get("GITHUB_A", query));
    expect(error).toMatchObject({ slug: "GITHUB_A", lockedVersion: "20251023_00" });
    expect(fetch.sent).toEqual([]);
  });

  test.each<[string, string, ListToolsQuery]>([
    ["a toolkit that is not locked", "stripe", { toolkit_slug: "github,stripe" }],
    ["a tool that is not locked", "STRIPE_X", { tool_slugs: "GITHUB_A,STRIPE_X" }],
    ["no version for any toolkit", "github", { toolkit_versions: null }],
    ["a version for no toolkit", "github", { toolkit_versions: {} }],
    [
      "a version for some of the locked toolkits",
      "slack",
      { toolkit_slug: "slack", toolkit_versions: { github: "20251023_00" } },
    ],
    ["another version for a toolkit", "github", { toolkit_versions: { ...LOCKED, github: "20250905_00" } }],
    [
      "a version for a toolkit that is not locked",
      "stripe",
      { toolkit_versions: { ...LOCKED, stripe: "20990101_00" } },
    ],
  ])("rejects a list with %s", async (_title, slug, query) => {
    const { fetch, svc } = required();
    const error = await rejectionOf(ToolLockError, svc.tools.list(query));
    expect(error.slug).toBe(slug);
    expect(fetch.sent).toEqual([]);
  });

  test("sends the locked version instead of one that a body only inherits, which JSON omits", async () => {
    const { fetch, svc } = required();
    await svc.tools.execute("GITHUB_A", Object.assign(Object.create({ version: "latest" }), { arguments: {} }));
    expect(fetch.sent[0]?.body).toEqual({ arguments: {}, version: "20251023_00" });
  });

  test("applies to each of several tools", async () => {
    const { fetch, svc } = required();
    await svc.tools.getRequiredScopes({ tools: ["GITHUB_A", "GITHUB_B"] });
    expect(fetch.sent[0]?.body).toMatchObject({ version: "20251023_00" });
    const error = await rejectionOf(ToolLockError, svc.tools.getRequiredScopes({ tools: ["GITHUB_A", "GITHUB_C"] }));
    expect(error.slug).toBe("GITHUB_C");
    // @ts-expect-error a string instead of an array
    await rejectionOf(ToolLockError, svc.tools.getRequiredScopes({ tools: "GITHUB_C" }));
  });

  test.each<[string, string | undefined]>([
    ["GITHUB_CREATE_AN_ISUE", "GITHUB_CREATE_AN_ISSUE"],
    ["github_create_an_issue", "GITHUB_CREATE_AN_ISSUE"],
    ["GITHUB_CREATE_ISSUE", "GITHUB_CREATE_AN_ISSUE"],
    ["GITHUB_CREATE_AN_ISSUES", "GITHUB_CREATE_AN_ISSUE"],
    ["GITHUB_LIST_REPOSITORY", "GITHUB_LIST_REPOSITORY_ISSUES"],
    ["STRIPE_CREATE_A_CHARGE", undefined],
    ["X", undefined],
  ])("rejects %s, and suggests the closest locked tool: %s", async (slug, meant) => {
    const tools = { GITHUB_A: tool, GITHUB_CREATE_AN_ISSUE: tool, GITHUB_LIST_REPOSITORY_ISSUES: tool };
    const svc = clientOf(scriptedFetch(), { use: [toolLock({ ...lock, tools }, { rejectUnlocked: true })] });
    const error = await rejectionOf(ToolLockError, svc.tools.execute(slug, { arguments: {} }));
    const advice = meant === undefined ? "Lock its toolkit" : `Did you mean ${meant}? If not, lock its toolkit`;
    expect(error.message).toContain(`${slug} isn't in the lockfile. ${advice} with \`svc-sdk lock\``);
    expect(error.slug).toBe(slug);
  });

  test("suggests the closest locked toolkit", async () => {
    const { svc } = required();
    const error = await rejectionOf(ToolLockError, svc.tools.list({ toolkit_slug: "gihtub" }));
    expect(error.message).toContain("gihtub isn't in the lockfile. Did you mean github?");
  });

  test("rejects a tool named like a member of every object", async () => {
    const { svc } = required();
    await rejectionOf(ToolLockError, svc.tools.execute("toString", { arguments: {} }));
  });

  test("ignores calls without a tool version", async () => {
    const { fetch, svc } = required();
    await svc.toolkits.get("slack");
    await svc.tools.proxy({ endpoint: "/x", method: "GET" });
    expect(fetch.sent).toHaveLength(2);
  });
});
