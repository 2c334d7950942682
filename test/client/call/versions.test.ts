import { describe, expect, test } from "vitest";
import {
  endpoint,
  type Svc,
  type SvcOptions,
  type ToolLock,
  ToolLockError,
  ToolVersionRequiredError,
  typed,
  ValidationError,
} from "../../../src/index.js";
import { clientOf, collect, emulated, rejectionOf, type TestOptions } from "../../support/client.js";
import { scriptedFetch } from "../../support/scripted-fetch.js";

const TOOL = "GITHUB_CREATE_AN_ISSUE";
const PINNED = "20251023_00";

/** A lock as `svc-sdk lock` writes it. */
const lock: ToolLock = {
  formatVersion: 1,
  toolkits: { github: { version: PINNED } },
  tools: { [TOOL]: { toolkit: "github", version: PINNED, hash: "sha256-x", textHash: "sha256-y" } },
};

interface Wire {
  readonly target: string;
  readonly body: unknown;
}

/** The five endpoints of the spec that carry a version: how each is called and what it then sends. Spec: Versioning. */
const carriers = {
  "tools.list": {
    call: (svc: Svc, version?: string) => svc.tools.list(version === undefined ? {} : { toolkit_versions: version }),
    // One version for all toolkits when the call says it; per toolkit when the client is configured so.
    wire: (prefix: string, version?: string, isConfigured?: boolean): Wire => ({
      target: `/api/${prefix}/tools${version === undefined ? "" : isConfigured ? `?toolkit_versions%5Bgithub%5D=${version}` : `?toolkit_versions=${version}`}`,
      body: undefined,
    }),
  },
  "tools.get": {
    call: (svc: Svc, version?: string) => svc.tools.get(TOOL, version === undefined ? {} : { version }),
    wire: (prefix: string, version?: string): Wire => ({
      target: `/api/${prefix}/tools/${TOOL}${version === undefined ? "" : `?version=${version}`}`,
      body: undefined,
    }),
  },
  "tools.execute": {
    call: (svc: Svc, version?: string) => svc.tools.execute(TOOL, { arguments: {}, ...(version && { version }) }),
    wire: (prefix: string, version?: string): Wire => ({
      target: `/api/${prefix}/tools/execute/${TOOL}`,
      body: { arguments: {}, ...(version && { version }) },
    }),
  },
  "tools.generateArguments": {
    call: (svc: Svc, version?: string) => svc.tools.generateArguments(TOOL, { text: "t", ...(version && { version }) }),
    wire: (prefix: string, version?: string): Wire => ({
      target: `/api/${prefix}/tools/execute/${TOOL}/input`,
      body: { text: "t", ...(version && { version }) },
    }),
  },
  "tools.getRequiredScopes": {
    call: (svc: Svc, version?: string) => svc.tools.getRequiredScopes({ tools: [TOOL], ...(version && { version }) }),
    // Exists on v3.1 only, whatever the client's version.
    wire: (_: string, version?: string): Wire => ({
      target: "/api/v3.1/tools/scopes/required",
      body: { tools: [TOOL], ...(version && { version }) },
    }),
  },
} as const;
const names = Object.keys(carriers) as readonly (keyof typeof carriers)[];
const prefixes = ["v3", "v3.1"] as const;

async function wireOf(options: TestOptions, call: (svc: Svc) => PromiseLike<unknown>): Promise<Wire> {
  const fetch = scriptedFetch(Response.json({}));
  await call(clientOf(fetch, options));
  expect(fetch.sent).toHaveLength(1);
  return { target: fetch.sent[0]?.target ?? "", body: fetch.sent[0]?.body };
}

