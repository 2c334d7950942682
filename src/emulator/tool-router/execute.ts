import type {
  ExecuteMetaToolBody,
  ExecuteSessionToolBody,
  SearchToolsBody,
  SessionToolResult,
} from "../../resources/tool-router/schema.js";
import type { JsonObject } from "../catalog/definitions.js";
import type { StoredExecution } from "../host/project-records.js";
import { ApiFailure } from "../host/responses.js";
import { argumentProblem, recordExecution, runTool } from "../tools/run.js";
import { connectionStatus, linkInSession, pickSessionAccount } from "./connections.js";
import { isMetaSlug, META_TOOLS, type MetaSlug } from "./meta-tools.js";
import { checkAllowed, type SessionScope, sessionError, toolNotAllowed } from "./scope.js";
import { candidatesOf, fullSchema, searchTools } from "./search.js";

/** One execution in a session. */
interface SessionRun extends Pick<ExecuteSessionToolBody, "tool_slug" | "arguments" | "account"> {
  /** The meta tool that runs it. */
  readonly parent?: StoredExecution["parent"] | undefined;
}

/**
 * Runs the latest version of a tool for the session's user.
 *
 * @throws {ApiFailure} 400 for an unknown or excluded tool, or if there's no usable account.
 */
export async function executeInSession(run: SessionRun, scope: SessionScope): Promise<SessionToolResult> {
  const { config, catalog, state, session, project, origin } = scope;
  const { tool_slug, arguments: given = {}, account: named, parent } = run;
  const versioned = catalog.tool(tool_slug, "latest");
  if (!versioned) throw unknownTool(tool_slug);
  checkAllowed(config, versioned);
  const account = pickSessionAccount(versioned.toolkit, named, config, state);
  if (isDenied(tool_slug, account?.id, scope)) throw toolNotAllowed(tool_slug);
  const sessionId = session.id;
  const facts = { versioned, arguments: given, userId: config.user_id, account, project, origin, sessionId, parent };
  const { data, error, log_id } = await runTool(facts, scope);
  return { data, error, log_id };
}

function unknownTool(slug: string) {
  if (slug.startsWith("LOCAL_")) {
    return sessionError(4300, "BadRequest", `${slug} is a custom tool`, "Run it yourself: it lives in your program");
  }
  const fix = isMetaSlug(slug) ? "Meta tools run through execute_meta" : "Tool slugs are case-sensitive: search for it";
  return sessionError(4301, "ToolNotFound", `Tool ${slug} not found`, fix);
}

/**
 * Whether the session's permissions deny a call. A tool's entry overrides the account's. Calls that would require
 * asking the user are allowed. See assumption E45.
 */
function isDenied(slug: string, accountId: string | undefined, { config }: SessionScope): boolean {
  const { overrides }: { overrides?: unknown } = Object(config.experimental?.["permissions"]);
  const whose = accountId ?? "__none__";
  const [permission]: unknown[] = [`${slug}:${whose}`, `*:${whose}`]
    .map((key) => Object.getOwnPropertyDescriptor(Object(overrides), key)?.value)
    .filter((value) => value !== undefined);
  return permission === "always_deny";
}

interface MetaResult {
  readonly data: JsonObject;
  readonly error: string | null;
}

/**
 * Runs a meta tool and logs it.
 *
 * @throws {ApiFailure} 400 if the session doesn't expose it.
 */
export async function executeMetaTool(
  { slug, arguments: given = {} }: Pick<ExecuteMetaToolBody, "slug" | "arguments">,
  scope: SessionScope,
): Promise<SessionToolResult> {
  const { ids, clock, config, session, project } = scope;
  const tool = META_TOOLS[slug];
  if (!tool.isExposed(config)) throw toolNotAllowed(slug);
  const log_id = ids.next("log_");
  const startedAt = clock.now();
  const problem = argumentProblem(tool.input, given);
  const { data, error } =
    problem === undefined ? await META_TOOL_RUNS[slug](given, scope, log_id) : { data: {}, error: problem };
  scope.lifetime.signal.throwIfAborted();
  recordExecution(
    {
      ...{ id: log_id, startedAt, tool: slug, toolkit: "svc", version: null, userId: config.user_id, parent: null },
      source: "tool",
      ...{ accountId: null, authConfigId: null, sessionId: session.id, arguments: given, result: data, error },
    },
    project,
    scope,
  );
  return { data, error, log_id };
}

type RunMeta = (given: JsonObject, scope: SessionScope, logId: string) => MetaResult | Promise<MetaResult>;

