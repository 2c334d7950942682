// The room of agent sessions: their config, the tools that they may use, the meta tools and their MCP endpoint. It
// imports `auth-configs`, `catalog`, `connected-accounts`, `engine`, `files`, `toolkits`, `tools`, `src/client`,
// `src/contract` and `src/resources`. Start here, then `scope.ts`.

import type { HandlersOf } from "../engine/engine.js";
import { paginate } from "../engine/pages.js";
import type { StoredSession } from "../engine/project-records.js";
import { ApiFailure, invalidRequest } from "../engine/responses.js";
import { mountKey, signUrl } from "../files/storage.js";
import { tools } from "../tools/handlers.js";
import { shownTool } from "../tools/show.js";
import { changedConfig, checkConfig, configOf } from "./config.js";
import { connectable, linkInSession, pickSessionAccount } from "./connections.js";
import { executeInSession } from "./meta-tools.js";
import { checkExpectedVersion, checkNewerFields, withNewerFields } from "./newer-session-fields.js";
import { allowedToolkits, exposedMetaTools, type SessionScope, scopeOf, sessionError } from "./scope.js";
import { searchTools } from "./search.js";
import { preloadedTools, shownSession, shownToolkit } from "./show.js";

/** How many deleted sessions are kept for usage counters. Assumption E97. */
const KEPT_ENDED = 10_000;

/** Id of the mount every session has. */
const MOUNT_ID = "files";

const sandbox_mount_prefix = `/mnt/${MOUNT_ID}`;

/** Default number of items per page. */
const DEFAULT_LIMIT = 100;

export const toolRouter: HandlersOf<"toolRouter"> = {
  "toolRouter.create": (context) => {
    const { body, newer, project, state, catalog, ids, clock } = context;
    checkNewerFields({ ...body }, newer);
    const config = withNewerFields(configOf(body), newer);
    checkConfig(config, config, catalog, state);
    const now = clock.iso();
    const session: StoredSession = {
      id: ids.next("trs_"),
      projectId: project.id,
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
    const { body, newer } = context;
    checkNewerFields({ ...body }, newer);
    const changed = withNewerFields(changedConfig(config, body), newer);
    checkConfig(changed, changedConfig(configOf({ user_id: config.user_id }), body), catalog, state);
    const current = session.versions.at(-1)?.version ?? 0;
    checkExpectedVersion(newer, current);
    const versions = [...session.versions, { version: current + 1, created_at: clock.iso(), config: changed }];
    state.sessions.update(session.id, { versions });
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
    return paginate([...exposedMetaTools(scope.config), ...preloadedTools(scope)].map(shownTool), context.query);
  },

  "toolRouter.execute": (context) => executeInSession(context.body, scopeOf(context)),

  "toolRouter.executeMeta": (context) => {
    const { slug: tool_slug, arguments: given } = context.body;
    return executeInSession({ tool_slug, arguments: given }, scopeOf(context));
  },

  "toolRouter.proxy": (context) => {
    const scope = scopeOf(context);
    const { config, state } = scope;
    if (config.workbench?.proxy_execution_enabled === false) {
      const message = "[Session Restriction] Proxy execution is not allowed";
      const fix = "Set workbench.enable_proxy_execution in the session's configuration";
      throw sessionError(4314, "ProxyExecutionNotAllowed", message, fix);
    }
    const { toolkit_slug, ...body } = context.body;
    const account = pickSessionAccount(connectable(toolkit_slug, scope), undefined, config, state);
    return tools["tools.proxy"]({ ...context, body: { ...body, connected_account_id: account?.id } });
  },

  "toolRouter.link": (context) => linkInSession(context.body, scopeOf(context)),

  "toolRouter.mountItems": (context) => {
    const { session, state } = scopeOf(context);
    checkMount(context.params.mount_id);
    const { mount_relative_prefix: prefix = "", limit, cursor } = context.query;
    const files = [...state.mountFiles.values()]
      .filter(({ sessionId, path }) => sessionId === session.id && path.startsWith(prefix))
      .sort((left, right) => (left.path < right.path ? -1 : 1));
    const { items, next_cursor } = paginate(files, { limit: limit ?? DEFAULT_LIMIT, cursor });
    return {
      items: items.map(({ path, size, lastModified }) => ({
        mount_relative_path: path,
        sandbox_mount_prefix,
        size,
        last_modified: lastModified,
      })),
      // Missing on the last page, unlike in other lists.
      ...(next_cursor !== null && { next_cursor }),
    };
  },

  "toolRouter.mountUploadUrl": (context) => {
    const { scope, place, shown } = mountCall(context, scopeOf(context));
    const { mimetype } = context.body;
    const allowed = { place, method: "PUT" as const, ...(mimetype !== undefined && { mimetype }) };
    const { url, expiresAt } = signUrl(allowed, scope);
    return { upload_url: url, ...shown, expires_at: expiresAt };
  },

  "toolRouter.mountDownloadUrl": (context) => {
    const { scope, place, shown } = existing(mountCall(context, scopeOf(context)));
    const { url, expiresAt } = signUrl({ place, method: "GET" }, scope);
    return { download_url: url, ...shown, expires_at: expiresAt };
  },

  "toolRouter.mountDelete": (context) => {
    const { scope, key, shown } = existing(mountCall(context, scopeOf(context)));
    scope.state.mountFiles.delete(key);
    return shown;
  },
};

interface MountRequest {
  readonly params: { readonly mount_id: string };
  readonly body: { readonly mount_relative_path: string };
}

/** A call for a file of a session. Its path must stay inside the mount. Assumption E47. */
function mountCall({ params, body: { mount_relative_path: path } }: MountRequest, scope: SessionScope) {
  checkMount(params.mount_id);
  if (path.split("/").some((part) => part === "" || part === "." || part === "..")) {
    throw invalidRequest(["body.mount_relative_path: expected a path inside the mount, without . and .."]);
  }
  const sessionId = scope.session.id;
  return {
    scope,
    key: mountKey(sessionId, MOUNT_ID, path),
    place: { kind: "mount" as const, sessionId, mountId: MOUNT_ID, path },
    shown: { mount_relative_path: path, sandbox_mount_prefix },
  };
}

function existing(call: ReturnType<typeof mountCall>) {
  if (call.scope.state.mountFiles.has(call.key)) return call;
  throw notFoundFile(`File ${call.place.path} not found`);
}

function checkMount(id: string): void {
  if (id !== MOUNT_ID) throw notFoundFile(`Mount ${id} not found`);
}

function notFoundFile(message: string): ApiFailure {
  return new ApiFailure(404, 4313, "ToolRouterV2_FileNotFound", message);
}