describe.each(names)("%s", (name) => {
  const { call, wire } = carriers[name];

  describe.each(prefixes)("on %s", (apiVersion) => {
    test.each([PINNED, "latest", "00000000_00"])("sends %s if the call sets it", async (version) => {
      const sent = await wireOf({ apiVersion }, (svc) => call(svc, version));
      expect(sent).toEqual(wire(apiVersion, version));
    });

    test.each([PINNED, "latest", "00000000_00"])("sends %s if the toolkit is pinned to it", async (version) => {
      const sent = await wireOf({ apiVersion, toolkitVersions: { github: version } }, (svc) => call(svc));
      expect(sent).toEqual(wire(apiVersion, version, true));
    });

    test.each([PINNED, "latest", "00000000_00"])("sends %s if the tool is pinned to it", async (version) => {
      const sent = await wireOf({ apiVersion, toolVersions: { [TOOL]: version } }, (svc) => call(svc));
      // A list is about no single tool.
      expect(sent).toEqual(name === "tools.list" ? wire(apiVersion) : wire(apiVersion, version));
    });

    test("sends the locked version if a lockfile has it, required or not", async () => {
      expect(await wireOf({ apiVersion, lock }, (svc) => call(svc))).toEqual(wire(apiVersion, PINNED, true));
      const required = { apiVersion, lock, requireLocked: true };
      expect(await wireOf(required, (svc) => call(svc))).toEqual(wire(apiVersion, PINNED, true));
      expect(await wireOf(required, (svc) => call(svc, PINNED))).toEqual(wire(apiVersion, PINNED));
    });

    test("the call's version overrides the lockfile's, or is rejected if the lock is required", async () => {
      for (const version of ["20250905_00", "latest"]) {
        expect(await wireOf({ apiVersion, lock }, (svc) => call(svc, version))).toEqual(wire(apiVersion, version));
        const fetch = scriptedFetch(Response.json({}));
        const svc = clientOf(fetch, { apiVersion, lock, requireLocked: true });
        const error = await rejectionOf(ToolLockError, call(svc, version));
        expect(fetch.sent).toEqual([]);
        const slug = name === "tools.list" ? "github" : TOOL;
        expect(error).toMatchObject({ name: "ToolLockError", slug, lockedVersion: PINNED, outcome: "not_sent" });
        expect(error).toBeInstanceOf(ValidationError);
        expect(error.message).toContain(`${name}: ${slug} is locked to ${PINNED}`);
      }
    });

    test("a tool that isn't in a required lockfile is rejected, with or without a version", async () => {
      for (const version of [undefined, PINNED]) {
        const fetch = scriptedFetch(Response.json({}));
        const svc = clientOf(fetch, { apiVersion, lock: { ...lock, tools: {} }, requireLocked: true });
        if (name === "tools.list") {
          await call(svc, version);
          continue;
        }
        const error = await rejectionOf(ToolLockError, call(svc, version));
        expect(fetch.sent).toEqual([]);
        expect(error).toMatchObject({ slug: TOOL, lockedVersion: undefined });
        expect(error.message).toContain(`${name}: ${TOOL} isn't in the lockfile.`);
      }
    });

    test("the call's version overrides the tool's, and the tool's overrides its toolkit's", async () => {
      const toolVersions = { [TOOL]: "20250905_00" };
      const toolkitVersions = { github: "20240101_00" };
      const both = { apiVersion, toolVersions, toolkitVersions };
      expect(await wireOf(both, (svc) => call(svc, PINNED))).toEqual(wire(apiVersion, PINNED));
      const configured =
        name === "tools.list" ? wire(apiVersion, "20240101_00", true) : wire(apiVersion, "20250905_00");
      expect(await wireOf(both, (svc) => call(svc))).toEqual(configured);
    });

    test("sends no version if none is set; an execution is then rejected", async () => {
      if (name !== "tools.execute") {
        expect(await wireOf({ apiVersion }, (svc) => call(svc))).toEqual(wire(apiVersion));
        return;
      }
      const fetch = scriptedFetch(Response.json({}));
      const error = await rejectionOf(ToolVersionRequiredError, call(clientOf(fetch, { apiVersion })));
      expect(fetch.sent).toEqual([]);
      expect(error).toBeInstanceOf(ValidationError);
      expect(error).toMatchObject({ name: "ToolVersionRequiredError", toolSlug: TOOL, outcome: "not_sent" });
      for (const way of ["version:", "toolVersions", "toolkitVersions", `tools.get("${TOOL}")`, '"latest"']) {
        expect(error.message).toContain(way);
      }
    });

    test("a pin of another toolkit or tool doesn't apply", async () => {
      const others = { apiVersion, toolVersions: { OTHER_TOOL: PINNED }, toolkitVersions: { slack: PINNED } };
      const call = (svc: Svc) => carriers[name].call(svc);
      if (name === "tools.execute") {
        await rejectionOf(ToolVersionRequiredError, call(clientOf(scriptedFetch(), others)));
        return;
      }
      const { target, body } = await wireOf(others, call);
      // A list is about all toolkits, and so carries the pins of all.
      const pins = name === "tools.list" ? `?toolkit_versions%5Bslack%5D=${PINNED}` : "";
      expect({ target, body }).toEqual({ ...wire(apiVersion), target: wire(apiVersion).target + pins });
    });
  });
});

