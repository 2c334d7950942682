import * as z from "zod/mini";
import { object, openEnum } from "../schema-kit.js";

/** How a toolkit authenticates its users. Spec: Resources > Auth config. */
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

/** An authentication scheme as the service names it in answers. */
export const AuthScheme = openEnum(AUTH_SCHEMES);
/** An authentication scheme as the service names it in answers. */
export type AuthScheme = z.infer<typeof AuthScheme>;

/** An answer that says nothing but "done". */
export const Empty = object({});
/** An answer that says nothing but "done". */
export interface Empty extends z.infer<typeof Empty> {}

/** The totals that every page of a list carries. Spec: Pagination envelope. */
export const pageTotals = {
  /** Opaque mark of the next page; null or absent on the last one. Never infer the end from a short page. */
  next_cursor: z.optional(z.nullable(z.string())),
  /** Pages there are with the limit in force. */
  total_pages: z.number(),
  /** This page's number, from 1. */
  current_page: z.number(),
  /** Items there are over all pages. */
  total_items: z.number(),
};

/** Query parameters that every cursor list takes. */
export const pageQuery = {
  /** Items per page, at most 1000; the service may give fewer. */
  limit: z.optional(z.nullable(z.number().check(z.int(), z.minimum(1), z.maximum(1000)))),
  /** `next_cursor` of the page before. Left out, or null, for the first page. */
  cursor: z.optional(z.nullable(z.string())),
};
