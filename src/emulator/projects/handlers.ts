// The room of projects with their API keys, and of `session.info`, which tells whose key a request has. It imports
// `engine` and types of `src/resources`. Start here.

import type { Project, ProjectApiKey, ProjectConfig } from "../../resources/projects/schema.js";
import type { SessionProject } from "../../resources/session/schema.js";
import { CREDENTIALS } from "../../shared/credentials.js";
import type { Engine, HandlersOf } from "../engine/engine.js";
import { maskAsService } from "../engine/masking.js";
import { paginate } from "../engine/pages.js";
import { FIRST_PROJECT, SIGNED_URL_SECONDS, type StoredProject } from "../engine/project-records.js";
import { checkId, notFound } from "../engine/responses.js";
import { ORGANIZATION, OWNER_EMAIL } from "./organization.js";

/** Fields of every project about its events. Subscriptions have replaced those about webhooks. */
const PROJECT_EVENTS = {
  triggers_enabled: true,
  last_subscribed_at: null,
  is_new_webhook: true,
  webhook_url: null,
  event_webhook_url: null,
  webhook_secret: null,
  webhook_version: "V3",
} as const;

export const projects: HandlersOf<"projects"> = {
  "projects.create": ({ body, ...engine }) => {
    const project = newProject(engine.ids.next("pr_"), body.name, engine.clock.iso(), body.config);
    engine.state.projects.set(project.id, project);
    const key = body.should_create_api_key === true ? makeKey(project, engine).key : null;
    return { id: project.id, name: project.name, api_key: key };
  },

  "projects.list": ({ query, state }) => pageOf(state, query),

  "projects.get": ({ params, state }) => {
    const project = findProject(params.nano_id, state);
    const keys = keysOf(project, state).map(([value, { id, name, createdAt }]) => ({
      id,
      name,
      // Only the operation that creates a key shows all of it.
      key: maskAsService(value),
      created_at: createdAt,
    }));
    return { ...shownProject(project), api_keys: keys };
  },

  "projects.delete": ({ params, query, state, ids }) => {
    const project = findProject(params.nano_id, state);
    state.projects.update(project.id, { isDeleted: true });
    revokeKeys(project, state);
    // Stop deliveries to it.
    for (const { id, projectId } of state.webhookSubscriptions.values()) {
      if (projectId === project.id) state.webhookSubscriptions.delete(id);
    }
    return { status: "success", ...(query.revoke_on_delete === true && { revoke_job_id: ids.uuid() }) };
  },

  "projects.regenerateApiKey": ({ params, ...engine }) => {
    const project = findProject(params.nano_id, engine.state);
    revokeKeys(project, engine.state);
    return { api_key: makeKey(project, engine), message: "The new key is shown once; the ones before are revoked" };
  },

  "projects.getConfig": ({ project }) => ({ ...project.config }),

  "projects.updateConfig": ({ project, body, state, clock }) => {
    const config = { ...project.config, ...body };
    state.projects.update(project.id, { config, updatedAt: clock.iso() });
    return config;
  },

  "projects.listOrganizations": ({ query, state }) => {
    const created_at = state.projects.get(FIRST_PROJECT)?.createdAt ?? "";
    const { items, ...totals } = paginate([{ ...ORGANIZATION, created_at, updated_at: created_at }], query);
    return { organizations: items, ...totals };
  },

  "projects.listMine": ({ query, state }) => pageOf(state, query),
};

type ProjectState = Engine["state"];

function findProject(id: string, { projects: all }: ProjectState): StoredProject {
  checkId(id, "pr_", "nano_id");
  const project = all.get(id);
  if (!project || project.isDeleted) throw notFound("Project", `Project ${id}`, 10404);
  return project;
}

function pageOf({ projects: all }: ProjectState, query: Parameters<typeof paginate>[1]) {
  const { items, ...totals } = paginate(
    [...all.values()].filter(({ isDeleted }) => !isDeleted).map(shownProject),
    query,
  );
  return { data: items, ...totals };
}

