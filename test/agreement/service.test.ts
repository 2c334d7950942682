import { describe, expect, test } from "vitest";
import { contract } from "../../src/contract/index.js";
import { openApiDocument } from "../../src/contract/openapi.js";
import { operations } from "../../src/contract/operations.js";
import { createEmulator } from "../../src/emulator/index.js";
import { Svc } from "../../src/index.js";
import { ConnectedAccountExpired } from "../../src/resources/events/schema.js";
import { FRONTS, type Front } from "../emulator/fronts.js";

/**
 * Facts about the service, found in its public OpenAPI documents, the types of its newest published client, and the
 * requests of other clients. The specification doesn't mention them.
 */
const ADMIN = { "x-org-api-key": "oak_emulator" };
const USER = { "x-user-api-key": "uak_emulator" };

async function session(front: Front, more: object = {}): Promise<string> {
  const { body } = await front.raw("POST", "/api/v3.1/tool_router/session", { body: { user_id: "ada", ...more } });
  return (body as { session_id: string }).session_id;
}

describe.each(FRONTS)("lists, %s", (_, open) => {
  test.each([
    ["/api/v3.1/tools", 1_000],
    ["/api/v3.1/auth_configs", 1_000],
    ["/api/v3.1/connected_accounts", 1_000],
    ["/api/v3.1/toolkits", 1_000],
    ["/api/v3.1/triggers_types", 1_000],
  ])("clamp a limit above the maximum in %s", async (path) => {
    const { raw } = await open();
    expect((await raw("GET", `${path}?limit=9999`)).status).toBe(200);
  });

  test("clamp a limit in a body", async () => {
    const { raw } = await open();
    const { status } = await raw("POST", "/api/v3.1/logs/tool_execution", { body: { limit: 9_999 } });
    expect(status).toBe(200);
  });

  test("still reject a limit below 1", async () => {
    const { raw } = await open();
    expect((await raw("GET", "/api/v3.1/tools?limit=0")).status).toBe(400);
  });

  test("ignore the removed filters label and labels of connected accounts", async () => {
    const { raw } = await open();
    expect((await raw("GET", "/api/v3.1/connected_accounts?label=a&labels=b")).status).toBe(200);
  });

  test("accept null as page_no and limit of MCP servers", async () => {
    const { raw } = await open();
    expect((await raw("GET", "/api/v3.1/mcp/servers?page_no=&limit=")).status).toBe(200);
  });

  test("accept list_all_org_projects in a user's projects", async () => {
    const { raw } = await open();
    const path = "/api/v3.1/org/project/list?list_all_org_projects=true";
    expect((await raw("GET", path, { headers: USER })).status).toBe(200);
  });
});

describe.each(FRONTS)("custom tools, %s", (_, open) => {
  const input_schema = { type: "object" as const, properties: {} };
  const tool = { name: "Triage", description: "Sorts issues.", input_schema };

  test("keep a custom toolkit's slug, and prefix only its tools", async () => {
    const { svc } = await open();
    const custom_toolkits = [
      { slug: "BOX", name: "Box", description: "Boxes.", tools: [{ ...tool, slug: "OPEN" }], preload: true },
    ];
    const { experimental, tool_router_tools } = (
      await svc.toolRouter.create({ user_id: "ada", experimental: { custom_toolkits } })
    ).record;
    const [shown] = experimental?.custom_toolkits ?? [];
    expect(shown).toMatchObject({ slug: "BOX", tools: [{ slug: "LOCAL_BOX_OPEN", original_slug: "OPEN" }] });
    expect(shown).not.toHaveProperty("original_slug");
    expect(tool_router_tools).toContain("LOCAL_BOX_OPEN");
  });

  test("prefix a tool that extends a toolkit with that toolkit", async () => {
    const { svc } = await open();
    const custom_tools = [{ ...tool, slug: "TRIAGE", extends_toolkit: "github", preload: true }];
    const { record } = await svc.toolRouter.create({ user_id: "ada", experimental: { custom_tools } });
    expect(record.tool_router_tools).toContain("LOCAL_GITHUB_TRIAGE");
  });

  test("are rejected with 4300 if their schema has no properties", async () => {
    const { raw } = await open();
    const custom_tools = [{ ...tool, slug: "TRIAGE", input_schema: { type: "object" } }];
    const body = { user_id: "ada", experimental: { custom_tools } };
    expect((await raw("POST", "/api/v3.1/tool_router/session", { body })).body).toMatchObject({
      error: { status: 400, code: 4300, slug: "ToolRouterV2_BadRequest" },
    });
  });
});

