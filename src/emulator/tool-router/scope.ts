import type { JsonObject } from "../../resources/schema-kit.js";
import type { CustomDefinitions, ToolRouterConfig } from "../../resources/tool-router/schema.js";
import type { ServedCatalog, VersionedTool } from "../catalog/catalog.js";
import type { ToolkitDefinition } from "../catalog/definitions.js";
import { isMetaSlug, type MetaSlug, metaTool } from "../catalog/meta-tool-definitions.js";
import type { ProjectEngine } from "../engine/engine.js";
import type { StoredSession } from "../engine/project-records.js";
import { ApiFailure, checkId } from "../engine/responses.js";
import { meantToolkits } from "../toolkits/find-tool.js";

/** A session and everything its operations use. */
export interface SessionScope extends ProjectEngine {
  readonly session: StoredSession;
  /** The current configuration. */
  readonly config: ToolRouterConfig;
  /** Custom tools sent with the call. */
  readonly custom: CustomDefinitions;
}

/** Result of a meta tool. */
export interface MetaResult {
  readonly data: JsonObject;
  readonly error: string | null;
}

interface SessionCall extends ProjectEngine {
  readonly params: { readonly session_id: string };
  readonly body?: unknown;
}

/**
 * Returns the session of a call.
 *
 * @throws {ApiFailure} 400 for an invalid id; 404 if the session is unknown, deleted, or another project's.
 */
export function scopeOf({ params, body, ...call }: SessionCall): SessionScope {
  const { state, project } = call;
  checkId(params.session_id, "trs_", "session_id");
  const session = state.sessions.get(params.session_id);
  if (session?.projectId !== project.id) {
    throw new ApiFailure(404, 4304, "ToolRouterV2_SessionNotFound", `Session ${params.session_id} not found`);
  }
  const current = session.versions.at(-1);
  if (!current) throw new Error(`The session ${session.id} has no configuration`);
  return { ...call, session, config: current.config, custom: customOf(body) };
}

/** Custom tools are sent with each call that uses them. Assumption E41. */
function customOf(body: unknown): CustomDefinitions {
  // The body was validated, so this field contains definitions if it exists.
  const { experimental } = (body ?? {}) as { experimental?: CustomDefinitions | null };
  const { custom_tools, custom_toolkits } = experimental ?? {};
  return { ...(custom_tools && { custom_tools }), ...(custom_toolkits && { custom_toolkits }) };
}

/** Whether a session may use a toolkit. */
export function allowsToolkit({ toolkits }: ToolRouterConfig, slug: string): boolean {
  if (toolkits?.enabled) return toolkits.enabled.includes(slug);
  return !toolkits?.disabled?.includes(slug);
}

/**
 * Whether a session may use a tool. Its toolkit must be allowed; lists of slugs override tags, and settings of the
 * toolkit override general ones.
 */
export function allowsTool(config: ToolRouterConfig, { toolkit, tool, facts }: VersionedTool): boolean {
  if (!allowsToolkit(config, toolkit.slug)) return false;
  const own = config.tools?.[toolkit.slug];
  if (own?.enabled) return own.enabled.includes(tool.slug);
  if (own?.disabled) return !own.disabled.includes(tool.slug);
  const { enabled, disabled } = own?.tags ?? config.tags ?? {};
  const has = (tag: string) => facts.tags?.includes(tag) === true;
  return (!enabled || enabled.some(has)) && !disabled?.some(has);
}

/** Toolkits a session may use, in the catalog's order. */
export function allowedToolkits(config: ToolRouterConfig, catalog: ServedCatalog): ToolkitDefinition[] {
  return [...catalog.toolkits.values()].filter(({ slug }) => allowsToolkit(config, slug));
}

/** Tools a session may use, in their latest versions. Assumption E42. */
export function allowedTools(config: ToolRouterConfig, catalog: ServedCatalog): VersionedTool[] {
  return allowedToolkits(config, catalog)
    .flatMap((toolkit) => catalog.toolsOf(toolkit, "latest"))
    .filter((versioned) => allowsTool(config, versioned));
}

