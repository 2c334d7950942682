import type { ConnectionSharingInput } from "../../resources/connected-accounts/schema.js";
import type { AuthField } from "../../resources/toolkits/schema.js";
import type { JsonObject, ToolkitDefinition } from "../catalog/definitions.js";
import type { StoredAccount, StoredAuthConfig } from "../host/account-records.js";
import type { World } from "../host/context.js";
import { authConfigNotFound } from "../host/lookup-and-page.js";
import { ApiFailure, checkId, invalidRequest, notFound } from "../host/responses.js";
import type { State } from "../host/state.js";

/** 400 for a connected account. */
export function badRequest(message: string, suggestedFix?: string): ApiFailure {
  const fix = suggestedFix === undefined ? {} : { suggestedFix };
  return new ApiFailure({ status: 400, code: 600, slug: "ConnectedAccount_BadRequest", message, ...fix });
}

/** 400 that lists missing fields. */
export function missingFields(labels: readonly string[]): ApiFailure {
  return new ApiFailure({
    status: 400,
    code: 612,
    slug: "ConnectedAccount_MissingRequiredFields",
    message: `Missing required fields: ${labels.join(", ")}`,
  });
}

/**
 * Returns the account with an id.
 *
 * @throws {ApiFailure} 400 for an invalid id, 404 for an unknown or deleted account.
 */
export function findAccount(id: string, { state }: Pick<World, "state">, parameter = "nanoid"): StoredAccount {
  checkId(id, "ca_", parameter);
  const account = state.connectedAccounts.get(id);
  if (account) return account;
  throw notFound("ConnectedAccount", `Connected account "${id}"`, 606);
}

/**
 * Returns an auth config, to create an account or to make one ACTIVE again.
 *
 * @throws {ApiFailure} 404 if it's unknown or deleted, 400 if it's disabled. See assumption E25 and assumption E86.
 */
export function usableConfig(id: string, state: State): StoredAuthConfig {
  const config = state.authConfigs.get(id);
  if (!config || config.isDeleted) throw authConfigNotFound(id);
  if (config.status === "ENABLED") return config;
  throw badRequest("Auth config is disabled", `Enable ${id}, or use another auth config`);
}

/** An account's own values, and those inherited from its auth config. See assumption E87. */
export function withShared(values: JsonObject, config: StoredAuthConfig | undefined): JsonObject {
  return { ...config?.shared_credentials, ...values };
}

/**
 * Returns an alias for storage; an empty string removes it.
 *
 * @throws {ApiFailure} 400 if another account of the user and toolkit has it. Spec: Connected account update.
 */
export function claimAlias(alias: string, owner: StoredAccount, state: State): string | null {
  if (alias === "") return null;
  const taken = [...state.connectedAccounts.values()].some(
    (other) =>
      other.id !== owner.id &&
      other.userId === owner.userId &&
      other.toolkit === owner.toolkit &&
      other.alias === alias,
  );
  if (!taken) return alias;
  throw badRequest(`Alias "${alias}" is already in use by another connection for this entity`, "Choose another alias");
}

/**
 * Updates how an account is shared.
 *
 * @throws {ApiFailure} 400 for an access list on an account that isn't shared.
 */
export function share(account: StoredAccount, input: ConnectionSharingInput = {}): void {
  const { account_type: type = account.sharing, acl_config_for_shared: acl } = input;
  if (acl && type !== "SHARED") throw badRequest("acl_config_for_shared is only valid on SHARED connections");
  account.sharing = type;
  if (acl) account.acl = structuredClone(acl);
}

/** @throws {ApiFailure} 400 for a callback URL that isn't absolute. */
export function checkCallbackUrl(callbackUrl: string | undefined): string | undefined {
  if (callbackUrl === undefined || URL.canParse(callbackUrl)) return callbackUrl;
  throw invalidRequest(["body.callback_url: expected an absolute URL"]);
}

const REDIRECT_SCHEMES = ["OAUTH1", "OAUTH2", "DCR_OAUTH"];

/** Whether users connect on the provider's site. */
export function isRedirectScheme(scheme: string): boolean {
  return REDIRECT_SCHEMES.includes(scheme);
}

/** Required values by scheme, in addition to the fields in the toolkit's definition. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  OAUTH1: ["oauth_token", "oauth_token_secret"],
  OAUTH2: ["access_token"],
  DCR_OAUTH: ["client_id", "access_token"],
  BASIC: ["username"],
  BASIC_WITH_JWT: ["username", "password"],
  BEARER_TOKEN: ["token"],
  BILLCOM_AUTH: ["sessionId", "devKey"],
  GOOGLE_SERVICE_ACCOUNT: ["credentials_json"],
  SERVICE_ACCOUNT: ["application_id", "installation_id", "private_key"],
  S2S_OAUTH2: ["access_token"],
};

type Field = Pick<AuthField, "name" | "displayName">;

/** Fields a connection requires: those of the toolkit and those of the scheme. */
export function requiredFields(toolkit: ToolkitDefinition | undefined, scheme: string): readonly Field[] {
  const own = (toolkit?.auth.find((auth) => auth.scheme === scheme)?.accountFields ?? []).filter(
    ({ required }) => required,
  );
  const named = own.map(({ name }) => name);
  const others = (REQUIRED[scheme] ?? []).filter((name) => !named.includes(name));
  return [...own, ...others.map((name) => ({ name, displayName: name }))];
}

/** Fields the hosted page asks for: those required, except values the provider grants. */
export function askedFields(toolkit: ToolkitDefinition | undefined, scheme: string): readonly Field[] {
  const granted = isRedirectScheme(scheme) ? (REQUIRED[scheme] ?? []) : [];
  return requiredFields(toolkit, scheme).filter(({ name }) => !granted.includes(name));
}

/** Labels of fields without a value; an empty string doesn't count as one. */
export function missingLabels(fields: readonly Field[], values: JsonObject): string[] {
  return fields
    .filter(({ name }) => values[name] === undefined || values[name] === null || values[name] === "")
    .map(({ displayName }) => displayName);
}

/** Whether a toolkit can revoke credentials; by default, those of OAuth schemes. */
export function isRevocable(toolkit: ToolkitDefinition | undefined, scheme: string): boolean {
  const definition = toolkit?.auth.find((auth) => auth.scheme === scheme);
  return definition?.isRevocable ?? scheme.includes("OAUTH");
}

/**
 * Whether the service can renew a connection, by sending the user to the provider or by requesting a new token. Keys
 * can't be renewed. See assumption E24.
 */
export function isRenewable(scheme: string): boolean {
  return isRedirectScheme(scheme) || ["S2S_OAUTH2", "BASIC_WITH_JWT", "BILLCOM_AUTH"].includes(scheme);
}
