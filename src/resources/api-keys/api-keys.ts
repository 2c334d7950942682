import type { ApiPromise } from "../../client/api-promise.js";
import { coreOf, Resource } from "../../client/client.js";
import type { RequestOptions } from "../../client/request-options.js";
import { apiKeys } from "./endpoints.js";
import type { RevokeApiKeysBody, RevokedApiKeys } from "./schema.js";

/** Revokes API keys that leaked. `projects` manages the keys of projects. */
export class ApiKeys extends Resource {
  /**
   * Revokes leaked keys. This can't be undone. Requires no credential, so a client without a key can call it, and a
   * client can revoke its own keys.
   *
   * @throws {BadRequestError} 400: more than 100 keys.
   */
  revoke(body: RevokeApiKeysBody, options?: RequestOptions): ApiPromise<RevokedApiKeys> {
    return coreOf(this).call(apiKeys().revoke, { body }, options);
  }
}
