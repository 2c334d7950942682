export { type Clock, systemClock } from "./core/clock.js";
export type { CredentialKind } from "./core/credentials.js";
export {
  type AnyEndpoint,
  type BodyOf,
  type Endpoint,
  endpoint,
  type InputOf,
  type Method,
  type ParamsOf,
  type QueryOf,
  type RepeatClass,
  type ResponseOf,
  type Type,
  type,
  type VersionCarrier,
} from "./core/endpoint.js";
export type { PagePromise } from "./core/list.js";
export type {
  AnswerReport,
  ContractChecker,
  MismatchReport,
  RequestOptions,
  SvcOptions,
  ToolVersion,
} from "./core/options.js";
export type { ApiPromise, Meta, WithResponse } from "./core/result.js";
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
export { type Outcome, SvcError } from "./errors/base.js";
export type { Condition } from "./errors/conditions.js";
export { type CallFacts, ConnectionError, type Phase, ResponseError, TimeoutError } from "./errors/connection.js";
export {
  ConfigError,
  ContractMismatchError,
  type Mismatch,
  MissingCredentialError,
  ToolVersionRequiredError,
  ValidationError,
} from "./errors/local.js";
export type { AuthConfigs } from "./resources/auth-configs/auth-configs.js";
export type * from "./resources/auth-configs/schema.js";
export type { Integrations } from "./resources/integrations/integrations.js";
export type * from "./resources/integrations/schema.js";
export type * from "./resources/session/schema.js";
export type { Session } from "./resources/session/session.js";
export type { AuthScheme, Empty } from "./resources/shared.js";
export type * from "./resources/toolkits/schema.js";
export type { Toolkits } from "./resources/toolkits/toolkits.js";
export type * from "./resources/tools/schema.js";
export type { Tools } from "./resources/tools/tools.js";
export { Svc } from "./svc.js";
