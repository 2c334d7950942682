import type { CustomDefinitions, ToolRouterConfig } from "../../resources/tool-router/schema.js";
import type { World } from "../context.js";
import { projectOf } from "../projects/lookup.js";
import type { StoredProject } from "../projects/stored.js";
import { checkId, Refusal } from "../refusal.js";
import type { KeySeed } from "../seed.js";
import type { StoredSession } from "./stored.js";

/** A session at work: what every operation of it needs. */
export interface SessionScope extends World {
  readonly session: StoredSession;
  /** The configuration in force. */
  readonly config: ToolRouterConfig;
  readonly project: StoredProject;
  /** Scheme, host and port that the addresses it gives begin with. */
  readonly origin: string;
  /** The custom tools that came with the call. */
  readonly custom: CustomDefinitions;
}

interface Arrival extends World {
  readonly params: { readonly session_id: string };
  readonly origin: string;
  readonly key: KeySeed | undefined;
  readonly body?: unknown;
}

/**
 * The session of a call.
 *
 * @throws {Refusal} 400 for what is no session id; 404 for one that is unknown, deleted or another project's.
 */
export function scopeOf(arrival: Arrival): SessionScope {
  const { params, key, body, origin, state, catalogue, clock, ids, settings, deliver } = arrival;
  checkId(params.session_id, "trs_", "session_id");
  const project = projectOf(key, state);
  const session = state.sessions.get(params.session_id);
  if (session?.projectId !== project.id) throw notFoundSession(params.session_id);
  const world = { state, catalogue, clock, ids, settings, deliver };
  return { ...world, session, config: configInForce(session), project, origin, custom: customOf(body) };
}

/** The configuration that a session works with. */
function configInForce(session: StoredSession): ToolRouterConfig {
  const current = session.versions.at(-1);
  if (current) return current.config;
  throw new Error(`The session ${session.id} has no configuration`);
}

/** Custom tools travel with each call that needs them. See assumption E41. */
function customOf(body: unknown): CustomDefinitions {
  // The contract checked the body: where it has this field, it holds definitions.
  const { experimental } = (body ?? {}) as { experimental?: CustomDefinitions | null };
  const { custom_tools, custom_toolkits } = experimental ?? {};
  return { ...(custom_tools && { custom_tools }), ...(custom_toolkits && { custom_toolkits }) };
}

function notFoundSession(id: string): Refusal {
  const slug = "ToolRouterV2_SessionNotFound";
  return new Refusal({ status: 404, code: 4304, slug, message: `Session ${id} not found` });
}