describe("a tool's toolkit", () => {
  const versionFor = async (tool: string, toolkitVersions: Record<string, string>) => {
    const { body } = await wireOf({ toolkitVersions, toolVersions: { [tool.toUpperCase()]: "latest" } }, (svc) =>
      svc.tools.generateArguments("NONE_OF_THEM", { text: "t" }),
    );
    expect(body).toEqual({ text: "t" });
    const sent = await wireOf({ toolkitVersions }, (svc) => svc.tools.generateArguments(tool, { text: "t" }));
    return (sent.body as { version?: string }).version;
  };

  test("is the one with the longest slug that, in uppercase and with an underscore, starts the tool's slug", async () => {
    const google = { google: "20250101_00", google_drive: "20250202_00", google_drive_labs: "20250303_00" };
    expect(await versionFor("GOOGLE_DRIVE_FIND_FILE", google)).toBe("20250202_00");
    expect(await versionFor("GOOGLE_DRIVE_LABS_X", google)).toBe("20250303_00");
    expect(await versionFor("GOOGLE_DRIVES_X", google)).toBe("20250101_00");
    expect(await versionFor("GOOGLE_DRIVE", google)).toBe("20250101_00");
  });

  test("isn't one whose slug merely starts alike", async () => {
    expect(await versionFor("GITHUBBER_RUN", { github: PINNED })).toBeUndefined();
    expect(await versionFor("GITHUB", { github: PINNED })).toBeUndefined();
    expect(await versionFor("github_run", { github: PINNED })).toBeUndefined();
  });

  test("doesn't depend on the order of toolkits in the options", async () => {
    expect(await versionFor("GOOGLE_DRIVE_X", { google_drive: "20250202_00", google: "20250101_00" })).toBe(
      "20250202_00",
    );
  });
});

