import { describe, expect, test } from "vitest";
import { ApiError, type ErrorCondition, endpoint, type Svc, typed } from "../../src/index.js";
import { clientOf, emulated, rejectionOf } from "../support/client.js";
import { failure, scriptedFetch } from "../support/scripted-fetch.js";

/** The error of a call of a path that is answered with this. */
function errorAt(path: string, status: number, error: object): Promise<ApiError> {
  const any = endpoint({
    name: "any.call",
    method: "GET",
    path,
    auth: ["apiKey"],
    retry: "safe",
    response: typed<object>(),
  });
  const params = Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name ?? "", "x"]));
  // The path is a string here and not a literal, so its parameters are known only now.
  return rejectionOf(
    ApiError,
    clientOf(scriptedFetch(failure(status, error)), { maxRetries: 0 }).call(any, { params: params as never }),
  );
}

describe("the condition", () => {
  const tools = "/api/v3.1/tools/execute/{tool_slug}";
  const account = "/api/v3.1/connected_accounts/{nanoid}";
  const manage = "/api/v3.1/trigger_instances/manage/{triggerId}";
  const anonymous = { code: undefined, slug: undefined };

  test.each<[ErrorCondition | undefined, number, string, object]>([
    ["invalid_api_key", 401, tools, { code: 801, slug: "APIKey_InvalidAPIKey" }],
    ["invalid_api_key", 401, tools, { code: 811, slug: undefined }],
    ["invalid_api_key", 401, tools, { code: 1, slug: "UserApiKey_Unauthorized" }],
    ["invalid_api_key", 401, tools, { ...anonymous, message: "Invalid API key: ak_...9" }],
    ["no_authentication", 401, tools, { code: 906, slug: "Auth_NoAuthProvided" }],
    ["no_authentication", 401, tools, { ...anonymous, message: "No API key provided" }],
    ["no_authentication", 401, tools, { ...anonymous, message: "No authentication provided" }],
    [
      "invalid_organization_key",
      401,
      tools,
      { code: 10401, slug: "HTTP_Unauthorized", message: "Invalid x-org-api-key" },
    ],
    ["invalid_organization_key", 401, tools, { code: 1, slug: "Any", message: "Invalid organization API key" }],
    [
      "several_credentials",
      401,
      tools,
      { code: 10401, slug: "HTTP_Unauthorized", message: "More than one authentication mode was sent" },
    ],
    [
      "several_credentials",
      401,
      tools,
      { code: 10401, slug: "HTTP_Unauthorized", message: "Multiple authentication modes" },
    ],
    [undefined, 401, tools, { code: 10401, slug: "HTTP_Unauthorized", message: "Invalid project key" }],
    [undefined, 401, tools, { code: 902, slug: "Auth_Unauthorized", message: "Access denied" }],
    ["insufficient_permissions", 403, tools, { code: 812, slug: "APIKey_InsufficientPermissions" }],
    ["insufficient_permissions", 403, tools, { code: 2206, slug: undefined }],
    ["insufficient_permissions", 403, tools, { ...anonymous, message: "Forbidden" }],
    ["insufficient_permissions", 403, tools, { code: 77777, slug: "Some_Slug", message: "Forbidden" }],
    [undefined, 403, "/api/v3.1/mcp/servers/{serverId}/instances", { ...anonymous, message: "Missing accounts" }],
    ["tool_not_found", 404, tools, { code: 2401, slug: "Tool_ToolNotFound" }],
    ["tool_not_found", 400, tools, { code: 4301, slug: "ToolRouterV2_ToolNotFound" }],
    ["tool_not_found", 404, tools, { ...anonymous, message: "Tool GITHUB_X not found" }],
    ["tool_not_found", 404, tools, { ...anonymous, message: 'Tool "GITHUB_X" was not found' }],
    ["tool_not_found", 404, "/api/v3.1/tools/{tool_slug}", { code: 1, slug: "Any", message: "none" }],
    ["no_connected_account", 404, tools, { code: 1810, slug: "ActionExecute_ConnectedAccountNotFound" }],
    ["no_connected_account", 400, tools, { code: 1803, slug: undefined }],
    ["no_connected_account", 400, tools, { code: 4302, slug: "ToolRouterV2_NoActiveConnection" }],
    [
      "no_connected_account",
      400,
      tools,
      { ...anonymous, message: "No connected account found for user ID u for toolkit t" },
    ],
    ["no_connected_account", 400, tools, { ...anonymous, message: "No active connection found for toolkit(s) 't'" }],
    [
      "session_only_tool",
      400,
      tools,
      { ...anonymous, message: "SVC_SEARCH can only be called inside a tool-router session" },
    ],
    ["connected_account_not_found", 404, account, { code: 606, slug: "ConnectedAccount_ResourceNotFound" }],
    ["connected_account_not_found", 404, account, { ...anonymous, message: "gone" }],
    [undefined, 404, "/api/v3.1/connected_accounts", { ...anonymous, message: "gone" }],
    [undefined, 400, account, { ...anonymous, message: "bad id" }],
    ["auth_refresh_required", 410, tools, { code: 1820, slug: "ActionExecute_ConnectedAccountExpired" }],
    ["auth_refresh_required", 410, tools, { ...anonymous, message: "Connected account ca_1 is in EXPIRED state" }],
    [undefined, 410, tools, { ...anonymous, message: "This tool is gone" }],
    ...["INITIALIZING", "INITIATED", "FAILED", "INACTIVE", "REVOKED", "PONDERING"].map(
      (state): [ErrorCondition, number, string, object] => [
        "connected_account_not_active",
        422,
        tools,
        { ...anonymous, message: `Connected account ca_1 is in ${state} state` },
      ],
    ),
    [undefined, 422, tools, { ...anonymous, message: "The repository is in ARCHIVED state" }],
    ["trigger_not_found", 404, "/api/v3.1/triggers_types/{slug}", { ...anonymous, message: "none" }],
    ["trigger_not_found", 404, "/api/v3.1/trigger_instances/{slug}/upsert", { ...anonymous, message: "none" }],
    [
      "connected_account_not_found",
      404,
      "/api/v3.1/trigger_instances/{slug}/upsert",
      { ...anonymous, message: "The connected account was not found" },
    ],
    ["trigger_instance_deleted", 404, manage, { ...anonymous, message: "none" }],
    ["trigger_instance_deleted", 410, manage, { ...anonymous, message: "gone" }],
    // The trigger may as well be in the wanted state already.
    [undefined, 400, manage, { ...anonymous, message: "bad" }],
    [undefined, 400, "/api/v3.1/triggers_types/{slug}", { ...anonymous, message: "bad" }],
    [undefined, 404, "/api/v3.1/triggers_types/list", { ...anonymous, message: "none" }],
    [undefined, 404, "/api/v3.1/trigger_instances/active", { ...anonymous, message: "none" }],
    [undefined, 410, account, { ...anonymous, message: "gone" }],
    [undefined, 409, manage, { ...anonymous, message: "conflict" }],
    [undefined, 404, "/api/v3/auth_configs/{nanoid}", { ...anonymous, message: "none" }],
    [undefined, 500, tools, { ...anonymous, message: "boom" }],
    // The slug is the service's own name for the case: it wins over a number and a wording.
    ["tool_not_found", 404, tools, { slug: "Tool_ToolNotFound", code: 606, message: "Invalid API key" }],
    ["connected_account_not_found", 404, tools, { slug: "Any_Thing", code: 606, message: "Invalid API key" }],
  ])("is %s for %i at %s with %o", async (condition, status, path, error) => {
    expect((await errorAt(path, status, error)).condition).toBe(condition);
  });

  test("has a fix unless the service sends one", async () => {
    const tool = { code: 2401, slug: "Tool_ToolNotFound", message: "Tool x not found" };
    expect((await errorAt(tools, 404, tool)).message).toContain("Tool slugs are case-sensitive");
    const advised = await errorAt(tools, 404, { ...tool, suggested_fix: "Did you mean X?" });
    expect(advised.message).toBe("any.call: 404 Tool x not found. Did you mean X?");
    expect(advised.suggestedFix).toBe("Did you mean X?");
  });

  test.each<[ErrorCondition, string, number, { advice: string; code?: number; message?: string }]>([
    ["invalid_api_key", tools, 401, { code: 801, advice: "Check the key for this base URL" }],
    ["no_authentication", tools, 401, { code: 906, advice: "Pass a key to the client." }],
    [
      "invalid_organization_key",
      tools,
      401,
      { message: "Invalid x-org-api-key", advice: "Check orgApiKey (SVC_ORG_API_KEY)." },
    ],
    ["several_credentials", tools, 401, { message: "Several credentials", advice: "Send exactly one key" }],
    ["insufficient_permissions", tools, 403, { code: 812, advice: "Use a key that may do this" }],
    ["no_connected_account", tools, 404, { code: 1810, advice: "Connect an account of this user" }],
    [
      "session_only_tool",
      tools,
      400,
      { message: "can only be called inside a tool-router session", advice: "Call it through an agent session." },
    ],
    ["connected_account_not_found", tools, 404, { code: 606, advice: "The id is wrong or the account was deleted." }],
    ["auth_refresh_required", tools, 410, { code: 1820, advice: "The user must connect the account again." }],
    ["trigger_not_found", "/api/v3.1/triggers_types/{slug}", 404, { advice: "Check the trigger type's slug" }],
    ["trigger_instance_deleted", manage, 410, { advice: "Create the trigger again." }],
  ])("the message of %s says what to do next", async (condition, path, status, { advice, ...error }) => {
    const thrown = await errorAt(path, status, { ...silent, ...error });
    expect(thrown.condition).toBe(condition);
    expect(thrown.message).toContain(advice);
  });

  test("is recognized in the emulator's responses too", async () => {
    const { svc } = emulated();
    const github = (user_id: string) =>
      svc.tools.execute("GITHUB_CREATE_AN_ISSUE", { user_id, version: "latest", arguments: {} });
    const conditions = await Promise.all(
      [
        svc.tools.get("github_create_an_issue"),
        github("nobody"),
        github("user-expired"),
        emulated({ apiKey: "ak_revoked" }).svc.tools.list(),
        emulated({ apiKey: "ak_readonly" }).svc.authConfigs.delete("ac_github_demo"),
      ].map(async (call) => (await rejectionOf(ApiError, call)).condition),
    );
    expect(conditions).toEqual([
      "tool_not_found",
      "no_connected_account",
      "auth_refresh_required",
      "invalid_api_key",
      "insufficient_permissions",
    ]);
  });
});

