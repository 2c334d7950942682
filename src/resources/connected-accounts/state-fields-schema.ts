import * as z from "zod/mini";
import { object, string, unknown } from "../schema-kit.js";

// See assumption C1.
/** Statuses of a connected account. */
export const CONNECTION_STATUSES = [
  "INITIALIZING",
  "INITIATED",
  "ACTIVE",
  "FAILED",
  "EXPIRED",
  "INACTIVE",
  "REVOKED",
] as const;

const text = z.optional(string);

/**
 * Names of the fields that the values of every scheme may contain, spelled as in the API. Most identify the user's own
 * instance of the toolkit.
 */
export const COMMON_FIELDS = [
  "subdomain",
  "your-domain",
  "region",
  "shop",
  "account_url",
  "COMPANYDOMAIN",
  "extension",
  "form_api_base_url",
  "instanceEndpoint",
  "api_url",
  "borneo_dashboard_url",
  "proxy_username",
  "proxy_password",
  "domain",
  "version",
  "dc",
  "site_name",
  "instanceName",
  "account_id",
  "your_server",
  "server_location",
  "base_url",
] as const;

/** An alias, not an interface: only an alias is assignable if zod requires an index signature. */
type CommonFields = { readonly [Name in (typeof COMMON_FIELDS)[number]]: typeof text };

/** The fields that the values of every scheme may contain. */
// The cast restores the names, which fromEntries forgets.
export const commonFields = Object.fromEntries(COMMON_FIELDS.map((name) => [name, text])) as CommonFields;

/** Fields that the values of every scheme may contain, spelled as in the API. */
export type CommonConnectionFields = { [Name in (typeof COMMON_FIELDS)[number]]?: string | undefined };

/** Reason why a flow failed, in the provider's words. */
export const failureFields = {
  /** The provider's code, such as `access_denied`. */
  error: text,
  error_description: text,
};

/** Time at which credentials stopped working. */
export const expiryFields = { expired_at: text };

/** The schema of one status's values. */
type StatusValues<Shape extends z.core.$ZodShape> = z.ZodMiniObject<
  CommonFields & Shape,
  z.core.$catchall<z.ZodMiniUnknown>
>;

/** Values in one status, in addition to the common ones. Other keys may have any JSON value. */
export function values<const Shape extends z.core.$ZodShape>(shape: Shape): StatusValues<Shape> {
  return z.catchall(object({ ...commonFields, ...shape }), unknown);
}

/** Values in the statuses for which a scheme declares no fields. */
export function undeclared<const Statuses extends readonly (typeof CONNECTION_STATUSES)[number][]>(
  ...statuses: Statuses
) {
  return values({ status: z.enum(statuses) });
}

/** The values a scheme declares, one member per status or group of statuses. */
export type StatusVariants = readonly [z.core.$ZodTypeDiscriminable, ...z.core.$ZodTypeDiscriminable[]];

/** The values of each variant. The common fields stay a name, so that an error of the compiler shows what differs. */
export type StatusValuesOf<Variant> =
  Variant extends StatusValues<infer Shape>
    ? z.infer<z.ZodMiniObject<Shape>> & CommonConnectionFields & Record<string, unknown>
    : never;
