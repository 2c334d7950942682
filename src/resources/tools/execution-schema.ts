import * as z from "zod/mini";
import { JsonObject, object, request } from "../../schema-kit.js";

/** Credentials that go with one call instead of a connected account. */
export const CustomAuthParams = request({
  /** Base address to use for the call. */
  base_url: z.optional(z.string()),
  /** Headers and query parameters to send along. Here the key is `in`; in a proxied request it is `type`. */
  parameters: z.optional(
    z.array(
      request({
        name: z.string(),
        in: z.enum(["query", "header"]),
        value: z.union([z.string(), z.number()]),
      }),
    ),
  ),
  /** Fields to send along in the body. */
  body: z.optional(JsonObject),
});
/** Credentials that go with one call instead of a connected account. */
export interface CustomAuthParams extends z.infer<typeof CustomAuthParams> {}

/** A connection that is not stored: a scheme and its values. */
export const CustomConnectionData = request({
  /** How it authenticates. The wire's own spelling. */
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
  /** The toolkit it is for. The wire's own spelling. */
  toolkitSlug: z.string(),
  /** The scheme's values: `access_token`, `token`, `username`, … */
  val: JsonObject,
});
/** A connection that is not stored: a scheme and its values. */
export interface CustomConnectionData extends z.infer<typeof CustomConnectionData> {}

/** Body of a direct execution. Give `arguments` or `text`, not both. */
export const ExecuteToolBody = request({
  /** The end user. Needed unless an account or credentials are given. */
  user_id: z.optional(z.string()),
  /** The account to act through. Without it, the user's newest one for the toolkit is taken. */
  connected_account_id: z.optional(z.string()),
  /** What the tool's `input_parameters` ask for. */
  arguments: z.optional(JsonObject),
  /** The request in words; the service derives the arguments. */
  text: z.optional(z.string()),
  /** `<YYYYMMDD>_<NN>`, or `latest`. If omitted, `toolLock`, `toolVersions` and `toolkitVersions` of the client apply. */
  version: z.optional(z.string()),
  /** Credentials for this call, instead of an account. */
  custom_auth_params: z.optional(CustomAuthParams),
  /** A connection for this call, instead of an account. */
  custom_connection_data: z.optional(CustomConnectionData),
  /** @deprecated Use `user_id`. */
  entity_id: z.optional(z.string()),
  /** @deprecated It has no effect. */
  allow_tracing: z.optional(z.nullable(z.boolean())),
});
/** Body of a direct execution. Give `arguments` or `text`, not both. */
export interface ExecuteToolBody extends z.infer<typeof ExecuteToolBody> {}

const executionFacts = {
  /** Starts with `log_`. */
  log_id: z.optional(z.string()),
  /** For stateful tools, such as `{ session_id, expires_at }`. */
  session_info: z.optional(z.unknown()),
};

/** The tool ran. */
export const ToolSuccess = object({
  successful: z.literal(true),
  /** The tool's result, as its `output_parameters` describe it. */
  data: JsonObject,
  error: z.optional(z.null()),
  ...executionFacts,
});
/** The tool ran. */
export interface ToolSuccess extends z.infer<typeof ToolSuccess> {}

/** The tool did not do it: the external service refused, or arguments were missing. The platform itself worked. */
export const ToolFailure = object({
  successful: z.literal(false),
  /** Often `{ message, status_code }` of the external service. */
  data: JsonObject,
  /** What went wrong, in words. */
  error: z.nullable(z.string()),
  ...executionFacts,
});
/** The tool did not do it: the external service refused, or arguments were missing. The platform itself worked. */
export interface ToolFailure extends z.infer<typeof ToolFailure> {}

/** How an execution went. Look at `successful` before you use `data`: a failure of the tool is data, not an exception. */
export const ToolResult = z.discriminatedUnion("successful", [ToolSuccess, ToolFailure]);
/** How an execution went. Look at `successful` before you use `data`: a failure of the tool is data, not an exception. */
export type ToolResult = ToolSuccess | ToolFailure;

/** Body of an argument generation. */
export const GenerateInputBody = request({
  /** What is wanted, in words. */
  text: z.string(),
  /** Replaces the tool's description. */
  custom_description: z.optional(z.string()),
  /** Instructions for the model that derives the arguments. */
  system_prompt: z.optional(z.string()),
  /** `<YYYYMMDD>_<NN>`, or `latest`. */
  version: z.optional(z.string()),
});
/** Body of an argument generation. */
export interface GenerateInputBody extends z.infer<typeof GenerateInputBody> {}

/** Generated arguments, or why there are none. */
export const GeneratedInput = object({
  /** What to execute the tool with. */
  arguments: z.optional(JsonObject),
  error: z.optional(z.nullable(z.string())),
});
/** Generated arguments, or why there are none. */
export interface GeneratedInput extends z.infer<typeof GeneratedInput> {}

const proxiedContentType = z.optional(z.string());

/** Body of a request that goes through a connected account to the external service. */
export const ProxyRequestBody = request({
  /** Absolute address on the account's own host, or a path below the account's base address. */
  endpoint: z.string(),
  method: z.enum(["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD"]),
  /** Starts with `ca_`. */
  connected_account_id: z.optional(z.string()),
  /** Any JSON value. */
  body: z.optional(z.unknown()),
  /** Bytes instead of `body`: an address to fetch them from, or base64 of at most 4 MB. */
  binary_body: z.optional(
    z.union([
      request({ url: z.url(), content_type: proxiedContentType }),
      request({ base64: z.string().check(z.minLength(1)), content_type: proxiedContentType }),
    ]),
  ),
  /** Headers and query parameters. Here the key is `type`; in `custom_auth_params` it is `in`. */
  parameters: z.optional(z.array(request({ name: z.string(), value: z.string(), type: z.enum(["header", "query"]) }))),
  /** @deprecated Connect an account instead. */
  custom_connection_data: z.optional(CustomConnectionData),
});
/** Body of a request that goes through a connected account to the external service. */
export interface ProxyRequestBody extends z.infer<typeof ProxyRequestBody> {}

/** What the external service answered. A failing status of it is data here, not an exception. */
export const ProxyResponse = object({
  /** The body, where it is not bytes. */
  data: z.optional(z.unknown()),
  /** Where the bytes can be fetched, when the body is binary. */
  binary_data: z.optional(
    object({
      url: z.string(),
      content_type: z.string(),
      /** Bytes. */
      size: z.number(),
      /** ISO 8601. */
      expires_at: z.optional(z.string()),
    }),
  ),
  /** HTTP status of the external service. */
  status: z.number(),
  /** Headers of the external service's answer. */
  headers: z.optional(z.record(z.string(), z.string())),
});
/** What the external service answered. A failing status of it is data here, not an exception. */
export interface ProxyResponse extends z.infer<typeof ProxyResponse> {}
