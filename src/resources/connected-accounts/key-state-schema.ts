import * as z from "zod/mini";
import { string } from "../schema-kit.js";
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
/** One key. */
export const apiKeyValues = [
  values({ status: USABLE, ...apiKeyFields }),
  undeclared(...UNDECLARED),
] as const satisfies StatusVariants;

/** User name and password. */
export const basicValues = [
  values({ status: USABLE, username: string, password: z.optional(string) }),
  undeclared(...UNDECLARED),
] as const satisfies StatusVariants;

const login = { username: string, password: string };
/** User name and password that the service exchanges for a JWT. */
export const basicWithJwtValues = [
  values({ status: USABLE, ...login }),
  values({ ...failureFields, status: z.literal("FAILED"), ...login }),
  values({ ...expiryFields, status: z.literal("EXPIRED"), ...login }),
  undeclared("INITIALIZING", "INITIATED", "REVOKED"),
] as const satisfies StatusVariants;

/** A bearer token. */
export const bearerTokenValues = [
  values({ status: USABLE, token: string }),
  undeclared(...UNDECLARED),
] as const satisfies StatusVariants;

/** A Google service account. */
export const googleServiceAccountValues = [
  values({
    status: z.literal("INITIATED"),
    /** Where the user's browser must go. */
    redirectUrl: string,
    svc_link_redirect_url: z.optional(string),
  }),
  values({
    status: USABLE,
    /** The key as a JSON string. */
    credentials_json: string,
  }),
  undeclared("INITIALIZING", "FAILED", "EXPIRED", "REVOKED"),
] as const satisfies StatusVariants;

/** An application installed at the provider. */
export const serviceAccountFields = {
  application_id: string,
  installation_id: string,
  private_key: string,
};
/** An application installed at the provider. */
export const serviceAccountValues = [
  values({ status: USABLE, ...serviceAccountFields }),
  undeclared(...UNDECLARED),
] as const satisfies StatusVariants;

/** Bill.com. */
export const billcomAuthValues = [
  values({
    status: z.literal("INITIATED"),
    /** Where the user's browser must go. */
    redirectUrl: string,
  }),
  values({ status: USABLE, sessionId: string, devKey: string }),
  failed,
  expired,
  undeclared("INITIALIZING", "REVOKED"),
] as const satisfies StatusVariants;

/** Schemes without declared credentials. */
export const bareValues = [
  failed,
  expired,
  undeclared("INITIALIZING", "INITIATED", "ACTIVE", "INACTIVE", "REVOKED"),
] as const satisfies StatusVariants;
