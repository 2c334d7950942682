import type { StoredAccount } from "../accounts/stored-account.js";
import type { State } from "../state.js";
import type { StoredAuthConfig } from "../stored-auth-config.js";

/** Whether a session may connect its user to a toolkit with an auth config. See assumption E95. */
export function canConnect(config: StoredAuthConfig | undefined, toolkit: string): config is StoredAuthConfig {
  return config?.toolkit.slug === toolkit && !config.isDeleted && config.status === "ENABLED" && isEnabled(config);
}

/** Whether sessions may act through an account, as far as its auth config goes. */
export function isForSessions({ authConfigId }: StoredAccount, { authConfigs }: State): boolean {
  const config = authConfigs.get(authConfigId);
  return config === undefined || isEnabled(config);
}

function isEnabled({ is_enabled_for_tool_router: isEnabledForSessions }: StoredAuthConfig): boolean {
  return isEnabledForSessions !== false;
}
