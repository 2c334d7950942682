import type { ApiPromise } from "../../client/api-promise.js";
import { coreOf, Resource } from "../../client/client.js";
import type { PagePromise } from "../../client/pages.js";
import type { ExecuteOptions, RequestOptions } from "../../client/request-options.js";
import { loadPart } from "../../errors/base.js";
import type { ToolCatalog, ToolSlug } from "../typed-catalog.js";
import { tools } from "./endpoints.js";
import type { Settlement } from "./log-search.js";
import type * as shapes from "./schema.js";
import type { ExecutionToSettle, SettleOptions } from "./settle.js";

/** The task in words, instead of arguments. */
interface InWords extends Required<Pick<shapes.ExecuteToolBody, "text">> {
  arguments?: undefined;
}

/** Arguments, instead of the task in words. `Pick` keeps the tool's description. */
type WithArguments<Entry extends { arguments: unknown }> = Pick<Entry, "arguments"> & { text?: undefined };

/** Body for executing a tool directly. Has the tool's own `arguments` if you generated types for the tool. */
export type ExecuteToolBodyOf<Slug extends string> =
  // Not `Slug extends keyof ToolCatalog`: for each call, the compiler would go through all tools before it knows the
  // slug.
  ToolCatalog extends Readonly<Record<Slug, infer Entry extends { arguments: unknown }>>
    ? Omit<shapes.ExecuteToolBody, "arguments" | "text"> & (WithArguments<Entry> | InWords)
    : shapes.ExecuteToolBody;

/** Success of a tool that you generated types for. */
export interface ToolSuccessOf<Data> extends Omit<shapes.ToolSuccess, "data"> {
  /**
   * The tool's result, as its `output_parameters` describe it. The SDK doesn't check it. An integer beyond 2^53 − 1
   * is a string of its digits, whatever the type here says.
   */
  data: Data;
}

/**
 * Result of an execution. Has the tool's own `data` if you generated types for the tool. The SDK doesn't check the
 * data.
 */
export type ToolResultOf<Slug extends string> =
  ToolCatalog extends Readonly<Record<Slug, infer Entry extends { data: unknown }>>
    ? ToolSuccessOf<Entry["data"]> | shapes.ToolFailure
    : shapes.ToolResult;

/**
 * Generated arguments. Has the tool's own `arguments` if you generated types for the tool. The SDK doesn't check them,
 * and they may be missing: check before you execute.
 */
export type GeneratedInputOf<Slug extends string> =
  ToolCatalog extends Readonly<Record<Slug, infer Entry extends { arguments: unknown }>>
    ? Omit<shapes.GeneratedInput, "arguments"> & Partial<Pick<Entry, "arguments">>
    : shapes.GeneratedInput;

/** Tools, the operations of toolkits. */
export class Tools extends Resource {
  /** The client's `toolVersions`. `list` doesn't apply them, because a list has one version per toolkit. */
  get toolVersions(): ReadonlyMap<string, string> {
    return coreOf(this).context.settings.toolVersions;
  }

  /**
   * Lists tools. Await it for one page, or iterate over all items.
   *
   * The default of `toolkit_versions` is the client's `toolkitVersions`. If both are missing, the service uses the
   * latest versions on v3.1 and `00000000_00` on v3.
   */
  list(query?: shapes.ListToolsQuery, options?: RequestOptions): PagePromise<shapes.ToolPage> {
    return coreOf(this).list(tools().list, { query }, options);
  }

  /**
   * Returns a tool with the schemas of its arguments and result.
   *
   * @throws {NotFoundError} 404, condition `tool_not_found`: the slug is wrong, has the wrong case, or isn't in this
   * version.
   */
  get(toolSlug: ToolSlug, query?: shapes.GetToolQuery, options?: RequestOptions): ApiPromise<shapes.Tool> {
    return coreOf(this).call(tools().get, { params: { tool_slug: toolSlug }, query }, options);
  }