/** An error that says nothing about itself. */
const silent = { code: undefined, slug: undefined, message: "m" };

/** Spec: Errors > Named error conditions; the slugs and numbers are the service's own. */
const MARKS: readonly [ErrorCondition, { slugs?: string[]; codes?: number[]; texts?: string[] }][] = [
  ["session_only_tool", { texts: ["X can only be called inside a Tool-Router session"] }],
  ["invalid_organization_key", { texts: ["Invalid x-org-api-key"] }],
  [
    "several_credentials",
    {
      texts: [
        "Multiple authentication modes",
        "More than one credential was sent",
        "There are several credentials",
        "multiple credentials",
      ],
    },
  ],
  [
    "no_authentication",
    { slugs: ["Auth_NoAuthProvided"], codes: [906], texts: ["No API key provided", "no authentication provided"] },
  ],
  [
    "invalid_api_key",
    {
      slugs: ["APIKey_InvalidAPIKey", "APIKey_APIKeyExpired", "UserApiKey_Unauthorized"],
      codes: [801, 811, 2113],
      texts: ["Invalid API key"],
    },
  ],
  [
    "insufficient_permissions",
    { slugs: ["APIKey_InsufficientPermissions", "Organization_InsufficientPermissions"], codes: [812, 2206] },
  ],
  [
    "no_connected_account",
    {
      slugs: ["ActionExecute_ConnectedAccountNotFound", "ToolRouterV2_NoActiveConnection"],
      codes: [1803, 1810, 4302],
      texts: ["No connected account found for user", "No active connection found for toolkit"],
    },
  ],
  [
    "tool_not_found",
    {
      slugs: ["Tool_ToolNotFound", "ActionExecute_ToolNotFound", "ToolRouterV2_ToolNotFound"],
      codes: [2401, 4301],
      texts: ["Tool GITHUB_X not found"],
    },
  ],
  [
    "auth_refresh_required",
    {
      slugs: ["ActionExecute_ConnectedAccountExpired"],
      codes: [1820],
      texts: ["Connected account ca_1 is in EXPIRED state"],
    },
  ],
  ["connected_account_not_found", { slugs: ["ConnectedAccount_ResourceNotFound"], codes: [606] }],
];

