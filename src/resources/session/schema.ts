import * as z from "zod/mini";
import { PAYLOAD_VERSIONS } from "../events/schema.js";
import { boolean, deprecated, identifier, number, object, openEnum, string } from "../schema-kit.js";
import { timestamps } from "../shared.js";

/** The project that the key belongs to. */
export const SessionProject = object({
  /** The service's internal number. */
  auto_id: number,
  /** UUID. */
  id: string,
  /** The organization it belongs to. */
  org_id: identifier("orgId"),
  name: string,
  email: string,
  /** Starts with `pr_`. */
  nano_id: identifier("projectId"),
  ...timestamps,
  /** Older, project-wide webhook URL. Use a subscription instead. */
  webhook_url: z.nullable(string),
  /** Older, project-wide webhook URL for events. Use a subscription instead. */
  event_webhook_url: z.nullable(string),
  /** Signing secret of the project-wide webhook. Don't print it. */
  webhook_secret: z.nullable(string),
  /** Whether triggers are enabled for the project. */
  triggers_enabled: boolean,
  /** ISO 8601. */
  last_subscribed_at: z.nullable(string),
  deleted: boolean,
  /** @deprecated The service no longer uses it. */
  is_new_webhook: deprecated(boolean),
  /** Payload version of the project. A subscription has its own `version`. */
  webhook_version: openEnum(PAYLOAD_VERSIONS),
  /** The organization it belongs to. */
  org: object({
    /** Starts with `ok_`. */
    id: identifier("orgId"),
    name: string,
    plan: string,
  }),
});
export interface SessionProject extends z.infer<typeof SessionProject> {}

/** The key of the request. */
export const SessionApiKey = object({
  /** The service's internal number. */
  auto_id: number,
  /** UUID. */
  id: string,
  name: string,
  /** The project that the key belongs to. */
  project_id: identifier("projectId"),
  /** The member whom the key was created for. */
  org_member_id: string,
  ...timestamps,
  /** ISO 8601. */
  deleted_at: z.nullable(string),
  /** The key itself, possibly masked. Don't print it. */
  key: string,
  deleted: boolean,
});
export interface SessionApiKey extends z.infer<typeof SessionApiKey> {}

/** Settings of a member. Any other key has a string, boolean or number. */
export const OrgMemberMetadata = z.catchall(
  object({
    prefers_old_dashboard: z.optional(boolean),
    seen_flow_consumer: z.optional(boolean),
    seen_flow_developer: z.optional(boolean),
    seen_flow_cli: z.optional(boolean),
    seen_connect_announcement: z.optional(boolean),
    onboarding_platform: z.optional(openEnum(["consumer", "developer"])),
  }),
  z.union([string, boolean, number]),
);
export interface OrgMemberMetadata extends z.infer<typeof OrgMemberMetadata> {}

/** The organization's member whom a key was created for. */
export const OrgMember = object({
  /** The format isn't documented. */
  id: string,
  email: string,
  name: string,
  /** The member's role. */
  role: string,
  /** The member's dashboard settings. */
  metadata: OrgMemberMetadata,
});
export interface OrgMember extends z.infer<typeof OrgMember> {}

/** The caller: project, key and member. */
export const SessionInfo = object({
  /** Null with an organization key. */
  project: z.nullable(SessionProject),
  /** Null with a session cookie. */
  api_key: z.nullable(SessionApiKey),
  /** The member whom the key was created for. */
  org_member: OrgMember,
});
export interface SessionInfo extends z.infer<typeof SessionInfo> {}
