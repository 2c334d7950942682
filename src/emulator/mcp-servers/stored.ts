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
