import type { ToolRouterToolkit } from "../../resources/tool-router/schema.js";
import type { Tool } from "../../resources/tools/schema.js";
import { PINNED_VERSION } from "../catalogue.js";
import type { HandlersOf } from "../context.js";
import type { ToolkitDefinition } from "../definitions.js";
import { logoOf } from "../new-auth-config.js";
import { paginate } from "../page.js";
import { defaultAccount, pickSessionAccount } from "../sessions/accounts.js";
import { executeInSession } from "../sessions/execute.js";
import { executeMetaTool } from "../sessions/execute-meta.js";
import { linkInSession } from "../sessions/link.js";
import { exposedMetaTools, type MetaTool } from "../sessions/meta-tools.js";
import { preloadedTools } from "../sessions/record.js";
import { invalidToolkits, proxyNotAllowed, refuseInSession, toolkitNotAllowed } from "../sessions/refusals.js";
import { allowedToolkits, allowsToolkit } from "../sessions/restrictions.js";
import { type SessionScope, scopeOf } from "../sessions/scope.js";
import { searchTools } from "../sessions/search.js";
import { proxy } from "./tool-proxy.js";
import { shownTool } from "./tools.js";

type Calls = "search" | "toolkits" | "tools" | "execute" | "executeMeta" | "proxyExecute" | "link";

export const toolRouterCalls: Pick<HandlersOf<"toolRouter">, `toolRouter.${Calls}`> = {
  "toolRouter.search": (context) => searchTools(context.body.queries, scopeOf(context)),

  "toolRouter.toolkits": (context) => {
    const scope = scopeOf(context);
    const { toolkits, is_connected, search } = context.query;
    const slugs = toolkits?.split(",");
    const text = search?.toLowerCase();
    const items = allowedToolkits(scope.config, scope.catalogue)
      .filter(
        ({ slug, name }) =>
          (slugs === undefined || slugs.includes(slug)) &&
          (text === undefined || slug.includes(text) || name.toLowerCase().includes(text)),
      )
      .map((toolkit) => shownToolkit(toolkit, scope))
      .filter(({ connected_account }) => is_connected !== true || connected_account?.status === "ACTIVE");
    return paginate(items, context.query);
  },

  "toolRouter.tools": (context) => {
    const scope = scopeOf(context);
    const meta = exposedMetaTools(scope.config).map(([slug, tool]) => metaRecord(slug, tool));
    return paginate([...meta, ...preloadedTools(scope).map(shownTool)], context.query);
  },

  "toolRouter.execute": (context) => executeInSession(context.body, scopeOf(context)),

  "toolRouter.executeMeta": (context) => executeMetaTool(context.body, scopeOf(context)),

  "toolRouter.proxyExecute": (context) => {
    const { config, catalogue, state } = scopeOf(context);
    if (config.workbench?.proxy_execution_enabled === false) throw proxyNotAllowed();
    const { toolkit_slug, ...body } = context.body;
    const toolkit = catalogue.toolkits.get(toolkit_slug);
    if (!toolkit) throw invalidToolkits([toolkit_slug]);
    if (!allowsToolkit(config, toolkit_slug)) throw toolkitNotAllowed(toolkit_slug);
    const account = pickSessionAccount(toolkit, undefined, config, state);
    if (!account) {
      throw refuseInSession(4326, "ToolkitsIsNoAuth", `Toolkit ${toolkit_slug} does not require authentication`);
    }
    return proxy["tools.proxy"]({ ...context, body: { ...body, connected_account_id: account.id } });
  },

  "toolRouter.link": (context) => linkInSession(context.body, scopeOf(context)),
};

function shownToolkit(toolkit: ToolkitDefinition, { config, state }: SessionScope): ToolRouterToolkit {
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

/** Meta tools have no versions and no account of their own. */
function metaRecord(slug: string, { name, description, input, tags }: MetaTool): Tool {
  const logo = logoOf("svc");
  const versions = { version: PINNED_VERSION, available_versions: [PINNED_VERSION], is_deprecated: false };
  return {
    slug,
    name,
    description,
    toolkit: { slug: "svc", name: "Svc", logo },
    input_parameters: input,
    output_parameters: { type: "object", properties: {} },
    no_auth: true,
    ...versions,
    scopes: [],
    scope_requirements: null,
    tags: [...tags],
    human_description: description,
    deprecated: { displayName: name, ...versions, toolkit: { logo } },
  };
}
