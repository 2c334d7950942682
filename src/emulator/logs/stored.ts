import type { JsonObject } from "../definitions.js";

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
