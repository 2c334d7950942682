import type { ApiPromise } from "../../client/api-promise.js";
import { coreOf, Resource } from "../../client/client.js";
import type { PagePromise } from "../../client/pages.js";
import type { RequestOptions } from "../../client/request-options.js";
import { loadPart } from "../../errors/base.js";
import type { EmptyObject } from "../shared.js";
import { authConfigs } from "./endpoints.js";
import type * as shapes from "./schema.js";

/** How users authenticate with toolkits. */
export class AuthConfigs extends Resource {
  /**
   * Creates an auth config: managed by the service, or custom, with your own credentials.
   *
   * ```ts
   * const { auth_config } = await svc.authConfigs.create({
   *   toolkit: { slug: "weathermap" },
   *   auth_config: { type: "use_custom_auth", authScheme: "API_KEY", name: "Weather, with the user's key" },
   * });
   * ```
   *
   * Never retried if it may have run: a retry would create a second config.
   *
   * @throws {BadRequestError} 400: the toolkit doesn't support the scheme, or has no managed credentials.
   * @throws {NotFoundError} 404: no such toolkit.
   */
  create(body: shapes.CreateAuthConfigBody, options?: RequestOptions): ApiPromise<shapes.CreatedAuthConfig> {
    return coreOf(this).call(authConfigs().create, { body }, options);
  }

  /**
   * Returns an enabled auth config of the toolkit, or creates one: for setup scripts that may run again.
   *
   * ```ts
   * const authConfig = await svc.authConfigs.ensure({ toolkit: { slug: "github" } });
   * ```
   *
   * Without `auth_config`, any enabled config of the toolkit matches, and a new config is managed. With `auth_config`,
   * a config matches only if its type, scheme and, if you pass it, name are the same. If several match, the oldest is
   * returned. Other settings of an existing config aren't compared or changed. If two processes call it for the first
   * time at the same moment, each can create a config.
   *
   * Sends one request if a config exists, otherwise three: the list, the creation, and a read of the new record.
   *
   * @param options `deadlineMs` limits all requests together; the other options apply to each.
   * @throws {ValidationError} before anything is sent: `toolkit.slug` is missing. After the list: the matching configs
   * are of several kinds, such as managed and custom. The message lists them.
   * @throws {BadRequestError} 400: the toolkit doesn't support the scheme, or has no managed credentials.
   * @throws {NotFoundError} 404: no such toolkit.
   */
  async ensure(body: shapes.CreateAuthConfigBody, options: RequestOptions = {}): Promise<shapes.AuthConfig> {
    const core = coreOf(this);
    const shared = core.sharedDeadline("authConfigs.ensure", options);
    // Few programs need it.
    const { ensureAuthConfig } = await loadPart("authConfigs.ensure", import("./ensure-auth-config.js"));
    return ensureAuthConfig(core, body, shared, options?.signal);
  }

  /**
   * Lists auth configs. Includes disabled auth configs only with `show_disabled`. Await it for one page, or iterate
   * over all items.
   */
  list(query?: shapes.ListAuthConfigsQuery, options?: RequestOptions): PagePromise<shapes.AuthConfigPage> {
    return coreOf(this).list(authConfigs().list, { query }, options);
  }

  /**
   * Returns an auth config, even a disabled one.
   *
   * @throws {BadRequestError} 400: the id doesn't start with `ac_`.
   * @throws {NotFoundError} 404: no such id, or it was deleted.
   */
  get(id: string, options?: RequestOptions): ApiPromise<shapes.AuthConfig> {
    return coreOf(this).call(authConfigs().get, { params: { nanoid: id } }, options);
  }

  /**
   * Changes the given fields of an auth config. Other fields stay unchanged. `type` must be the kind of the config. It
   * determines where scopes go: in `credentials` for `custom`, at the top level for `default`.
   *
   * Pass complete values in `shared_credentials`. `get` returns redacted values, and sending these back would store
   * them.
   *
   * @throws {BadRequestError} 400: the id doesn't start with `ac_`, or `type` isn't the kind of this config.
   * @throws {NotFoundError} 404: no such id.
   */
  update(id: string, body: shapes.UpdateAuthConfigBody, options?: RequestOptions): ApiPromise<EmptyObject> {
    return coreOf(this).call(authConfigs().update, { params: { nanoid: id }, body }, options);
  }

  /**
   * Deletes an auth config. This can't be undone.
   *
   * With `revoke_on_delete`, a background job also revokes the credentials of all its connected accounts at the
   * provider, and the response includes `revoke_job_id`.
   *
   * @throws {NotFoundError} 404: no such id, or it was already deleted.
   */
  delete(
    id: string,
    query?: shapes.DeleteAuthConfigQuery,
    options?: RequestOptions,
  ): ApiPromise<shapes.DeletedAuthConfig> {
    return coreOf(this).call(authConfigs().delete, { params: { nanoid: id }, query }, options);
  }

  /**
   * Enables an auth config. Requires the project key.
   *
   * @throws {NotFoundError} 404: no such id.
   */
  enable(id: string, options?: RequestOptions): ApiPromise<EmptyObject> {
    return coreOf(this).call(authConfigs().setStatus, { params: { nanoid: id, status: "ENABLED" } }, options);
  }

  /**
   * Disables an auth config, so that no new connection can be created with it. Requires the project key.
   *
   * @throws {NotFoundError} 404: no such id.
   */
  disable(id: string, options?: RequestOptions): ApiPromise<EmptyObject> {
    return coreOf(this).call(authConfigs().setStatus, { params: { nanoid: id, status: "DISABLED" } }, options);
  }
}
