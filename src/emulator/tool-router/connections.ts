import { mismatchesOf } from "../../contract/check-shape.js";
import { ConnectionSharingInput } from "../../resources/connected-accounts/schema.js";
import type {
  LinkedToolkit,
  LinkToolkitBody,
  ToolkitConnectionStatus,
  ToolRouterConfig,
} from "../../resources/tool-router/schema.js";
import { newAuthConfig } from "../auth-configs/settings.js";
import type { ToolkitDefinition } from "../catalog/definitions.js";
import { linkAccount } from "../connected-accounts/create.js";
import { mayUse } from "../connected-accounts/execution-rules.js";
import type { StoredAccount, StoredAuthConfig } from "../engine/account-records.js";
import { invalidRequest, validationError } from "../engine/responses.js";
import type { State } from "../engine/state.js";
import {
  allowsToolkit,
  invalidAccounts,
  invalidAuthConfigs,
  invalidToolkits,
  noActiveConnection,
  type SessionScope,
  sessionError,
  toolkitNotAllowed,
} from "./scope.js";

/** Accounts a session may use for a toolkit, newest first: the pinned ones, or the user's. */
function accountsOf(toolkit: string, config: ToolRouterConfig, state: State): StoredAccount[] {
  const pinned = config.connected_accounts?.[toolkit];
  const authConfigId = config.auth_configs?.[toolkit];
  return [...state.connectedAccounts.values()]
    .filter((account) => {
      if (account.toolkit !== toolkit || !isForSessions(account, state)) return false;
      if (pinned !== undefined) return pinned.includes(account.id) && mayUse(account, config.user_id);
      return account.userId === config.user_id && (authConfigId ?? account.authConfigId) === account.authConfigId;
    })
    .reverse();
}

/** The account used if a call doesn't name one: the newest active one, otherwise the newest. */
export function defaultAccount(toolkit: string, config: ToolRouterConfig, state: State): StoredAccount | undefined {
  const accounts = accountsOf(toolkit, config, state);
  return accounts.find(({ status }) => status === "ACTIVE") ?? accounts[0];
}

/**
 * The account a tool runs with; `undefined` if the toolkit doesn't need one.
 *
 * @throws {ApiFailure} 400 if the user has no active account, the account is another user's, or the call must name one.
 */
export function pickSessionAccount(
  toolkit: ToolkitDefinition,
  named: string | undefined,
  config: ToolRouterConfig,
  state: State,
): StoredAccount | undefined {
  if (toolkit.auth.length === 0) return undefined;
  const accounts = accountsOf(toolkit.slug, config, state);
  const active = accounts.filter(({ status }) => status === "ACTIVE");
  if (named !== undefined) {
    const meant = accounts.find(({ id }) => id === named) ?? accounts.find(({ alias }) => alias === named);
    if (!meant) throw invalidAccounts([named]);
    if (meant.status !== "ACTIVE") throw noActiveConnection(toolkit.slug);
    return meant;
  }
  if (active.length > 1 && needsSelection(config)) {
    const message = `Toolkit '${toolkit.slug}' has ${active.length} accounts in this session: name one`;
    // Proxied requests and tools over MCP have no field for it.
    const fix = `Set account to one of ${active.map(({ id, alias }) => alias ?? id).join(", ")}, or pin one in connected_accounts of the session`;
    throw sessionError(4310, "AccountSelectionRequired", message, fix);
  }
  if (!active[0]) throw noActiveConnection(toolkit.slug);
  return active[0];
}

/** Whether a call must name one of several accounts. */
function needsSelection({ multi_account: multi }: ToolRouterConfig): boolean {
  return multi?.enable === true && multi.require_explicit_selection === true;
}

/** Whether a session may use an auth config to connect its user to a toolkit. Assumption E95. */
export function canConnect(config: StoredAuthConfig | undefined, toolkit: string): config is StoredAuthConfig {
  return config?.toolkit.slug === toolkit && !config.isDeleted && config.status === "ENABLED" && isEnabled(config);
}

/** Whether an account's auth config allows sessions to use it. */
export function isForSessions({ authConfigId }: StoredAccount, { authConfigs }: State): boolean {
  const config = authConfigs.get(authConfigId);
  return config === undefined || isEnabled(config);
}

function isEnabled({ is_enabled_for_tool_router: isEnabledForSessions }: StoredAuthConfig): boolean {
  return isEnabledForSessions !== false;
}

