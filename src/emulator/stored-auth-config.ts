import type { AuthConfig } from "../resources/auth-configs/schema.js";
import type { JsonObject } from "./definitions.js";

/** An auth config with what answers do not show. */
export interface StoredAuthConfig extends Omit<AuthConfig, "credentials" | "shared_credentials" | "no_of_connections"> {
  /** In clear; answers redact it. */
  credentials: JsonObject;
  /** In clear; answers redact it. */
  shared_credentials: JsonObject | undefined;
  auth_scheme: string;
  is_svc_managed: boolean;
  isDeleted: boolean;
}
