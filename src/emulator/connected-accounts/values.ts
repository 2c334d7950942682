import { mismatchesOf } from "../../contract/check.js";
import { operations } from "../../contract/operations.js";
import type { ConnectionState } from "../../resources/connected-accounts/schema.js";
import type { JsonObject } from "../catalog/definitions.js";
import { ACCOUNT_STATUSES, type ConnectionFlow, type StoredAccount } from "../host/account-records.js";
import { maskSecret, REDACTED } from "../host/mask-and-record.js";
import { invalidRequest } from "../host/responses.js";

/**
 * Values shown only while a connection is usable. Others, which identify the user's instance, are shown in every
 * status.
 */
const CREDENTIALS: ReadonlySet<string> = new Set([
  ...["access_token", "id_token", "token_type", "refresh_token", "expires_in", "expires_at", "scope"],
  ...["authed_user", "extra_token_data", "webhook_signature", "Authorization"],
  ...["client_id", "client_secret", "client_id_issued_at", "client_secret_expires_at"],
  ...["oauth_token", "oauth_token_secret", "oauth_verifier", "consumer_key"],
  ...["generic_api_key", "api_key", "api_key_prefix", "bearer_token", "basic_encoded", "token", "generic_token"],
  ...["generic_secret", "generic_id", "user_agent", "username", "password", "credentials_json"],
  ...["application_id", "installation_id", "private_key", "sessionId", "devKey"],
]);

/** Credentials a scheme shows in every status. */
const ALWAYS_SHOWN: Readonly<Record<string, JsonObject>> = {
  BASIC_WITH_JWT: { username: "", password: "" },
  DCR_OAUTH: { client_id: "" },
};

/** The fields of an account that its state depends on. */
type StateFacts = Pick<StoredAccount, "scheme" | "status" | "values" | "outcome" | "flow">;

/** Scheme and values of an account in its current status, unmasked. See assumption C2. */
export function stateInClear(account: StateFacts): ConnectionState {
  const { scheme, status, values, outcome } = account;
  const isUsable = status === "ACTIVE" || status === "INACTIVE";
  const always = ALWAYS_SHOWN[scheme] ?? {};
  const shown = Object.entries(values).filter(([name]) => isUsable || name in always || !CREDENTIALS.has(name));
  const val = { ...always, ...Object.fromEntries(shown), ...flowValues(account), ...outcome, status };
  // The contract defines the values of each scheme and status, and every response is checked against it.
  return { authScheme: scheme, val } as ConnectionState;
}

/** Values of a flow, while the account waits for its user. */
function flowValues({ scheme, status, flow }: StateFacts): JsonObject {
  if (!flow || (status !== "INITIALIZING" && status !== "INITIATED")) return {};
  const { url, token, callbackUrl } = flow;
  if (scheme !== "OAUTH1") return { redirectUrl: url, ...(callbackUrl !== null && { callback_url: callbackUrl }) };
  return {
    redirectUrl: url,
    authUri: url,
    oauth_token: `request_${token}`,
    oauth_token_secret: `request_secret_${token}`,
    ...(callbackUrl !== null && { callbackUrl }),
  };
}

const SECRET = /(secret|password|token|key|verifier|signature|encoded|_json|sessionid|authorization)$/i;

const PUBLIC = ["consumer_key"];

const MANAGED = /^(access_token|refresh_token|authorization)$/i;

/** Which secrets a response hides. */
export interface Masking {
  /** Whether the service manages the credentials, whose tokens are always hidden. */
  readonly isManaged: boolean;
  /** Whether the project masks other secrets. */
  readonly hidesSecrets: boolean;
}

/** Masks secrets to their first four characters, and hides tokens of managed connections. */
export function maskValues(values: JsonObject, masking: Masking): JsonObject {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, maskValue(name, value, masking)] as const),
  );
}

function maskValue(name: string, value: unknown, masking: Masking): unknown {
  if (isJsonObject(value)) return maskValues(value, masking);
  if (value === null || !SECRET.test(name) || PUBLIC.includes(name)) return value;
  if (masking.isManaged && MANAGED.test(name)) return REDACTED;
  if (!masking.hidesSecrets) return value;
  return maskSecret(value);
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The operation whose response is little more than an account's state. */
const creations = operations.filter(({ endpoint }) => endpoint.name === "connectedAccounts.create");

/**
 * Checks values of a request before they're stored, for every status: whatever happens to the account, responses must
 * be able to show them. See assumption E89.
 *
 * @param part path of the values in the request, such as `body.connection_data`.
 * @throws {ApiFailure} 400 that lists the invalid values.
 */
export function checkValues(scheme: string, values: JsonObject, part: string): void {
  // Check all values at once first, because they're almost always valid.
  if (canBeShown(scheme, values)) return;
  const invalid = Object.entries(values).filter(([name, value]) => !canBeShown(scheme, { [name]: value }));
  throw invalidRequest(invalid.map(([name]) => `${part}.${name}: no value that a connection of ${scheme} can have`));
}

/** Any flow, because accounts that wait for their user have one. */
const ANY_FLOW: ConnectionFlow = { token: "", url: "", callbackUrl: null, endsAt: 0, isOver: false, sessionUri: null };

function canBeShown(scheme: string, given: JsonObject): boolean {
  // Demo values cover what the status adds later.
  const values = { ...demoCredentials(scheme), ...given };
  return ACCOUNT_STATUSES.every((status) => {
    // Unmasked, because masking turns every secret into a string.
    const connectionData = stateInClear({ scheme, status, values, outcome: {}, flow: ANY_FLOW });
    const shown = { id: "", connectionData, status, redirect_url: null, redirect_uri: null };
    return creations.every(({ response }) => mismatchesOf(response, shown).length === 0);
  });
}

/** Demo credentials with everything a scheme requires. */
export function demoCredentials(scheme: string): JsonObject {
  switch (scheme) {
    case "OAUTH1":
      return { oauth_token: "demo_token", oauth_token_secret: "demo_token_secret" };
    case "DCR_OAUTH":
      return { client_id: "demo_client", access_token: "demo_access_token", refresh_token: "demo_refresh_token" };
    case "OAUTH2":
      return { access_token: "demo_access_token", refresh_token: "demo_refresh_token", token_type: "bearer" };
    case "S2S_OAUTH2":
      return { access_token: "demo_access_token" };
    case "BASIC":
    case "BASIC_WITH_JWT":
      return { username: "demo", password: "demo_password" };
    case "BEARER_TOKEN":
      return { token: "demo_token" };
    case "GOOGLE_SERVICE_ACCOUNT":
      return { credentials_json: "{}" };
    case "SERVICE_ACCOUNT":
      return { application_id: "demo", installation_id: "demo", private_key: "demo_private_key" };
    case "BILLCOM_AUTH":
      return { sessionId: "demo_session", devKey: "demo_key" };
    case "API_KEY":
      return { generic_api_key: "demo_api_key" };
    default:
      return {};
  }
}
