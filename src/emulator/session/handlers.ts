import type { SessionProject } from "../../resources/session/schema.js";
import type { HandlersOf } from "../host/context.js";
import { projectIdOf } from "../host/lookup-and-page.js";
import {
  FIRST_PROJECT,
  ORGANIZATION,
  OWNER_EMAIL,
  PROJECT_WEBHOOK,
  type StoredProject,
} from "../host/project-records.js";

const MADE_AT = "2026-01-01T00:00:00.000Z";

/** Always the first project's, because only user credentials can call this. */
const PROJECT_UUID = "7d2c1c1e-5a53-4c7e-9d5e-0a2f6f1f0000";

export const session: HandlersOf<"session"> = {
  "session.info": ({ key, state }) => ({
    project: key?.kind === "orgApiKey" ? null : shownProject(state.projects.get(projectIdOf(key, state))),
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
            key: `${key.value.slice(0, 4)}...`,
            deleted: false,
          },
    org_member: member,
  }),
};

function shownProject(project: StoredProject | undefined): SessionProject | null {
  if (!project) return null;
  return {
    auto_id: 1,
    id: PROJECT_UUID,
    org_id: ORGANIZATION.id,
    name: project.name,
    email: member.email,
    nano_id: project.id,
    created_at: project.createdAt,
    updated_at: project.updatedAt,
    ...PROJECT_WEBHOOK,
    triggers_enabled: true,
    last_subscribed_at: null,
    deleted: project.isDeleted,
    is_new_webhook: true,
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