describe.each(FRONTS)("records, %s", (_, open) => {
  test("contain the documented fields of a project", async () => {
    const { raw } = await open();
    const { body } = await raw("GET", "/api/v3.1/org/owner/project/list", { headers: ADMIN });
    expect(body).toMatchObject({
      data: [
        {
          email: expect.any(String),
          webhook_url: null,
          event_webhook_url: null,
          webhook_secret: null,
          webhook_version: "V3",
          deleted: false,
        },
      ],
    });
  });

  test("contain strings in a webhook endpoint's data, or null as a whole", async () => {
    const { raw } = await open();
    const created = await raw("POST", "/api/v3.1/webhook_endpoints", {
      body: { toolkit_slug: "slack", client_id: "a" },
    });
    const { id, data } = created.body as { id: string; data: unknown };
    expect(data).toBeNull();
    const changed = await raw("PATCH", `/api/v3.1/webhook_endpoints/${id}`, {
      body: { data: { signing_secret: "sig_secret" } },
    });
    expect(changed.body).toMatchObject({ data: { signing_secret: "sig_..." } });
  });

  test("omit missing fields of a log entry, whose data is always an object", async () => {
    const { raw, svc } = await open();
    await svc.tools.execute("TEXTKIT_COUNT_WORDS", { version: "latest", arguments: { text: "a b" } });
    const [log] = (await svc.logs.listToolExecutions({})).logs;
    const path = `/api/v3.1/logs/tool_execution/${log?.id}`;
    const { context, source } = (await raw("GET", path)).body as Record<string, object>;
    expect(Object.keys(context ?? {})).toEqual(["request_id"]);
    expect(Object.keys(source ?? {})).toEqual(["host"]);
    await svc.projects.updateConfig({ log_visibility_setting: "dont_store_data" });
    expect((await raw("GET", path)).body).toMatchObject({ data: {} });
  });

  test("contain deleted in an updated MCP server, and a number of deleted accounts", async () => {
    const { raw, svc } = await open();
    const server = await svc.mcp.create({ name: "Servers", auth_config_ids: ["ac_slack_demo"] });
    expect((await raw("PATCH", `/api/v3.1/mcp/${server.id}`, { body: {} })).body).toMatchObject({ deleted: false });
    const { instance_id } = await svc.mcp.createInstance(server.id, { user_id: "user-4711" });
    const { deleted_connected_accounts: count } = await svc.mcp.deleteInstance(server.id, instance_id);
    expect(count).toBe(1);
  });

  test("contain a project id in the session's API key", async () => {
    const { raw } = await open();
    const { body } = await raw("GET", "/api/v3/auth/session/info", { headers: USER });
    expect(body).toMatchObject({ api_key: { project_id: expect.stringMatching(/^pr_/) } });
  });

  test("omit a missing alias in a search's accounts", async () => {
    const front = await open();
    const { body } = await front.raw("POST", "/api/v3.1/tool_router/session", { body: { user_id: "user-4711" } });
    const { session_id: id } = body as { session_id: string };
    const found = await front.raw("POST", `/api/v3.1/tool_router/session/${id}/search`, {
      body: { queries: [{ use_case: "create a github issue" }] },
    });
    expect(found.text).toContain('"accounts":[{');
    expect(found.text).not.toContain('"alias":null');
  });
});

describe.each(FRONTS)("requests, %s", (_, open) => {
  test("filter usage by lists of ids, or null, and count entities by open names", async () => {
    const { raw } = await open();
    const body = { filters: { user_id: ["ada"], session_id: null }, entity_types: ["tool_calls", "later_entity"] };
    const { status, body: usage } = await raw("POST", "/api/v3.1/project/usage/summary", { body });
    expect([status, Object.keys((usage as { entities: object }).entities)]).toEqual([200, ["tool_calls"]]);
  });

  test("accept repeated toolkits in a session's toolkits", async () => {
    const front = await open();
    const id = await session(front);
    const path = `/api/v3.1/tool_router/session/${id}/toolkits?toolkits=github&toolkits=slack`;
    expect((await front.raw("GET", path)).body).toMatchObject({ total_items: 2 });
  });

  test("page through organizations, which have dates", async () => {
    const { raw } = await open();
    const { body } = await raw("GET", "/api/v3.1/org/list?limit=1", { headers: USER });
    const dates = { created_at: expect.any(String), updated_at: expect.any(String) };
    expect(body).toMatchObject({ organizations: [dates], total_items: 1, next_cursor: null });
  });

  test("return a job for deleting a project with revoke_on_delete", async () => {
    const { raw } = await open();
    const create = { headers: ADMIN, body: { name: "other" } };
    const { id } = (await raw("POST", "/api/v3.1/org/owner/project/new", create)).body as { id: string };
    const path = `/api/v3.1/org/owner/project/${id}?revoke_on_delete=true`;
    expect((await raw("DELETE", path, { headers: ADMIN })).body).toMatchObject({ revoke_job_id: expect.any(String) });
  });

  test("of unknown paths return 404", async () => {
    const { raw } = await open();
    expect(await raw("POST", "/api/v3/tools/scopes/required", { body: { tools: [] } })).toMatchObject({ status: 404 });
  });

  test("of a meta tool outside a session report that it is one, though its record can be read", async () => {
    const { raw } = await open();
    expect((await raw("GET", "/api/v3.1/tools/SVC_SEARCH_TOOLS")).status).toBe(200);
    const call = { body: { user_id: "ada", arguments: {} } };
    const { body } = await raw("POST", "/api/v3.1/tools/execute/SVC_SEARCH_TOOLS", call);
    expect(body).toMatchObject({ error: { code: 4300, message: expect.stringContaining("tool-router session") } });
  });

  test("for a trigger must name the account's user if the project requires 2FA", async () => {
    const { raw, svc } = await open();
    const upsert = { user_id: "somebody", connected_account_id: "ca_slack_demo", trigger_config: {} };
    const path = "/api/v3.1/trigger_instances/SLACK_NEW_MESSAGE/upsert";
    expect((await raw("POST", path, { body: upsert })).status).toBe(201);
    await svc.projects.updateConfig({ is_2FA_enabled: true });
    expect((await raw("POST", path, { body: upsert })).status).toBe(400);
    const own = { ...upsert, user_id: "user-4711" };
    expect((await raw("POST", path, { body: own })).status).toBe(200);
  });
});

