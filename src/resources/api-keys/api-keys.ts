import { coreOf, Resource } from "../../client/client.js";
import type { ApiPromise } from "../../client/promises.js";
import type { RequestOptions } from "../../client/request-options.js";
import { apiKeys } from "./endpoints.js";
import type { RevokeApiKeysBody, RevokedApiKeys } from "./schema.js";

/** API keys. */
export class ApiKeys extends Resource {
  /**
   * Revokes leaked keys. Can't be undone, and requires no credential: a client without a key can send it, and the
   * client's own keys can be revoked too.
   *
   * @throws {BadRequestError} 400: more than 100 keys.
   */
  revoke(body: RevokeApiKeysBody, options?: RequestOptions): ApiPromise<RevokedApiKeys> {
    return coreOf(this).call(apiKeys.revoke, { body }, options);
  }
}
