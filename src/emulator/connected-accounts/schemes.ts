import type { JsonObject } from "../../resources/schema-kit.js";
import type { AUTH_SCHEMES } from "../../resources/shared.js";
import type { AuthField } from "../../resources/toolkits/schema.js";
import type { ToolkitDefinition } from "../catalog/definitions.js";

const REDIRECT_SCHEMES = ["OAUTH1", "OAUTH2", "DCR_OAUTH"];

/** Whether users connect on the provider's site. */
export function isRedirectScheme(scheme: string): boolean {
  return REDIRECT_SCHEMES.includes(scheme);
}

type ValuesOfSchemes = Partial<Record<(typeof AUTH_SCHEMES)[number], JsonObject>>;
type ValuesByScheme = Readonly<Record<string, JsonObject>>;

/** Required values by scheme, in addition to the fields in the toolkit's definition, with demo values. */
const REQUIRED: ValuesByScheme = {
  OAUTH1: { oauth_token: "demo_token", oauth_token_secret: "demo_token_secret" },
  OAUTH2: { access_token: "demo_access_token" },
  DCR_OAUTH: { client_id: "demo_client", access_token: "demo_access_token" },
  BASIC: { username: "demo" },
  BASIC_WITH_JWT: { username: "demo", password: "demo_password" },
  BEARER_TOKEN: { token: "demo_token" },
  BILLCOM_AUTH: { sessionId: "demo_session", devKey: "demo_key" },
  GOOGLE_SERVICE_ACCOUNT: { credentials_json: "{}" },
  SERVICE_ACCOUNT: { application_id: "demo", installation_id: "demo", private_key: "demo_private_key" },
  S2S_OAUTH2: { access_token: "demo_access_token" },
} satisfies ValuesOfSchemes;

/** Other values of demo credentials. */
const OPTIONAL: ValuesByScheme = {
  OAUTH2: { refresh_token: "demo_refresh_token", token_type: "bearer" },
  DCR_OAUTH: { refresh_token: "demo_refresh_token" },
  BASIC: { password: "demo_password" },
  API_KEY: { generic_api_key: "demo_api_key" },
} satisfies ValuesOfSchemes;

/** Demo credentials with everything a scheme requires. */
export function demoCredentials(scheme: string): JsonObject {
  return { ...REQUIRED[scheme], ...OPTIONAL[scheme] };
}

export type RequiredField = Pick<AuthField, "name" | "displayName">;

/** Fields a connection requires: those of the toolkit and those of the scheme. */
export function requiredFields(toolkit: ToolkitDefinition | undefined, scheme: string): readonly RequiredField[] {
  const own = (toolkit?.auth.find((auth) => auth.scheme === scheme)?.accountFields ?? []).filter(
    ({ required }) => required,
  );
  const named = own.map(({ name }) => name);
  const others = Object.keys(REQUIRED[scheme] ?? {}).filter((name) => !named.includes(name));
  return [...own, ...others.map((name) => ({ name, displayName: name }))];
}

/** Fields the hosted page asks for: those required, except values the provider grants. */
export function askedFields(toolkit: ToolkitDefinition | undefined, scheme: string): readonly RequiredField[] {
  const granted = isRedirectScheme(scheme) ? Object.keys(REQUIRED[scheme] ?? {}) : [];
  return requiredFields(toolkit, scheme).filter(({ name }) => !granted.includes(name));
}

/** Whether a toolkit can revoke credentials; by default, those of OAuth schemes. */
export function isRevocable(toolkit: ToolkitDefinition | undefined, scheme: string): boolean {
  const definition = toolkit?.auth.find((auth) => auth.scheme === scheme);
  return definition?.isRevocable ?? scheme.includes("OAUTH");
}

/**
 * Whether the service can renew a connection, by sending the user to the provider or by requesting a new token. Keys
 * can't be renewed. Assumption E24.
 */
export function isRenewable(scheme: string): boolean {
  return isRedirectScheme(scheme) || ["S2S_OAUTH2", "BASIC_WITH_JWT", "BILLCOM_AUTH"].includes(scheme);
}
