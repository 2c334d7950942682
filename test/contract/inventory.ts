/** P `x-api-key`, U `x-user-api-key`, O `x-org-api-key`, C the session cookie; empty for no key. */
type Credentials = "" | "P" | "U" | "O" | "PU" | "UOC";

/**
 * Where an operation is: under one version, which the client then always uses, or under v3 and v3.1, between which the
 * program chooses.
 */
type Versions = "v1" | "v3" | "v3.1" | "both";

/** Whether a retry does harm, from what the operation does: `effect` if it acts again. */
type Retry = "safe" | "idempotent" | "effect";

type Row = readonly [
  method: string,
  versions: Versions,
  path: string,
  credentials: Credentials,
  retry: Retry,
  ...success: number[],
];

/**
 * Every published operation, as in the specification and the public descriptions: written by hand, so
 * that a gap in the contract is found. If they disagree, the specification is right.
 */
export const INVENTORY: readonly Row[] = [
  ["POST", "v3.1", "/api_key_revocation", "", "idempotent", 200],
  ["GET", "v3", "/auth/session/info", "UOC", "safe", 200],

  ["GET", "v3", "/auth_configs", "PU", "safe", 200],
  ["POST", "v3", "/auth_configs", "PU", "effect", 201],
  ["GET", "v3", "/auth_configs/{nanoid}", "PU", "safe", 200],
  ["PATCH", "v3", "/auth_configs/{nanoid}", "PU", "idempotent", 200],
  ["DELETE", "v3", "/auth_configs/{nanoid}", "PU", "idempotent", 200],
  ["PATCH", "v3", "/auth_configs/{nanoid}/{status}", "P", "idempotent", 200],

  ["GET", "both", "/connected_accounts", "PU", "safe", 200],
  ["POST", "both", "/connected_accounts", "P", "effect", 201],
  ["POST", "both", "/connected_accounts/link", "PU", "effect", 201],
  ["POST", "v3.1", "/connected_accounts/complete_auth", "P", "effect", 200],
  ["PATCH", "both", "/connected_accounts/{nanoId}/status", "P", "idempotent", 200],
  ["GET", "both", "/connected_accounts/{nanoid}", "PU", "safe", 200],
  ["PATCH", "both", "/connected_accounts/{nanoid}", "P", "idempotent", 200],
  ["DELETE", "both", "/connected_accounts/{nanoid}", "PU", "idempotent", 200],
  ["POST", "both", "/connected_accounts/{nanoid}/refresh", "P", "effect", 200],
  ["POST", "v3.1", "/connected_accounts/{nanoid}/revoke", "P", "idempotent", 200],

  ["GET", "both", "/toolkits", "PU", "safe", 200],
  ["GET", "both", "/toolkits/categories", "P", "safe", 200],
  ["GET", "both", "/toolkits/changelog", "P", "safe", 200],
  ["POST", "both", "/toolkits/multi", "P", "safe", 200],
  ["GET", "both", "/toolkits/{slug}", "PU", "safe", 200],

  ["GET", "both", "/tools", "PU", "safe", 200],
  ["GET", "both", "/tools/enum", "PU", "safe", 200],
  ["POST", "both", "/tools/execute/proxy", "P", "effect", 200],
  ["POST", "both", "/tools/execute/{tool_slug}", "PU", "effect", 200],
  ["POST", "both", "/tools/execute/{tool_slug}/input", "P", "safe", 200],
  ["POST", "v3.1", "/tools/scopes/required", "P", "safe", 200],
  ["GET", "both", "/tools/{tool_slug}", "PU", "safe", 200],

  // In the specification, triggers take only the project key.
  ["GET", "v3.1", "/trigger_instances/active", "P", "safe", 200],
  ["PATCH", "v3.1", "/trigger_instances/manage/{triggerId}", "P", "idempotent", 200],
  ["DELETE", "v3.1", "/trigger_instances/manage/{triggerId}", "P", "idempotent", 200],
  ["POST", "v3.1", "/trigger_instances/{slug}/upsert", "P", "idempotent", 200, 201],
  ["GET", "v3.1", "/triggers_types", "P", "safe", 200],
  ["GET", "v3.1", "/triggers_types/list/enum", "P", "safe", 200],
  ["GET", "v3.1", "/triggers_types/{slug}", "P", "safe", 200],

  ["GET", "v3.1", "/webhook_subscriptions", "P", "safe", 200],
  ["POST", "v3.1", "/webhook_subscriptions", "P", "effect", 201],
  ["GET", "v3.1", "/webhook_subscriptions/event_types", "P", "safe", 200],
  ["GET", "v3.1", "/webhook_subscriptions/{id}", "P", "safe", 200],
  ["PATCH", "v3.1", "/webhook_subscriptions/{id}", "P", "idempotent", 200],
  ["DELETE", "v3.1", "/webhook_subscriptions/{id}", "P", "idempotent", 200],
  ["POST", "v3.1", "/webhook_subscriptions/{id}/rotate_secret", "P", "effect", 200],

  ["GET", "both", "/webhook_endpoints", "P", "safe", 200],
  ["POST", "both", "/webhook_endpoints", "P", "idempotent", 200, 201],
  ["GET", "both", "/webhook_endpoints/schema", "P", "safe", 200],
  ["GET", "both", "/webhook_endpoints/{nano_id}", "P", "safe", 200],
  ["POST", "both", "/webhook_endpoints/{nano_id}", "P", "effect", 200],
  ["PATCH", "both", "/webhook_endpoints/{nano_id}", "P", "idempotent", 200],

  ["POST", "both", "/tool_router/session", "P", "effect", 201],
  ["GET", "both", "/tool_router/session/{session_id}", "P", "safe", 200],
  ["PATCH", "v3.1", "/tool_router/session/{session_id}", "P", "idempotent", 200],
  ["DELETE", "v3.1", "/tool_router/session/{session_id}", "P", "idempotent", 200],
  ["POST", "v3.1", "/tool_router/session/{session_id}/attach", "P", "idempotent", 200],
  ["GET", "v3.1", "/tool_router/session/{session_id}/config_history", "P", "safe", 200],
  ["POST", "both", "/tool_router/session/{session_id}/execute", "P", "effect", 200],
  ["POST", "both", "/tool_router/session/{session_id}/execute_meta", "P", "effect", 200],
  ["POST", "both", "/tool_router/session/{session_id}/link", "P", "effect", 201],
  ["POST", "both", "/tool_router/session/{session_id}/mounts/{mount_id}/delete", "P", "idempotent", 200],
  ["POST", "both", "/tool_router/session/{session_id}/mounts/{mount_id}/download_url", "P", "safe", 201],
  ["GET", "both", "/tool_router/session/{session_id}/mounts/{mount_id}/items", "P", "safe", 200],
  ["POST", "both", "/tool_router/session/{session_id}/mounts/{mount_id}/upload_url", "P", "effect", 201],
  ["POST", "both", "/tool_router/session/{session_id}/proxy_execute", "PU", "effect", 200],
  ["POST", "both", "/tool_router/session/{session_id}/search", "P", "safe", 200],
  ["GET", "both", "/tool_router/session/{session_id}/toolkits", "P", "safe", 200],
  ["GET", "both", "/tool_router/session/{session_id}/tools", "P", "safe", 200],

  ["GET", "both", "/mcp/app/{appKey}", "P", "safe", 200],
  ["GET", "both", "/mcp/servers", "P", "safe", 200],
  ["POST", "both", "/mcp/servers", "P", "effect", 201],
  ["POST", "both", "/mcp/servers/custom", "P", "effect", 201],
  ["POST", "both", "/mcp/servers/generate", "P", "effect", 200],
  ["GET", "both", "/mcp/servers/{serverId}/instances", "P", "safe", 200],
  ["POST", "both", "/mcp/servers/{serverId}/instances", "P", "effect", 201],
  ["DELETE", "both", "/mcp/servers/{serverId}/instances/{instanceId}", "P", "idempotent", 200],
  ["GET", "both", "/mcp/{id}", "P", "safe", 200],
  ["PATCH", "both", "/mcp/{id}", "P", "idempotent", 200],
  ["DELETE", "both", "/mcp/{id}", "P", "idempotent", 200],

  ["GET", "both", "/files/list", "P", "safe", 200],
  ["POST", "both", "/files/upload/request", "P", "effect", 200],

  ["POST", "v3.1", "/logs/tool_execution", "P", "safe", 200],
  ["GET", "v3.1", "/logs/tool_execution/{id}", "P", "safe", 200],
  ["POST", "v3.1", "/org/usage/summary", "O", "safe", 200],
  ["POST", "v3.1", "/org/usage/{entity_type}", "O", "safe", 200],
  ["POST", "v3.1", "/project/usage/summary", "P", "safe", 200],
  ["POST", "v3.1", "/project/usage/{entity_type}", "P", "safe", 200],

  ["GET", "v3.1", "/org/list", "U", "safe", 200],
  ["GET", "both", "/org/owner/project/list", "O", "safe", 200],
  ["POST", "both", "/org/owner/project/new", "O", "effect", 200],
  ["GET", "both", "/org/owner/project/{nano_id}", "O", "safe", 200],
  ["DELETE", "both", "/org/owner/project/{nano_id}", "O", "idempotent", 200],
  ["POST", "both", "/org/owner/project/{nano_id}/regenerate_api_key", "O", "effect", 200],
  ["GET", "v3.1", "/org/project/list", "U", "safe", 200],
  ["GET", "both", "/org/project/config", "PU", "safe", 200],
  ["PATCH", "both", "/org/project/config", "PU", "idempotent", 200],

  ["PATCH", "v1", "/integrations/{integrationId}", "P", "idempotent", 204],
];

