import { mismatchesOf } from "../../contract/check.js";
import { operations } from "../../contract/operations.js";
import type { ConnectionState } from "../../resources/connected-accounts/schema.js";
import type { JsonObject } from "../catalog/definitions.js";
import { ACCOUNT_STATUSES, type ConnectionFlow, type StoredAccount } from "../host/account-records.js";
import { invalidRequest } from "../host/errors.js";
import { maskSecret, REDACTED } from "../host/responses.js";

/** Made up credentials: all that a connection of a scheme needs. */
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

/** Values that only a usable connection shows; the others name the user's own instance and stay in every status. */
const CREDENTIALS: ReadonlySet<string> = new Set([
  ...["access_token", "id_token", "token_type", "refresh_token", "expires_in", "expires_at", "scope"],
  ...["authed_user", "extra_token_data", "webhook_signature", "Authorization"],
  ...["client_id", "client_secret", "client_id_issued_at", "client_secret_expires_at"],
  ...["oauth_token", "oauth_token_secret", "oauth_verifier", "consumer_key"],
  ...["generic_api_key", "api_key", "api_key_prefix", "bearer_token", "basic_encoded", "token", "generic_token"],
  ...["generic_secret", "generic_id", "user_agent", "username", "password", "credentials_json"],
  ...["application_id", "installation_id", "private_key", "sessionId", "devKey"],
]);

/** Credentials that a scheme shows in every status. */
const ALWAYS_SHOWN: Readonly<Record<string, JsonObject>> = {
  BASIC_WITH_JWT: { username: "", password: "" },
  DCR_OAUTH: { client_id: "" },
};

/** What of an account its shown state is made of. */
type StateFacts = Pick<StoredAccount, "scheme" | "status" | "values" | "outcome" | "flow">;

/** Scheme and values of an account in its present status, secrets in clear. See assumption C2. */
export function stateInClear(account: StateFacts): ConnectionState {
  const { scheme, status, values, outcome } = account;
  const isUsable = status === "ACTIVE" || status === "INACTIVE";
  const always = ALWAYS_SHOWN[scheme] ?? {};
  const shown = Object.entries(values).filter(([name]) => isUsable || name in always || !CREDENTIALS.has(name));
  const val = { ...always, ...Object.fromEntries(shown), ...flowValues(account), ...outcome, status };
  // Which values a scheme needs in a status is the contract's to say, and every answer is checked against it.
  return { authScheme: scheme, val } as ConnectionState;
}

/** Where the user must go, while the account waits for it. */
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

/** Which secrets an answer hides. */
export interface Masking {
  /** The service owns the credentials: its tokens are shown to nobody. */
  readonly isManaged: boolean;
  /** The project wants the other secrets masked. */
  readonly hidesSecrets: boolean;
}

/** Values as answers show them: secrets cut to their first four characters, tokens of managed connections not at all. */
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

/** The smallest answers that show an account's state. */
const creations = operations.filter(({ endpoint }) => endpoint.name === "connectedAccounts.create");

/**
 * Checks the values that a request brings before they are kept, in every status an account can come to: what was kept must be
 * shown, whatever happens to the account. See assumption E89.
 *
 * @param part what of the request the values come from: `body.connection_data`.
 * @throws {Refusal} 400 that names the values which do not fit.
 */
export function checkValues(scheme: string, values: JsonObject, part: string): void {
  // Requests bring any number of values, and nearly always good ones.
  if (canBeShown(scheme, values)) return;
  const odd = Object.entries(values).filter(([name, value]) => !canBeShown(scheme, { [name]: value }));
  throw invalidRequest(odd.map(([name]) => `${part}.${name}: no value that a connection of ${scheme} can have`));
}

/** Accounts that wait for their user have a flow. */
const ANY_FLOW: ConnectionFlow = { token: "", url: "", callbackUrl: null, endsAt: 0, isOver: false, sessionUri: null };

function canBeShown(scheme: string, given: JsonObject): boolean {
  // What a status needs beside the values comes with the status.
  const values = { ...demoCredentials(scheme), ...given };
  return ACCOUNT_STATUSES.every((status) => {
    // In clear: the mask makes a text of any secret.
    const connectionData = stateInClear({ scheme, status, values, outcome: {}, flow: ANY_FLOW });
    const shown = { id: "", connectionData, status, redirect_url: null, redirect_uri: null };
    return creations.every(({ response }) => mismatchesOf(response, shown).length === 0);
  });
}
