import type { JsonObject } from "../definitions.js";
import type { ConnectedAccountSeed } from "../seed.js";
import { FLOW_MS, newAccount, REASONS, type StoredAccount } from "./stored-account.js";

/** What an account of the seed needs to know of its auth config. */
interface ConfigFacts {
  readonly status: string;
  readonly auth_scheme: string;
  readonly toolkit: { readonly slug: string };
}

/**
 * An account as the seed describes it, with credentials made up where its scheme needs them. An ACTIVE one of a disabled auth
 * config is INACTIVE, as if the config had been disabled then. `now` is ISO 8601. See assumption E25.
 */
export function seededAccount(
  { id, userId, authConfigId, status = "ACTIVE" }: ConnectedAccountSeed,
  { auth_scheme: scheme, toolkit: { slug: toolkit }, status: configStatus }: ConfigFacts,
  now: string,
  uuid: string,
): StoredAccount {
  const account = newAccount({ id, uuid, userId, toolkit, authConfigId, scheme, status }, now, demoCredentials(scheme));
  account.params = {};
  if (status === "ACTIVE" && configStatus === "DISABLED") {
    account.status = "INACTIVE";
    account.statusReason = REASONS.authConfigDisabled;
  } else if (status === "EXPIRED") {
    account.statusReason = REASONS.refreshFailed;
    account.outcome = { expired_at: now };
  } else if (status === "INITIALIZING" || status === "INITIATED") {
    const token = `lk_${id.slice("ca_".length)}`;
    // Nobody asked for it at an address yet: it is the one in process. The page is served under any.
    const url = `http://emulator.localhost/link/${token}`;
    const endsAt = Date.parse(now) + FLOW_MS;
    account.flow = { token, url, callbackUrl: null, endsAt, isOver: false, sessionUri: null };
  }
  return account;
}

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
