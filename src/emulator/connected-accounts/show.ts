import type {
  ConnectedAccount,
  ConnectedAccountDetail,
  ConnectionSharing,
  ConnectionState,
  ListConnectedAccountsQuery,
} from "../../resources/connected-accounts/schema.js";
import type { StoredAccount } from "../host/account-records.js";
import { FIRST_PROJECT, type StoredProject } from "../host/project-records.js";
import type { State } from "../host/state.js";
import { mayUse } from "./execution-rules.js";
import { type Masking, maskValues, stateInClear } from "./values.js";

/** An account in a list. `project` defaults to the first one, as in events. See assumption E54. */
export function shownAccount(account: StoredAccount, state: State, project = firstProject(state)): ConnectedAccount {
  const masked = maskedState(account, state, project);
  return {
    id: account.id,
    toolkit: { slug: account.toolkit },
    auth_config: {
      id: account.authConfigId,
      auth_scheme: account.scheme,
      is_svc_managed: isManaged(account, state),
      is_disabled: state.authConfigs.get(account.authConfigId)?.status === "DISABLED",
    },
    word_id: wordId(account),
    alias: account.alias,
    user_id: account.userId,
    status: account.status,
    status_reason: account.statusReason,
    is_disabled: account.status === "INACTIVE",
    created_at: account.createdAt,
    updated_at: account.updatedAt,
    state: masked,
    data: { ...masked.val },
    experimental: sharingOf(account),
  };
}

/** An account with the fields that only `get` and events show. */
export function detailedAccount(
  account: StoredAccount,
  state: State,
  project = firstProject(state),
): ConnectedAccountDetail {
  const scopes = state.authConfigs.get(account.authConfigId)?.credentials["scopes"];
  const requested = typeof scopes === "string" ? scopes.split(/[\s,]+/).filter(Boolean) : scopes;
  return {
    ...shownAccount(account, state, project),
    params: maskValues(account.params, maskingOf(account, state, project)),
    ...(account.scheme.includes("OAUTH") && {
      requested_scopes: Array.isArray(requested) ? requested.map(String) : [],
    }),
  };
}

/** Scheme and values, masked according to the project's settings. */
export function maskedState(account: StoredAccount, state: State, project: StoredProject | undefined): ConnectionState {
  const { authScheme, val } = stateInClear(account);
  // Masking replaces strings with strings, so the type still holds.
  return { authScheme, val: maskValues({ ...val }, maskingOf(account, state, project)) } as ConnectionState;
}

/** Sharing settings of an account. A shared one always has all three fields. */
export function sharingOf({ sharing, acl }: StoredAccount): ConnectionSharing {
  if (sharing === "PRIVATE") return { account_type: sharing };
  return {
    account_type: sharing,
    acl_config_for_shared: {
      allow_all_users: acl.allow_all_users ?? false,
      allowed_user_ids: [...(acl.allowed_user_ids ?? [])],
      not_allowed_user_ids: [...(acl.not_allowed_user_ids ?? [])],
    },
  };
}

function maskingOf(account: StoredAccount, state: State, project: StoredProject | undefined): Masking {
  const hidesSecrets = project?.config.mask_secret_keys_in_connected_account !== false;
  return { isManaged: isManaged(account, state), hidesSecrets };
}

function firstProject({ projects }: State): StoredProject | undefined {
  return projects.get(FIRST_PROJECT);
}

function isManaged({ authConfigId }: StoredAccount, { authConfigs }: State): boolean {
  return authConfigs.get(authConfigId)?.is_svc_managed ?? false;
}

const COLORS = ["amber", "blue", "coral", "green", "grey", "indigo", "red", "teal"];

const ANIMALS = ["badger", "finch", "heron", "lynx", "marten", "otter", "owl", "pike"];

/** A short readable name, derived from the id so that it never changes. */
function wordId({ id, toolkit }: StoredAccount): string {
  const mood = [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9_973, 7);
  const color = COLORS[mood % COLORS.length];
  const animal = ANIMALS[Math.floor(mood / COLORS.length) % ANIMALS.length];
  return `${toolkit}_${color}-${animal}`;
}

/**
 * Accounts matching a list's filters, in its order. A filter by user includes shared accounts the user may use.
 * See assumption E23.
 */
export function filteredAccounts({ connectedAccounts }: State, query: ListConnectedAccountsQuery): StoredAccount[] {
  const { account_type: type = "PRIVATE", order_by: field = "created_at", order_direction: direction = "desc" } = query;
  const matching = [...connectedAccounts.values()].filter(
    (account) =>
      (type === "ALL" || account.sharing === type) &&
      (!query.toolkit_slugs || query.toolkit_slugs.includes(account.toolkit)) &&
      (!query.statuses || query.statuses.includes(account.status)) &&
      (!query.user_ids || query.user_ids.some((userId) => mayUse(account, userId))) &&
      (!query.auth_config_ids || query.auth_config_ids.includes(account.authConfigId)) &&
      (!query.connected_account_ids || query.connected_account_ids.includes(account.id)),
  );
  const time = ({ createdAt, updatedAt }: StoredAccount) => (field === "created_at" ? createdAt : updatedAt);
  // The sort is stable, so accounts created at the same time keep their order.
  const oldestFirst = matching.sort((one, other) => (time(one) < time(other) ? -1 : time(one) > time(other) ? 1 : 0));
  return direction === "asc" ? oldestFirst : oldestFirst.reverse();
}
