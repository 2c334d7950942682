import type { ApiPromise } from "../../client/api-promise.js";
import { coreOf, Resource } from "../../client/client.js";
import type { PagePromise } from "../../client/pages.js";
import type { RequestOptions } from "../../client/request-options.js";
import { loadPart } from "../../errors/base.js";
import { connectedAccounts } from "./endpoints.js";
import type * as shapes from "./schema.js";
import type { WaitUntilActiveOptions } from "./wait-until-active.js";

/** Your users' authenticated connections to toolkits. Older documentation calls them "connections". */
export class ConnectedAccounts extends Resource {
  /**
   * Lists connected accounts. Includes shared accounts only with `account_type`. Await it for one page, or iterate over
   * all items.
   */
  list(query?: shapes.ListConnectedAccountsQuery, options?: RequestOptions): PagePromise<shapes.ConnectedAccountPage> {
    return coreOf(this).list(connectedAccounts().list, { query }, options);
  }

  /**
   * Returns an account with all its fields. Secrets are masked unless the project's settings turn masking off.
   *
   * @throws {NotFoundError} 404, condition `connected_account_not_found`: no such id, or it was deleted.
   */
  get(id: string, options?: RequestOptions): ApiPromise<shapes.ConnectedAccountDetail> {
    return coreOf(this).call(connectedAccounts().get, { params: { nanoid: id } }, options);
  }

  /**
   * Connects an account with credentials that you already have. If the user has to consent in a browser, use
   * {@link link}: this call no longer works with the service's own OAuth clients. Requires the project key.
   *
   * ```ts
   * const account = await svc.connectedAccounts.create({
   *   auth_config: { id: auth_config.id },
   *   connection: {
   *     user_id: "ada",
   *     state: { authScheme: "API_KEY", val: { status: "ACTIVE", generic_api_key: keyOfTheUser } },
   *   },
   * });
   * ```
   *
   * Never retried if it may have run: a retry would create a second account.
   *
   * @throws {BadRequestError} 400, slug `ConnectedAccount_BadRequest`: the alias is taken, an access list was passed
   * without `SHARED`, or the auth config is managed OAuth, which requires {@link link}. Slug
   * `ConnectedAccount_MissingRequiredFields`: a field is missing.
   * @throws {NotFoundError} 404: no such auth config.
   */
  create(
    body: shapes.CreateConnectedAccountBody,
    options?: RequestOptions,
  ): ApiPromise<shapes.CreatedConnectedAccount> {
    return coreOf(this).call(connectedAccounts().create, { body }, options);
  }

  /**
   * Creates a page on which a user connects an account. Send the user's browser to `redirect_url` within 10 minutes.
   * Afterwards it returns to `callback_url`: parse that URL with `parseConnectCallback`.
   *
   * A user can connect several accounts of a toolkit this way. Never retried if it may have run.
   *
   * @throws {BadRequestError} 400, slug `ConnectedAccount_BadRequest`: the alias is taken.
   * @throws {NotFoundError} 404: no such auth config.
   */
  link(body: shapes.LinkConnectedAccountBody, options?: RequestOptions): ApiPromise<shapes.ConnectionLink> {
    return coreOf(this).call(connectedAccounts().link, { body }, options);
  }

  /**
   * Changes an account's alias, credentials or access list. Omitted fields stay unchanged. New credentials make an
   * EXPIRED account ACTIVE again. Requires the project key.
   *
   * @throws {BadRequestError} 400: the id doesn't start with `ca_`, the alias is taken, the account has another scheme,
   * or an access list was passed for a PRIVATE account.
   * @throws {NotFoundError} 404, condition `connected_account_not_found`.
   */
  update(
    id: string,
    body: shapes.UpdateConnectedAccountBody,
    options?: RequestOptions,
  ): ApiPromise<shapes.UpdatedConnectedAccount> {
    return coreOf(this).call(connectedAccounts().update, { params: { nanoid: id }, body }, options);
  }

  /**
   * Enables a disabled account, which becomes ACTIVE again. Requires the project key.
   *
   * @throws {NotFoundError} 404, condition `connected_account_not_found`.
   */
  enable(id: string, options?: RequestOptions): ApiPromise<shapes.ConnectionStatusChange> {
    return coreOf(this).call(
      connectedAccounts().setStatus,
      { params: { nanoId: id }, body: { enabled: true } },
      options,
    );
  }

