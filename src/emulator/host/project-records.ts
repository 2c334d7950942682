import type { ProjectConfig } from "../../resources/projects/schema.js";
import type { ToolRouterConfig } from "../../resources/tool-router/schema.js";
import type { JsonObject } from "../catalog/definitions.js";

/** A project. Other projects can't see its sessions, files, logs, and MCP servers. */
export interface StoredProject {
  /** Starts with `pr_`. */
  id: string;
  name: string;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  updatedAt: string;
  config: ProjectConfig;
  isDeleted: boolean;
}

/** A project's record of a key. The key's state is in `keys` of the state. */
export interface StoredProjectKey {
  /** UUID. */
  id: string;
  name: string;
  projectId: string;
  /** ISO 8601. */
  createdAt: string;
}

/** The project of the seed's keys. */
export const FIRST_PROJECT = "pr_emulator";

/** Email of the emulated developer. */
export const OWNER_EMAIL = "developer@example.com";

/** Webhook fields of every project, which subscriptions have replaced. */
export const PROJECT_WEBHOOK = {
  webhook_url: null,
  event_webhook_url: null,
  webhook_secret: null,
  webhook_version: "V3",
} as const;

/** The organization of every project. */
export const ORGANIZATION = { id: "ok_emulator", name: "Emulator", plan: "hobby" } as const;

/** One version of a session's configuration. */
interface StoredConfigVersion {
  version: number;
  /** ISO 8601. */
  created_at: string;
  config: ToolRouterConfig;
}

/** An agent session. */
export interface StoredSession {
  id: string;
  /** The project it belongs to. Other projects can't see it. */
  projectId: string;
  userId: string;
  /** ISO 8601. */
  createdAt: string;
  /** Oldest first; the last one applies. Never empty. */
  versions: StoredConfigVersion[];
}

/** A deleted session, kept for usage counters. */
export type EndedSession = Pick<StoredSession, "id" | "projectId" | "userId" | "createdAt">;

/** A file in a session's mount. */
export interface StoredMountFile {
  sessionId: string;
  mountId: string;
  /** Path relative to the mount. */
  path: string;
  mimetype: string;
  base64: string;
  size: number;
  /** ISO 8601. */
  lastModified: string;
}

/** An input or output file of a tool. */
export interface StoredFile {
  key: string;
  projectId: string;
  toolkit: string;
  tool: string;
  filename: string;
  mimetype: string;
  /** Hexadecimal; `undefined` for output files, which aren't listed. */
  md5?: string;
  /** `undefined` until the file is uploaded. */
  base64?: string;
  /** When the file was uploaded, in milliseconds since 1970. Its content is kept for a day. */
  storedAt?: number;
}

/** The one request a signed URL allows. */
export interface SignedUrl {
  /** The file, by key or by its path in a mount. */
  place: { kind: "file"; key: string } | { kind: "mount"; sessionId: string; mountId: string; path: string };
  method: "GET" | "PUT";
  /** Required media type of an upload. */
  mimetype?: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** One execution of a tool, with everything the logs show about it. */
export interface StoredExecution {
  /** Starts with `log_`. */
  id: string;
  projectId: string;
  /** Milliseconds since 1970. */
  startedAt: number;
  /** Milliseconds since 1970. */
  endedAt: number;
  tool: string;
  toolkit: string;
  version: string | null;
  userId: string | null;
  accountId: string | null;
  authConfigId: string | null;
  sessionId: string | null;
  requestId: string;
  /** The meta tool it ran in. */
  parent: { log_id: string; tool_slug: string } | null;
  arguments: JsonObject;
  result: JsonObject;
  /** Error message; null if it succeeded. */
  error: string | null;
  /** The origin of the result. */
  source: "tool" | "stub" | "sample";
}

/** Replaces a tool: fixed data, or an error of the provider. */
export type StoredStub =
  | { readonly data: JsonObject }
  | {
      readonly error: {
        /** The provider's HTTP status. */
        readonly status: number;
        readonly message: string;
      };
    };

/** An MCP server (the older API, without sessions). */
export interface StoredMcpServer {
  /** UUID. */
  id: string;
  projectId: string;
  name: string;
  authConfigIds: string[];
  /** Toolkits in addition to those of the auth configs. */
  toolkits: string[];
  /** If empty, every tool of its toolkits. */
  allowedTools: string[];
  isManaged: boolean;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601. */
  updatedAt: string;
}

/** One user's instance of an MCP server. */
export interface StoredMcpInstance {
  /** UUID. */
  id: string;
  serverId: string;
  userId: string;
  /** ISO 8601. */
  createdAt: string;
}
