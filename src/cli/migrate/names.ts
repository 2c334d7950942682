/** An adapter of `svc-sdk/agents`, and what must be passed to it. */
export interface Adapter {
  /** The classes that the package exports. */
  readonly providers: readonly string[];
  readonly entry: string;
  readonly name: string;
  /** The property that holds the tools' definitions, if it also returns other things. */
  readonly property?: string;
  /** Passed as second argument, with the module that exports it. */
  readonly given?: readonly [name: string, module: string];
}

/** Adapters by the package of the provider that they replace. */
export const ADAPTERS: Readonly<Record<string, Adapter>> = {
  "@composio/openai": {
    providers: ["OpenAIProvider", "OpenAIResponsesProvider"],
    entry: "openai",
    name: "openaiChat",
    property: "definitions",
  },
  "@composio/anthropic": {
    providers: ["AnthropicProvider"],
    entry: "anthropic",
    name: "anthropic",
    property: "definitions",
  },
  "@composio/google": {
    providers: ["GoogleProvider"],
    entry: "google",
    name: "google",
    property: "definitions",
  },
  "@composio/vercel": { providers: ["VercelProvider"], entry: "ai-sdk", name: "aiSdk" },
  "@composio/langchain": {
    providers: ["LangchainProvider"],
    entry: "langchain",
    name: "langchain",
    given: ["DynamicStructuredTool", "@langchain/core/tools"],
  },
  "@composio/mastra": { providers: ["MastraProvider"], entry: "mastra", name: "mastra" },
  "@composio/openai-agents": {
    providers: ["OpenAIAgentsProvider"],
    entry: "openai-agents",
    name: "openaiAgents",
    given: ["tool", "@openai/agents"],
  },
};

/** The adapter of `@composio/core` itself. */
export const DEFAULT_ADAPTER = "@composio/openai";

/**
 * Replacements of a constructor's options: the new name, an empty string for an option that can be removed, or `!` and
 * a reason.
 */
export const OPTIONS: Readonly<Record<string, string>> = {
  apiKey: "apiKey",
  userApiKey: "userApiKey",
  orgApiKey: "orgApiKey",
  baseURL: "baseUrl",
  timeout: "timeoutMs",
  maxRetries: "maxRetries",
  defaultHeaders: "headers",
  fetch: "fetch",
  allowInsecureHTTP: "allowInsecureHttp",
  toolkitVersions: "toolkitVersions",
  provider: "",
  allowTracking: "",
  disableVersionCheck: "",
  host: "",
  environment: "!the service has no default URL: set baseUrl or SVC_BASE_URL. #options",
  logger: "!use: [logCalls()] logs calls. #options",
  logLevel: "!use: [logCalls()] logs calls. #options",
  fetchOptions: "!fetch options go into your own fetch. #options",
  transport: "!a transport is your own fetch. #options",
  defaultQuery: "!no query is added to every request. #options",
  orgId: "!send x-org-id in headers. #options",
  projectId: "!a project's own API key selects it. #options",
};

export const CALL_OPTIONS: Readonly<Record<string, string>> = {
  signal: "signal",
  timeout: "timeoutMs",
  maxRetries: "maxRetries",
  headers: "headers",
  idempotencyKey: "!the service has no idempotency keys. #options",
  fetchOptions: "!fetch options go into the client's fetch. #options",
};

/** Strings of the API that contain the service's name. */
export const STRINGS: ReadonlyMap<string, string> = new Map([
  ["use_composio_managed_auth", "use_svc_managed_auth"],
  ...["trigger.message", "trigger.disabled", "connected_account.expired", "connected_account.activated"].map(
    (type) => [`composio.${type}`, `svc.${type}`] as const,
  ),
  ...["SEARCH_TOOLS", "GET_TOOL_SCHEMAS", "MULTI_EXECUTE_TOOL", "MANAGE_CONNECTIONS", "WAIT_FOR_CONNECTIONS"]
    .concat("REMOTE_WORKBENCH", "REMOTE_BASH_TOOL")
    .map((tool) => [`COMPOSIO_${tool}`, `SVC_${tool}`] as const),
]);

