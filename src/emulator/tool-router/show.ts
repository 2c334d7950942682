import type {
  CustomDefinitions,
  ToolRouterSessionRecord,
  ToolRouterToolkit,
} from "../../resources/tool-router/schema.js";
import { logoOf, type VersionedTool } from "../catalog/catalog.js";
import type { ToolkitDefinition } from "../catalog/definitions.js";
import { defaultAccount } from "./connections.js";
import { allowedTools, allowsTool, exposedMetaTools, type SessionScope } from "./scope.js";

/** Maximum number of tools `preload.tools: "all"` exposes. */
const MAX_PRELOADED = 1_000;

/** Number of preloaded tools above which the record contains a warning. Assumption E43. */
const MANY_PRELOADED = 20;

/** A session as responses show it. */
export function shownSession(scope: SessionScope): ToolRouterSessionRecord {
  const { session, config, origin } = scope;
  const { version = 1 } = session.versions.at(-1) ?? {};
  const custom = customTools(scope.custom);
  const preloaded = preloadedTools(scope).map(({ tool }) => tool.slug);
  const preloadedCustom = custom.filter(({ isPreloaded }) => isPreloaded).map(({ slug }) => slug);
  const experimental = shownExperiments(scope, custom);
  return {
    session_id: session.id,
    mcp: { type: "http", url: `${origin}/tool_router/v3/${session.id}/mcp` },
    tool_router_tools: [...exposedMetaTools(config).map(({ tool }) => tool.slug), ...preloaded, ...preloadedCustom],
    config: structuredClone(config),
    config_version: version,
    ...(experimental && { experimental }),
    ...(preloaded.length > MANY_PRELOADED && {
      warnings: [
        {
          code: "PRELOAD_TOOLS_HIGH_CONTEXT_USAGE",
          message: `${preloaded.length} preloaded tools take much of the model's context: let the agent search instead`,
        },
      ],
    }),
  };
}

/** Preloaded tools the session may use. */
export function preloadedTools({ config, catalog }: SessionScope): VersionedTool[] {
  const { tools } = config.preload;
  if (tools === "all") return allowedTools(config, catalog).slice(0, MAX_PRELOADED);
  return (Array.isArray(tools) ? tools : []).flatMap((slug) => {
    const versioned = catalog.tool(slug, "latest");
    return versioned && allowsTool(config, versioned) ? [versioned] : [];
  });
}

/** A custom tool with the slug the agent calls. */
interface ExposedTool {
  /** `LOCAL_<TOOLKIT>_<TOOL>` or `LOCAL_<TOOL>`. */
  readonly slug: string;
  readonly toolkit: string | undefined;
  /** Whether the agent sees it initially. */
  readonly isPreloaded: boolean;
  readonly tool: NonNullable<CustomDefinitions["custom_tools"]>[number];
}

/** Custom tools of a call. */
export function customTools({ custom_tools = [], custom_toolkits = [] }: CustomDefinitions): ExposedTool[] {
  return [
    ...custom_toolkits.flatMap((toolkit) =>
      toolkit.tools.map((tool) => ({
        slug: exposedSlug(toolkit.slug, tool.slug),
        toolkit: toolkit.slug,
        tool,
        isPreloaded: tool.preload ?? toolkit.preload ?? false,
      })),
    ),
    ...custom_tools.map((tool) => {
      const { extends_toolkit: toolkit, preload: isPreloaded = false } = tool;
      const slug = toolkit === undefined ? exposedSlug(tool.slug) : exposedSlug(toolkit, tool.slug);
      return { slug, toolkit, tool, isPreloaded };
    }),
  ];
}

function exposedSlug(...parts: string[]): string {
  return ["LOCAL", ...parts.map((part) => part.toUpperCase())].join("_");
}

function shownExperiments(
  { config, custom }: SessionScope,
  tools: readonly ExposedTool[],
): ToolRouterSessionRecord["experimental"] {
  const own = tools.filter(({ tool }) => custom.custom_tools?.includes(tool));
  const wantsPrompt = config.experimental?.["assistive_prompt_config"] !== undefined;
  const shown = {
    ...(wantsPrompt && { assistive_prompt: assistivePrompt(config.experimental ?? {}) }),
    ...(custom.custom_toolkits && {
      custom_toolkits: custom.custom_toolkits.map((toolkit) => ({
        ...toolkit,
        tools: toolkit.tools.map((tool) => ({
          ...tool,
          slug: exposedSlug(toolkit.slug, tool.slug),
          original_slug: tool.slug,
        })),
      })),
    }),
    ...(custom.custom_tools && {
      custom_tools: own.map(({ slug, tool }) => ({ ...tool, slug, original_slug: tool.slug })),
    }),
  };
  return Object.keys(shown).length > 0 ? shown : undefined;
}

function assistivePrompt(experimental: Readonly<Record<string, unknown>>): string {
  const { user_timezone: zone }: { user_timezone?: unknown } = Object(experimental["assistive_prompt_config"]);
  const place = typeof zone === "string" ? ` The user's time zone is ${zone}.` : "";
  return `Search for tools with SVC_SEARCH_TOOLS before you run them.${place}`;
}

/** A toolkit of a session. */
export function shownToolkit(toolkit: ToolkitDefinition, { config, state }: SessionScope): ToolRouterToolkit {
  const { slug, name, auth, description } = toolkit;
  const account = defaultAccount(slug, config, state);
  const authConfig = account && state.authConfigs.get(account.authConfigId);
  return {
    name,
    slug,
    enabled: true,
    is_no_auth: auth.length === 0,
    svc_managed_auth_schemes: auth.filter(({ isManaged }) => isManaged).map(({ scheme }) => scheme),
    meta: { logo: logoOf(slug), description },
    connected_account: account
      ? {
          id: account.id,
          user_id: account.userId,
          status: account.status,
          created_at: account.createdAt,
          auth_config: {
            id: account.authConfigId,
            auth_scheme: account.scheme,
            is_svc_managed: authConfig?.is_svc_managed ?? false,
          },
        }
      : null,
  };
}