function shownProject({ id, name, createdAt, updatedAt, isDeleted }: StoredProject): Project {
  return {
    id,
    name,
    nano_id: id,
    org_id: ORGANIZATION.id,
    email: OWNER_EMAIL,
    ...PROJECT_EVENTS,
    deleted: isDeleted,
    created_at: createdAt,
    updated_at: updatedAt,
  };
}

/** A project's active keys, oldest first. */
function keysOf(project: StoredProject, { keys, projectKeys }: ProjectState) {
  return [...projectKeys].filter(
    ([value, { projectId }]) => projectId === project.id && (keys.get(value)?.state ?? "active") === "active",
  );
}

function makeKey(project: StoredProject, { state, ids, clock }: Engine): ProjectApiKey {
  const key = { id: ids.uuid(), name: project.name, key: ids.next(CREDENTIALS.apiKey.issued), created_at: clock.iso() };
  state.keys.set(key.key, { kind: "apiKey", value: key.key });
  const { id, name, created_at: createdAt } = key;
  state.projectKeys.set(key.key, { id, name, projectId: project.id, createdAt });
  return key;
}

/** Revokes keys without forgetting them. Assumption E55. */
function revokeKeys(project: StoredProject, state: ProjectState): void {
  for (const [value] of keysOf(project, state)) revokeKey(value, state);
}

function revokeKey(value: string, { keys }: ProjectState): void {
  const key = keys.get(value);
  if (key) keys.set(value, { ...key, state: "revoked" });
}

export const apiKeys: HandlersOf<"apiKeys"> = {
  "apiKeys.revoke": ({ body, state }) => {
    for (const value of body.api_keys) revokeKey(value, state);
    // Unknown keys get the same response, which must not reveal which keys exist.
    return { received: true };
  },
};

/** Creates a project with default settings. Assumption E53. */
export function newProject(id: string, name: string, now: string, config: ProjectConfig = {}): StoredProject {
  const defaults: ProjectConfig = {
    is_2FA_enabled: false,
    mask_secret_keys_in_connected_account: true,
    log_visibility_setting: "show_all",
    logo_url: "",
    display_name: name,
    require_mcp_api_key: true,
    is_svc_link_enabled_for_managed_auth: true,
    signed_url_file_expiry_in_seconds: SIGNED_URL_SECONDS,
  };
  return { id, name, createdAt: now, updatedAt: now, config: { ...defaults, ...config }, isDeleted: false };
}

const MADE_AT = "2026-01-01T00:00:00.000Z";

/** Always the first project's, because only user credentials can call this. */
const PROJECT_UUID = "7d2c1c1e-5a53-4c7e-9d5e-0a2f6f1f0000";

export const session: HandlersOf<"session"> = {
  "session.info": ({ key, project }) => ({
    project: key?.kind === "orgApiKey" ? null : shownOfKey(project),
    api_key:
      key === undefined || key.kind === "sessionCookie"
        ? null
        : {
            auto_id: 1,
            id: "7d2c1c1e-5a53-4c7e-9d5e-0a2f6f1f0001",
            name: "emulator",
            project_id: FIRST_PROJECT,
            org_member_id: member.id,
            created_at: MADE_AT,
            updated_at: MADE_AT,
            deleted_at: null,
            // The service masks keys.
            key: maskAsService(key.value),
            deleted: false,
          },
    org_member: member,
  }),
};

function shownOfKey(project: StoredProject): SessionProject {
  return {
    auto_id: 1,
    id: PROJECT_UUID,
    org_id: ORGANIZATION.id,
    name: project.name,
    email: member.email,
    nano_id: project.id,
    created_at: project.createdAt,
    updated_at: project.updatedAt,
    ...PROJECT_EVENTS,
    deleted: project.isDeleted,
    org: { ...ORGANIZATION },
  };
}

const member = {
  id: "7d2c1c1e-5a53-4c7e-9d5e-0a2f6f1f0002",
  email: OWNER_EMAIL,
  name: "Developer",
  role: "admin",
  metadata: { onboarding_platform: "developer" },
};
