import { describe, expect, test } from "vitest";
import { BadRequestError, ConflictError, NotFoundError, PermissionDeniedError } from "../../../src/index.js";
import { rejectionOf } from "../../support/client.js";
import { FRONTS, inProcess } from "../tool-router/fronts.js";

const BODY = { name: "My server", auth_config_ids: ["ac_github_demo"] };

describe.each(FRONTS)("an MCP server (older API) %s", (_, open) => {
  test("is created, read, updated, and deleted", async () => {
    const { svc, emulator, close } = await open();
    const made = await svc.mcp.create({ ...BODY, no_auth_apps: ["textkit"], allowed_tools: ["TEXTKIT_REVERSE"] });
    expect(made).toMatchObject({ toolkits: ["github", "textkit"], allowed_tools: ["TEXTKIT_REVERSE"] });
    expect(Object.keys(made.toolkit_icons)).toEqual(["github", "textkit"]);
    expect(await svc.mcp.get(made.id)).toEqual({ ...made, deleted: false });
    emulator.clock.advance("1m");
    const changed = await svc.mcp.update(made.id, {
      name: "Other name",
      toolkits: ["github", "slack"],
      allowed_tools: [],
    });
    expect(changed).toMatchObject({ name: "Other name", toolkits: ["github", "slack"], allowed_tools: [] });
    expect(changed.updated_at).toBe("2026-01-01T00:01:00.000Z");
    expect(await svc.mcp.delete(made.id)).toEqual({ id: made.id, deleted: true });
    await rejectionOf(NotFoundError, svc.mcp.get(made.id));
    await close();
  });
});