describe("one mark is enough for a condition", () => {
  const marks = MARKS.flatMap(([condition, { slugs = [], codes = [], texts = [] }]) => [
    ...slugs.map((slug) => [condition, { slug }] as const),
    ...codes.map((code) => [condition, { code }] as const),
    ...texts.map((message) => [condition, { message }] as const),
  ]);

  test.each(marks)("%s: %o", async (condition, error) => {
    expect((await errorAt("/api/v3.1/any", 418, { ...silent, ...error })).condition).toBe(condition);
  });

  test.each([
    "The provider says: invalid API key",
    "Its provider says: Invalid x-org-api-key",
    "You gave no API key provided by us",
    "There was no connected account found",
    "This tool X not found",
    "Tool not found",
  ])("a string that only contains a mark isn't one: %s", async (message) => {
    expect((await errorAt("/api/v3.1/any", 418, { ...silent, message })).condition).toBeUndefined();
  });

  test("a 403 means missing permissions whatever its slug and code, unless a proxy's page caused it", async () => {
    const any = "/api/v3.1/any";
    expect((await errorAt(any, 403, silent)).condition).toBe("insufficient_permissions");
    expect((await errorAt(any, 403, { ...silent, slug: "Region_Blocked" })).condition).toBe("insufficient_permissions");
    expect((await errorAt(any, 418, silent)).condition).toBeUndefined();
    const page = new Response("<html>Blocked</html>", { status: 403 });
    const svc = clientOf(scriptedFetch(page), { maxRetries: 0 });
    expect((await rejectionOf(ApiError, svc.tools.list())).condition).toBeUndefined();
  });

  test("isn't derived from the 404 of another server, with whose page the record may still exist", async () => {
    const calls = {
      connected_account_not_found: (svc: Svc) => svc.connectedAccounts.get("ca_1"),
      trigger_instance_deleted: (svc: Svc) => svc.triggers.delete("ti_1"),
      trigger_not_found: (svc: Svc) => svc.triggers.getType("A_TRIGGER"),
      tool_not_found: (svc: Svc) => svc.tools.get("A_TOOL"),
    };
    for (const [condition, call] of Object.entries(calls)) {
      const answered = (body: string) => clientOf(scriptedFetch(new Response(body, { status: 404 })));
      const error = await rejectionOf(ApiError, call(answered("<html>Not found</html>")));
      expect([error.condition, error.message]).toEqual([undefined, expect.stringContaining("Check baseUrl.")]);
      expect((await rejectionOf(ApiError, call(answered("{}")))).condition).toBe(condition);
    }
  });
});
