import { describe, expect, test } from "vitest";
import type { ToolkitDefinition } from "../../../src/emulator/index.js";
import { all, FRONTS, KNOWN_TOOLKITS } from "../fronts.js";

const manyVersions: ToolkitDefinition = {
  slug: "many",
  name: "Many",
  description: "Has twelve versions.",
  categories: [],
  auth: [],
  versions: Object.fromEntries(Array.from({ length: 12 }, (_, day) => [`202501${String(day + 10)}_00`, `Day ${day}.`])),
  tools: [],
};

describe.each(FRONTS)("toolkits %s", (_, open) => {
  const known = (items: readonly { slug: string }[]) =>
    items.map(({ slug }) => slug).filter((slug) => KNOWN_TOOLKITS.includes(slug));
  const slugs = async (items: AsyncIterable<{ slug: string }>) => known(await all(items));

  test.each([
    [{}, ["github", "slack", "weathermap", "textkit"]],
    [{ category: "developer-tools" }, ["github", "textkit"]],
    [{ category: "Developer Tools" }, ["github", "textkit"]],
    [{ category: "nope" }, []],
    [{ managed_by: "svc" }, ["github", "slack"]],
    [{ managed_by: "project" }, ["weathermap", "textkit"]],
    [{ managed_by: "all" }, ["github", "slack", "weathermap", "textkit"]],
    [{ sort_by: "alphabetically" }, ["github", "slack", "textkit", "weathermap"]],
    [{ sort_by: "usage" }, ["github", "slack", "weathermap", "textkit"]],
    [{ type: "native" }, ["github", "slack", "weathermap", "textkit"]],
    [{ type: "custom" }, []],
    [{ type: "all", managed_by: "svc" }, ["github", "slack", "weathermap", "textkit"]],
    [{ include_deprecated: true }, ["github", "slack", "weathermap", "textkit"]],
    [{ include_deprecated: null }, ["github", "slack", "weathermap", "textkit"]],
    [{ search: "MESSAG" }, ["slack"]],
  ] as const)("filters by %j: %j", async (query, expected) => {
    const { svc } = await open();
    expect(await slugs(svc.toolkits.list(query))).toEqual(expected);
  });

  test("contains auth schemes and the current version in an item", async () => {
    const { svc } = await open();
    const { items } = await svc.toolkits.list({ search: "slack" });
    expect(items).toMatchObject([
      {
        slug: "slack",
        type: "native",
        auth_schemes: ["OAUTH2", "BEARER_TOKEN"],
        svc_managed_auth_schemes: ["OAUTH2"],
        no_auth: false,
        is_local_toolkit: false,
        deprecated: { toolkitId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
        meta: { version: "20251001_01", tools_count: 3, categories: [{ id: "communication", name: "Communication" }] },
      },
    ]);
    expect((await svc.toolkits.list({ search: "textkit" })).items[0]).toMatchObject({
      no_auth: true,
      auth_schemes: [],
    });
  });

  test("pages with cursors", async () => {
    const { svc } = await open();
    const pages = await all(svc.toolkits.list({ limit: 3 }).pages());
    const items = pages.flatMap((page) => page.items);
    expect(known(items)).toEqual(KNOWN_TOOLKITS);
    expect(pages[0]).toMatchObject({ current_page: 1, total_pages: pages.length, total_items: items.length });
    expect(pages.map((page) => page.items.length).slice(0, -1)).toEqual(pages.slice(1).map(() => 3));
    expect(pages.at(-1)).toMatchObject({ current_page: pages.length, next_cursor: null });
  });

  test("rejects a search of two letters with 400", async () => {
    const { raw } = await open();
    const errors = ["query.search: expected at least 3 characters, received fewer"];
    expect(await raw("GET", "/api/v3.1/toolkits?search=gi")).toMatchObject({
      status: 400,
      body: { error: { errors } },
    });
  });

  test("returns versions, categories with slugs, and fields of one toolkit", async () => {
    const { svc } = await open();
    expect(await svc.toolkits.get("github")).toMatchObject({
      enabled: true,
      base_url: "https://api.github.example.com",
      svc_managed_auth: [{ mode: "OAUTH2", scopes: { available: ["repo", "public_repo", "read:user"] } }],
      auth_config_details: [
        {
          mode: "OAUTH2",
          fields: {
            auth_config_creation: { required: [{ name: "client_id" }, { name: "client_secret", is_secret: true }] },
            connected_account_initiation: { required: [], optional: [] },
          },
        },
      ],
      meta: {
        version: "20251023_00",
        available_versions: ["00000000_00", "20250905_00", "20251023_00"],
        categories: [{ name: "Developer Tools", slug: "developer-tools" }],
        tools_count: 5,
      },
    });
  });

  test("returns one toolkit in a version, by default the latest, also on v3", async () => {
    const { svc, client } = await open();
    const old = await svc.toolkits.get("github", { version: "20250905_00" });
    expect(old.meta).toMatchObject({ version: "20250905_00", tools_count: 4 });
    expect((await svc.toolkits.get("github", { version: "latest" })).meta.version).toBe("20251023_00");
    expect((await client({ apiVersion: "v3" }).toolkits.get("github")).meta.version).toBe("20251023_00");
  });

  test("returns 404 for an unknown slug, another case, and an unknown version", async () => {
    const { svc } = await open();
    const notFound = { name: "NotFoundError", errorSlug: "Toolkit_ResourceNotFound" };
    await expect(svc.toolkits.get("nope")).rejects.toMatchObject(notFound);
    await expect(svc.toolkits.get("GITHUB")).rejects.toMatchObject(notFound);
    await expect(svc.toolkits.get("github", { version: "20000101_00" })).rejects.toMatchObject(notFound);
  });

  test("lists each category once, in the pagination envelope", async () => {
    const { svc } = await open();
    const { items, ...totals } = await svc.toolkits.listCategories();
    expect(totals).toEqual({ next_cursor: null, total_pages: 1, current_page: 1, total_items: items.length });
    expect(items.filter(({ id }) => id === "developer-tools")).toEqual([
      { id: "developer-tools", name: "Developer Tools" },
    ]);
    expect(items).toEqual(expect.arrayContaining([{ id: "data", name: "Data" }]));
  });

  test("lists the last ten versions of each toolkit in the changelog, newest first", async () => {
    const { svc } = await open({ toolkits: [manyVersions] });
    const { items } = await svc.toolkits.getChangelog();
    expect(known(items)).toEqual(KNOWN_TOOLKITS);
    expect(items.find(({ slug }) => slug === "github")).toMatchObject({
      display_name: "GitHub",
      versions: [
        { version: "20251023_00", changelog: expect.stringContaining("starring") },
        { version: "20250905_00", changelog: expect.stringContaining("labels") },
      ],
    });
    const { versions = [] } = items.find(({ slug }) => slug === "many") ?? {};
    expect(versions).toHaveLength(10);
    expect(versions[0]?.version).toBe("20250121_00");
  });

  test.each([
    [{}, ["github", "slack", "weathermap", "textkit"]],
    [{ toolkits: ["slack", "github", "nope"] }, ["github", "slack"]],
    [{ toolkits: [] }, []],
    [{ toolkits: ["weathermap", "textkit"], category: "data" }, ["weathermap"]],
    [{ toolkits: ["weathermap", "slack"], managed_by: "svc" }, ["slack"]],
    [{ toolkits: ["weathermap", "textkit"], sort_by: "alphabetically" }, ["textkit", "weathermap"]],
    [{ limit: 1 }, ["github", "slack", "weathermap", "textkit"]],
  ] as const)("returns for multi with %j: %j", async (body, expected) => {
    const { svc } = await open();
    const asked = "toolkits" in body ? { ...body, toolkits: [...body.toolkits] } : body;
    expect(await slugs(svc.toolkits.listBySlugs(asked))).toEqual(expected);
  });

  test.each([
    ["GET", "/api/v3.1/toolkits/categories"],
    ["GET", "/api/v3.1/toolkits/changelog"],
    ["POST", "/api/v3.1/toolkits/multi"],
  ])("accepts only the project key for %s %s", async (method, path) => {
    const { raw } = await open();
    expect(await raw(method, path, { headers: { "x-user-api-key": "uak_emulator" } })).toMatchObject({ status: 401 });
  });

  test("accepts the user key for the list and the record, under v3 and v3.1", async () => {
    const { raw } = await open();
    const headers = { "x-user-api-key": "uak_emulator" };
    for (const path of ["/api/v3/toolkits", "/api/v3.1/toolkits/slack"]) {
      expect(await raw("GET", path, { headers })).toMatchObject({ status: 200 });
    }
  });
});
