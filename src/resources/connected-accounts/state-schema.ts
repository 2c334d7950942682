import * as z from "zod/mini";
import { JsonObject, object, string } from "../schema-kit.js";
import { AUTH_SCHEMES } from "../shared.js";
import { CONNECTION_STATUSES, type StatusValuesOf, type StatusVariants, values } from "./state-fields-schema.js";
import { SCHEMES } from "./state-values-schema.js";

/** The type of a scheme's state, derived from the values it declares. */
interface StateOf<Scheme extends keyof typeof SCHEMES> {
  authScheme: Scheme;
  /** The values, by `status`. Secrets are cut to their first 4 characters or replaced with `REDACTED`. */
  val: StatusValuesOf<(typeof SCHEMES)[Scheme][number]>;
}

/** State of an OAuth 2 connection. */
export interface Oauth2State extends StateOf<"OAUTH2"> {}

/** State of an OAuth 2 connection whose client the service registered at the provider. */
export interface DcrOauthState extends StateOf<"DCR_OAUTH"> {}

/** State of an OAuth 2 connection between servers. */
export interface S2sOauth2State extends StateOf<"S2S_OAUTH2"> {}

/** State of an OAuth 1 connection. */
export interface Oauth1State extends StateOf<"OAUTH1"> {}

/** State of a connection by one key. */
export interface ApiKeyState extends StateOf<"API_KEY"> {}

/** State of a connection by user name and password. */
export interface BasicState extends StateOf<"BASIC"> {}

/** State of a connection by user name and password that the service exchanges for a JWT. */
export interface BasicWithJwtState extends StateOf<"BASIC_WITH_JWT"> {}

/** State of a connection by bearer token. */
export interface BearerTokenState extends StateOf<"BEARER_TOKEN"> {}

/** State of a connection by Google service account. */
export interface GoogleServiceAccountState extends StateOf<"GOOGLE_SERVICE_ACCOUNT"> {}

/** State of a connection by an application installed at the provider. */
export interface ServiceAccountState extends StateOf<"SERVICE_ACCOUNT"> {}

/** State of a Bill.com connection. */
export interface BillcomAuthState extends StateOf<"BILLCOM_AUTH"> {}

/** State of a connection to a toolkit that needs no credentials. */
export interface NoAuthState extends StateOf<"NO_AUTH"> {}

/** State of a Cal.com connection. */
export interface CalcomAuthState extends StateOf<"CALCOM_AUTH"> {}

/** State of a SAML connection. */
export interface SamlState extends StateOf<"SAML"> {}

// Aborting: otherwise the union would report only this check's issue for the whole response.
const noneOf = (known: readonly string[]) =>
  string.check(z.regex(new RegExp(`^(?!(?:${known.join("|")})$)`), { abort: true }));

/**
 * Accepts what a newer service sends, while the types list the known values: TypeScript can't narrow a union by a
 * member whose discriminant is any other string.
 */
function open<Known extends z.ZodMiniType>(known: Known, newer: z.ZodMiniType): z.ZodMiniType<z.infer<Known>> {
  return z.union([known, newer]) as z.ZodMiniType as z.ZodMiniType<z.infer<Known>>;
}

const newerValues = values({ status: noneOf(CONNECTION_STATUSES) });
const newerState = object({ authScheme: noneOf(AUTH_SCHEMES), val: JsonObject });

/** The states of all schemes, with a schema for the values of each. */
function states(valuesOf: (known: z.ZodMiniType) => z.ZodMiniType): z.ZodMiniType<ConnectionState> {
  const stateOf = (scheme: keyof typeof SCHEMES) => {
    const variants: StatusVariants = SCHEMES[scheme];
    return object({ authScheme: z.literal(scheme), val: valuesOf(z.discriminatedUnion("status", variants)) });
  };
  const [first, ...others] = AUTH_SCHEMES;
  const all = z.discriminatedUnion("authScheme", [stateOf(first), ...others.map(stateOf)]);
  // The types of the states derive from the same table.
  return all as z.ZodMiniType as z.ZodMiniType<ConnectionState>;
}

// See assumption C2.
/**
 * A connection's scheme and values: check `authScheme`, then `val.status`, to narrow to the fields.
 *
 * A newer service may send another scheme or status, which is returned unchanged. Keep a `default`.
 */
export const ConnectionState: z.ZodMiniType<ConnectionState> = open(
  states((known) => open(known, newerValues)),
  newerState,
);
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
 * with `INITIALIZING`. Any other key is sent unchanged.
 */
export const ConnectionStateInput: z.ZodMiniType<ConnectionStateInput> = states((known) => known);
export type ConnectionStateInput = ConnectionState;

export type { CommonConnectionFields } from "./state-fields-schema.js";
