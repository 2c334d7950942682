import type { Core } from "../../core/client.js";
import type { RequestOptions } from "../../core/options/request-options.js";
import type { ApiPromise, PagePromise } from "../../core/promises.js";
import {
  completeConnectedAccountAuth,
  createConnectedAccount,
  deleteConnectedAccount,
  getConnectedAccount,
  linkConnectedAccount,
  listConnectedAccounts,
  refreshConnectedAccount,
  revokeConnectedAccount,
  setConnectedAccountStatus,
  updateConnectedAccount,
} from "./endpoints.js";
import type {
  CompleteAuthBody,
  CompletedConnection,
  ConnectedAccount,
  ConnectedAccountDetail,
  ConnectedAccountPage,
  ConnectionLink,
  ConnectionStatusChange,
  CreateConnectedAccountBody,
  CreatedConnectedAccount,
  DeleteConnectedAccountQuery,
  DeletedConnectedAccount,
  LinkConnectedAccountBody,
  ListConnectedAccountsQuery,
  RefreshConnectedAccountBody,
  RefreshedConnectedAccount,
  RevokedConnectedAccount,
  UpdateConnectedAccountBody,
  UpdatedConnectedAccount,
} from "./schema.js";
import { type WaitUntilActiveOptions, waitUntilActive } from "./wait-until-active.js";

/**
 * The authenticated connections of your users to toolkits; called "connections" in older texts. Spec: Resources >
 * Connected account. See assumption C3.
 */
export class ConnectedAccounts {
  readonly #core: Core;

  /** @internal */
  constructor(core: Core) {
    this.#core = core;
  }

  /** Lists connected accounts, shared ones only with `account_type`. Awaited, one page; iterated, all of them. */
  list(
    query?: ListConnectedAccountsQuery,
    options?: RequestOptions,
  ): PagePromise<ConnectedAccountPage, ConnectedAccount> {
    return this.#core.list(listConnectedAccounts, { query }, options);
  }

  /**
   * One account with everything about it. Secrets in it are masked, unless the project turned that off.
   *
   * @throws {NotFoundError} 404, condition `connected_account_not_found`: no such id, or it was deleted.
   */
  get(id: string, options?: RequestOptions): ApiPromise<ConnectedAccountDetail> {
    return this.#core.call(getConnectedAccount, { params: { nanoid: id } }, options);
  }

  /**
   * Connects an account from credentials you hold. Where the user has to consent in a browser, use {@link link}: for the
   * service's own OAuth clients this call is retired. Takes the project key.
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
   * Never sent twice when the first may have run: a second one would be a second account.
   *
   * @throws {BadRequestError} 400, slug `ConnectedAccount_BadRequest`: the alias is taken, an access list without
   * `SHARED`, or a managed OAuth config, which needs {@link link}; `ConnectedAccount_MissingRequiredFields`: a field is
   * missing.
   * @throws {NotFoundError} 404: no such auth config.
   */
  create(body: CreateConnectedAccountBody, options?: RequestOptions): ApiPromise<CreatedConnectedAccount> {
    return this.#core.call(createConnectedAccount, { body }, options);
  }

  /**
   * Makes a page on which a user connects an account. Send the browser to `redirect_url` within 10 minutes; it comes back
   * to `callback_url`, which `parseConnectCallback` reads.
   *
   * Never refuses a second account of the user for the toolkit. Never sent twice when the first may have run.
   *
   * @throws {BadRequestError} 400, slug `ConnectedAccount_BadRequest`: the alias is taken.
   * @throws {NotFoundError} 404: no such auth config.
   */
  link(body: LinkConnectedAccountBody, options?: RequestOptions): ApiPromise<ConnectionLink> {
    return this.#core.call(linkConnectedAccount, { body }, options);
  }

  /**
   * Changes alias, credentials or access list; what is left out stays. Fresh credentials make an EXPIRED account ACTIVE
   * again. Takes the project key. Spec: Connected account update.
   *
   * @throws {BadRequestError} 400: not a `ca_` id, the alias is taken, another scheme than the account's, or an access list
   * on a PRIVATE account.
   * @throws {NotFoundError} 404, condition `connected_account_not_found`.
   */
  update(id: string, body: UpdateConnectedAccountBody, options?: RequestOptions): ApiPromise<UpdatedConnectedAccount> {
    return this.#core.call(updateConnectedAccount, { params: { nanoid: id }, body }, options);
  }

