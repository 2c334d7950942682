import { coreOf, Resource } from "../../client/client.js";
import type { ApiPromise } from "../../client/promises.js";
import type { RequestOptions } from "../../client/request-options.js";
import { session } from "./endpoints.js";
import type { SessionInfo } from "./schema.js";

/** Who is calling. */
export class Session extends Resource {
  /**
   * The project, key and member behind the client's user key.
   *
   * Requires the user key, not the project key. `project` is null with an organization key, `api_key` with a session
   * cookie.
   *
   * @throws {MissingCredentialError} before anything is sent, if the client has none of the three.
   * @throws {AuthenticationError} 401: the key is wrong or revoked.
   */
  info(options?: RequestOptions): ApiPromise<SessionInfo> {
    return coreOf(this).call(session.info, {}, options);
  }
}
