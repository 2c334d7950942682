import type { Shape } from "./method-table.js";

/** A package that programs migrate from. `provider` stands for the packages with an adapter for a model's library. */
export type Library = "client" | "core" | "provider";

/** The name that replaces an export. */
export interface Export {
  readonly name: string;
  /** The entry point that exports it. */
  readonly from: string;
  /** The shape of its values, if their fields have other names here. */
  readonly shape?: Shape | undefined;
}

/** The library of a module, and `undefined` for every other module. */
export function libraryOf(module: string): Library | undefined {
  if (/^@composio\/client(\/|$)/.test(module)) return "client";
  if (module === "@composio/core") return "core";
  return Object.hasOwn(ADAPTERS, module) ? "provider" : undefined;
}

/** An adapter of `svc-sdk/agents`, and what must be passed to it. */
export interface Adapter {
  readonly entry: string;
  readonly name: string;
  /** The property that holds the tools' definitions, if it also returns other things. */
  readonly property?: string;
  /** Passed as second argument, with the module that exports it. */
  readonly given?: readonly [name: string, module: string];
}

/** Adapters by the package of the provider that they replace. */
export const ADAPTERS: Readonly<Record<string, Adapter>> = {
  "@composio/openai": { entry: "openai", name: "openaiChat", property: "definitions" },
  "@composio/anthropic": { entry: "anthropic", name: "anthropic", property: "definitions" },
  "@composio/google": { entry: "google", name: "google", property: "definitions" },
  "@composio/vercel": { entry: "ai-sdk", name: "aiSdk" },
  "@composio/langchain": {
    entry: "langchain",
    name: "langchain",
    given: ["DynamicStructuredTool", "@langchain/core/tools"],
  },
  "@composio/mastra": { entry: "mastra", name: "mastra" },
  "@composio/openai-agents": { entry: "openai-agents", name: "openaiAgents", given: ["tool", "@openai/agents"] },
};

/** The adapter of `@composio/core` itself. */
export const DEFAULT_ADAPTER = "@composio/openai";

/** Replacements of a constructor's options: the new name, an empty string for an option that can be removed, or `!` and a reason. */
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
  orgId: "!send x-org-id and x-project-id in headers. #options",
  projectId: "!send x-org-id and x-project-id in headers. #options",
};

/** Replacements of the options of one call. */
export const CALL_OPTIONS: Readonly<Record<string, string>> = {
  signal: "signal",
  timeout: "timeoutMs",
  maxRetries: "maxRetries",
  headers: "headers",
  idempotencyKey: "!the service has no idempotency keys. #options",
  fetchOptions: "!fetch options go into the client's fetch. #options",
};

/** Exports of an entry point by the names that they replace, with `=` for the same name. */
function exported(from: string, names: Readonly<Record<string, string>>, shape?: Shape): [string, Export][] {
  return Object.entries(names).map(([old, name]) => [old, { name: name === "=" ? old : name, from, shape }]);
}