  /**
   * Makes a disabled account ACTIVE again. Takes the project key.
   *
   * @throws {NotFoundError} 404, condition `connected_account_not_found`.
   */
  enable(id: string, options?: RequestOptions): ApiPromise<ConnectionStatusChange> {
    return this.#core.call(setConnectedAccountStatus, { params: { nanoId: id }, body: { enabled: true } }, options);
  }

  /**
   * Makes it INACTIVE: no tool runs through it and its triggers rest, without an event. Takes the project key.
   *
   * @throws {NotFoundError} 404, condition `connected_account_not_found`.
   */
  disable(id: string, options?: RequestOptions): ApiPromise<ConnectionStatusChange> {
    return this.#core.call(setConnectedAccountStatus, { params: { nanoId: id }, body: { enabled: false } }, options);
  }

  /**
   * Starts a new flow for the user of an account. It is not the renewal of tokens: the service does that by itself. Takes
   * the project key. Never sent twice when the first may have run.
   *
   * @deprecated Use {@link link}.
   * @throws {BadRequestError} 400: not in its present status.
   * @throws {NotFoundError} 404, condition `connected_account_not_found`.
   * @throws {ServerError} 501: not with this scheme.
   */
  refresh(
    id: string,
    body?: RefreshConnectedAccountBody,
    options?: RequestOptions,
  ): ApiPromise<RefreshedConnectedAccount> {
    return this.#core.call(refreshConnectedAccount, { params: { nanoid: id }, body }, options);
  }

  /**
   * Revokes the account's credentials at the provider, as far as the provider can. Cannot be undone. On v3.1 only. Takes
   * the project key.
   *
   * On an account that is REVOKED already nothing is sent and `revoked_tokens` is empty; the same answer follows where an
   * attempt without an answer had done it.
   *
   * @throws {BadRequestError} 400: the toolkit cannot revoke.
   * @throws {NotFoundError} 404, condition `connected_account_not_found`.
   * @throws {ConflictError} 409: it is neither ACTIVE nor REVOKED.
   */
  revoke(id: string, options?: RequestOptions): ApiPromise<RevokedConnectedAccount> {
    return this.#core.call(revokeConnectedAccount, { params: { nanoid: id } }, options);
  }

  /**
   * Deletes an account and its triggers. The provider's credentials stay valid unless `revoke_on_delete` is true; a
   * background job then revokes them and the answer carries `revoke_job_id`.
   *
   * @throws {NotFoundError} 404, condition `connected_account_not_found`: no such id, or it was deleted before.
   */
  delete(
    id: string,
    query?: DeleteConnectedAccountQuery,
    options?: RequestOptions,
  ): ApiPromise<DeletedConnectedAccount> {
    return this.#core.call(deleteConnectedAccount, { params: { nanoid: id }, query }, options);
  }

  /**
   * Finishes a flow for the user who is signed in to your application, where the project verifies callbacks. On v3.1 only.
   * Takes the project key.
   *
   * Works once, for 10 minutes; never sent twice when the first may have run. A user other than the one the flow was
   * started for makes the account FAILED.
   *
   * @throws {BadRequestError} 400: the session is used, too old, or another user's.
   */
  completeAuth(body: CompleteAuthBody, options?: RequestOptions): ApiPromise<CompletedConnection> {
    return this.#core.call(completeConnectedAccountAuth, { body }, options);
  }

  /**
   * Waits until an account is ACTIVE and gives its record.
   *
   * Sends one `get` per look, the first at once, then after a second and at growing, jittered intervals of at most five.
   * INITIALIZING, INITIATED, INACTIVE and statuses of a newer service are waited through.
   *
   * @param options `deadlineMs` bounds the whole wait, 60 s by default.
   * @throws {ConnectionStateError} as soon as it is FAILED, EXPIRED or REVOKED, with `status` and `reason`.
   * @throws {TimeoutError} at the deadline. Where a status was seen last, its `cause` is a `ConnectionStateError` with it.
   * @throws {NotFoundError} 404, condition `connected_account_not_found`.
   */
  waitUntilActive(id: string, options: WaitUntilActiveOptions = {}): Promise<ConnectedAccountDetail> {
    return waitUntilActive(this.#core, id, options);
  }
}
