import type { ApiPromise } from "../../client/api-promise.js";
import { coreOf, Resource } from "../../client/client.js";
import type { RequestOptions } from "../../client/request-options.js";
import { session } from "./endpoints.js";
import type { SessionInfo } from "./schema.js";

/** Information about the client's key. */
export class Session extends Resource {
  /**
   * Returns the project, key and member that the client's key belongs to.
   *
   * Requires the user key, the organization key or the session cookie: the project key isn't accepted. `project` is
   * null with an organization key, `api_key` with a session cookie.
   *
   * @throws {MissingCredentialError} before anything is sent, if the client has only a project key or no credential.
   * @throws {AuthenticationError} 401: the key is wrong or revoked.
   */
  info(options?: RequestOptions): ApiPromise<SessionInfo> {
    return coreOf(this).call(session().info, {}, options);
  }
}
