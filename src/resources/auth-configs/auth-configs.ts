import type { Core } from "../../core/client.js";
import type { RequestOptions } from "../../core/options/request-options.js";
import type { ApiPromise, PagePromise } from "../../core/promises.js";
import type { Empty } from "../shared.js";
import {
  createAuthConfig,
  deleteAuthConfig,
  getAuthConfig,
  listAuthConfigs,
  setAuthConfigStatus,
  updateAuthConfig,
} from "./endpoints.js";
import type {
  AuthConfig,
  AuthConfigPage,
  CreateAuthConfigBody,
  CreatedAuthConfig,
  DeleteAuthConfigQuery,
  DeletedAuthConfig,
  ListAuthConfigsQuery,
  UpdateAuthConfigBody,
} from "./schema.js";

/** The ways users authenticate against toolkits. Spec: Endpoints > Auth configs. */
export class AuthConfigs {
  readonly #core: Core;

  /** @internal */
  constructor(core: Core) {
    this.#core = core;
  }

  /**
   * Creates an auth config: managed by the service, or custom with your own credentials.
   *
   * ```ts
   * const managed = await svc.authConfigs.create({ toolkit: { slug: "github" } }); // Through the service's own OAuth client.
   * const own = await svc.authConfigs.create({
   *   toolkit: { slug: "github" },
   *   auth_config: { type: "use_custom_auth", authScheme: "OAUTH2", credentials: { client_id: "acme", client_secret } },
   * });
   * ```
   *
   * Never sent twice when the first may have run: a second one would be a second config.
   *
   * @throws {BadRequestError} 400: the toolkit does not support the scheme or has no managed credentials.
   * @throws {NotFoundError} 404: no such toolkit.
   */
  create(body: CreateAuthConfigBody, options?: RequestOptions): ApiPromise<CreatedAuthConfig> {
    return this.#core.call(createAuthConfig, { body }, options);
  }

  /** Lists auth configs, disabled ones only with `show_disabled`. Awaited, one page; iterated, all of them. */
  list(query?: ListAuthConfigsQuery, options?: RequestOptions): PagePromise<AuthConfigPage, AuthConfig> {
    return this.#core.list(listAuthConfigs, { query }, options);
  }

  /**
   * One auth config, disabled ones included.
   *
   * @throws {BadRequestError} 400: not an `ac_` id.
   * @throws {NotFoundError} 404: no such id, or it was deleted.
   */
  get(id: string, options?: RequestOptions): ApiPromise<AuthConfig> {
    return this.#core.call(getAuthConfig, { params: { nanoid: id } }, options);
  }

  /**
   * Changes the given fields; the others stay. `type` says which kind of config it is, and so where scopes go.
   *
   * `shared_credentials` takes real values: what `get` shows is redacted, and sending it back would store the redaction.
   *
   * @throws {BadRequestError} 400: not an `ac_` id, or the wrong `type` for this config.
   * @throws {NotFoundError} 404: no such id.
   */
  update(id: string, body: UpdateAuthConfigBody, options?: RequestOptions): ApiPromise<Empty> {
    return this.#core.call(updateAuthConfig, { params: { nanoid: id }, body }, options);
  }

  /**
   * Deletes an auth config. This cannot be undone.
   *
   * With `revoke_on_delete` a background job also revokes the credentials of every connected account of it at the
   * provider, and the answer carries `revoke_job_id`.
   *
   * @throws {NotFoundError} 404: no such id, or it was deleted before.
   */
  delete(id: string, query?: DeleteAuthConfigQuery, options?: RequestOptions): ApiPromise<DeletedAuthConfig> {
    return this.#core.call(deleteAuthConfig, { params: { nanoid: id }, query }, options);
  }

  /**
   * Enables it again. Takes the project key.
   *
   * @throws {NotFoundError} 404: no such id.
   */
  enable(id: string, options?: RequestOptions): ApiPromise<Empty> {
    return this.#core.call(setAuthConfigStatus, { params: { nanoid: id, status: "ENABLED" } }, options);
  }

  /**
   * Disables it: no new connection can be made from it. Takes the project key.
   *
   * @throws {NotFoundError} 404: no such id.
   */
  disable(id: string, options?: RequestOptions): ApiPromise<Empty> {
    return this.#core.call(setAuthConfigStatus, { params: { nanoid: id, status: "DISABLED" } }, options);
  }
}
