import * as z from "zod/mini";
import { boolean, nullish, request, string } from "../schema-kit.js";
import { SharedConnectionAcl } from "./acl-schema.js";

const changed = nullish(string);

/** Credentials to change: a string sets one, null removes it, and omitted ones stay unchanged. Exactly these 16. */
export const ConnectionCredentialsPatch = request({
  token: changed,
  generic_api_key: changed,
  api_key: changed,
  bearer_token: changed,
  basic_encoded: changed,
  generic_token: changed,
  api_key_prefix: changed,
  generic_secret: changed,
  generic_id: changed,
  user_agent: changed,
  username: changed,
  password: changed,
  credentials_json: changed,
  application_id: changed,
  installation_id: changed,
  private_key: changed,
});
export interface ConnectionCredentialsPatch extends z.infer<typeof ConnectionCredentialsPatch> {}

/** Body for updating a connected account; omitted fields stay unchanged. */
export const UpdateConnectedAccountBody = request({
  /** Unique per user and toolkit in the project. An empty string clears it. */
  alias: z.optional(string),
  /** Credentials to change. */
  connection: z.optional(
    request({
      state: z.optional(
        request({
          /** Must be the scheme the connection has. To renew an OAuth connection, use `link`. */
          authScheme: z.enum([
            "BEARER_TOKEN",
            "API_KEY",
            "BASIC",
            "BASIC_WITH_JWT",
            "GOOGLE_SERVICE_ACCOUNT",
            "SERVICE_ACCOUNT",
          ]),
          val: ConnectionCredentialsPatch,
        }),
      ),
    }),
  ),
  /** Experimental. For SHARED accounts only. */
  experimental: z.optional(request({ acl_config_for_shared: z.optional(SharedConnectionAcl) })),
});
export interface UpdateConnectedAccountBody extends z.infer<typeof UpdateConnectedAccountBody> {}

/** Body for enabling and disabling. */
export const SetConnectionStatusBody = request({
  /** True sets `ACTIVE`, false `INACTIVE`. */
  enabled: boolean,
});
export interface SetConnectionStatusBody extends z.infer<typeof SetConnectionStatusBody> {}
