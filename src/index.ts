export type { ApiPromise, ResponseMeta, WithResponse } from "./client/api-promise.js";
export { type Clock, systemClock } from "./client/clock.js";
export {
  type AnyEndpoint,
  type AnyInput,
  type BodyOf,
  type Endpoint,
  type EndpointInput,
  endpoint,
  type HttpMethod,
  type ParamsOf,
  type QueryOf,
  type ResponseOf,
  type RetryClass,
  type ToolVersionLocation,
  type TypeMarker,
  typed,
} from "./client/endpoint.js";
export type * from "./client/events.js";
export { type Logger, type LogLevel, type LogOptions, logCalls } from "./client/middleware/logging.js";
export { observe } from "./client/middleware/observe.js";
export { shareRetryBudget } from "./client/middleware/share-retry-budget.js";
export { type LockedTool, type ToolLock, type ToolLockOptions, toolLock } from "./client/middleware/tool-lock.js";
export type { CallContext, Middleware } from "./client/middleware.js";
export type { SharedRateLimit, SvcOptions, ToolVersion } from "./client/options/options.js";
export type { RateLimitState } from "./client/pacing/pacer.js";
export type { PagePromise } from "./client/pages.js";
export type { ExecuteOptions, Fetch, RequestOptions, StartingCall } from "./client/request-options.js";
export { RetryBudget } from "./client/retry-budget.js";
export type { ToArrayOptions } from "./client/whole-list.js";
export {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  NotFoundError,
  PermissionDeniedError,
  type RateLimit,
  RateLimitError,
  ServerError,
  UnprocessableEntityError,
} from "./errors/api-error.js";
export { type CallOutcome, SvcError } from "./errors/base.js";
export type { ErrorCondition } from "./errors/conditions.js";
export { type CallInfo, type CallPhase, ConnectionError, ResponseError, TimeoutError } from "./errors/connection.js";
export {
  ConfigError,
  ContractMismatchError,
  MiddlewareError,
  type Mismatch,
  MissingCredentialError,
  mayHaveRun,
  ToolLockError,
  ToolVersionRequiredError,
  ValidationError,
} from "./errors/local.js";
export type { ApiKeys } from "./resources/api-keys/api-keys.js";
export type * from "./resources/api-keys/schema.js";
export type { AuthConfigs } from "./resources/auth-configs/auth-configs.js";
export type * from "./resources/auth-configs/schema.js";
export { canUseSharedConnection } from "./resources/connected-accounts/acl.js";
export { type ConnectCallback, parseConnectCallback } from "./resources/connected-accounts/callback.js";
export type { ConnectedAccounts } from "./resources/connected-accounts/connected-accounts.js";
export {
  type ConnectionNeed,
  ConnectionStateError,
  type ConnectionStateInfo,
  needsConnection,
} from "./resources/connected-accounts/needs-connection.js";
export type * from "./resources/connected-accounts/schema.js";
export type { WaitUntilActiveOptions } from "./resources/connected-accounts/wait-until-active.js";
export type { DownloadedFile, FileUpload } from "./resources/files/file-transfers.js";
export type { Files } from "./resources/files/files.js";
export type * from "./resources/files/schema.js";
export type { Integrations } from "./resources/integrations/integrations.js";
export type * from "./resources/integrations/schema.js";
export type { Logs } from "./resources/logs/logs.js";
export type * from "./resources/logs/schema.js";
export type { Mcp } from "./resources/mcp/mcp.js";
export type * from "./resources/mcp/schema.js";
export type { Projects } from "./resources/projects/projects.js";
export type * from "./resources/projects/schema.js";
export type * from "./resources/session/schema.js";
export type { Session } from "./resources/session/session.js";
export type { AuthScheme, EmptyObject } from "./resources/shared.js";
export type { ToolRouterMount } from "./resources/tool-router/mount.js";
export type * from "./resources/tool-router/schema.js";
export type { SessionMcp } from "./resources/tool-router/session-mcp.js";
export type { ToolRouter } from "./resources/tool-router/tool-router.js";
export type {
  ExecuteSessionToolBodyOf,
  SessionToolResultOf,
  ToolRouterSession,
  ToolRouterSessionHandle,
} from "./resources/tool-router/tool-router-session.js";
export type * from "./resources/toolkits/schema.js";
export type { Toolkits } from "./resources/toolkits/toolkits.js";
export type { Settlement, UnsettledReason } from "./resources/tools/log-search.js";
export type * from "./resources/tools/schema.js";
export type { ExecutionToSettle, SettleOptions } from "./resources/tools/settle.js";
export type {
  ExecuteToolBodyOf,
  GeneratedInputOf,
  ToolResultOf,
  ToolSuccessOf,
  Tools,
} from "./resources/tools/tools.js";
export type * from "./resources/triggers/schema.js";
export type { Triggers, UpsertTriggerBodyOf } from "./resources/triggers/triggers.js";
export type { CatalogSettings, ToolCatalog, ToolSlug, TriggerCatalog, TriggerSlug } from "./resources/typed-catalog.js";
export type * from "./resources/usage/schema.js";
export type { Usage } from "./resources/usage/usage.js";
export type * from "./resources/webhook-endpoints/schema.js";
export type { WebhookEndpoints } from "./resources/webhook-endpoints/webhook-endpoints.js";
export type * from "./resources/webhook-subscriptions/schema.js";
export type { WebhookSubscriptions } from "./resources/webhook-subscriptions/webhook-subscriptions.js";
export type { CredentialKind } from "./shared/credentials.js";
export { Svc } from "./svc.js";