const CLIENT = exported("svc-sdk", {
  Composio: "Svc",
  default: "Svc",
  ClientOptions: "SvcOptions",
  RequestOptions: "=",
  APIPromise: "ApiPromise",
  ComposioError: "SvcError",
  APIError: "ApiError",
  APIConnectionError: "ConnectionError",
  APIConnectionTimeoutError: "TimeoutError",
  AuthenticationError: "=",
  BadRequestError: "=",
  ConflictError: "=",
  InternalServerError: "ServerError",
  NotFoundError: "=",
  PermissionDeniedError: "=",
  RateLimitError: "=",
  UnprocessableEntityError: "=",
  AuthConfigCreateParams: "CreateAuthConfigBody",
  AuthConfigCreateResponse: "CreatedAuthConfig",
  AuthConfigListParams: "ListAuthConfigsQuery",
  AuthConfigListResponse: "AuthConfigPage",
  AuthConfigRetrieveResponse: "AuthConfig",
  AuthConfigUpdateParams: "UpdateAuthConfigBody",
  ConnectedAccountCreateParams: "CreateConnectedAccountBody",
  ConnectedAccountCreateResponse: "CreatedConnectedAccount",
  ConnectedAccountListParams: "ListConnectedAccountsQuery",
  ConnectedAccountListResponse: "ConnectedAccountPage",
  ConnectedAccountPatchParams: "UpdateConnectedAccountBody",
  ConnectedAccountRetrieveResponse: "ConnectedAccountDetail",
  FileCreatePresignedURLParams: "RequestUploadBody",
  FileCreatePresignedURLResponse: "FileUploadTarget",
  LinkCreateParams: "LinkConnectedAccountBody",
  LinkCreateResponse: "ConnectionLink",
  McpCreateParams: "CreateMcpServerBody",
  McpListParams: "ListMcpServersQuery",
  McpListResponse: "McpServerPage",
  McpRetrieveResponse: "McpServer",
  McpUpdateParams: "UpdateMcpServerBody",
  SessionCreateParams: "CreateToolRouterSessionBody",
  SessionExecuteParams: "ExecuteSessionToolBody",
  SessionExecuteResponse: "SessionToolResult",
  SessionLinkParams: "LinkToolkitBody",
  SessionLinkResponse: "LinkedToolkit",
  SessionSearchParams: "SearchToolsBody",
  SessionSearchResponse: "ToolSearch",
  ToolExecuteParams: "ExecuteToolBody",
  ToolExecuteResponse: "ToolResult",
  ToolGetInputParams: "GenerateInputBody",
  ToolGetInputResponse: "GeneratedInput",
  ToolListParams: "ListToolsQuery",
  ToolListResponse: "ToolPage",
  ToolProxyParams: "ProxyRequestBody",
  ToolProxyResponse: "ProxyResponse",
  ToolRetrieveParams: "GetToolQuery",
  ToolRetrieveResponse: "Tool",
  ToolkitListParams: "ListToolkitsQuery",
  ToolkitListResponse: "ToolkitPage",
  ToolkitRetrieveResponse: "ToolkitDetail",
  TriggerInstanceListActiveParams: "ListActiveTriggersQuery",
  TriggerInstanceListActiveResponse: "TriggerInstancePage",
  TriggerInstanceUpsertParams: "UpsertTriggerBody",
  TriggerInstanceUpsertResponse: "UpsertedTrigger",
  TriggersTypeListParams: "ListTriggerTypesQuery",
  TriggersTypeListResponse: "TriggerTypePage",
  TriggersTypeRetrieveResponse: "TriggerType",
});

const CORE = [
  ...exported("svc-sdk", {
    Composio: "Svc",
    ComposioConfig: "SvcOptions",
    ComposioRequestOptions: "RequestOptions",
    ComposioError: "SvcError",
    ValidationError: "=",
    ComposioNoAPIKeyError: "MissingCredentialError",
    ComposioToolVersionRequiredError: "ToolVersionRequiredError",
    ComposioToolNotFoundError: "NotFoundError",
    ComposioToolkitNotFoundError: "NotFoundError",
    ComposioTriggerTypeNotFoundError: "NotFoundError",
    ComposioAuthConfigNotFoundError: "NotFoundError",
    ComposioConnectedAccountNotFoundError: "NotFoundError",
    ConnectionRequestFailedError: "ConnectionStateError",
    ConnectionRequestTimeoutError: "TimeoutError",
  }),
  ...exported(
    "svc-sdk",
    { ToolRouterSession: "=", Session: "ToolRouterSession", SessionWithoutMcp: "ToolRouterSession" },
    "session",
  ),
  ...exported("svc-sdk", { ConnectionRequest: "ConnectionLink" }, "connection"),
  ...exported("svc-sdk/webhooks", {
    ComposioWebhookSignatureVerificationError: "WebhookVerificationError",
    ComposioWebhookPayloadError: "WebhookPayloadError",
    IncomingTriggerPayload: "TriggerEvent",
  }),
  ...exported(
    "svc-sdk",
    {
      AuthConfigListParams: "ListAuthConfigsQuery",
      AuthConfigListResponse: "AuthConfigPage",
      AuthConfigRetrieveResponse: "AuthConfig",
      ConnectedAccountListParams: "ListConnectedAccountsQuery",
      ConnectedAccountListResponse: "ConnectedAccountPage",
      ConnectedAccountListResponseItem: "ConnectedAccount",
      ConnectedAccountRetrieveResponse: "ConnectedAccountDetail",
      Tool: "=",
      ToolExecuteParams: "ExecuteToolBody",
      ToolExecuteResponse: "ToolResult",
      ToolProxyParams: "ProxyRequestBody",
      ToolkitListParams: "ListToolkitsQuery",
      ToolKitListResponse: "ToolkitPage",
      ToolkitRetrieveResponse: "ToolkitDetail",
      TriggerInstanceListActiveParams: "ListActiveTriggersQuery",
      TriggerInstanceListActiveResponse: "TriggerInstancePage",
      TriggersTypeRetrieveResponse: "TriggerType",
    },
    "record",
  ),
];

/** What replaces the exports of the packages. An export of a provider is always dropped: its adapter replaces it. */
export const EXPORTS: Readonly<Record<Library, ReadonlyMap<string, Export>>> = {
  client: new Map(CLIENT),
  core: new Map(CORE),
  provider: new Map(),
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
