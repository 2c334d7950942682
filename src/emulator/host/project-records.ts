import type { ProjectConfig } from "../../resources/projects/schema.js";
import type { ToolRouterConfig } from "../../resources/tool-router/schema.js";
import type { JsonObject } from "../catalog/definitions.js";

/** One answered request. */
export interface RequestRecord {
  /** ISO 8601, by the emulator's clock. */
  readonly at: string;
  readonly method: string;
  /** Path and query as they came, without the signature of a storage URL. */
  readonly path: string;
  /** The operation, or `undefined` where the address is none. */
  readonly operation: string | undefined;
  /** The answered status; `undefined` where an injected fault broke the connection. */
  readonly status: number | undefined;
  /** The fault that was injected. */
  readonly fault?: string | undefined;
}

/** A project: whose sessions, files, logs and MCP servers others do not see. */
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

/** What a project knows about one of its keys. Whether the key is good, `keys` of the state says. */
export interface StoredProjectKey {
  /** UUID. */
  id: string;
  name: string;
  projectId: string;
  /** ISO 8601. */
  createdAt: string;
}

/** The project that the seed's keys belong to. */
export const FIRST_PROJECT = "pr_emulator";

/** The organization of every project. */
export const ORGANIZATION = { id: "ok_emulator", name: "Emulator", plan: "hobby" } as const;

/** One state of a session's configuration. */
interface StoredConfigVersion {
  version: number;
  /** ISO 8601. */
  created_at: string;
  config: ToolRouterConfig;
}

/** An agent session. */
export interface StoredSession {
  id: string;
  /** The project it belongs to: others do not find it. */
  projectId: string;
  userId: string;
  /** ISO 8601. */
  createdAt: string;
  /** Oldest first; the last one is in force. Never empty. */
  versions: StoredConfigVersion[];
}

/** What is kept of a deleted session: that it was used. */
export type EndedSession = Pick<StoredSession, "id" | "projectId" | "userId" | "createdAt">;

/** A file in a session's mount. */
export interface StoredMountFile {
  sessionId: string;
  mountId: string;
  /** Below the mount. */
  path: string;
  mimetype: string;
  base64: string;
  size: number;
  /** ISO 8601. */
  lastModified: string;
}

/** A file that tools take or give. */
export interface StoredFile {
  key: string;
  projectId: string;
  toolkit: string;
  tool: string;
  filename: string;
  mimetype: string;
  /** Hexadecimal; `undefined` for what a tool gave, which no list shows. */
  md5?: string;
  /** `undefined` until the bytes arrived. */
  base64?: string;
  /** When the bytes arrived: milliseconds since 1970. They are kept for a day. */
  storedAt?: number;
}

/** What a signed address allows. */
export interface SignedUrl {
  /** Names the place: a file's key, or a mount's file. */
  place: { kind: "file"; key: string } | { kind: "mount"; sessionId: string; mountId: string; path: string };
  method: "GET" | "PUT";
  /** Media type the bytes must be sent with. */
  mimetype?: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** One execution of a tool, with everything the logs say about it. */
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
  /** What went wrong; null when nothing did. */
  error: string | null;
}

/** An MCP server of the older kind. */
export interface StoredMcpServer {
  /** UUID. */
  id: string;
  projectId: string;
  name: string;
  authConfigIds: string[];
  /** Toolkits beside those of the auth configs. */
  toolkits: string[];
  /** Empty: every tool of its toolkits. */
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
