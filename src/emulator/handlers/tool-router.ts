import type { HandlersOf } from "../context.js";
import { paginate } from "../page.js";
import { projectOf } from "../projects/lookup.js";
import { checkConfig } from "../sessions/check-config.js";
import { changedConfig, configOf } from "../sessions/config.js";
import { shownSession } from "../sessions/record.js";
import { scopeOf } from "../sessions/scope.js";
import type { StoredSession } from "../sessions/stored.js";
import { toolRouterCalls } from "./tool-router-calls.js";
import { toolRouterMounts } from "./tool-router-mounts.js";

/** The latest deleted sessions that usage still counts. See assumption E97. */
const KEPT_ENDED = 10_000;

const sessions: Omit<HandlersOf<"toolRouter">, keyof typeof toolRouterCalls | keyof typeof toolRouterMounts> = {
  "toolRouter.create": (context) => {
    const { body, key, state, catalogue, ids, clock } = context;
    const config = configOf(body);
    checkConfig(config, config, catalogue, state);
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
    const { session, config, state, catalogue, clock } = scopeOf(context);
    const { body } = context;
    const changed = changedConfig(config, body);
    checkConfig(changed, changedConfig(configOf({ user_id: config.user_id }), body), catalogue, state);
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

export const toolRouter: HandlersOf<"toolRouter"> = { ...sessions, ...toolRouterCalls, ...toolRouterMounts };