/** Connection status of the session's user for a toolkit. */
export function connectionStatus(toolkit: ToolkitDefinition, scope: SessionScope): ToolkitConnectionStatus {
  const { slug: name, description } = toolkit;
  const facts = { toolkit: name, description };
  if (toolkit.auth.length === 0) {
    return { ...facts, has_active_connection: true, status_message: `${toolkit.name} needs no connection` };
  }
  const { config, state } = scope;
  const accounts = accountsOf(name, config, state);
  const active = accounts.filter(({ status }) => status === "ACTIVE");
  const [chosen] = active;
  return {
    ...facts,
    has_active_connection: chosen !== undefined,
    status_message: chosen
      ? `The user is connected to ${toolkit.name}`
      : `The user is not connected to ${toolkit.name}: call SVC_MANAGE_CONNECTIONS before its tools`,
    ...(chosen && { account_type: chosen.sharing }),
    accounts: accounts.map(({ id, alias, status, createdAt, sharing }) => ({
      id,
      ...(alias !== null && { alias }),
      status,
      created_at: createdAt,
      is_default: id === chosen?.id,
      account_type: sharing,
    })),
    ...(needsSelection(config) && active.length > 1 && { account_selection: "required" as const }),
  };
}

/**
 * The toolkit of a slug, whose tools the session may run with an account.
 *
 * @throws {ApiFailure} 400 for a toolkit that's unknown, excluded, or without authentication.
 */
export function connectable(slug: string, { catalog, config }: SessionScope): ToolkitDefinition {
  const toolkit = catalog.toolkits.get(slug);
  if (!toolkit) throw invalidToolkits([slug], catalog);
  if (!allowsToolkit(config, slug)) throw toolkitNotAllowed(slug);
  if (toolkit.auth.length > 0) return toolkit;
  throw sessionError(4326, "ToolkitsIsNoAuth", `Toolkit ${slug} does not require authentication`);
}

/**
 * Creates a link page on which the session's user connects a toolkit.
 *
 * @throws {ApiFailure} 400 for a toolkit that can't be connected or has no usable auth config, and if the session's
 * auth config is no longer usable.
 */
export function linkInSession(body: LinkToolkitBody, scope: SessionScope): LinkedToolkit {
  const { config, state } = scope;
  const toolkit = connectable(body.toolkit, scope);
  // The same fields as in account creation. Assumption R4.
  const mismatches = mismatchesOf(ConnectionSharingInput, body.experimental ?? {});
  if (mismatches.length > 0) {
    throw invalidRequest(mismatches.map((mismatch) => validationError("body.experimental", mismatch)));
  }
  const authConfig = authConfigFor(toolkit, scope);
  const link = linkAccount(
    authConfig,
    {
      user_id: config.user_id,
      alias: body.alias,
      callback_url: body.callback_url ?? config.manage_connections?.callback_url ?? undefined,
      experimental: body.experimental,
    },
    scope,
  );
  // Not before, because a rejected request must not leave it behind.
  if (!state.authConfigs.has(authConfig.id)) state.authConfigs.set(authConfig.id, authConfig);
  const overwrite: unknown = config.experimental?.["link_url_overwrite"];
  return {
    link_token: link.link_token,
    redirect_url: typeof overwrite === "string" ? below(overwrite, link.link_token) : link.redirect_url,
    connected_account_id: link.connected_account_id,
    experimental: { ...link.experimental },
  };
}

function below(url: string, token: string): string {
  return url.endsWith("/") ? url + token : `${url}/${token}`;
}

/**
 * The auth config to connect with: the session's, the toolkit's newest usable one, or a new managed one that isn't
 * stored yet, in this order.
 */
function authConfigFor(toolkit: ToolkitDefinition, { config, state, ids, clock }: SessionScope): StoredAuthConfig {
  const id = config.auth_configs?.[toolkit.slug];
  const usable = [...state.authConfigs.values()].findLast(
    (account) => (id === undefined || account.id === id) && canConnect(account, toolkit.slug),
  );
  if (usable) return usable;
  if (id !== undefined) throw invalidAuthConfigs([id]);
  const managed = toolkit.auth.find(({ isManaged }) => isManaged);
  if (!managed) {
    const message = `The service does not manage auth for toolkit ${toolkit.slug}, and it has no usable auth config`;
    const fix = "Create an auth config for it, and name it in auth_configs of the session";
    throw sessionError(4308, "NoManagedAuth", message, fix);
  }
  const identity = { id: ids.next("ac_"), uuid: ids.uuid(), isCustom: false, name: toolkit.name, now: clock.iso() };
  return newAuthConfig(toolkit, managed.scheme, identity);
}
