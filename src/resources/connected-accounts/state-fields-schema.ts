import * as z from "zod/mini";
import { JsonObject, object } from "../../schema-kit.js";
import { AUTH_SCHEMES } from "../shared.js";

/** What a connected account can be in. See assumption C1. */
export const CONNECTION_STATUSES = [
  "INITIALIZING",
  "INITIATED",
  "ACTIVE",
  "FAILED",
  "EXPIRED",
  "INACTIVE",
  "REVOKED",
] as const;

const text = z.optional(z.string());

const commonShape = {
  subdomain: text,
  "your-domain": text,
  region: text,
  shop: text,
  account_url: text,
  COMPANYDOMAIN: text,
  extension: text,
  form_api_base_url: text,
  instanceEndpoint: text,
  api_url: text,
  borneo_dashboard_url: text,
  proxy_username: text,
  proxy_password: text,
  domain: text,
  version: text,
  dc: text,
  site_name: text,
  instanceName: text,
  account_id: text,
  your_server: text,
  server_location: text,
  base_url: text,
};
/**
 * The shape of {@link commonFields} by name, so that published types refer to it and do not repeat it 60 times. An alias and
 * no interface: only an alias fits where zod asks for an index signature.
 */
export type CommonFields = { readonly [Name in keyof typeof commonShape]: typeof text };

/** Fields that the values of every scheme may hold. Most name the user's own instance of the toolkit; casing as on the wire. */
export const commonFields: CommonFields = commonShape;

/** Why a flow failed, in the provider's words. */
export const failureFields = {
  /** The provider's code, such as `access_denied`. */
  error: text,
  error_description: text,
};

/** When credentials stopped working. */
export const expiryFields = { expired_at: text };

/** The schema of one status's values. */
type Values<Shape extends z.core.$ZodShape> = z.ZodMiniObject<CommonFields & Shape, z.core.$catchall<z.ZodMiniUnknown>>;

/** Values in one status, beside the common ones. Keys that are not listed may come with any JSON value. */
export function values<const Shape extends z.core.$ZodShape>(shape: Shape): Values<Shape> {
  return z.catchall(object({ ...commonFields, ...shape }), z.unknown());
}

/** Values in the statuses for which a scheme declares no fields of its own. */
export function undeclared<const Statuses extends readonly (typeof CONNECTION_STATUSES)[number][]>(
  ...statuses: Statuses
) {
  return values({ status: z.enum(statuses) });
}

/** The values a scheme declares, one member per status or group of statuses. */
export type StatusVariants = readonly [z.core.$ZodTypeDiscriminable, ...z.core.$ZodTypeDiscriminable[]];

// Aborting, or the union would take this check's complaint for the whole answer.
const noneOf = (known: readonly string[]) =>
  z.string().check(z.regex(new RegExp(`^(?!(?:${known.join("|")})$)`), { abort: true }));

/**
 * Lets through what a newer service sends, while the types name what is known: TypeScript cannot narrow a union by a
 * member whose discriminant is any other text.
 */
function open<Known extends z.ZodMiniType>(known: Known, newer: z.ZodMiniType): z.ZodMiniType<z.infer<Known>> {
  return z.union([known, newer]) as z.ZodMiniType as z.ZodMiniType<z.infer<Known>>;
}

const newerValues = values({ status: noneOf(CONNECTION_STATUSES) });
const newerState = object({ authScheme: noneOf(AUTH_SCHEMES), val: JsonObject });

/** The type of a scheme's state, derived from the values it declares. */
export interface StateOf<Scheme extends string, Variants extends StatusVariants> {
  authScheme: Scheme;
  /** The values, by `status`. Secrets are cut to their first 4 characters or read `REDACTED`. */
  val: z.infer<Variants[number]>;
}

/** A scheme's state in an answer: its statuses may grow. */
export function stateOf<const Scheme extends string, Variants extends StatusVariants>(
  scheme: Scheme,
  variants: Variants,
) {
  return object({ authScheme: z.literal(scheme), val: open(z.discriminatedUnion("status", variants), newerValues) });
}

/** A scheme's state in a request: only what is known. */
export function stateInputOf<const Scheme extends string, Variants extends StatusVariants>(
  scheme: Scheme,
  variants: Variants,
) {
  return object({ authScheme: z.literal(scheme), val: z.discriminatedUnion("status", variants) });
}

/** The union of all schemes' states in an answer: the schemes may grow. */
export function openStates<Known extends z.ZodMiniType>(known: Known): z.ZodMiniType<z.infer<Known>> {
  return open(known, newerState);
}
