/** P `x-api-key`, U `x-user-api-key`, O `x-org-api-key`, C the session cookie; empty for no key. */
type Credentials = "" | "P" | "U" | "O" | "PU" | "UOC";

/** Method, path under the API prefix, credentials, statuses of success. */
type Row = readonly [method: string, path: string, credentials: Credentials, ...success: number[]];

/**
 * Every published operation, as in the specification and the public descriptions: written by hand, so
 * that a gap in the contract is found. If they disagree, the specification is right.
 */
export const INVENTORY: readonly Row[] = [
  ["POST", "/api_key_revocation", "", 200],
  ["GET", "/auth/session/info", "UOC", 200],

  ["GET", "/auth_configs", "PU", 200],
  ["POST", "/auth_configs", "PU", 201],
  ["GET", "/auth_configs/{nanoid}", "PU", 200],
  ["PATCH", "/auth_configs/{nanoid}", "PU", 200],
  ["DELETE", "/auth_configs/{nanoid}", "PU", 200],
  ["PATCH", "/auth_configs/{nanoid}/{status}", "P", 200],

  ["GET", "/connected_accounts", "PU", 200],
  ["POST", "/connected_accounts", "P", 201],
  ["POST", "/connected_accounts/link", "PU", 201],
  ["POST", "/connected_accounts/complete_auth", "P", 200],
  ["PATCH", "/connected_accounts/{nanoId}/status", "P", 200],
  ["GET", "/connected_accounts/{nanoid}", "PU", 200],
  ["PATCH", "/connected_accounts/{nanoid}", "P", 200],
  ["DELETE", "/connected_accounts/{nanoid}", "PU", 200],
  ["POST", "/connected_accounts/{nanoid}/refresh", "P", 200],
  ["POST", "/connected_accounts/{nanoid}/revoke", "P", 200],

  ["GET", "/toolkits", "PU", 200],
  ["GET", "/toolkits/categories", "P", 200],
  ["GET", "/toolkits/changelog", "P", 200],
  ["POST", "/toolkits/multi", "P", 200],
  ["GET", "/toolkits/{slug}", "PU", 200],

  ["GET", "/tools", "PU", 200],
  ["GET", "/tools/enum", "PU", 200],
  ["POST", "/tools/execute/proxy", "P", 200],
  ["POST", "/tools/execute/{tool_slug}", "PU", 200],
  ["POST", "/tools/execute/{tool_slug}/input", "P", 200],
  ["POST", "/tools/scopes/required", "P", 200],
  ["GET", "/tools/{tool_slug}", "PU", 200],

  // In the specification, triggers take only the project key.
  ["GET", "/trigger_instances/active", "P", 200],
  ["PATCH", "/trigger_instances/manage/{triggerId}", "P", 200],
  ["DELETE", "/trigger_instances/manage/{triggerId}", "P", 200],
  ["POST", "/trigger_instances/{slug}/upsert", "P", 200, 201],
  ["GET", "/triggers_types", "P", 200],
  ["GET", "/triggers_types/list/enum", "P", 200],
  ["GET", "/triggers_types/{slug}", "P", 200],

  ["GET", "/webhook_subscriptions", "P", 200],
  ["POST", "/webhook_subscriptions", "P", 201],
  ["GET", "/webhook_subscriptions/event_types", "P", 200],
  ["GET", "/webhook_subscriptions/{id}", "P", 200],
  ["PATCH", "/webhook_subscriptions/{id}", "P", 200],
  ["DELETE", "/webhook_subscriptions/{id}", "P", 200],
  ["POST", "/webhook_subscriptions/{id}/rotate_secret", "P", 200],

  ["GET", "/webhook_endpoints", "P", 200],
  ["POST", "/webhook_endpoints", "P", 200, 201],
  ["GET", "/webhook_endpoints/schema", "P", 200],
  ["GET", "/webhook_endpoints/{nano_id}", "P", 200],
  ["POST", "/webhook_endpoints/{nano_id}", "P", 200],
  ["PATCH", "/webhook_endpoints/{nano_id}", "P", 200],

  ["POST", "/tool_router/session", "P", 201],
  ["GET", "/tool_router/session/{session_id}", "P", 200],
  ["PATCH", "/tool_router/session/{session_id}", "P", 200],
  ["DELETE", "/tool_router/session/{session_id}", "P", 200],
  ["POST", "/tool_router/session/{session_id}/attach", "P", 200],
  ["GET", "/tool_router/session/{session_id}/config_history", "P", 200],
  ["POST", "/tool_router/session/{session_id}/execute", "P", 200],
  ["POST", "/tool_router/session/{session_id}/execute_meta", "P", 200],
  ["POST", "/tool_router/session/{session_id}/link", "P", 201],
  ["POST", "/tool_router/session/{session_id}/mounts/{mount_id}/delete", "P", 200],
  ["POST", "/tool_router/session/{session_id}/mounts/{mount_id}/download_url", "P", 201],
  ["GET", "/tool_router/session/{session_id}/mounts/{mount_id}/items", "P", 200],
  ["POST", "/tool_router/session/{session_id}/mounts/{mount_id}/upload_url", "P", 201],
  ["POST", "/tool_router/session/{session_id}/proxy_execute", "PU", 200],
  ["POST", "/tool_router/session/{session_id}/search", "P", 200],
  ["GET", "/tool_router/session/{session_id}/toolkits", "P", 200],
  ["GET", "/tool_router/session/{session_id}/tools", "P", 200],

  ["GET", "/mcp/app/{appKey}", "P", 200],
  ["GET", "/mcp/servers", "P", 200],
  ["POST", "/mcp/servers", "P", 201],
  ["POST", "/mcp/servers/custom", "P", 201],
  ["POST", "/mcp/servers/generate", "P", 200],
  ["GET", "/mcp/servers/{serverId}/instances", "P", 200],
  ["POST", "/mcp/servers/{serverId}/instances", "P", 201],
  ["DELETE", "/mcp/servers/{serverId}/instances/{instanceId}", "P", 200],
  ["GET", "/mcp/{id}", "P", 200],
  ["PATCH", "/mcp/{id}", "P", 200],
  ["DELETE", "/mcp/{id}", "P", 200],

  ["GET", "/files/list", "P", 200],
  ["POST", "/files/upload/request", "P", 200],

  ["POST", "/logs/tool_execution", "P", 200],
  ["GET", "/logs/tool_execution/{id}", "P", 200],
  ["POST", "/org/usage/summary", "O", 200],
  ["POST", "/org/usage/{entity_type}", "O", 200],
  ["POST", "/project/usage/summary", "P", 200],
  ["POST", "/project/usage/{entity_type}", "P", 200],

  ["GET", "/org/list", "U", 200],
  ["GET", "/org/owner/project/list", "O", 200],
  ["POST", "/org/owner/project/new", "O", 200],
  ["GET", "/org/owner/project/{nano_id}", "O", 200],
  ["DELETE", "/org/owner/project/{nano_id}", "O", 200],
  ["POST", "/org/owner/project/{nano_id}/regenerate_api_key", "O", 200],
  ["GET", "/org/project/list", "U", 200],
  ["GET", "/org/project/config", "PU", 200],
  ["PATCH", "/org/project/config", "PU", 200],

  ["PATCH", "/api/v1/integrations/{integrationId}", "P", 204],
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
