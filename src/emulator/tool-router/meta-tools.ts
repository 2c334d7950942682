import type { JsonObject } from "../../resources/schema-kit.js";
import type { ExecuteSessionToolBody, SearchToolsBody, SessionToolResult } from "../../resources/tool-router/schema.js";
import { isMetaSlug, type MetaSlug, metaTool } from "../catalog/meta-tool-definitions.js";
import type { StoredExecution } from "../engine/project-records.js";
import { ApiFailure } from "../engine/responses.js";
import { argumentProblem, recordExecution, runTool } from "../tools/run-tool.js";
import { pickSessionAccount } from "./connections.js";
import { manageConnections, reportConnections } from "./meta-connections.js";
import { checkAllowed, isExposed, type MetaResult, type SessionScope, sessionError, toolNotAllowed } from "./scope.js";
import { schemasFor, searchForAgent, workflow } from "./search.js";

/**
 * Runs a tool of a session: a meta tool, or one of an app.
 *
 * @throws {ApiFailure} 400 for an unknown or excluded tool, or if there's no usable account.
 */
export function executeInSession(
  { tool_slug: slug, ...given }: Pick<ExecuteSessionToolBody, "tool_slug" | "arguments" | "account">,
  scope: SessionScope,
): Promise<SessionToolResult> {
  return isMetaSlug(slug)
    ? executeMetaTool(slug, given.arguments ?? {}, scope)
    : executeAppTool({ tool_slug: slug, ...given }, scope);
}

async function executeMetaTool(slug: MetaSlug, given: JsonObject, scope: SessionScope): Promise<SessionToolResult> {
  const { ids, clock, config, session } = scope;
  if (!isExposed(slug, config)) throw toolNotAllowed(slug);
  const log_id = ids.next("log_");
  const startedAt = clock.now();
  const problem = argumentProblem(metaTool(slug).facts.input, given);
  const { data, error } = problem === undefined ? await RUNS[slug](given, scope, log_id) : { data: {}, error: problem };
  scope.lifetime.signal.throwIfAborted();
  recordExecution(
    {
      ...{ id: log_id, startedAt, tool: slug, toolkit: "svc", version: null, userId: config.user_id, parent: null },
      source: "tool",
      ...{ accountId: null, authConfigId: null, sessionId: session.id, arguments: given, result: data, error },
    },
    scope,
  );
  return { data, error, log_id };
}

type RunMeta = (given: JsonObject, scope: SessionScope, logId: string) => MetaResult | Promise<MetaResult>;

/** Implementation of each meta tool. Arguments were already validated. */
const RUNS: Readonly<Record<MetaSlug, RunMeta>> = {
  SVC_SEARCH_TOOLS: ({ queries, session }, scope) =>
    // The schema has the queries of the search operation.
    searchForAgent(queries as SearchToolsBody["queries"], Object(session), scope),

  SVC_GET_TOOL_SCHEMAS: ({ tool_slugs, include = ["input_schema"] }, scope) =>
    schemasFor(stringsOf(tool_slugs), stringsOf(include), scope),

  SVC_MULTI_EXECUTE_TOOL: async (given, scope, log_id) => {
    // Validated against the tool's schema.
    const tools = given["tools"] as { tool_slug: string; arguments: JsonObject; account?: string }[];
    const parent = { log_id, tool_slug: "SVC_MULTI_EXECUTE_TOOL" };
    const results: JsonObject[] = [];
    // Run one after another, so results are the same in every run.
    for (const [index, tool] of tools.entries()) {
      const outcome = await responseOf(executeAppTool({ ...tool, parent }, scope));
      results.push({ tool_slug: tool.tool_slug, index, ...outcome });
    }
    const failed = results.filter(({ error }) => error !== null).length;
    const [total_count, success_count, error_count] = [results.length, results.length - failed, failed];
    return {
      data: { results, total_count, success_count, error_count, session: sessionOf(given["session_id"]) },
      error: failed === 0 ? null : `${failed} out of ${results.length} tools failed`,
    };
  },

  SVC_MANAGE_CONNECTIONS: ({ toolkits, reinitiate_all, session_id }, scope) =>
    withSession(session_id, manageConnections(stringsOf(toolkits), reinitiate_all === true, scope)),

  SVC_WAIT_FOR_CONNECTIONS: ({ toolkits, mode, session_id }, scope) =>
    withSession(session_id, reportConnections(stringsOf(toolkits), mode === "all", scope)),

  SVC_REMOTE_WORKBENCH: () => ({ data: { results: "", stdout: "", stderr: "", error: NO_SANDBOX }, error: NO_SANDBOX }),
  SVC_REMOTE_BASH_TOOL: () => ({
    data: { stdout: "", stdoutLines: [], stderr: NO_SANDBOX, stderrLines: [NO_SANDBOX] },
    error: NO_SANDBOX,
  }),
};

