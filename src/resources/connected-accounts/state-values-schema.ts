import * as z from "zod/mini";
import { boolean, JsonObject, nullish, number, object, string } from "../schema-kit.js";
import type { AUTH_SCHEMES } from "../shared.js";
import { expiryFields, failureFields, type StatusVariants, undeclared, values } from "./state-fields-schema.js";

const USABLE = z.enum(["ACTIVE", "INACTIVE"]);
const UNDECLARED = ["INITIALIZING", "INITIATED", "FAILED", "EXPIRED", "REVOKED"] as const;

const failed = values({ ...failureFields, status: z.literal("FAILED") });
const expired = values({ ...expiryFields, status: z.literal("EXPIRED") });

/** One key. Which field contains it depends on the toolkit. */
export const apiKeyFields = {
  generic_api_key: z.optional(string),
  api_key: z.optional(string),
  bearer_token: z.optional(string),
  basic_encoded: z.optional(string),
};

const login = { username: string, password: string };

/** An application installed at the provider. */
export const serviceAccountFields = {
  application_id: string,
  installation_id: string,
  private_key: string,
};

/** Fields of an OAuth flow that remain in all of its steps. */
export const oauthFields = {
  /** At most 40 characters. */
  state_prefix: z.optional(string.check(z.maxLength(40))),
  /** True: the redirect URL isn't shortened. */
  long_redirect_url: z.optional(boolean),
};

/** Fields that an OAuth token endpoint returns in addition to the token. */
export const tokenFields = {
  token_type: z.optional(string),
  /** As the provider sent it, a number or a string. */
  expires_in: nullish(z.union([number, string])),
  scope: nullish(z.union([string, z.array(string)])),
};

const oauthInitializing = values({ ...oauthFields, status: z.literal("INITIALIZING") });
const oauthFailed = values({ ...oauthFields, ...failureFields, status: z.literal("FAILED") });
const oauthExpired = values({ ...oauthFields, ...expiryFields, status: z.literal("EXPIRED") });

const flowFields = {
  ...oauthFields,
  /** PKCE verifier of the flow. */
  code_verifier: z.optional(string),
  /** Where the user's browser must go. */
  redirectUrl: string,
  callback_url: z.optional(string),
  finalRedirectUri: z.optional(string),
};

/** The user's browser is on its way. */
const redirected = {
  status: z.literal("INITIATED"),
  /** Where the user's browser must go. */
  redirectUrl: string,
};

const userTokens = {
  ...oauthFields,
  ...tokenFields,
  access_token: string,
  id_token: z.optional(string),
  refresh_token: nullish(string),
};

const registeredClient = {
  client_id: string,
  client_secret: z.optional(string),
  client_id_issued_at: z.optional(number),
  client_secret_expires_at: z.optional(number),
};

/** The values of schemes without declared credentials. */
const bare = [failed, expired, undeclared("INITIALIZING", "INITIATED", "ACTIVE", "INACTIVE", "REVOKED")] as const;

/** The values that each scheme declares. */
export const SCHEMES = {
  OAUTH2: [
    oauthInitializing,
    values({ ...flowFields, status: z.literal("INITIATED"), webhook_signature: z.optional(string) }),
    values({
      ...userTokens,
      status: USABLE,
      webhook_signature: z.optional(string),
      /** The user's own token, if the provider returns one in addition to the application's. */
      authed_user: z.optional(object({ access_token: z.optional(string), scope: z.optional(string) })),
      /** Other fields of the provider's token response. */
      extra_token_data: z.optional(JsonObject),
    }),
    oauthFailed,
    oauthExpired,
    values({ ...oauthFields, status: z.literal("REVOKED"), revoked_at: z.optional(string) }),
  ],
  DCR_OAUTH: [
    oauthInitializing,
    values({ ...flowFields, ...registeredClient, status: z.literal("INITIATED") }),
    values({ ...userTokens, ...registeredClient, status: USABLE }),
    oauthFailed,
    oauthExpired,
    undeclared("REVOKED"),
  ],
  S2S_OAUTH2: [
    values({
      ...tokenFields,
      status: USABLE,
      access_token: string,
      client_id: z.optional(string),
      client_secret: z.optional(string),
      expires_at: z.optional(string),
    }),
    failed,
    expired,
    undeclared("INITIALIZING", "INITIATED", "REVOKED"),
  ],
  OAUTH1: [
    values({
      status: z.literal("INITIATED"),
      oauth_token: string,
      oauth_token_secret: string,
      authUri: string,
      /** Where the user's browser must go. */
      redirectUrl: string,
      callbackUrl: z.optional(string),
    }),
    values({
      status: USABLE,
      oauth_token: string,
      oauth_token_secret: string,
      oauth_verifier: z.optional(string),
      consumer_key: z.optional(string),
      redirectUrl: z.optional(string),
      callback_url: z.optional(string),
    }),
    failed,
    expired,
    undeclared("INITIALIZING", "REVOKED"),
  ],
  API_KEY: [values({ status: USABLE, ...apiKeyFields }), undeclared(...UNDECLARED)],
  BASIC: [values({ status: USABLE, username: string, password: z.optional(string) }), undeclared(...UNDECLARED)],
  BASIC_WITH_JWT: [
    values({ status: USABLE, ...login }),
    values({ ...failureFields, status: z.literal("FAILED"), ...login }),
    values({ ...expiryFields, status: z.literal("EXPIRED"), ...login }),
    undeclared("INITIALIZING", "INITIATED", "REVOKED"),
  ],
  BEARER_TOKEN: [values({ status: USABLE, token: string }), undeclared(...UNDECLARED)],
  GOOGLE_SERVICE_ACCOUNT: [
    values({ ...redirected, svc_link_redirect_url: z.optional(string) }),
    values({
      status: USABLE,
      /** The key as a JSON string. */
      credentials_json: string,
    }),
    undeclared("INITIALIZING", "FAILED", "EXPIRED", "REVOKED"),
  ],
  SERVICE_ACCOUNT: [values({ status: USABLE, ...serviceAccountFields }), undeclared(...UNDECLARED)],
  BILLCOM_AUTH: [
    values(redirected),
    values({ status: USABLE, sessionId: string, devKey: string }),
    failed,
    expired,
    undeclared("INITIALIZING", "REVOKED"),
  ],
  NO_AUTH: bare,
  CALCOM_AUTH: bare,
  SAML: bare,
} as const satisfies Record<(typeof AUTH_SCHEMES)[number], StatusVariants>;
