import type { ToolRouterToolkit } from "../../resources/tool-router/schema.js";
import type { Tool } from "../../resources/tools/schema.js";
import { logoOf, PINNED_VERSION } from "../catalog/catalog.js";
import type { ToolkitDefinition } from "../catalog/definitions.js";
import type { HandlersOf } from "../host/context.js";
import { paginate, projectOf } from "../host/lookup-and-page.js";
import type { StoredSession } from "../host/project-records.js";
import { proxy } from "../tools/proxy.js";
import { shownTool } from "../tools/show.js";
import { changedConfig, checkConfig, configOf } from "./config.js";
import { defaultAccount, linkInSession, pickSessionAccount } from "./connections.js";
import { invalidToolkits, proxyNotAllowed, sessionError, toolkitNotAllowed } from "./errors.js";
import { executeInSession, executeMetaTool } from "./execute.js";
import { exposedMetaTools, type MetaTool } from "./meta-tools.js";
import { toolRouterMounts } from "./mounts.js";
import { allowedToolkits, allowsToolkit, type SessionScope, scopeOf } from "./scope.js";
import { searchTools } from "./search.js";
import { preloadedTools, shownSession } from "./show.js";

type Calls = "search" | "toolkits" | "tools" | "execute" | "executeMeta" | "proxyExecute" | "link";

const toolRouterCalls: Pick<HandlersOf<"toolRouter">, `toolRouter.${Calls}`> = {
  "toolRouter.search": (context) => searchTools(context.body.queries, scopeOf(context)),

  "toolRouter.toolkits": (context) => {
    const scope = scopeOf(context);
    const { toolkits, is_connected, search } = context.query;
    const slugs = toolkits == null ? undefined : [toolkits].flat().flatMap((list) => list.split(","));
    const text = search?.toLowerCase();
    const items = allowedToolkits(scope.config, scope.catalog)
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
    const { config, catalog, state } = scopeOf(context);
    if (config.workbench?.proxy_execution_enabled === false) throw proxyNotAllowed();
    const { toolkit_slug, ...body } = context.body;
    const toolkit = catalog.toolkits.get(toolkit_slug);
    if (!toolkit) throw invalidToolkits([toolkit_slug]);
    if (!allowsToolkit(config, toolkit_slug)) throw toolkitNotAllowed(toolkit_slug);
    const account = pickSessionAccount(toolkit, undefined, config, state);
    if (!account) {
      throw sessionError(4326, "ToolkitsIsNoAuth", `Toolkit ${toolkit_slug} does not require authentication`);
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

/** A meta tool as a tool record. Meta tools don't have versions or accounts. */
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

/** How many deleted sessions are kept for usage counters. See assumption E97. */
const KEPT_ENDED = 10_000;

const sessionHandlers: Omit<HandlersOf<"toolRouter">, keyof typeof toolRouterCalls | keyof typeof toolRouterMounts> = {
  "toolRouter.create": (context) => {
    const { body, key, state, catalog, ids, clock } = context;
    const config = configOf(body);
    checkConfig(config, config, catalog, state);
    const now = clock.iso();
    const session: StoredSession = {
      id: ids.next("trs_"),
      projectId: projectOf(key, state).id,
      userId: config.user_id,
      createdAt: now,
      versions: [{ version: 1, created_at: now, config }],
    };
    state.sessions.set(session.id, session);
    return shownSession(scopeOf({ ...context, params: { session_id: session.id } }));
  },

  "toolRouter.get": (context) => shownSession(scopeOf(context)),

  "toolRouter.update": (context) => {
    const { session, config, state, catalog, clock } = scopeOf(context);
    const { body } = context;
    const changed = changedConfig(config, body);
    checkConfig(changed, changedConfig(configOf({ user_id: config.user_id }), body), catalog, state);
    const version = (session.versions.at(-1)?.version ?? 0) + 1;
    session.versions.push({ version, created_at: clock.iso(), config: changed });
    return shownSession(scopeOf(context));
  },

  "toolRouter.delete": (context) => {
    const { session, state } = scopeOf(context);
    const { id, projectId, userId, createdAt } = session;
    state.sessions.delete(id);
    state.endedSessions.items.push({ id, projectId, userId, createdAt });
    if (state.endedSessions.items.length > KEPT_ENDED) state.endedSessions.items.shift();
    for (const [key, { sessionId }] of state.mountFiles) if (sessionId === id) state.mountFiles.delete(key);
    return { session_id: id, deleted: true };
  },

  "toolRouter.attach": (context) => shownSession(scopeOf(context)),

  "toolRouter.configHistory": (context) => {
    const { versions } = scopeOf(context).session;
    const current = versions.at(-1)?.version;
    const newestFirst = versions.toReversed().map((version) => ({
      ...structuredClone(version),
      is_current: version.version === current,
    }));
    return paginate(newestFirst, context.query);
  },
};

export const toolRouter: HandlersOf<"toolRouter"> = { ...sessionHandlers, ...toolRouterCalls, ...toolRouterMounts };
