import type {
  ConnectedAccount,
  ConnectedAccountDetail,
  ConnectionSharing,
  ConnectionState,
} from "../../resources/connected-accounts/schema.js";
import { FIRST_PROJECT, type StoredProject } from "../projects/stored.js";
import type { State } from "../state.js";
import { type Masking, maskValues, stateInClear } from "./state-values.js";
import type { StoredAccount } from "./stored-account.js";

/** An account as lists show it to a project; to the first one, as events do, when left out. See assumption E54. */
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

/** An account with what only `get` and events show. */
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

/** Scheme and values with the secrets masked, as a project wants it. */
export function maskedState(account: StoredAccount, state: State, project: StoredProject | undefined): ConnectionState {
  const { authScheme, val } = stateInClear(account);
  // Masking changes texts to other texts, so the values keep the shape they had.
  return { authScheme, val: maskValues({ ...val }, maskingOf(account, state, project)) } as ConnectionState;
}

/** Who may use an account. All three lists are there for a shared one. */
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

const COLOURS = ["amber", "blue", "coral", "green", "grey", "indigo", "red", "teal"];
const ANIMALS = ["badger", "finch", "heron", "lynx", "marten", "otter", "owl", "pike"];

/** The short name that people and models can tell apart, made from the id so that it never changes. */
function wordId({ id, toolkit }: StoredAccount): string {
  const mood = [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9_973, 7);
  const colour = COLOURS[mood % COLOURS.length];
  const animal = ANIMALS[Math.floor(mood / COLOURS.length) % ANIMALS.length];
  return `${toolkit}_${colour}-${animal}`;
}