/** Implementation of each meta tool. Arguments were already validated. */
const META_TOOL_RUNS: Readonly<Record<MetaSlug, RunMeta>> = {
  SVC_SEARCH_TOOLS: (given, scope) => ({
    // The schema is that of the search operation's queries.
    data: { ...searchTools(given["queries"] as SearchToolsBody["queries"], scope) },
    error: null,
  }),

  SVC_GET_TOOL_SCHEMAS: (given, scope) => {
    const wanted = stringsOf(given["tool_slugs"]);
    const include = given["include"] === undefined ? undefined : stringsOf(given["include"]);
    const found = candidatesOf(scope).filter(({ slug }) => wanted.includes(slug));
    const schemas = found.map((candidate) => {
      const { input_schema, output_schema, ...facts } = fullSchema(candidate);
      const isWanted = (name: string) => include === undefined || include.includes(name);
      return {
        ...facts,
        ...(isWanted("input_schema") && { input_schema }),
        ...(isWanted("output_schema") && { output_schema }),
      };
    });
    const missing = wanted.filter((slug) => !found.some((candidate) => candidate.slug === slug));
    return {
      data: {
        tool_schemas: Object.fromEntries(schemas.map((schema) => [schema.tool_slug, schema])),
        not_found: missing,
      },
      error: wanted.length > 0 && missing.length === wanted.length ? `Tools not found: ${missing.join(", ")}` : null,
    };
  },

  SVC_MULTI_EXECUTE_TOOL: async (given, scope, logId) => {
    // Validated against the tool's schema.
    const tools = given["tools"] as { tool_slug: string; arguments?: JsonObject; account?: string }[];
    const parent = { log_id: logId, tool_slug: "SVC_MULTI_EXECUTE_TOOL" };
    const results: JsonObject[] = [];
    // Run one after another, so results are the same in every run.
    for (const [index, tool] of tools.entries()) {
      const response = await asData(executeInSession({ ...tool, parent }, scope));
      results.push({ index, tool_slug: tool.tool_slug, response });
    }
    const failed = results.filter(({ response }) => Object(response).error !== null).length;
    return {
      data: { results, total_count: results.length, success_count: results.length - failed, error_count: failed },
      error: failed === 0 ? null : `${failed} out of ${results.length} tools failed`,
    };
  },

  SVC_MANAGE_CONNECTIONS: (given, scope) => {
    const connected = [...new Set(stringsOf(given["toolkits"]))].map(
      (toolkit) => [toolkit, connectToolkit(toolkit, given["reinitiate_all"] === true, scope)] as const,
    );
    const failed = connected.filter(([, { status }]) => status === "failed").length;
    return {
      data: { results: Object.fromEntries(connected) },
      error: failed === 0 ? null : `${failed} toolkits cannot be connected`,
    };
  },

  SVC_WAIT_FOR_CONNECTIONS: (given, { catalog, ...scope }) => {
    const statuses = stringsOf(given["toolkits"]).map((slug) => {
      const toolkit = catalog.toolkits.get(slug);
      return { toolkit: slug, ...(toolkit && connectionStatus(toolkit, { catalog, ...scope })) };
    });
    const waiting = statuses.filter((status) => !("has_active_connection" in status && status.has_active_connection));
    // Don't wait, because nothing changes while the clock is stopped. The agent calls again.
    return {
      data: { results: statuses, all_connected: waiting.length === 0 },
      error: waiting.length === 0 ? null : `Not connected: ${waiting.map(({ toolkit }) => toolkit).join(", ")}`,
    };
  },

  SVC_REMOTE_WORKBENCH: () => NO_SANDBOX,
  SVC_REMOTE_BASH_TOOL: () => NO_SANDBOX,
};

const NO_SANDBOX: MetaResult = { data: {}, error: "The emulator has no sandbox: it runs tools, but no code" };

function connectToolkit(slug: string, isForced: boolean, scope: SessionScope): JsonObject {
  const toolkit = scope.catalog.toolkits.get(slug);
  const isConnected = toolkit !== undefined && connectionStatus(toolkit, scope).has_active_connection;
  if (isConnected && !(isForced && toolkit.auth.length > 0)) return { toolkit: slug, status: "active" };
  try {
    const { redirect_url, connected_account_id } = linkInSession({ toolkit: slug }, scope);
    const instruction = `Ask the user to open ${redirect_url}`;
    return { toolkit: slug, status: "initiated", redirect_url, connected_account_id, instruction };
  } catch (error) {
    if (error instanceof ApiFailure) return { toolkit: slug, status: "failed", error: error.message };
    throw error;
  }
}

/** Inside a meta tool, an error response becomes the result of that one call. */
async function asData(run: Promise<SessionToolResult>): Promise<JsonObject> {
  try {
    const { data, error } = await run;
    return { data, error };
  } catch (error) {
    if (error instanceof ApiFailure) return { data: {}, error: error.message };
    throw error;
  }
}

function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
