import * as z from "zod/mini";
import {
  boolean,
  deprecated,
  identifier,
  JsonObject,
  list,
  nullish,
  number,
  object,
  request,
  string,
  unknown,
} from "../schema-kit.js";

/** Credentials for one call, instead of a connected account. */
export const CustomAuthParams = request({
  /** Base URL for the call. */
  base_url: z.optional(string),
  /** Headers and query parameters to add. The key is `in` here and `type` in a proxied request. */
  parameters: z.optional(
    list(
      request({
        name: string,
        in: z.enum(["query", "header"]),
        value: z.union([string, number]),
      }),
    ),
  ),
  /** Fields to add to the body. */
  body: z.optional(JsonObject),
});
export interface CustomAuthParams extends z.infer<typeof CustomAuthParams> {}

/** A connection that isn't stored: a scheme and its values. */
export const CustomConnectionData = request({
  /** How it authenticates. The API spells it in camelCase. */
  authScheme: z.enum([
    "OAUTH2",
    "DCR_OAUTH",
    "API_KEY",
    "BASIC_WITH_JWT",
    "BASIC",
    "BEARER_TOKEN",
    "OAUTH1",
    "NO_AUTH",
    "SERVICE_ACCOUNT",
    "GOOGLE_SERVICE_ACCOUNT",
    "S2S_OAUTH2",
  ]),
  /** Slug of the toolkit. The API spells it in camelCase. */
  toolkitSlug: string,
  /** The scheme's values: `access_token`, `token`, `username`, … */
  val: JsonObject,
});
export interface CustomConnectionData extends z.infer<typeof CustomConnectionData> {}

/** Body for executing a tool directly. Pass `arguments` or `text`, not both. */
export const ExecuteToolBody = request({
  /** The end user. Required unless an account or credentials are given. */
  user_id: z.optional(string),
  /** The account to use (`ca_…`). The default is the user's newest account of the toolkit. */
  connected_account_id: z.optional(identifier("connectedAccountId")),
  /** Arguments that match the tool's `input_parameters`. */
  arguments: z.optional(JsonObject),
  /** The task in words, from which the service generates the arguments. */
  text: z.optional(string),
  /**
   * Version of the tool: `<YYYYMMDD>_<NN>` or `latest`. If omitted, the client's `toolLock`, `toolVersions` and
   * `toolkitVersions` apply.
   */
  version: z.optional(string),
  /** Credentials for this call, instead of an account. */
  custom_auth_params: z.optional(CustomAuthParams),
  /** A connection for this call, instead of an account. */
  custom_connection_data: z.optional(CustomConnectionData),
  /** @deprecated Use `user_id`. */
  entity_id: deprecated(z.optional(string)),
  /** @deprecated It has no effect. */
  allow_tracing: deprecated(nullish(boolean)),
});
export interface ExecuteToolBody extends z.infer<typeof ExecuteToolBody> {}

const executionFacts = {
  /** Starts with `log_`. */
  log_id: z.optional(string),
  /** The state of a stateful tool, such as `{ session_id, expires_at }`. */
  session_info: z.optional(unknown),
};

/** The tool succeeded. */
export const ToolSuccess = object({
  successful: z.literal(true),
  /** The tool's result, as `output_parameters` describe it. An integer beyond 2^53 − 1 is a string of its digits. */
  data: JsonObject,
  error: z.optional(z.null()),
  ...executionFacts,
});
export interface ToolSuccess extends z.infer<typeof ToolSuccess> {}

/** The tool failed: the provider rejected the request, or arguments were missing. The service itself worked. */
export const ToolFailure = object({
  successful: z.literal(false),
  /** Often the provider's `{ message, status_code }`. */
  data: JsonObject,
  /** Error message. Null if the tool returned no message. */
  error: z.nullable(string),
  ...executionFacts,
});
export interface ToolFailure extends z.infer<typeof ToolFailure> {}

/** Result of an execution. Check `successful` before you use `data`: if the tool fails, nothing is thrown. */
export const ToolResult = z.discriminatedUnion("successful", [ToolSuccess, ToolFailure]);
export type ToolResult = ToolSuccess | ToolFailure;

/** Body for generating arguments. */
export const GenerateInputBody = request({
  /** The task, in words. */
  text: string,
  /** Replaces the tool's description. */
  custom_description: z.optional(string),
  /** Instructions for the model that generates the arguments. */
  system_prompt: z.optional(string),
  /** Version of the tool: `<YYYYMMDD>_<NN>` or `latest`. */
  version: z.optional(string),
});
export interface GenerateInputBody extends z.infer<typeof GenerateInputBody> {}

/** Generated arguments, or the reason why they couldn't be generated. */
export const GeneratedInput = object({
  /** Arguments for executing the tool. */
  arguments: z.optional(JsonObject),
  error: nullish(string),
});
export interface GeneratedInput extends z.infer<typeof GeneratedInput> {}

const proxiedContentType = z.optional(string);

/** Body for sending a request to the provider with a connected account. */
export const ProxyRequestBody = request({
  /** Absolute URL on the account's own host, or a path under the account's base URL. */
  endpoint: string,
  method: z.enum(["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD"]),
  /** The account whose credentials to use. Starts with `ca_`. */
  connected_account_id: z.optional(identifier("connectedAccountId")),
  /** Any JSON value. */
  body: z.optional(unknown),
  /** Bytes to send instead of `body`: a URL to fetch them from, or base64 of at most 4 MB. */
  binary_body: z.optional(
    z.union([
      request({ url: z.url(), content_type: proxiedContentType }),
      request({ base64: string.check(z.minLength(1)), content_type: proxiedContentType }),
    ]),
  ),
  /** Headers and query parameters. The key is `type` here and `in` in `custom_auth_params`. */
  parameters: z.optional(list(request({ name: string, value: string, type: z.enum(["header", "query"]) }))),
  /** @deprecated Connect an account instead. */
  custom_connection_data: deprecated(z.optional(CustomConnectionData)),
});
export interface ProxyRequestBody extends z.infer<typeof ProxyRequestBody> {}

/** The provider's response. If the provider responds with an error, nothing is thrown: check `status`. */
export const ProxyResponse = object({
  /** The body, unless it is binary. */
  data: z.optional(unknown),
  /** Where to fetch the bytes if the body is binary. */
  binary_data: z.optional(
    object({
      url: string,
      content_type: string,
      /** Size in bytes. */
      size: number,
      /** ISO 8601. */
      expires_at: z.optional(string),
    }),
  ),
  /** HTTP status from the provider. */
  status: number,
  /** Headers of the provider's response. */
  headers: z.optional(z.record(string, string)),
});
export interface ProxyResponse extends z.infer<typeof ProxyResponse> {}