const NO_SANDBOX = "The emulator has no sandbox: it runs tools, but no code";

/** Inside a meta tool, an error response becomes the result of that one call. */
async function responseOf(
  run: Promise<SessionToolResult>,
): Promise<{ response: JsonObject | null; error: string | null }> {
  try {
    const { data, error, log_id } = await run;
    return { response: { data, error, log_id, successful: error === null }, error };
  } catch (error) {
    if (error instanceof ApiFailure) return { response: null, error: error.message };
    throw error;
  }
}

function withSession(id: unknown, { data, error }: MetaResult): MetaResult {
  return { data: { ...data, session: sessionOf(id) }, error };
}

function sessionOf(id: unknown) {
  return typeof id === "string" ? workflow(id) : null;
}

function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** One execution in a session. */
interface SessionRun extends Pick<ExecuteSessionToolBody, "tool_slug" | "arguments" | "account"> {
  /** The meta tool that runs it. */
  readonly parent?: StoredExecution["parent"] | undefined;
}

/**
 * Runs the latest version of an app's tool for the session's user.
 *
 * @throws {ApiFailure} 400 for an unknown or excluded tool, or if there's no usable account.
 */
async function executeAppTool(run: SessionRun, scope: SessionScope): Promise<SessionToolResult> {
  const { config, catalog, state, session } = scope;
  const { tool_slug, arguments: given = {}, account: named, parent } = run;
  const versioned = catalog.tool(tool_slug, "latest");
  if (!versioned) throw unknownTool(tool_slug);
  checkAllowed(config, versioned);
  const account = pickSessionAccount(versioned.toolkit, named, config, state);
  if (isDenied(tool_slug, account?.id, scope)) throw toolNotAllowed(tool_slug);
  const facts = { versioned, arguments: given, userId: config.user_id, account, sessionId: session.id, parent };
  const { data, error, log_id } = await runTool(facts, scope);
  return { data, error, log_id };
}

function unknownTool(slug: string) {
  if (slug.startsWith("LOCAL_")) {
    return sessionError(4300, "BadRequest", `${slug} is a custom tool`, "Run it yourself: it lives in your program");
  }
  const fix = isMetaSlug(slug) ? "Call meta tools by themselves" : "Tool slugs are case-sensitive: search for it";
  return sessionError(4301, "ToolNotFound", `Tool ${slug} not found`, fix);
}

/**
 * Whether the session's permissions deny a call. A tool's entry overrides the account's. Calls that would require
 * asking the user are allowed. Assumption E45.
 */
function isDenied(slug: string, accountId: string | undefined, { config }: SessionScope): boolean {
  const { overrides }: { overrides?: unknown } = Object(config.experimental?.["permissions"]);
  const whose = accountId ?? "__none__";
  const [permission]: unknown[] = [`${slug}:${whose}`, `*:${whose}`]
    .map((key) => Object.getOwnPropertyDescriptor(Object(overrides), key)?.value)
    .filter((value) => value !== undefined);
  return permission === "always_deny";
}
