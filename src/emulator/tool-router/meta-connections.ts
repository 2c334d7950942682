import type { JsonObject } from "../../resources/schema-kit.js";
import type { ToolkitDefinition } from "../catalog/definitions.js";
import { isWaiting, type StoredAccount } from "../engine/account-records.js";
import { ApiFailure } from "../engine/responses.js";
import { connectionStatus, defaultAccount, linkInSession } from "./connections.js";
import { allowsToolkit, type MetaResult, type SessionScope } from "./scope.js";

/** Creates link pages for the toolkits that aren't connected, or for all that can be connected. */
export function manageConnections(toolkits: readonly string[], isForced: boolean, scope: SessionScope): MetaResult {
  const results = [...new Set(toolkits)].map((toolkit) => connectToolkit(toolkit, isForced, scope));
  const count = (wanted: string) => results.filter(({ status }) => status === wanted).length;
  const [active, initiated, failed] = [count("active"), count("initiated"), count("failed")];
  return {
    data: {
      message: `${active} connected, ${initiated} waiting for the user, ${failed} failed`,
      results: byToolkit(results),
      summary: {
        total_toolkits: results.length,
        active_connections: active,
        initiated_connections: initiated,
        failed_connections: failed,
      },
    },
    error: failed === 0 ? null : `${failed} toolkits cannot be connected`,
  };
}

function connectToolkit(slug: string, isForced: boolean, scope: SessionScope) {
  const toolkit = toolkitOf(slug, scope);
  const isConnected = toolkit !== undefined && connectionStatus(toolkit, scope).has_active_connection;
  if (isConnected && !(isForced && toolkit.auth.length > 0)) {
    const account = defaultAccount(slug, scope.config, scope.state);
    const own = account && { account_type: account.sharing };
    return { status: "active", has_active_connection: true, ...connectionOf(slug, account), ...own };
  }
  const waiting = { toolkit: slug, has_active_connection: isConnected };
  try {
    const { redirect_url, connected_account_id } = linkInSession({ toolkit: slug }, scope);
    const instruction = `Ask the user to open ${redirect_url}`;
    const link = { redirect_url, connected_account_id, instruction, was_reinitiated: isConnected };
    return { status: "initiated", ...waiting, ...link };
  } catch (error) {
    if (error instanceof ApiFailure) return { status: "failed", ...waiting, error_message: error.message };
    throw error;
  }
}

/**
 * Reports connections without waiting, because nothing changes while the clock is stopped. The agent calls again.
 *
 * @param needsAll whether one connection isn't enough.
 */
export function reportConnections(slugs: readonly string[], needsAll: boolean, scope: SessionScope): MetaResult {
  const results = slugs.map((slug) => {
    const toolkit = toolkitOf(slug, scope);
    const account = toolkit && defaultAccount(slug, scope.config, scope.state);
    const status = toolkit?.auth.length === 0 ? "ACTIVE" : waitingStatus(account);
    const error_message = status === "ACTIVE" ? null : (account?.statusReason ?? `${slug} isn't connected`);
    return { ...connectionOf(slug, account), status, has_active_connection: status === "ACTIVE", error_message };
  });
  const missing = results.filter(({ status }) => status !== "ACTIVE").map(({ toolkit }) => toolkit);
  const isDone = needsAll ? missing.length === 0 : missing.length < results.length;
  const message = missing.length === 0 ? "All are connected" : `Not connected: ${missing.join(", ")}`;
  return { data: { message, results: byToolkit(results) }, error: isDone ? null : message };
}

/** A toolkit that the session may use. */
function toolkitOf(slug: string, { catalog, config }: SessionScope): ToolkitDefinition | undefined {
  return allowsToolkit(config, slug) ? catalog.toolkits.get(slug) : undefined;
}

/** Status of a connection for an agent that waits for it. */
function waitingStatus(account: StoredAccount | undefined): string {
  if (!account) return "NOT_FOUND";
  if (account.status === "ACTIVE") return account.status;
  return isWaiting(account) ? "INITIATED" : "FAILED";
}

function connectionOf(toolkit: string, account: StoredAccount | undefined) {
  return {
    toolkit,
    connected_account_id: account?.id ?? null,
    auth_config_id: account?.authConfigId ?? null,
    created_at: account?.createdAt ?? null,
    current_user_info: null,
  };
}

function byToolkit(results: readonly { readonly toolkit: string }[]): JsonObject {
  return Object.fromEntries(results.map((result) => [result.toolkit, result]));
}