describe("a version in the call", () => {
  test.each(["", "newest", "20251023", "v3.1", "20251023_1"])(
    "%j is rejected before anything is sent",
    async (version) => {
      const fetch = scriptedFetch(Response.json({}));
      const svc = clientOf(fetch, { toolVersions: { [TOOL]: PINNED } });
      const error = await rejectionOf(ValidationError, svc.tools.execute(TOOL, { version, arguments: {} }));
      expect(error).not.toBeInstanceOf(ToolVersionRequiredError);
      expect(error.message).toBe('tools.execute: version must be "latest" or look like "20251023_00".');
      await rejectionOf(ValidationError, svc.tools.generateArguments(TOOL, { version, text: "t" }));
      await rejectionOf(ValidationError, svc.tools.get(TOOL, { version }));
      expect(fetch.sent).toEqual([]);
    },
  );

  test("a custom endpoint with versions is locked like the others", async () => {
    const fetch = scriptedFetch(Response.json({}));
    const svc = clientOf(fetch, { lock, requireLocked: true });
    const own = endpoint({
      name: "toolkits.tools",
      method: "GET",
      path: "/api/v3.1/toolkits/{toolkit}/tools",
      auth: ["apiKey"],
      retry: "safe",
      version: "toolkits_query",
      query: typed<{ toolkit_slug?: string }>(),
      response: typed<unknown>(),
    });
    const call = svc.call(own, { params: { toolkit: "slack" }, query: { toolkit_slug: "slack" } });
    expect(await rejectionOf(ToolLockError, call)).toMatchObject({ slug: "slack" });
    expect(fetch.sent).toEqual([]);
  });

  test.each([
    [{ toolkit_versions: "2025" }, 'toolkit_versions must be "latest" or look like "20251023_00".'],
    [{ toolkit_versions: { github: "x" } }, 'toolkit_versions.github must be "latest" or look like "20251023_00".'],
  ])("toolkit_versions without a version are rejected: %j", async (query, problem) => {
    const fetch = scriptedFetch(Response.json({}));
    const svc = clientOf(fetch);
    for (const call of [svc.tools.list(query), svc.tools.get(TOOL, query)]) {
      expect((await rejectionOf(ValidationError, call)).message).toContain(problem);
    }
    expect(fetch.sent).toEqual([]);
  });

  test("toolkit_versions of null request the service's default", async () => {
    const sent = await wireOf({ toolkitVersions: { github: PINNED } }, (svc) =>
      svc.tools.list({ toolkit_versions: null }),
    );
    expect(sent.target).toBe("/api/v3.1/tools?toolkit_versions=");
  });

  test("toolkit_versions of the call replace the client's pins on a list and on one tool", async () => {
    const pins = { toolkitVersions: { github: PINNED }, toolVersions: { [TOOL]: PINNED } };
    const own = { toolkit_versions: { github: "latest" } };
    expect((await wireOf(pins, (svc) => svc.tools.list(own))).target).toBe(
      "/api/v3.1/tools?toolkit_versions%5Bgithub%5D=latest",
    );
    expect((await wireOf(pins, (svc) => svc.tools.get(TOOL, own))).target).toBe(
      `/api/v3.1/tools/${TOOL}?toolkit_versions%5Bgithub%5D=latest`,
    );
  });

  test("a list sends every configured toolkit on every page", async () => {
    const fetch = scriptedFetch(
      Response.json({ items: [1], next_cursor: "c2" }),
      Response.json({ items: [2], next_cursor: null }),
    );
    const svc = clientOf(fetch, { toolkitVersions: { github: PINNED, slack: "latest" } });
    await collect(svc.tools.list({ limit: 1 }));
    const pins = "toolkit_versions%5Bgithub%5D=20251023_00&toolkit_versions%5Bslack%5D=latest";
    expect(fetch.sent.map(({ target }) => target)).toEqual([
      `/api/v3.1/tools?limit=1&${pins}`,
      `/api/v3.1/tools?limit=1&cursor=c2&${pins}`,
    ]);
  });
});

describe("the scopes of several tools", () => {
  const ask = (svc: Svc) => svc.tools.getRequiredScopes({ tools: ["GITHUB_A", "GITHUB_B"] });

  test("tools that are pinned to different versions can't be in one call", async () => {
    const fetch = scriptedFetch(Response.json({}));
    const differing: SvcOptions[] = [
      { toolVersions: { GITHUB_A: "20250101_00", GITHUB_B: "20250202_00" } },
      { toolVersions: { GITHUB_A: "20250101_00" } },
      { toolVersions: { GITHUB_A: "20250101_00" }, toolkitVersions: { github: "20250202_00" } },
    ];
    for (const options of differing) {
      const error = await rejectionOf(ValidationError, ask(clientOf(fetch, options)));
      expect(error.message).toContain(
        "tools.getRequiredScopes: the client's lock, toolVersions and toolkitVersions don't set the same version for these tools",
      );
    }
    expect(fetch.sent).toEqual([]);
  });

  test("a version in the call resolves the conflict", async () => {
    const pins = { toolVersions: { GITHUB_A: "20250101_00", GITHUB_B: "20250202_00" } };
    const { body } = await wireOf(pins, (svc) =>
      svc.tools.getRequiredScopes({ tools: ["GITHUB_A", "GITHUB_B"], version: PINNED }),
    );
    expect(body).toMatchObject({ version: PINNED });
  });

  test("tools with the same version send it", async () => {
    const { body } = await wireOf({ toolkitVersions: { github: PINNED } }, ask);
    expect(body).toEqual({ tools: ["GITHUB_A", "GITHUB_B"], version: PINNED });
  });
});

