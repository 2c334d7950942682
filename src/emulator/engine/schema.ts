import * as z from "zod/mini";
import { CONNECTION_STATUSES } from "../../resources/connected-accounts/state-fields-schema.js";
import { JsonObject, list, number, object, request, string, unknown } from "../../resources/schema-kit.js";
import { CREDENTIAL_KINDS } from "../../shared/credentials.js";

const nonEmpty = z.string().check(z.minLength(1));

/** A key the emulator accepts. */
export const KeySeed = request({
  /** Kind of credential, which decides its header or cookie. */
  kind: z.enum(CREDENTIAL_KINDS),
  /** The key itself. */
  value: nonEmpty,
  /**
   * `revoked` and `expired` keys return 401.
   * @default "active"
   */
  state: z.optional(z.enum(["active", "revoked", "expired"])),
  /** Operations or resources the key may not use, such as `tools.execute` or `authConfigs`. They return 403. */
  denied: z.optional(list(nonEmpty)),
});
export interface KeySeed extends Readonly<z.infer<typeof KeySeed>> {}

/** An initial auth config. */
export const AuthConfigSeed = request({
  /** Starts with `ac_`. */
  id: nonEmpty,
  /** Slug of its toolkit. */
  toolkit: nonEmpty,
  /** @default "default", managed by the service */
  type: z.optional(z.enum(["default", "custom"])),
  /** @default the toolkit's first scheme */
  scheme: z.optional(nonEmpty),
  name: z.optional(nonEmpty),
  /** @default none */
  credentials: z.optional(JsonObject),
  /** @default "ENABLED" */
  status: z.optional(z.enum(["ENABLED", "DISABLED"])),
});
export interface AuthConfigSeed extends Readonly<z.infer<typeof AuthConfigSeed>> {}

/** An initial connected account. */
export const ConnectedAccountSeed = request({
  /** Starts with `ca_`. */
  id: nonEmpty,
  /** The end user it belongs to. */
  userId: nonEmpty,
  /** The auth config it belongs to. */
  authConfigId: nonEmpty,
  /** @default "ACTIVE" */
  status: z.optional(z.enum(CONNECTION_STATUSES)),
});
export interface ConnectedAccountSeed extends Readonly<z.infer<typeof ConnectedAccountSeed>> {}

/** Initial data of an emulator. Plain data, so it can come from a JSON file. */
export const EmulatorSeed = request({
  /** API keys. Without any, every authenticated call fails. */
  keys: z.optional(list(KeySeed)),
  /** Auth configs. */
  authConfigs: z.optional(list(AuthConfigSeed)),
  /** Connected accounts. Each belongs to one of `authConfigs`. */
  connectedAccounts: z.optional(list(ConnectedAccountSeed)),
  /** Ids of legacy connectors. */
  integrations: z.optional(list(nonEmpty)),
});
export interface EmulatorSeed extends Readonly<z.infer<typeof EmulatorSeed>> {}

const duration = number.check(z.minimum(0));

/** A fault to inject into a response. */
export const InjectedFault = request({
  /** Status to return instead. */
  status: z.optional(z.int().check(z.minimum(200), z.maximum(599))),
  /**
   * Body of that response.
   * @default the service's error object, or the rate limiter's body for 429 without `when: "after"`
   */
  body: z.optional(unknown),
  /** Headers of that response. */
  headers: z.optional(z.record(string, string)),
  /** Retry-After header of that response, in seconds. */
  retryAfterSeconds: z.optional(duration),
  /** Delay in milliseconds of the emulator's clock: before the operation runs, or with `when: "after"` after it. */
  delayMs: z.optional(duration),
  /** `hang`: never respond. `reset`: reset the connection. `truncate`: reset it in the middle of the body. */
  connection: z.optional(z.enum(["hang", "reset", "truncate"])),
  /**
   * Whether the operation runs anyway: `after` runs it, then breaks its response.
   * @default "before"
   */
  when: z.optional(z.enum(["before", "after"])),
});
export interface InjectedFault extends Readonly<z.infer<typeof InjectedFault>> {}

/** A fault and the requests it applies to. */
export const FaultRule = object({
  /** Identifies the rule in `faults.remove`. */
  id: z.int(),
  /** An operation, such as `tools.execute`, or `*` for all. */
  operation: string,
  /** The effect on the requests. */
  fault: InjectedFault,
  /** Applies to every nth matching request; 1 is each of them. */
  every: z.int(),
  /** How many more requests it applies to; null is unlimited. */
  remaining: z.nullable(z.int()),
  /** Matching requests received. */
  matched: z.int(),
});
export interface FaultRule extends Readonly<z.infer<typeof FaultRule>> {}

const message = {
  /** By lowercase name. */
  headers: z.record(string, string),
  /**
   * The body's first 16,384 characters. Empty if there is no body or it isn't text. Older records lose their bodies
   * when all of them together exceed 8,000,000 characters.
   */
  body: string,
  /** Size of the whole body in bytes, as far as it was read. */
  bytes: z.int(),
};

/** Headers and body of a request or response, with credentials masked. */
export const RecordedMessage = object(message);
export interface RecordedMessage extends Readonly<z.infer<typeof RecordedMessage>> {}

/** A request that the emulator received, and its response. */
export const RequestRecord = object({
  ...message,
  /** When it was received, ISO 8601, by the emulator's clock. */
  at: string,
  /** When it was received, in milliseconds since 1970, in real time. */
  realTime: number,
  /** Milliseconds until the response, in real time. */
  durationMs: number,
  method: string,
  /** Path and query as sent, except for parameters that contain credentials, such as the signature of a storage URL. */
  path: string,
  /** The operation; `undefined` if the path doesn't match one. */
  operation: z.optional(string),
  /** Number of the attempt, from 1, as this package's client counts it; `undefined` for other programs. */
  attempt: z.optional(z.int()),
  /** Response status; `undefined` if an injected fault broke the connection. */
  status: z.optional(z.int()),
  /** The response; `undefined` if an injected fault broke the connection without one. */
  response: z.optional(RecordedMessage),
  /** The injected fault. */
  fault: z.optional(string),
});
export interface RequestRecord extends Readonly<z.infer<typeof RequestRecord>> {}

/** One execution of a tool, by your code or by a session. */
export const ToolRun = object({
  /** The `log_id` of its response. */
  logId: string,
  /** When it started, ISO 8601, by the emulator's clock. */
  at: string,
  /** The tool. */
  tool: string,
  /** Its version. */
  version: z.nullable(string),
  /** The end user it ran for; null if it had none. */
  userId: z.nullable(string),
  /** The connected account; null if it had none. */
  accountId: z.nullable(string),
  /** The session it ran in; null outside of sessions. */
  sessionId: z.nullable(string),
  /** The arguments as sent. */
  arguments: JsonObject,
  /** The `data` of the response. */
  result: JsonObject,
  /** Why it failed; null if it didn't. Arguments that don't match the tool's schema are a failure. */
  error: z.nullable(string),
  /** The origin of the result: the tool itself, a stub, or the sample generator of a catalog. */
  source: z.enum(["tool", "stub", "sample"]),
});
export interface ToolRun extends Readonly<z.infer<typeof ToolRun>> {}
