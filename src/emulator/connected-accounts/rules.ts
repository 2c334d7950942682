import type { ConnectionSharingInput } from "../../resources/connected-accounts/schema.js";
import type { AuthField } from "../../resources/toolkits/schema.js";
import type { JsonObject, ToolkitDefinition } from "../catalog/definitions.js";
import type { StoredAccount, StoredAuthConfig } from "../host/account-records.js";
import type { World } from "../host/context.js";
import { ApiFailure, checkId, invalidRequest, notFound } from "../host/errors.js";
import type { State } from "../host/state.js";

/** 400 in the accounts' own block. */
export function badRequest(message: string, suggestedFix?: string): ApiFailure {
  const fix = suggestedFix === undefined ? {} : { suggestedFix };
  return new ApiFailure({ status: 400, code: 600, slug: "ConnectedAccount_BadRequest", message, ...fix });
}

/** 400 that names what the user must give. */
export function missingFields(labels: readonly string[]): ApiFailure {
  return new ApiFailure({
    status: 400,
    code: 612,
    slug: "ConnectedAccount_MissingRequiredFields",
    message: `Missing required fields: ${labels.join(", ")}`,
  });
}

/**
 * The account with an id.
 *
 * @throws {Refusal} 400 for what is no such id, 404 for an unknown or deleted account.
 */
export function findAccount(id: string, { state }: Pick<World, "state">, parameter = "nanoid"): StoredAccount {
  checkId(id, "ca_", parameter);
  const account = state.connectedAccounts.get(id);
  if (account) return account;
  throw notFound("ConnectedAccount", `Connected account "${id}"`, 606);
}

/**
 * The auth config from which an account is to be made, or to become ACTIVE again.
 *
 * @throws {Refusal} 404 for an unknown or deleted one, 400 for a disabled one. See assumption E25 and assumption E86.
 */
export function usableConfig(id: string, state: State): StoredAuthConfig {
  const config = state.authConfigs.get(id);
  if (!config || config.isDeleted) throw notFound("AuthConfig", `Auth config ${id}`, 301);
  if (config.status === "ENABLED") return config;
  throw badRequest("Auth config is disabled", `Enable ${id}, or use another auth config`);
}

/** What an account has of its own, and what it inherits from its auth config. See assumption E87. */
export function withShared(values: JsonObject, config: StoredAuthConfig | undefined): JsonObject {
  return { ...config?.shared_credentials, ...values };
}

/**
 * An alias as it is stored; an empty text is none.
 *
 * @throws {Refusal} 400 when another account of the user and toolkit has it. Spec: Connected account update.
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
 * Shares an account as a request says.
 *
 * @throws {Refusal} 400 for a config on an account that is not shared.
 */
export function share(account: StoredAccount, input: ConnectionSharingInput = {}): void {
  const { account_type: type = account.sharing, acl_config_for_shared: acl } = input;
  if (acl && type !== "SHARED") throw badRequest("acl_config_for_shared is only valid on SHARED connections");
  account.sharing = type;
  if (acl) account.acl = structuredClone(acl);
}

/** Where a browser is to go: an absolute address, or none. */
export function checkCallbackUrl(callbackUrl: string | undefined): string | undefined {
  if (callbackUrl === undefined || URL.canParse(callbackUrl)) return callbackUrl;
  throw invalidRequest(["body.callback_url: expected an absolute address"]);
}

const REDIRECT_SCHEMES = ["OAUTH1", "OAUTH2", "DCR_OAUTH"];

/** Whether users connect by being sent to the provider. */
export function isRedirectScheme(scheme: string): boolean {
  return REDIRECT_SCHEMES.includes(scheme);
}

/** What each scheme cannot do without, where the toolkit's definition does not list its fields. */
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

/** What a connection needs: the toolkit's own fields, and what the scheme cannot do without. */
export function requiredFields(toolkit: ToolkitDefinition | undefined, scheme: string): readonly Field[] {
  const own = (toolkit?.auth.find((auth) => auth.scheme === scheme)?.accountFields ?? []).filter(
    ({ required }) => required,
  );
  const named = own.map(({ name }) => name);
  const others = (REQUIRED[scheme] ?? []).filter((name) => !named.includes(name));
  return [...own, ...others.map((name) => ({ name, displayName: name }))];
}

/** What a user must give on the hosted page: what a connection needs, but for what the provider grants. */
export function askedFields(toolkit: ToolkitDefinition | undefined, scheme: string): readonly Field[] {
  const granted = isRedirectScheme(scheme) ? (REQUIRED[scheme] ?? []) : [];
  return requiredFields(toolkit, scheme).filter(({ name }) => !granted.includes(name));
}

/** Labels of the fields that values lack; an empty text is none. */
export function missingLabels(fields: readonly Field[], values: JsonObject): string[] {
  return fields
    .filter(({ name }) => values[name] === undefined || values[name] === null || values[name] === "")
    .map(({ displayName }) => displayName);
}

/** Whether the toolkit can take back what it granted: where its definition does not say, OAuth ones can. */
export function isRevocable(toolkit: ToolkitDefinition | undefined, scheme: string): boolean {
  const definition = toolkit?.auth.find((auth) => auth.scheme === scheme);
  return definition?.isRevocable ?? scheme.includes("OAUTH");
}

/**
 * Whether the service can renew such a connection: by sending the user to the provider, or by asking it for a token with
 * what it has. There is nothing to renew about a key. See assumption E24.
 */
export function isRenewable(scheme: string): boolean {
  return isRedirectScheme(scheme) || ["S2S_OAUTH2", "BASIC_WITH_JWT", "BILLCOM_AUTH"].includes(scheme);
}
