import * as z from "zod/mini";
import { boolean, JsonObject, nullish, number, object, string } from "../schema-kit.js";
import { expiryFields, failureFields, type StatusVariants, undeclared, values } from "./state-fields-schema.js";

const USABLE = z.enum(["ACTIVE", "INACTIVE"]);

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

const initializing = values({ ...oauthFields, status: z.literal("INITIALIZING") });
const failed = values({ ...oauthFields, ...failureFields, status: z.literal("FAILED") });
const expired = values({ ...oauthFields, ...expiryFields, status: z.literal("EXPIRED") });

const flowFields = {
  ...oauthFields,
  /** PKCE verifier of the flow. */
  code_verifier: z.optional(string),
  /** Where the user's browser must go. */
  redirectUrl: string,
  callback_url: z.optional(string),
  finalRedirectUri: z.optional(string),
};

const userTokens = {
  ...oauthFields,
  ...tokenFields,
  access_token: string,
  id_token: z.optional(string),
  refresh_token: nullish(string),
};

/** OAuth 2. */
export const oauth2Values = [
  initializing,
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
  failed,
  expired,
  values({ ...oauthFields, status: z.literal("REVOKED"), revoked_at: z.optional(string) }),
] as const satisfies StatusVariants;

const registeredClient = {
  client_id: string,
  client_secret: z.optional(string),
  client_id_issued_at: z.optional(number),
  client_secret_expires_at: z.optional(number),
};

/** OAuth 2 with a client that the service registers at the provider. */
export const dcrOauthValues = [
  initializing,
  values({ ...flowFields, ...registeredClient, status: z.literal("INITIATED") }),
  values({ ...userTokens, ...registeredClient, status: USABLE }),
  failed,
  expired,
  undeclared("REVOKED"),
] as const satisfies StatusVariants;

/** OAuth 2 between servers, without a user. */
export const s2sOauth2Values = [
  values({
    ...tokenFields,
    status: USABLE,
    access_token: string,
    client_id: z.optional(string),
    client_secret: z.optional(string),
    expires_at: z.optional(string),
  }),
  values({ ...failureFields, status: z.literal("FAILED") }),
  values({ ...expiryFields, status: z.literal("EXPIRED") }),
  undeclared("INITIALIZING", "INITIATED", "REVOKED"),
] as const satisfies StatusVariants;

/** OAuth 1. */
export const oauth1Values = [
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
  values({ ...failureFields, status: z.literal("FAILED") }),
  values({ ...expiryFields, status: z.literal("EXPIRED") }),
  undeclared("INITIALIZING", "REVOKED"),
] as const satisfies StatusVariants;
