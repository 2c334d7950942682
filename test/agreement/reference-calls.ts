/** Results of earlier calls of the walk, by method. */
export type Made = (method: string, ...path: readonly string[]) => string;

type Step = readonly [method: string, args: (made: Made) => readonly unknown[]];

const ISSUE = { owner: "octo-org", repo: "hello-world", title: "It works" };
const MD5 = "d41d8cd98f00b204e9800998ecf8427e";
const FILE = { mount_relative_path: "notes/today.txt" };
const session = (made: Made) => made("toolRouter.session.create", "session_id");

/** Every operation that the service documents, in an order in which each one finds what it needs. */
export const WALK: readonly Step[] = [
  ["auth.session.retrieveInfo", () => []],
  ["toolkits.list", () => [{ limit: 9999 }]],
  ["toolkits.retrieve", () => ["github"]],
  ["toolkits.retrieveCategories", () => []],
  ["toolkits.retrieveChangelog", () => []],
  ["toolkits.retrieveMulti", () => [{ toolkits: ["github"] }]],
  ["authConfigs.create", () => [{ toolkit: { slug: "github" }, auth_config: { type: "use_composio_managed_auth" } }]],
  ["authConfigs.list", () => [{ toolkit_slug: "github" }]],
  ["authConfigs.retrieve", (made) => [made("authConfigs.create", "auth_config", "id")]],
  ["authConfigs.update", (made) => [made("authConfigs.create", "auth_config", "id"), { type: "default", name: "New" }]],
  ["authConfigs.updateStatus", (made) => ["DISABLED", { nanoid: made("authConfigs.create", "auth_config", "id") }]],
  ["authConfigs.delete", (made) => [made("authConfigs.create", "auth_config", "id")]],
  ["link.create", () => [{ auth_config_id: "ac_github_demo", user_id: "ada" }]],
  [
    "connectedAccounts.create",
    () => [
      {
        auth_config: { id: "ac_weather_demo" },
        connection: {
          user_id: "ada",
          state: { authScheme: "API_KEY", val: { generic_api_key: "k", status: "ACTIVE" } },
        },
      },
    ],
  ],
  ["connectedAccounts.list", () => [{ user_ids: ["user-4711"], statuses: ["ACTIVE"] }]],
  ["connectedAccounts.retrieve", () => ["ca_github_demo"]],
  ["connectedAccounts.patch", () => ["ca_github_demo", { alias: "work" }]],
  ["connectedAccounts.refresh", () => ["ca_github_demo"]],
  ["connectedAccounts.updateStatus", (made) => [made("connectedAccounts.create", "id"), { enabled: false }]],
  ["connectedAccounts.delete", (made) => [made("connectedAccounts.create", "id")]],
  ["tools.list", () => [{ toolkit_slug: "github", limit: 9999, toolkit_versions: { github: "20251023_00" } }]],
  ["tools.retrieve", () => ["GITHUB_CREATE_AN_ISSUE", { version: "20251023_00" }]],
  ["tools.retrieveEnum", () => []],
  ["tools.execute", () => ["GITHUB_CREATE_AN_ISSUE", { user_id: "user-4711", version: "latest", arguments: ISSUE }]],
  ["tools.getInput", () => ["TEXTKIT_REVERSE", { text: "text: abc" }]],
  [
    "tools.proxy",
    () => [
      {
        endpoint: "/weather",
        method: "GET",
        connected_account_id: "ca_weather_demo",
        parameters: [{ name: "city", value: "Lisbon", type: "query" }],
      },
    ],
  ],
  ["tools.retrieveRequiredScopes", () => [{ tools: ["GITHUB_CREATE_AN_ISSUE"] }]],
  ["triggersTypes.list", () => [{ toolkit_slugs: ["github"] }]],
  ["triggersTypes.retrieve", () => ["GITHUB_COMMIT_EVENT"]],
  ["triggersTypes.retrieveEnum", () => []],
  [
    "triggerInstances.upsert",
    () => [
      "GITHUB_COMMIT_EVENT",
      { connected_account_id: "ca_github_demo", trigger_config: { owner: "octo-org", repo: "hello-world" } },
    ],
  ],
  ["triggerInstances.listActive", () => [{ show_disabled: true }]],
  ["triggerInstances.manage.update", (made) => [made("triggerInstances.upsert", "trigger_id"), { status: "disable" }]],
  ["triggerInstances.manage.delete", (made) => [made("triggerInstances.upsert", "trigger_id")]],
  ["webhookSubscriptions.listEventTypes", () => []],
  [
    "webhookSubscriptions.create",
    () => [{ webhook_url: "https://app.example/events", enabled_events: ["composio.trigger.message"] }],
  ],
  ["webhookSubscriptions.list", () => []],
  ["webhookSubscriptions.retrieve", (made) => [made("webhookSubscriptions.create", "id")]],
  ["webhookSubscriptions.update", (made) => [made("webhookSubscriptions.create", "id"), { version: "V2" }]],
  ["webhookSubscriptions.rotateSecret", (made) => [made("webhookSubscriptions.create", "id")]],
  ["webhookSubscriptions.delete", (made) => [made("webhookSubscriptions.create", "id")]],
  ["webhookEndpoints.create", () => [{ toolkit_slug: "slack", client_id: "client-1" }]],
  ["webhookEndpoints.list", () => []],
  ["webhookEndpoints.retrieve", (made) => [made("webhookEndpoints.create", "id")]],
  ["webhookEndpoints.update", (made) => [made("webhookEndpoints.create", "id"), { data: { team_id: "T1" } }]],
  ["webhookEndpoints.replace", (made) => [made("webhookEndpoints.create", "id"), { data: { signing_secret: "s" } }]],
  ["toolRouter.session.create", () => [{ user_id: "user-4711", preload: { tools: ["TEXTKIT_REVERSE"] } }]],
  ["toolRouter.session.retrieve", (made) => [session(made)]],
  ["toolRouter.session.patch", (made) => [session(made), { toolkits: { enable: ["github", "weathermap"] } }]],
  ["toolRouter.session.attach", (made) => [session(made)]],
  ["toolRouter.session.configHistory", (made) => [session(made)]],
  ["toolRouter.session.toolkits", (made) => [session(made), { is_connected: true }]],
  ["toolRouter.session.tools", (made) => [session(made)]],
  ["toolRouter.session.search", (made) => [session(made), { queries: [{ use_case: "open an issue" }] }]],
  [
    "toolRouter.session.execute",
    (made) => [session(made), { tool_slug: "WEATHERMAP_WEATHER", arguments: { city: "Lisbon" } }],
  ],
  [
    "toolRouter.session.executeMeta",
    (made) => [
      session(made),
      { slug: "COMPOSIO_SEARCH_TOOLS", arguments: { queries: [{ use_case: "open an issue" }] } },
    ],
  ],
  [
    "toolRouter.session.proxyExecute",
    (made) => [
      session(made),
      {
        toolkit_slug: "weathermap",
        endpoint: "/weather",
        method: "GET",
        parameters: [{ name: "city", value: "Lisbon", type: "query" }],
      },
    ],
  ],
  ["toolRouter.session.link", (made) => [session(made), { toolkit: "github" }]],
  ["toolRouter.session.files.createUploadURL", (made) => ["files", { session_id: session(made), ...FILE }]],
  ["toolRouter.session.files.list", (made) => ["files", { session_id: session(made) }]],
  ["toolRouter.session.files.createDownloadURL", (made) => ["files", { session_id: session(made), ...FILE }]],
  ["toolRouter.session.files.delete", (made) => ["files", { session_id: session(made), ...FILE }]],
  ["toolRouter.session.delete", (made) => [session(made)]],
  [
    "files.createPresignedURL",
    () => [
      {
        toolkit_slug: "drive",
        tool_slug: "DRIVE_UPLOAD_FILE",
        filename: "offer.txt",
        mimetype: "text/plain",
        md5: MD5,
      },
    ],
  ],
  ["files.list", () => []],
  ["mcp.create", () => [{ name: "Code server", auth_config_ids: ["ac_github_demo"] }]],
  ["mcp.custom.create", () => [{ name: "Texts", toolkits: ["textkit"] }]],
  ["mcp.list", () => [{ page_no: 1, limit: 10 }]],
  ["mcp.retrieve", (made) => [made("mcp.create", "id")]],
  ["mcp.update", (made) => [made("mcp.create", "id"), { name: "Renamed" }]],
  ["mcp.retrieveApp", () => ["github"]],
  ["mcp.generate.url", (made) => [{ mcp_server_id: made("mcp.create", "id"), user_ids: ["user-4711"] }]],
  ["mcp.createInstance", (made) => [made("mcp.create", "id"), { user_id: "user-4711" }]],
  ["mcp.listInstances", (made) => [made("mcp.create", "id")]],
  ["mcp.deleteInstance", (made) => [made("mcp.createInstance", "id"), { serverId: made("mcp.create", "id") }]],
  ["mcp.delete", (made) => [made("mcp.create", "id")]],
  ["logs.createToolExecution", () => []],
  ["logs.retrieveToolExecution", (made) => [made("tools.execute", "log_id")]],
  ["project.usage.retrieveSummary", () => []],
  ["project.usage.retrieve", () => ["tool_calls"]],
  ["org.usage.retrieveSummary", () => []],
  ["org.usage.retrieve", () => ["sessions"]],
  ["org.list", () => []],
  ["org.project.list", () => [{ list_all_org_projects: true }]],
  ["org.owner.project.create", () => [{ name: "second-project" }]],
  ["org.owner.project.list", () => []],
  ["org.owner.project.retrieve", (made) => [made("org.owner.project.create", "id")]],
  ["org.owner.project.regenerateAPIKey", (made) => [made("org.owner.project.create", "id")]],
  ["org.owner.project.delete", (made) => [made("org.owner.project.create", "id")]],
  ["connectedAccounts.revoke", () => ["ca_slack_demo"]],
  ["apiKeyRevocation.create", () => [{ api_keys: ["ak_readonly"] }]],
];

const NOT_SHOWN = "Spec, end of Endpoints: the group exists, and its operations aren't shown.";

/** Methods of the client for URLs that the emulator doesn't serve, each with the reason. */
export const ABSENT: readonly (readonly [method: string, args: readonly unknown[], reason: string])[] = [
  ["cli.realtime.auth", [{ channel_name: "c", socket_id: "1.1" }], NOT_SHOWN],
  ["cli.realtime.credentials", [], NOT_SHOWN],
  ["cli.createCodactFailure", [{}], NOT_SHOWN],
  ["cli.createSession", [], NOT_SHOWN],
  ["cli.getSession", [{ id: "session" }], NOT_SHOWN],
  ["logs.triggers.list", [], NOT_SHOWN],
  ["logs.triggers.retrieve", ["log_unknown"], NOT_SHOWN],
  ["logs.tools.list", [{}], NOT_SHOWN],
  ["logs.tools.listFields", [], NOT_SHOWN],
  ["logs.tools.retrieve", ["log_unknown"], NOT_SHOWN],
  ["org.consumer.project.resolve", [{}], NOT_SHOWN],
  ["org.consumer.listConnectedToolkits", [{}], NOT_SHOWN],
  ["org.clanker.createClaim", [{}], NOT_SHOWN],
];
