import * as z from "zod/mini";
import { object } from "../schema-kit.js";
import { knownValues, openStates, openValues, type StateOf, type StatusVariants } from "./state-fields-schema.js";
import * as values from "./state-values-schema.js";

/** State of an OAuth 2 connection. */
export interface Oauth2State extends StateOf<"OAUTH2", typeof values.oauth2> {}

/** State of an OAuth 2 connection whose client the service registered at the provider. */
export interface DcrOauthState extends StateOf<"DCR_OAUTH", typeof values.dcrOauth> {}

/** State of an OAuth 2 connection between servers. */
export interface S2sOauth2State extends StateOf<"S2S_OAUTH2", typeof values.s2sOauth2> {}

/** State of an OAuth 1 connection. */
export interface Oauth1State extends StateOf<"OAUTH1", typeof values.oauth1> {}

/** State of a connection by one key. */
export interface ApiKeyState extends StateOf<"API_KEY", typeof values.apiKey> {}

/** State of a connection by user name and password. */
export interface BasicState extends StateOf<"BASIC", typeof values.basic> {}

/** State of a connection by user name and password that the service exchanges for a JWT. */
export interface BasicWithJwtState extends StateOf<"BASIC_WITH_JWT", typeof values.basicWithJwt> {}

/** State of a connection by bearer token. */
export interface BearerTokenState extends StateOf<"BEARER_TOKEN", typeof values.bearerToken> {}

/** State of a connection by Google service account. */
export interface GoogleServiceAccountState
  extends StateOf<"GOOGLE_SERVICE_ACCOUNT", typeof values.googleServiceAccount> {}

/** State of a connection by an application installed at the provider. */
export interface ServiceAccountState extends StateOf<"SERVICE_ACCOUNT", typeof values.serviceAccount> {}

/** State of a Bill.com connection. */
export interface BillcomAuthState extends StateOf<"BILLCOM_AUTH", typeof values.billcomAuth> {}

/** State of a connection to a toolkit that needs no credentials. */
export interface NoAuthState extends StateOf<"NO_AUTH", typeof values.bare> {}

/** State of a Cal.com connection. */
export interface CalcomAuthState extends StateOf<"CALCOM_AUTH", typeof values.bare> {}

/** State of a SAML connection. */
export interface SamlState extends StateOf<"SAML", typeof values.bare> {}

/** The states of all schemes, with a schema for the values of each. */
function states(valuesOf: <Known extends z.ZodMiniType>(known: Known) => z.ZodMiniType<z.infer<Known>>) {
  const state = <const Scheme extends string, Variants extends StatusVariants>(scheme: Scheme, variants: Variants) =>
    object({ authScheme: z.literal(scheme), val: valuesOf(z.discriminatedUnion("status", variants)) });
  return z.discriminatedUnion("authScheme", [
    state("OAUTH2", values.oauth2),
    state("DCR_OAUTH", values.dcrOauth),
    state("S2S_OAUTH2", values.s2sOauth2),
    state("OAUTH1", values.oauth1),
    state("API_KEY", values.apiKey),
    state("BASIC", values.basic),
    state("BASIC_WITH_JWT", values.basicWithJwt),
    state("BEARER_TOKEN", values.bearerToken),
    state("GOOGLE_SERVICE_ACCOUNT", values.googleServiceAccount),
    state("SERVICE_ACCOUNT", values.serviceAccount),
    state("BILLCOM_AUTH", values.billcomAuth),
    state("NO_AUTH", values.bare),
    state("CALCOM_AUTH", values.bare),
    state("SAML", values.bare),
  ]);
}

// See assumption C2.
/**
 * A connection's scheme and values: check `authScheme`, then `val.status`, to narrow to the fields.
 *
 * A newer service may send another scheme or status. It's returned unchanged, so keep a `default`.
 */
export const ConnectionState: z.ZodMiniType<ConnectionState> = openStates(states(openValues));
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
export const ConnectionStateInput: z.ZodMiniType<ConnectionStateInput> = states(knownValues);
export type ConnectionStateInput = ConnectionState;

export type { CommonConnectionFields } from "./state-fields-schema.js";
