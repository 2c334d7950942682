import type { ToolRouterConfig } from "../../resources/tool-router/schema.js";

/** One state of a session's configuration. */
export interface StoredConfigVersion {
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
