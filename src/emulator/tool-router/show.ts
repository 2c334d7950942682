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
  const experimental = shownExperiments(scope);
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

/** Preloaded tools the session may use, each once. */
export function preloadedTools({ config, catalog }: SessionScope): VersionedTool[] {
  const { tools } = config.preload;
  if (tools === "all") return allowedTools(config, catalog).slice(0, MAX_PRELOADED);
  return [...new Set(Array.isArray(tools) ? tools : [])].flatMap((slug) => {
    const versioned = catalog.tool(slug, "latest");
    return versioned && allowsTool(config, versioned) ? [versioned] : [];
  });
}

type DefinedCustomTool = NonNullable<CustomDefinitions["custom_tools"]>[number];

/** Custom tools of a call, with the slugs the agent calls. */
export function customTools({ custom_tools = [], custom_toolkits = [] }: CustomDefinitions) {
  const exposed = (tool: DefinedCustomTool, toolkit: string | undefined, isPreloaded = false) => ({
    ...{ slug: exposedSlug(tool, toolkit), toolkit, tool },
    /** Whether the agent sees it initially. */
    isPreloaded: tool.preload ?? isPreloaded,
  });
  return [
    ...custom_toolkits.flatMap(({ slug, tools, preload }) => tools.map((tool) => exposed(tool, slug, preload))),
    ...custom_tools.map((tool) => exposed(tool, tool.extends_toolkit)),
  ];
}

/** `LOCAL_<TOOLKIT>_<TOOL>` or `LOCAL_<TOOL>`. */
function exposedSlug({ slug }: DefinedCustomTool, toolkit?: string): string {
  return ["LOCAL", ...(toolkit === undefined ? [] : [toolkit]), slug].join("_").toUpperCase();
}

function shownExperiments({ config, custom }: SessionScope): ToolRouterSessionRecord["experimental"] {
  const { custom_toolkits: toolkits, custom_tools: tools } = custom;
  const wantsPrompt = config.experimental?.["assistive_prompt_config"] !== undefined;
  const shown = (tool: DefinedCustomTool, toolkit?: string) => ({
    ...tool,
    slug: exposedSlug(tool, toolkit),
    original_slug: tool.slug,
  });
  const all = {
    ...(wantsPrompt && { assistive_prompt: assistivePrompt(config.experimental ?? {}) }),
    ...(toolkits && {
      custom_toolkits: toolkits.map((toolkit) => ({
        ...toolkit,
        tools: toolkit.tools.map((tool) => shown(tool, toolkit.slug)),
      })),
    }),
    ...(tools && { custom_tools: tools.map((tool) => shown(tool, tool.extends_toolkit)) }),
  };
  return Object.keys(all).length > 0 ? all : undefined;
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