const IS_EXPOSED: Readonly<Record<MetaSlug, (config: ToolRouterConfig) => boolean>> = {
  SVC_SEARCH_TOOLS: ({ search }) => search.enable !== false,
  SVC_GET_TOOL_SCHEMAS: () => true,
  SVC_MULTI_EXECUTE_TOOL: ({ execute }) => execute.enable_multi_execute !== false,
  SVC_MANAGE_CONNECTIONS: ({ manage_connections }) => manage_connections?.enabled !== false,
  SVC_WAIT_FOR_CONNECTIONS: ({ manage_connections }) => manage_connections?.enable_wait_for_connections === true,
  SVC_REMOTE_WORKBENCH: ({ workbench }) => workbench?.enable !== false,
  SVC_REMOTE_BASH_TOOL: ({ workbench }) => workbench?.enable !== false,
};

/** Whether a session exposes a meta tool. */
export function isExposed(slug: MetaSlug, config: ToolRouterConfig): boolean {
  return IS_EXPOSED[slug](config);
}

/** The meta tools that a session exposes. */
export function exposedMetaTools(config: ToolRouterConfig) {
  return Object.keys(IS_EXPOSED)
    .filter(isMetaSlug)
    .filter((slug) => isExposed(slug, config))
    .map(metaTool);
}

/** @throws {ApiFailure} 400 for a tool the session excludes. */
export function checkAllowed(config: ToolRouterConfig, versioned: VersionedTool): void {
  if (!allowsToolkit(config, versioned.toolkit.slug)) throw toolkitNotAllowed(versioned.toolkit.slug);
  if (!allowsTool(config, versioned)) throw toolNotAllowed(versioned.tool.slug);
}

/** 400 of the tool router. Codes that aren't published are assumptions; Assumption E1. */
export function sessionError(code: number, reason: string, message: string, suggestedFix?: string): ApiFailure {
  return new ApiFailure(400, code, `ToolRouterV2_${reason}`, message, suggestedFix);
}

/** The session's configuration excludes a toolkit. */
export function toolkitNotAllowed(toolkit: string): ApiFailure {
  return sessionError(4324, "ToolkitNotAllowed", `[Session Restriction] Toolkit '${toolkit}' is not allowed`);
}

/** The session's configuration excludes a tool. */
export function toolNotAllowed(tool: string): ApiFailure {
  return sessionError(4325, "ToolNotAllowed", `[Session Restriction] Tool '${tool}' is not allowed`);
}

/** The session's user doesn't have a usable account. */
export function noActiveConnection(toolkit: string): ApiFailure {
  const message = `No active connection found for toolkit(s) '${toolkit}' in this session`;
  const fix = "Connect an account first: link, or the tool SVC_MANAGE_CONNECTIONS";
  return sessionError(4302, "NoActiveConnection", message, fix);
}

/** Unknown toolkit slugs. */
export function invalidToolkits(slugs: readonly string[], catalog: ServedCatalog): ApiFailure {
  const message = `Invalid toolkit slugs: ${slugs.join(", ")}`;
  return sessionError(4305, "InvalidToolkitSlugs", message, meantToolkits(slugs, catalog));
}

/** Auth configs that are unknown, belong to another toolkit, or don't allow sessions. */
export function invalidAuthConfigs(ids: readonly string[]): ApiFailure {
  const message = `Could not find auth config(s) ${ids.join(", ")} that sessions may use`;
  const fix = "Name one of the toolkit that is ENABLED and has is_enabled_for_tool_router";
  return sessionError(4309, "InvalidAuthConfigIds", message, fix);
}

/** Accounts that are unknown, or belong to another user. */
export function invalidAccounts(ids: readonly string[]): ApiFailure {
  const message = `Could not find connected account(s) ${ids.join(", ")} belonging to the user of this session`;
  return sessionError(4307, "InvalidConnectedAccountIds", message);
}