describe("an MCP server (older API)", () => {
  test("is listed by page number, newest first, and filtered", async () => {
    const { svc, emulator } = inProcess();
    for (const name of ["one one", "two two", "three three"]) {
      await svc.mcp.create({ ...BODY, name });
      emulator.clock.advance("1s");
    }
    await svc.mcp.createCustom({ name: "custom", toolkits: ["slack"] });
    const page = await svc.mcp.list({ limit: 3, page_no: 2 });
    expect(page).toMatchObject({ items: [{ name: "one one" }], total_pages: 2, current_page: 2 });
    const oldest = await svc.mcp.list({ order_by: "created_at", order_direction: "asc", toolkits: "github" });
    expect(oldest.items.map(({ name }) => name)).toEqual(["one one", "two two", "three three"]);
    expect((await svc.mcp.listByApp("slack")).items).toHaveLength(1);
    expect((await svc.mcp.list({ name: "TWO" })).items).toHaveLength(1);
    expect((await svc.mcp.list({ auth_config_ids: "ac_slack_demo" })).items).toEqual([]);
    await rejectionOf(NotFoundError, svc.mcp.listByApp("nope"));
  });

  test("returns a URL per user and per account", async () => {
    const { svc } = inProcess();
    const { id } = await svc.mcp.create(BODY);
    const urls = await svc.mcp.generateUrl({ mcp_server_id: id, user_ids: ["a&b"], connected_account_ids: ["ca_1"] });
    expect(urls).toEqual({
      mcp_url: `http://emulator.localhost/api/v3/mcp/${id}/mcp`,
      user_ids_url: [`http://emulator.localhost/api/v3/mcp/${id}/mcp?user_id=a%26b`],
      connected_account_urls: [`http://emulator.localhost/api/v3/mcp/${id}/mcp?connected_account_id=ca_1`],
    });
    await rejectionOf(NotFoundError, svc.mcp.generateUrl({ mcp_server_id: "nope" }));
  });

  test("rejects unknown auth configs, toolkits, and tools", async () => {
    const { svc } = inProcess();
    await rejectionOf(NotFoundError, svc.mcp.create({ ...BODY, auth_config_ids: ["ac_nope"] }));
    const toolkit = svc.mcp.createCustom({ name: "custom", toolkits: ["nope"] });
    expect((await rejectionOf(BadRequestError, toolkit)).errorSlug).toBe("MCP_InvalidParameter");
    const tool = svc.mcp.create({ ...BODY, allowed_tools: ["SLACK_SEND_MESSAGE"] });
    expect((await rejectionOf(BadRequestError, tool)).errorSlug).toBe("MCP_ToolNotFound");
  });

  test("keeps its own toolkits when its auth configs change, but not theirs", async () => {
    const { svc } = inProcess();
    const { id } = await svc.mcp.create({ ...BODY, no_auth_apps: ["textkit"] });
    const changed = await svc.mcp.update(id, { auth_config_ids: ["ac_slack_demo"] });
    expect(changed.toolkits).toEqual(["slack", "textkit"]);
    expect((await svc.mcp.listByApp("github")).items).toEqual([]);
    expect((await svc.mcp.list({ toolkits: "slack" })).items).toHaveLength(1);
    const github = svc.mcp.update(id, { allowed_tools: ["GITHUB_CREATE_AN_ISSUE"] });
    expect((await rejectionOf(BadRequestError, github)).errorSlug).toBe("MCP_ToolNotFound");
  });

  test("can be renamed after its auth config was deleted, but not get another deleted one", async () => {
    const { svc } = inProcess();
    const { auth_config } = await svc.authConfigs.create({ toolkit: { slug: "github" } });
    const { id } = await svc.mcp.create({ ...BODY, auth_config_ids: [auth_config.id] });
    await svc.authConfigs.delete(auth_config.id);
    expect((await svc.mcp.update(id, { name: "Renamed" })).name).toBe("Renamed");
    await rejectionOf(NotFoundError, svc.mcp.update(id, { auth_config_ids: [auth_config.id] }));
  });

  test("can be renamed only to a name allowed at creation", async () => {
    const { svc } = inProcess();
    const { id, name } = await svc.mcp.create(BODY);
    for (const bad of ["a", "a_b_c_d", "a".repeat(31)]) {
      await rejectionOf(BadRequestError, svc.mcp.update(id, { name: bad, toolkits: ["textkit"] }));
    }
    expect(await svc.mcp.get(id)).toMatchObject({ name, toolkits: ["github"] });
  });

  test("is visible to its project only", async () => {
    const { svc, clientWith } = inProcess();
    const { id } = await svc.mcp.create(BODY);
    const { api_key } = await svc.projects.create({ name: "other-project", should_create_api_key: true });
    await rejectionOf(NotFoundError, clientWith(api_key ?? "").mcp.get(id));
  });
});

describe("an instance of an MCP server", () => {
  test("is created once per user, listed, and deleted with its accounts", async () => {
    const { svc } = inProcess();
    const { id } = await svc.mcp.create(BODY);
    const instance = await svc.mcp.createInstance(id, { user_id: "user-4711" });
    expect(instance).toMatchObject({ instance_id: "user-4711", mcp_server_id: id });
    await rejectionOf(ConflictError, svc.mcp.createInstance(id, { user_id: "user-4711" }));
    expect(await svc.mcp.listInstances(id, { search: "4711" })).toMatchObject({
      instances: [instance],
      server_id: id,
      server_name: "My server",
      total_pages: 1,
    });
    expect((await svc.mcp.get(id)).server_instance_count).toBe(1);
    expect(await svc.mcp.deleteInstance(id, "user-4711")).toMatchObject({
      deleted_connected_accounts: 1,
    });
    await rejectionOf(NotFoundError, svc.connectedAccounts.get("ca_github_demo"));
    await rejectionOf(NotFoundError, svc.mcp.deleteInstance(id, "user-4711"));
  });

  test("requires its user's accounts", async () => {
    const { svc } = inProcess();
    const { id } = await svc.mcp.create(BODY);
    const error = await rejectionOf(PermissionDeniedError, svc.mcp.createInstance(id, { user_id: "user-expired" }));
    expect(error.message).toContain("user-expired has not connected github");
  });
});
