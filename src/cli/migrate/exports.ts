import { ADAPTERS, type Shape } from "./names.js";

/** A package that programs migrate from. `provider` stands for the packages with an adapter for a model's library. */
export type Library = ClientLibrary | "provider";

export type ClientLibrary = "client" | "core";

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

/** Exports of an entry point by the names that they replace, with `=` for the same name. */
function exported(from: string, names: Readonly<Record<string, string>>, shape?: Shape): [string, Export][] {
  return Object.entries(names).map(([old, name]) => [old, { name: name === "=" ? old : name, from, shape }]);
}

/** Types that both packages export. */
const TYPES = {
  AuthConfigListParams: "ListAuthConfigsQuery",
  AuthConfigListResponse: "AuthConfigPage",
  AuthConfigRetrieveResponse: "AuthConfig",
  ConnectedAccountListParams: "ListConnectedAccountsQuery",
  ConnectedAccountListResponse: "ConnectedAccountPage",
  ConnectedAccountRetrieveResponse: "ConnectedAccountDetail",
  ToolExecuteParams: "ExecuteToolBody",
  ToolExecuteResponse: "ToolResult",
  ToolProxyParams: "ProxyRequestBody",
  ToolkitListParams: "ListToolkitsQuery",
  ToolkitRetrieveResponse: "ToolkitDetail",
  TriggerInstanceListActiveParams: "ListActiveTriggersQuery",
  TriggerInstanceListActiveResponse: "TriggerInstancePage",
  TriggersTypeRetrieveResponse: "TriggerType",
};

const CLIENT = exported("svc-sdk", {
  Composio: "Svc",
  default: "Svc",
  ClientOptions: "SvcOptions",
  RequestOptions: "=",
  ...TYPES,
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
  AuthConfigUpdateParams: "UpdateAuthConfigBody",
  ConnectedAccountCreateParams: "CreateConnectedAccountBody",
  ConnectedAccountCreateResponse: "CreatedConnectedAccount",
  ConnectedAccountPatchParams: "UpdateConnectedAccountBody",
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
  ToolGetInputParams: "GenerateInputBody",
  ToolGetInputResponse: "GeneratedInput",
  ToolListParams: "ListToolsQuery",
  ToolListResponse: "ToolPage",
  ToolProxyResponse: "ProxyResponse",
  ToolRetrieveParams: "GetToolQuery",
  ToolRetrieveResponse: "Tool",
  ToolkitListResponse: "ToolkitPage",
  TriggerInstanceUpsertParams: "UpsertTriggerBody",
  TriggerInstanceUpsertResponse: "UpsertedTrigger",
  TriggersTypeListParams: "ListTriggerTypesQuery",
  TriggersTypeListResponse: "TriggerTypePage",
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
    { ...TYPES, ConnectedAccountListResponseItem: "ConnectedAccount", Tool: "=", ToolKitListResponse: "ToolkitPage" },
    "record",
  ),
];

/** The replacements of the packages' exports. An export of a provider is always dropped: its adapter replaces it. */
export const EXPORTS: Readonly<Record<Library, ReadonlyMap<string, Export>>> = {
  client: new Map(CLIENT),
  core: new Map(CORE),
  provider: new Map(),
};
