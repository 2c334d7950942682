import * as z from "zod/mini";
import { McpServer } from "../../resources/mcp/schema.js";
import { ProjectConfig } from "../../resources/projects/schema.js";
import { boolean, JsonObject, number, object, string } from "../../resources/schema-kit.js";
import { ToolRouterConfig } from "../../resources/tool-router/schema.js";
import { WebhookEndpoint } from "../../resources/webhook-endpoints/schema.js";
import { WebhookSubscription } from "../../resources/webhook-subscriptions/schema.js";
import { ToolRun } from "./execution-schema.js";

/** Lifetime of a signed URL in seconds, unless the project sets another one. */
export const SIGNED_URL_SECONDS = 3_600;

/** A project. Other projects can't see its sessions, files, logs, and MCP servers. */
export const StoredProject = object({
  /** Starts with `pr_`. */
  id: string,
  name: string,
  /** ISO 8601. */
  createdAt: string,
  /** ISO 8601. */
  updatedAt: string,
  config: ProjectConfig,
  isDeleted: boolean,
});
export type StoredProject = Readonly<z.infer<typeof StoredProject>>;

/** A project's record of a key. The key's state is in `keys` of the state. */
export const StoredProjectKey = object({
  /** UUID. */
  id: string,
  name: string,
  projectId: string,
  /** ISO 8601. */
  createdAt: string,
});
export type StoredProjectKey = Readonly<z.infer<typeof StoredProjectKey>>;

/** The project of the seed's keys. */
export const FIRST_PROJECT = "pr_emulator";

/** An agent session. */
export const StoredSession = object({
  id: string,
  projectId: string,
  userId: string,
  /** ISO 8601. */
  createdAt: string,
  /** The versions of its configuration, oldest first. The last one applies. */
  versions: z
    .array(
      object({
        version: number,
        /** ISO 8601. */
        created_at: string,
        config: ToolRouterConfig,
      }),
    )
    .check(z.minLength(1)),
});
export type StoredSession = Readonly<z.infer<typeof StoredSession>>;

/** A deleted session, kept for usage counters. */
export const EndedSession = z.pick(StoredSession, { id: true, projectId: true, userId: true, createdAt: true });
export type EndedSession = Readonly<z.infer<typeof EndedSession>>;

/** A file in a session's mount. */
export const StoredMountFile = object({
  sessionId: string,
  mountId: string,
  /** Path relative to the mount. */
  path: string,
  mimetype: string,
  base64: string,
  size: number,
  /** ISO 8601. */
  lastModified: string,
});
export type StoredMountFile = Readonly<z.infer<typeof StoredMountFile>>;

/** An input or output file of a tool. */
export const StoredFile = object({
  key: string,
  projectId: string,
  toolkit: string,
  tool: string,
  filename: string,
  mimetype: string,
  /** Hexadecimal; `undefined` for output files, which aren't listed. */
  md5: z.optional(string),
  /** `undefined` until the file is uploaded. */
  base64: z.optional(string),
  /** When the file was uploaded, in milliseconds since 1970. Its content is kept for a day. */
  storedAt: z.optional(number),
});
export type StoredFile = Readonly<z.infer<typeof StoredFile>>;

/** The one request a signed URL allows. */
export const SignedUrl = object({
  /** The file, by key or by its path in a mount. */
  place: z.discriminatedUnion("kind", [
    object({ kind: z.literal("file"), key: string }),
    object({ kind: z.literal("mount"), sessionId: string, mountId: string, path: string }),
  ]),
  method: z.enum(["GET", "PUT"]),
  /** Required media type of an upload. */
  mimetype: z.optional(string),
  /** Milliseconds since 1970. */
  expiresAt: number,
});
export type SignedUrl = Readonly<z.infer<typeof SignedUrl>>;

/** One execution of a tool, with everything the logs show about it. */
export const StoredExecution = object({
  ...z.omit(ToolRun, { logId: true, at: true }).shape,
  /** Starts with `log_`. */
  id: string,
  projectId: string,
  /** Milliseconds since 1970. */
  startedAt: number,
  /** Milliseconds since 1970. */
  endedAt: number,
  toolkit: string,
  authConfigId: z.nullable(string),
  requestId: string,
  /** The meta tool it ran in. */
  parent: z.nullable(object({ log_id: string, tool_slug: string })),
});
export type StoredExecution = Readonly<z.infer<typeof StoredExecution>>;

/** Replaces a tool: fixed data, or an error of the provider with its HTTP status. */
export const StoredStub = z.union([
  object({ data: JsonObject }),
  object({ error: object({ status: number, message: string }) }),
]);
export type StoredStub = Readonly<z.infer<typeof StoredStub>>;

/** An MCP server (the older API, without sessions). Without allowed tools, it has every tool of its toolkits. */
export const StoredMcpServer = object({
  ...z.omit(McpServer, { mcp_url: true, toolkit_icons: true, commands: true, server_instance_count: true }).shape,
  projectId: string,
  /** Toolkits in addition to those of the auth configs. */
  toolkits: z.array(string),
});
export type StoredMcpServer = Readonly<z.infer<typeof StoredMcpServer>>;

/** A webhook subscription, including fields that responses don't show. */
export const StoredWebhookSubscription = object({
  ...WebhookSubscription.shape,
  projectId: string,
});
export type StoredWebhookSubscription = Readonly<z.infer<typeof StoredWebhookSubscription>>;

/** An inbound URL for the events of one OAuth app. Its data is in plain text; responses mask secrets. */
export const StoredWebhookEndpoint = object({
  ...WebhookEndpoint.shape,
  data: z.record(string, string),
  projectId: string,
});
export type StoredWebhookEndpoint = Readonly<z.infer<typeof StoredWebhookEndpoint>>;
