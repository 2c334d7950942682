import type { Core } from "../../core/client.js";
import type { RequestOptions } from "../../core/options/request-options.js";
import type { ApiPromise } from "../../core/promises.js";
import { revokeApiKeys } from "./endpoints.js";
import type { RevokeApiKeysBody, RevokedApiKeys } from "./schema.js";

/** The keys the service is called with. See assumption C8. */
export class ApiKeys {
  readonly #core: Core;

  /** @internal */
  constructor(core: Core) {
    this.#core = core;
  }

  /**
   * Revokes leaked keys. Cannot be undone, and takes no credential: a client without any key can send it, and a client's
   * own keys are revoked like any other.
   *
   * @throws {BadRequestError} 400: more than 100 keys.
   */
  revoke(body: RevokeApiKeysBody, options?: RequestOptions): ApiPromise<RevokedApiKeys> {
    return this.#core.call(revokeApiKeys, { body }, options);
  }
}