/** Why an operation has no method. */
export const REASONS = {
  cli: "the service's own command line and dashboard",
  internal: "internal to the service",
  partner: "for partners of the service",
  labs: "removed later; sessions replace it",
  migration: "for migrating from the old ids; removed later",
  unpublished: "only its name was published, neither its input nor its response",
  provider: "called by providers and browsers, not by your program",
  mcp: "called by an MCP client: `session.mcp`, or `mcp_url` of a server",
  replaced: "deprecated; `svc.webhookSubscriptions` replaces it",
} as const;

/** The omitted operations, each with its reason. */
export const OMITTED: readonly (readonly [method: string, path: string, reason: keyof typeof REASONS])[] = [
  ["POST", "/cli/codact_failures", "cli"],
  ["POST", "/cli/create-session", "cli"],
  ["GET", "/cli/get-session", "cli"],
  ["POST", "/cli/realtime/auth", "cli"],
  ["GET", "/cli/realtime/credentials", "cli"],
  ["GET", "/internal/action_execution/fields", "internal"],
  ["GET", "/internal/action_execution/log/{id}", "internal"],
  ["POST", "/internal/action_execution/logs", "internal"],
  ["GET", "/internal/trigger/log/{id}", "internal"],
  ["POST", "/internal/trigger/logs", "internal"],
  ["GET", "/internal/sdk/realtime/credentials", "internal"],
  ["POST", "/internal/sdk/realtime/auth", "internal"],
  ["POST", "/org/clanker/create_claim", "partner"],
  ["GET", "/org/consumer/connected_toolkits", "partner"],
  ["POST", "/org/consumer/project/resolve", "partner"],
  ["POST", "/labs/tool_router/session", "labs"],
  ["GET", "/migration/get-nanoid", "migration"],
  ["DELETE", "/webhook_endpoints/{nano_id}", "unpublished"],
  ["GET", "/tools/{tool_slug}/get_latest_version", "unpublished"],
  ["GET", "/tools/get_scopes_required", "unpublished"],
  ["POST", "/files/upload/response", "unpublished"],
  ["POST", "/webhook_ingress/{toolkit}/{we_id}/trigger_event", "provider"],
  ["POST", "/trigger_instances/{toolkit}/{project_id}/handle", "provider"],
  ["GET", "/toolkits/auth/callback", "provider"],
  ["POST", "/tool_router/{session_id}/mcp", "mcp"],
  ["GET", "/tool_router/{session_id}/mcp", "mcp"],
  ["DELETE", "/tool_router/{session_id}/mcp", "mcp"],
  ["POST", "/mcp/{server_id}/{transport}", "mcp"],
  ["DELETE", "/mcp/{server_id}/{transport}", "mcp"],
  ["GET", "/org/project/webhook", "replaced"],
  ["POST", "/org/project/webhook/update", "replaced"],
  ["POST", "/org/project/webhook/refresh", "replaced"],
  ["DELETE", "/org/project/webhook", "replaced"],
];
