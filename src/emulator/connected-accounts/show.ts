import * as z from "zod/mini";
import { ConnectionCredentialsPatch } from "../../resources/connected-accounts/request-schema.js";
import type {
  ConnectedAccount,
  ConnectedAccountDetail,
  ConnectionSharing,
  ConnectionState,
  ListConnectedAccountsQuery,
} from "../../resources/connected-accounts/schema.js";
import { commonFields } from "../../resources/connected-accounts/state-fields-schema.js";
import { oauthFields, SCHEMES } from "../../resources/connected-accounts/state-values-schema.js";
import type { JsonObject } from "../../resources/schema-kit.js";
import { REDACTED } from "../../shared/control-plane.js";
import type { Json } from "../../shared/json.js";
import { replaceSecrets } from "../../shared/secret-names.js";
import { type ConnectionFlow, isWaiting, type StoredAccount } from "../engine/account-records.js";
import type { ProjectEngine } from "../engine/engine.js";
import { maskAsService } from "../engine/masking.js";
import { sortedByTime } from "../engine/pages.js";
import type { State } from "../engine/state.js";
import { mayUse } from "./execution-rules.js";

/** Whom an account is shown to: its project decides what is masked, and URLs have its origin. */
type Viewer = Pick<ProjectEngine, "state" | "project" | "origin">;

/** An account in a list. */
export function shownAccount(account: StoredAccount, viewer: Viewer): ConnectedAccount {
  const masked = maskedState(account, viewer);
  const config = viewer.state.authConfigs.get(account.authConfigId);
  return {
    id: account.id,
    toolkit: { slug: account.toolkit },
    auth_config: {
      id: account.authConfigId,
      auth_scheme: account.scheme,
      is_svc_managed: config?.is_svc_managed ?? false,
      is_disabled: config?.status === "DISABLED",
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
export function detailedAccount(account: StoredAccount, viewer: Viewer): ConnectedAccountDetail {
  const scopes = viewer.state.authConfigs.get(account.authConfigId)?.credentials["scopes"];
  const requested = typeof scopes === "string" ? scopes.split(/[\s,]+/).filter(Boolean) : scopes;
  return {
    ...shownAccount(account, viewer),
    params: maskOf(account, viewer)(account.params),
    ...(account.scheme.includes("OAUTH") && {
      requested_scopes: Array.isArray(requested) ? requested.map(String) : [],
    }),
  };
}

/** Scheme and values, masked according to the project's settings. */
export function maskedState(account: StoredAccount, viewer: Viewer): ConnectionState {
  const { authScheme, val } = stateInClear(account, viewer.origin);
  // Masking replaces strings with strings, so the type still holds.
  return { authScheme, val: maskOf(account, viewer)({ ...val }) } as ConnectionState;
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
 * Assumption E23.
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
  return sortedByTime(
    matching,
    ({ createdAt, updatedAt }) => (field === "created_at" ? createdAt : updatedAt),
    direction,
  );
}

/** Fields that identify the user's instance of a toolkit, or a step of a flow: shown in every status. */
const NOT_SECRET: readonly string[] = [
  ...["status", "redirectUrl", "callback_url"],
  ...Object.keys({ ...commonFields, ...oauthFields }),
];

/** Fields of usable connections in any scheme, and fields that an update replaces: shown only while one is usable. */
const SECRET_VALUES: ReadonlySet<string> = new Set(
  [
    "Authorization",
    ...Object.keys(ConnectionCredentialsPatch.shape),
    ...Object.values(SCHEMES).flatMap((variants) =>
      variants.flatMap(({ shape }) => (z.safeParse(shape.status, "ACTIVE").success ? Object.keys(shape) : [])),
    ),
  ].filter((name) => !NOT_SECRET.includes(name)),
);

/** Credentials a scheme shows in every status. */
const ALWAYS_SHOWN: Readonly<Record<string, JsonObject>> = {
  BASIC_WITH_JWT: { username: "", password: "" },
  DCR_OAUTH: { client_id: "" },
};

/** The fields of an account that its state depends on. */
type StateFacts = Pick<StoredAccount, "scheme" | "status" | "values" | "outcome" | "flow">;

/** Scheme and values of an account in its current status, unmasked. Assumption C2. */
export function stateInClear(account: StateFacts, origin: string): ConnectionState {
  const { scheme, status, values, outcome } = account;
  const isUsable = status === "ACTIVE" || status === "INACTIVE";
  const always = ALWAYS_SHOWN[scheme] ?? {};
  const shown = Object.entries(values).filter(([name]) => isUsable || name in always || !SECRET_VALUES.has(name));
  const val = { ...always, ...Object.fromEntries(shown), ...flowValues(account, origin), ...outcome, status };
  // The contract defines the values of each scheme and status, and every response is checked against it.
  return { authScheme: scheme, val } as ConnectionState;
}

/** URL of a flow's page. A snapshot may be restored elsewhere, so each request gets it with its own origin. */
export function linkUrl({ token }: ConnectionFlow, origin: string): string {
  return `${origin}/link/${token}`;
}

/** Values of a flow, while the account waits for its user. */
function flowValues({ scheme, status, flow }: StateFacts, origin: string): JsonObject {
  if (!flow || !isWaiting({ status })) return {};
  const { token, callbackUrl } = flow;
  const url = linkUrl(flow, origin);
  if (scheme !== "OAUTH1") return { redirectUrl: url, ...(callbackUrl !== null && { callback_url: callbackUrl }) };
  return {
    redirectUrl: url,
    authUri: url,
    oauth_token: `request_${token}`,
    oauth_token_secret: `request_secret_${token}`,
    ...(callbackUrl !== null && { callbackUrl }),
  };
}

const MANAGED = /^(access_token|refresh_token|authorization)$/i;

/**
 * Masks an account's secrets to their first four characters, if the project doesn't show them, and hides tokens that
 * the service manages.
 */
function maskOf({ authConfigId }: StoredAccount, { state, project }: Viewer) {
  const isManaged = state.authConfigs.get(authConfigId)?.is_svc_managed === true;
  const hidesSecrets = project.config.mask_secret_keys_in_connected_account !== false;
  const mask = (secret: unknown, name: string) => {
    if (isManaged && MANAGED.test(name)) return REDACTED;
    return hidesSecrets ? maskAsService(secret) : secret;
  };
  // It's an object, because the copy of one is.
  return (values: Json) => replaceSecrets(values, mask) as JsonObject;
}
