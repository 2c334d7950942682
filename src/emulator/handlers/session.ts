import type { HandlersOf } from "../context.js";

const MADE_AT = "2026-01-01T00:00:00.000Z";

export const session: HandlersOf<"session"> = {
  "session.info": ({ key }) => ({
    project: key?.kind === "orgApiKey" ? null : project,
    api_key:
      key === undefined || key.kind === "sessionCookie"
        ? null
        : {
            auto_id: 1,
            id: "7d2c1c1e-5a53-4c7e-9d5e-0a2f6f1f0001",
            name: "emulator",
            project_id: project.id,
            org_member_id: member.id,
            created_at: MADE_AT,
            updated_at: MADE_AT,
            deleted_at: null,
            // The service masks keys, and so a log of this answer shows none.
            key: `${key.value.slice(0, 4)}...`,
            deleted: false,
          },
    org_member: member,
  }),
};

const project = {
  auto_id: 1,
  id: "7d2c1c1e-5a53-4c7e-9d5e-0a2f6f1f0000",
  org_id: "ok_emulator",
  name: "emulator",
  email: "developer@example.com",
  nano_id: "pr_emulator",
  created_at: MADE_AT,
  updated_at: MADE_AT,
  webhook_url: null,
  event_webhook_url: null,
  webhook_secret: null,
  triggers_enabled: true,
  last_subscribed_at: null,
  deleted: false,
  is_new_webhook: true,
  webhook_version: "V3",
  org: { id: "ok_emulator", name: "Emulator", plan: "hobby" },
};

const member = {
  id: "7d2c1c1e-5a53-4c7e-9d5e-0a2f6f1f0002",
  email: "developer@example.com",
  name: "Developer",
  role: "admin",
  metadata: { onboarding_platform: "developer" },
};