  /**
   * Runs a tool for a user.
   *
   * ```ts
   * const run = await svc.tools.execute("GITHUB_CREATE_AN_ISSUE", {
   *   user_id: "user-4711",
   *   version: "20251023_00",
   *   arguments: { owner: "octo-org", repo: "hello-world", title: "It works" },
   * });
   * if (run.successful) console.log(`Opened ${run.data["html_url"]}`);
   * else console.error(`GitHub rejected it: ${run.error}`);
   * ```
   *
   * A version is required: in the call, or from `toolLock`, `toolVersions` or `toolkitVersions` of the client. A
   * failure of the provider is a response with `successful: false`. The call is retried only if the attempt provably
   * didn't run. The error's `outcome` says whether the call may have run. If the tool only reads, pass
   * `{ effect: "none" }`: the call is then retried like any other read. A client with `validateArguments` requests the
   * tool before it runs the tool's version for the first time.
   *
   * Tools that use a model take headers for its provider, as JSON: `headers: { "x-llm-gateway-headers": "{…}" }`.
   *
   * `svc-sdk generate` writes types that check and complete slug, arguments and data.
   *
   * @throws {ToolVersionRequiredError} before anything is sent: no version is known.
   * @throws {ToolLockError} before anything is sent, with `toolLock(lock, { rejectUnlocked: true })`: the tool or the
   * version isn't in the lockfile.
   * @throws {ValidationError} before the tool runs, with `validateArguments`: the arguments don't match its input
   * schema.
   * @throws {NotFoundError} 404, condition `tool_not_found` or `no_connected_account`.
   * @throws {ApiError} 410, condition `auth_refresh_required`: the account is EXPIRED, so the user must connect again.
   */
  execute<Slug extends ToolSlug>(
    toolSlug: Slug,
    body: ExecuteToolBodyOf<Slug>,
    options?: ExecuteOptions,
  ): ApiPromise<ToolResultOf<Slug>>;
  execute(toolSlug: string, body: shapes.ExecuteToolBody, options?: ExecuteOptions): ApiPromise<shapes.ToolResult> {
    return coreOf(this).call(tools().execute, { params: { tool_slug: toolSlug }, body }, options);
  }

  /**
   * Looks up an execution whose outcome is unknown. Reads the execution log until the execution is in it, or the
   * deadline passes. Runs nothing.
   *
   * The log finds the execution by the `x-request-id` that the client sends with it. If the log doesn't record this id,
   * pass `exclusive: true` to find the execution by its arguments. Nothing is guessed: if two executions match, the
   * outcome stays `unknown`. `not_run` needs `loggedWithinMs`, except for an error whose outcome is `not_sent` or
   * `rejected`.
   *
   * @param error - The error of `tools.execute` or of a session's `execute`, or an {@link ExecutionToSettle}.
   * @returns `unknown` with the reason `not_traced` for what else a call may throw, such as the reason of an abort.
   * @throws {ValidationError} before anything is sent: a field of an {@link ExecutionToSettle} or an option is invalid.
   */
  settle(execution: ExecutionToSettle, options?: SettleOptions): Promise<Settlement>;
  settle(error: unknown, options?: SettleOptions): Promise<Settlement>;
  async settle(subject: unknown, options: SettleOptions = {}): Promise<Settlement> {
    // Few programs need it.
    return (await loadPart("tools.settle", import("./settle.js"))).settleExecution(coreOf(this), subject, options);
  }

  /**
   * Generates a tool's arguments from a sentence. Runs nothing: pass the result to `execute`.
   *
   * @throws {NotFoundError} 404, condition `tool_not_found`.
   */
  generateArguments<Slug extends ToolSlug>(
    toolSlug: Slug,
    body: shapes.GenerateInputBody,
    options?: RequestOptions,
  ): ApiPromise<GeneratedInputOf<Slug>>;
  generateArguments(
    toolSlug: string,
    body: shapes.GenerateInputBody,
    options?: RequestOptions,
  ): ApiPromise<shapes.GeneratedInput> {
    return coreOf(this).call(tools().generateArguments, { params: { tool_slug: toolSlug }, body }, options);
  }

  /**
   * Sends your own request to the provider with a connected account's credentials.
   *
   * If the provider responds with an error, nothing is thrown: check `status`. Never retried if it may have run, unless
   * you pass `{ effect: "none" }` for a request that only reads.
   *
   * @throws {BadRequestError} 400: `connected_account_id` is missing (`MissingAuthContext`), or the URL is on another
   * host (`OriginMismatch`).
   */
  proxy(body: shapes.ProxyRequestBody, options?: ExecuteOptions): ApiPromise<shapes.ProxyResponse> {
    return coreOf(this).call(tools().proxy, { body }, options);
  }

  /**
   * Returns the scopes that tools of one toolkit require, for `credentials.scopes` of an auth config. On v3.1 only.
   *
   * @throws {ValidationError} before anything is sent: the client's `toolVersions` pin the tools to different versions.
   * @throws {NotFoundError} 404: one of the tools doesn't exist.
   */
  getRequiredScopes(body: shapes.RequiredScopesBody, options?: RequestOptions): ApiPromise<shapes.RequiredScopes> {
    return coreOf(this).call(tools().getRequiredScopes, { body }, options);
  }

  /** Returns the slugs of all tools in their latest versions, in one response. */
  listSlugs(options?: RequestOptions): ApiPromise<shapes.ToolSlugs> {
    return coreOf(this).call(tools().listSlugs, {}, options);
  }
}