/** Fields of the API whose names contain the service's name. */
export const FIELDS: ReadonlyMap<string, string> = new Map([
  ["is_composio_managed", "is_svc_managed"],
  ["composio_managed_auth_schemes", "svc_managed_auth_schemes"],
]);

/** Fields whose content comes from tools, providers and users. */
export const OPAQUE: ReadonlySet<string> = new Set(
  `arguments authConfigs config connectedAccounts credentials customAuthParams customConnectionData data headers
inputParameters metadata outputParameters payload rawPayload state toolkitVersions triggerConfig triggerData val`.split(
    /\s/,
  ),
);

/**
 * The kinds of values that methods return, by the names of their fields: the path that reads a field here. `=` and a
 * kind means the value itself: a normalized event has the fields of the objects in an event of `@composio/core`. All
 * fields of `wire` are as here.
 */
export const READ = {
  wire: Object.fromEntries(FIELDS),
  record: { isNoAuth: "no_auth", isComposioManaged: "is_svc_managed" },
  session: { sessionId: "id" },
  sessionRecord: { session_id: "id", mcp: "mcp" },
  connection: { id: "connected_account_id", redirectUrl: "redirect_url" },
  createdAuthConfig: {
    id: "auth_config.id",
    authScheme: "auth_config.auth_scheme",
    isComposioManaged: "auth_config.is_svc_managed",
    toolkit: "toolkit.slug",
  },
  event: { payload: "=eventPayload" },
  eventPayload: {
    id: "triggerId",
    uuid: "legacyTriggerId",
    triggerSlug: "triggerSlug",
    userId: "userId",
    payload: "payload",
    metadata: "=eventMetadata",
  },
  eventMetadata: {
    id: "triggerId",
    uuid: "legacyTriggerId",
    triggerSlug: "triggerSlug",
    connectedAccount: "=eventAccount",
  },
  eventAccount: { id: "connectedAccountId", authConfigId: "authConfigId", userId: "userId" },
  response: { response: "meta" },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The kind of a value. */
export type Shape = keyof typeof READ;

/** Groups of methods that have the same name here. */
export const GROUPS =
  /^(authConfigs|connectedAccounts|files|logs|mcp|toolRouter|toolkits|tools|triggers|webhookEndpoints|webhookSubscriptions)$/;

/**
 * Names of the fields of objects that are passed: the new name, an empty string for a field that is removed, or `!` and
 * a reason. A field that isn't in its table is unknown, or has the API's name if `isOpen`.
 */
export interface FieldTable {
  readonly names: Readonly<Record<string, string>>;
  readonly isOpen: boolean;
}

const BODY: Readonly<Record<string, string>> = {
  allowMultiple: "",
  authScheme: "authScheme",
  dangerouslySkipVersionCheck: "version",
  in: "type",
  isComposioManaged: "is_svc_managed",
  toolkit: "toolkit_slug",
};

/** The tables by the name that a template or the kind of argument gives them. */
export const FIELD_TABLES = {
  options: { names: OPTIONS, isOpen: false },
  callOptions: { names: CALL_OPTIONS, isOpen: false },
  body: { names: BODY, isOpen: true },
  untouched: { names: { "*": "*" }, isOpen: true },
  session: {
    names: {
      experimental: "!custom tools are tools of a toolset, next to the session's. #tools-for-models",
      mcp: "",
      sandbox: "workbench",
      sessionPreset: "!preload: { tools } shows tools directly. #from-another-client",
      waitForConnections: "enable_wait_for_connections",
    },
    isOpen: true,
  },
  toolset: {
    names: { limit: "limit", search: "search", tags: "tags", toolkits: "toolkits", tools: "tools" },
    isOpen: false,
  },
  subscription: { names: {}, isOpen: true },
  verification: { names: { verifySecret: "secret", tolerance: "toleranceSeconds" }, isOpen: false },
} as const satisfies Readonly<Record<string, FieldTable>>;

export type FieldTableName = keyof typeof FIELD_TABLES;