  /**
   * Disables an account, which becomes INACTIVE. No tool runs through it, and its triggers are paused without an event.
   * Requires the project key.
   *
   * @throws {NotFoundError} 404, condition `connected_account_not_found`.
   */
  disable(id: string, options?: RequestOptions): ApiPromise<shapes.ConnectionStatusChange> {
    return coreOf(this).call(
      connectedAccounts().setStatus,
      { params: { nanoId: id }, body: { enabled: false } },
      options,
    );
  }

  /**
   * Starts a new connect flow for an account's user. Doesn't refresh tokens, because the service refreshes them
   * automatically. Requires the project key. Never retried if it may have run.
   *
   * @deprecated Use {@link link}.
   * @throws {BadRequestError} 400: the account's current status doesn't allow it.
   * @throws {NotFoundError} 404, condition `connected_account_not_found`.
   * @throws {ServerError} 501: not supported by this scheme.
   */
  refresh(
    id: string,
    body?: shapes.RefreshConnectedAccountBody,
    options?: RequestOptions,
  ): ApiPromise<shapes.RefreshedConnectedAccount> {
    return coreOf(this).call(connectedAccounts().refresh, { params: { nanoid: id }, body }, options);
  }

  /**
   * Revokes the account's credentials at the provider, as far as the provider supports it. This can't be undone. On
   * v3.1 only. Requires the project key.
   *
   * If the account is already REVOKED, nothing is sent to the provider and `revoked_tokens` is empty. The same applies
   * if an earlier attempt of this call revoked it and the response was lost.
   *
   * @throws {BadRequestError} 400: the toolkit doesn't support revocation.
   * @throws {NotFoundError} 404, condition `connected_account_not_found`.
   * @throws {ConflictError} 409: the account is neither ACTIVE nor REVOKED.
   */
  revoke(id: string, options?: RequestOptions): ApiPromise<shapes.RevokedConnectedAccount> {
    return coreOf(this).call(connectedAccounts().revoke, { params: { nanoid: id } }, options);
  }

  /**
   * Deletes an account and its triggers. Its credentials stay valid at the provider, unless `revoke_on_delete` is true.
   * Then a background job revokes them, and the response includes `revoke_job_id`.
   *
   * @throws {NotFoundError} 404, condition `connected_account_not_found`: no such id, or it was already deleted.
   */
  delete(
    id: string,
    query?: shapes.DeleteConnectedAccountQuery,
    options?: RequestOptions,
  ): ApiPromise<shapes.DeletedConnectedAccount> {
    return coreOf(this).call(connectedAccounts().delete, { params: { nanoid: id }, query }, options);
  }

  /**
   * Completes a connect flow for the signed-in user of your application. Needed only if the project verifies callbacks.
   * On v3.1 only. Requires the project key.
   *
   * A session can be completed once, within 10 minutes. Never retried if it may have run. If the flow was started for
   * another user, the account becomes FAILED.
   *
   * @throws {BadRequestError} 400: the session was already used, is too old, or belongs to another user.
   */
  completeAuth(body: shapes.CompleteAuthBody, options?: RequestOptions): ApiPromise<shapes.CompletedConnection> {
    return coreOf(this).call(connectedAccounts().completeAuth, { body }, options);
  }

  /**
   * Waits until an account is ACTIVE and returns its record.
   *
   * Polls with `get`: immediately, then every `pollMs`. By default, the pause grows from one second to five, with a
   * random part. Keeps waiting while the status is INITIALIZING, INITIATED, INACTIVE or unknown to this version, and
   * after temporary failures such as a 503. Obeys `Retry-After`.
   *
   * @param options `deadlineMs` limits the whole wait, 60 s by default.
   * @throws {ConnectionStateError} as soon as the account is FAILED, EXPIRED or REVOKED, with `status` and `reason`.
   * @throws {TimeoutError} at the deadline, or as soon as the service asks to wait beyond it. `cause` is a
   * `ConnectionStateError` with the last status, or the last request's error if no status was received.
   * @throws {NotFoundError} 404, condition `connected_account_not_found`.
   */
  waitUntilActive(id: string, options: WaitUntilActiveOptions = {}): Promise<shapes.ConnectedAccountDetail> {
    const core = coreOf(this);
    // Few programs wait.
    const loading = loadPart("connectedAccounts.waitUntilActive", import("./wait-until-active.js"));
    return loading.then(({ waitUntilActive }) => waitUntilActive(core, id, options));
  }
}
