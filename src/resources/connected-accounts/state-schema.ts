import * as z from "zod/mini";
import {
  apiKeyValues,
  bareValues,
  basicValues,
  basicWithJwtValues,
  bearerTokenValues,
  billcomAuthValues,
  googleServiceAccountValues,
  serviceAccountValues,
} from "./key-state-schema.js";
import { dcrOauthValues, oauth1Values, oauth2Values, s2sOauth2Values } from "./oauth-state-schema.js";
import { openStates, type StateOf, stateInputOf, stateOf } from "./state-fields-schema.js";

/** State of an OAuth 2 connection. */
export interface Oauth2State extends StateOf<"OAUTH2", typeof oauth2Values> {}

/** State of an OAuth 2 connection whose client the service registered at the provider. */
export interface DcrOauthState extends StateOf<"DCR_OAUTH", typeof dcrOauthValues> {}

/** State of an OAuth 2 connection between servers. */
export interface S2sOauth2State extends StateOf<"S2S_OAUTH2", typeof s2sOauth2Values> {}

/** State of an OAuth 1 connection. */
export interface Oauth1State extends StateOf<"OAUTH1", typeof oauth1Values> {}

/** State of a connection by one key. */
export interface ApiKeyState extends StateOf<"API_KEY", typeof apiKeyValues> {}

/** State of a connection by user name and password. */
export interface BasicState extends StateOf<"BASIC", typeof basicValues> {}

/** State of a connection by user name and password that the service exchanges for a JWT. */
export interface BasicWithJwtState extends StateOf<"BASIC_WITH_JWT", typeof basicWithJwtValues> {}

/** State of a connection by bearer token. */
export interface BearerTokenState extends StateOf<"BEARER_TOKEN", typeof bearerTokenValues> {}

/** State of a connection by Google service account. */
export interface GoogleServiceAccountState
  extends StateOf<"GOOGLE_SERVICE_ACCOUNT", typeof googleServiceAccountValues> {}

/** State of a connection by an application installed at the provider. */
export interface ServiceAccountState extends StateOf<"SERVICE_ACCOUNT", typeof serviceAccountValues> {}

/** State of a Bill.com connection. */
export interface BillcomAuthState extends StateOf<"BILLCOM_AUTH", typeof billcomAuthValues> {}

/** State of a connection to a toolkit that needs no credentials. */
export interface NoAuthState extends StateOf<"NO_AUTH", typeof bareValues> {}

/** State of a Cal.com connection. */
export interface CalcomAuthState extends StateOf<"CALCOM_AUTH", typeof bareValues> {}

/** State of a SAML connection. */
export interface SamlState extends StateOf<"SAML", typeof bareValues> {}

// See assumption C2.
/**
 * A connection's scheme and values: check `authScheme`, then `val.status`, to narrow to the fields.
 *
 * A newer service may send another scheme or status. It's returned unchanged, so keep a `default`.
 */
export const ConnectionState: z.ZodMiniType<ConnectionState> = openStates(
  z.discriminatedUnion("authScheme", [
    stateOf("OAUTH2", oauth2Values),
    stateOf("DCR_OAUTH", dcrOauthValues),
    stateOf("S2S_OAUTH2", s2sOauth2Values),
    stateOf("OAUTH1", oauth1Values),
    stateOf("API_KEY", apiKeyValues),
    stateOf("BASIC", basicValues),
    stateOf("BASIC_WITH_JWT", basicWithJwtValues),
    stateOf("BEARER_TOKEN", bearerTokenValues),
    stateOf("GOOGLE_SERVICE_ACCOUNT", googleServiceAccountValues),
    stateOf("SERVICE_ACCOUNT", serviceAccountValues),
    stateOf("BILLCOM_AUTH", billcomAuthValues),
    stateOf("NO_AUTH", bareValues),
    stateOf("CALCOM_AUTH", bareValues),
    stateOf("SAML", bareValues),
  ]),
);
// See assumption C2.
/**
 * A connection's scheme and values: check `authScheme`, then `val.status`, to narrow to the fields.
 *
 * A newer service may send another scheme or status. It's returned unchanged, so keep a `default`.
 */
export type ConnectionState =
  | Oauth2State
  | DcrOauthState
  | S2sOauth2State
  | Oauth1State
  | ApiKeyState
  | BasicState
  | BasicWithJwtState
  | BearerTokenState
  | GoogleServiceAccountState
  | ServiceAccountState
  | BillcomAuthState
  | NoAuthState
  | CalcomAuthState
  | SamlState;

/**
 * The initial state of a connection: credentials with status `ACTIVE`, or the fields that a redirect flow starts with,
 * with `INITIALIZING`. Other keys are sent too.
 */
export const ConnectionStateInput: z.ZodMiniType<ConnectionStateInput> = z.discriminatedUnion("authScheme", [
  stateInputOf("OAUTH2", oauth2Values),
  stateInputOf("DCR_OAUTH", dcrOauthValues),
  stateInputOf("S2S_OAUTH2", s2sOauth2Values),
  stateInputOf("OAUTH1", oauth1Values),
  stateInputOf("API_KEY", apiKeyValues),
  stateInputOf("BASIC", basicValues),
  stateInputOf("BASIC_WITH_JWT", basicWithJwtValues),
  stateInputOf("BEARER_TOKEN", bearerTokenValues),
  stateInputOf("GOOGLE_SERVICE_ACCOUNT", googleServiceAccountValues),
  stateInputOf("SERVICE_ACCOUNT", serviceAccountValues),
  stateInputOf("BILLCOM_AUTH", billcomAuthValues),
  stateInputOf("NO_AUTH", bareValues),
  stateInputOf("CALCOM_AUTH", bareValues),
  stateInputOf("SAML", bareValues),
]);
/**
 * The initial state of a connection: credentials with status `ACTIVE`, or the fields that a redirect flow starts with,
 * with `INITIALIZING`. Other keys are sent too.
 */
export type ConnectionStateInput = ConnectionState;

export type { CommonConnectionFields } from "./state-fields-schema.js";