test("no other endpoint sends a version", async () => {
  const pins: SvcOptions = { toolkitVersions: { github: PINNED }, toolVersions: { [TOOL]: PINNED } };
  const others: readonly ((svc: Svc) => PromiseLike<unknown>)[] = [
    (svc) => svc.tools.proxy({ endpoint: "/x", method: "GET" }),
    (svc) => svc.toolkits.list(),
    (svc) => svc.toolkits.get("github"),
    (svc) => svc.toolkits.listCategories(),
    (svc) => svc.toolkits.getChangelog(),
    (svc) => svc.authConfigs.list(),
    (svc) => svc.authConfigs.create({ toolkit: { slug: "github" } }),
    (svc) => svc.authConfigs.update("ac_1", { type: "default", name: "n" }),
    (svc) => svc.session.info(),
    (svc) => svc.integrations.update("i", { enabled: true }),
  ];
  for (const call of others) {
    const { target, body } = await wireOf(pins, call);
    expect(target + JSON.stringify(body ?? {})).not.toMatch(/version|20251023/);
  }
});

test("operations that exist on both versions follow apiVersion, and those the spec ties to a prefix keep it", async () => {
  const target = async (apiVersion: "v3" | "v3.1", call: (svc: Svc) => PromiseLike<unknown>) =>
    (await wireOf({ apiVersion }, call)).target;
  expect(await target("v3", (svc) => svc.toolkits.get("github"))).toBe("/api/v3/toolkits/github");
  expect(await target("v3.1", (svc) => svc.toolkits.get("github"))).toBe("/api/v3.1/toolkits/github");
  expect(await target("v3.1", (svc) => svc.authConfigs.get("ac_1"))).toBe("/api/v3/auth_configs/ac_1");
  expect(await target("v3.1", (svc) => svc.session.info())).toBe("/api/v3/auth/session/info");
  const legacy = (svc: Svc) => svc.integrations.update("i", {});
  expect(await target("v3.1", legacy)).toBe("/api/v1/integrations/i");
  expect(await target("v3", (svc) => svc.tools.getRequiredScopes({ tools: ["A"] }))).toBe(
    "/api/v3.1/tools/scopes/required",
  );
});

describe("the version that runs, against the emulator", () => {
  const COUNT = "TEXTKIT_COUNT_WORDS";
  const count = async (options: SvcOptions, version?: string) => {
    const { svc } = emulated(options);
    const run = await svc.tools.execute(COUNT, { arguments: { text: "two words" }, ...(version && { version }) });
    return run.data;
  };

  test("an execution runs in the version it was pinned to", async () => {
    expect(await count({}, "00000000_00")).toEqual({ words: 2 });
    expect(await count({}, "20250115_00")).toEqual({ words: 2, characters: 9 });
    expect(await count({}, "latest")).toEqual({ words: 2, characters: 9 });
    expect(await count({ toolkitVersions: { textkit: "00000000_00" } })).toEqual({ words: 2 });
    expect(
      await count({ toolkitVersions: { textkit: "00000000_00" }, toolVersions: { [COUNT]: "20250115_00" } }),
    ).toEqual({
      words: 2,
      characters: 9,
    });
  });

  test.each([
    ["v3.1", "20250930_00"],
    ["v3", "00000000_00"],
  ] as const)("a request without a version on %s gets the service's default, %s", async (apiVersion, version) => {
    const { svc } = emulated({ apiVersion });
    expect((await svc.tools.get(COUNT)).version).toBe(version);
    const page = await svc.tools.list({ toolkit_slug: "textkit" });
    expect(new Set(page.items.map((tool) => tool.version))).toEqual(new Set([version]));
  });

  test("on v3.1 the frozen version can be requested explicitly", async () => {
    const { svc } = emulated({ apiVersion: "v3.1" });
    expect((await svc.tools.get(COUNT, { version: "00000000_00" })).version).toBe("00000000_00");
    const page = await svc.tools.list({ toolkit_slug: "textkit", toolkit_versions: { textkit: "00000000_00" } });
    expect(page.items.map(({ slug, version }) => `${slug} ${version}`)).toEqual([`${COUNT} 00000000_00`]);
  });
});
