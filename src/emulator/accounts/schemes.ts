import type { AuthField } from "../../resources/toolkits/schema.js";
import type { JsonObject, ToolkitDefinition } from "../definitions.js";

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