describe.each(FRONTS)("unknown fields, %s", (_, open) => {
  const body = { toolkit: { slug: "slack", "new.field": 1 }, later: [{ a: 1 }] };

  test("are rejected by default", async () => {
    const { raw } = await open();
    expect((await raw("POST", "/api/v3.1/auth_configs", { body })).status).toBe(400);
    expect((await raw("GET", "/api/v3.1/tools?later=1")).status).toBe(400);
  });

  test("are ignored on request, but other errors are still reported", async () => {
    const { raw } = await open({ unknownFields: "ignore" });
    expect((await raw("POST", "/api/v3.1/auth_configs", { body })).status).toBe(201);
    expect((await raw("GET", "/api/v3.1/tools?later=1")).status).toBe(200);
    const wrong = await raw("POST", "/api/v3.1/auth_configs", { body: { ...body, toolkit: { slug: 1, later: 2 } } });
    expect(wrong.body).toMatchObject({ error: { errors: ["body.toolkit.slug: expected a string, received number"] } });
  });
});

describe.each(FRONTS)("projects, %s", (_, open) => {
  test("show whether their triggers fire, and what they had before subscriptions", async () => {
    const { raw } = await open();
    const { body } = await raw("GET", "/api/v3/org/owner/project/pr_emulator", { headers: ADMIN });
    expect(body).toMatchObject({ triggers_enabled: true, last_subscribed_at: null, is_new_webhook: true });
  });

  test("take empty parameters, which mean null", async () => {
    const { raw } = await open();
    expect((await raw("GET", "/api/v3.1/org/project/list?list_all_org_projects=", { headers: USER })).status).toBe(200);
    const path = "/api/v3/org/owner/project/pr_emulator?revoke_on_delete=";
    const { status, body } = await raw("DELETE", path, { headers: ADMIN });
    expect({ status, body }).toEqual({ status: 200, body: { status: "success" } });
  });
});

test("an execution takes headers for the provider of a tool's model, and the contract names them", async () => {
  const sent: Request[] = [];
  const emulator = createEmulator();
  const fetch = (request: Request) => {
    sent.push(request);
    return emulator.fetch(request);
  };
  const svc = new Svc({ ...emulator.connection, fetch });
  const headers = { "x-llm-gateway-headers": '{"authorization":"Bearer x"}' };
  const body = { user_id: "user-4711", version: "latest", arguments: { text: "abc" } };
  expect((await svc.tools.execute("TEXTKIT_REVERSE", body, { headers })).successful).toBe(true);
  expect(sent[0]?.headers.get("x-llm-gateway-headers")).toBe(headers["x-llm-gateway-headers"]);
  expect(openApiDocument("1")).toMatchObject({
    paths: {
      "/api/{apiVersion}/tools/execute/{tool_slug}": {
        post: {
          parameters: expect.arrayContaining([
            expect.objectContaining({ name: "x-llm-gateway-headers", in: "header" }),
          ]),
        },
      },
    },
  });
});

describe("the contract", () => {
  test("accepts a failure of a tool without an error message", () => {
    const failure = { successful: false, data: {}, error: null };
    expect(contract.check("tools.execute", "response", failure)).toEqual([]);
  });

  test.each(["files.list", "mcp.deleteInstance"])("calls %s deprecated", (name) => {
    expect(operations.find(({ endpoint }) => endpoint.name === name)?.endpoint.deprecated).toEqual(["operation"]);
  });

  test("requires project and organization of an expired account's event", () => {
    const at = { id: "evt_1", timestamp: "2026-01-01T00:00:00.000Z", type: "svc.connected_account.expired" };
    const account = { toolkit: { slug: "github" }, auth_config: { id: "ac_1", auth_scheme: "OAUTH2" } };
    const event = { ...at, data: { id: "ca_1", ...account, status: "EXPIRED" }, metadata: { project_id: null } };
    expect(ConnectedAccountExpired.safeParse(event).success).toBe(false);
    const metadata = { project_id: "pr_1", org_id: "ok_1" };
    expect(ConnectedAccountExpired.safeParse({ ...event, metadata }).success).toBe(true);
  });
});
