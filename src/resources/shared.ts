import * as z from "zod/mini";
import { LARGEST_PAGE } from "../shared/service-limits.js";
import { type IdFormat, identifier, list, nullish, number, object, openEnum, string } from "./schema-kit.js";

/** How a toolkit authenticates its users. */
export const AUTH_SCHEMES = [
  "OAUTH2",
  "OAUTH1",
  "API_KEY",
  "BASIC",
  "BILLCOM_AUTH",
  "BEARER_TOKEN",
  "GOOGLE_SERVICE_ACCOUNT",
  "NO_AUTH",
  "BASIC_WITH_JWT",
  "CALCOM_AUTH",
  "SERVICE_ACCOUNT",
  "SAML",
  "DCR_OAUTH",
  "S2S_OAUTH2",
] as const;

/** An authentication scheme in a response. */
export const AuthScheme = openEnum(AUTH_SCHEMES);
export type AuthScheme = z.infer<typeof AuthScheme>;

/** Whether other users may use a connected account. */
export const ACCOUNT_TYPES = ["PRIVATE", "SHARED"] as const;

/** The statuses of an auth config, and its types: with the service's credentials, or with your own. */
export const AUTH_CONFIG_STATUSES = ["ENABLED", "DISABLED"] as const;
export const AUTH_CONFIG_TYPES = ["default", "custom"] as const;

/** Sizes of an agent session's sandbox. */
export const SANDBOX_SIZES = ["standard", "medium", "large", "xlarge"] as const;

/** A response without fields. */
export const EmptyObject = object({});
export interface EmptyObject extends z.infer<typeof EmptyObject> {}

/** When a record was created and changed. */
export const timestamps = {
  /** ISO 8601. */
  created_at: string,
  /** ISO 8601. */
  updated_at: string,
};

/** Where a page is among the pages of a list. */
export const pageNumbers = {
  /** Number of pages at the current limit. */
  total_pages: number,
  /** This page's number, from 1. */
  current_page: number,
};

/** The fields that every page of a list has. */
export const pageTotals = {
  /**
   * Opaque cursor of the next page. Null or absent on the last page. A page with fewer items than `limit` isn't
   * necessarily the last.
   */
  next_cursor: nullish(string),
  ...pageNumbers,
  /** Number of items on all pages. */
  total_items: number,
};

/** Query parameters of every list with a cursor. */
export const pageQuery = {
  /** Items per page, from 1 to 1000. The service may return fewer. */
  limit: nullish(number.check(z.int(), z.minimum(1), z.maximum(LARGEST_PAGE))),
  /** The previous page's `next_cursor`. Omit it or pass null for the first page. */
  cursor: nullish(string),
};

/** The direction of a sorted list. */
export const orderDirection = z.optional(z.enum(["asc", "desc"]));

/** Strings to filter by. */
export const several = nullish(list(string));

/** Ids to filter by. */
export const severalIds = (format: IdFormat) => nullish(list(identifier(format)));
