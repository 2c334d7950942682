// The room of connected accounts: creating one, the flow that a user ends, expiry, and the account that may run a
// tool. It imports `catalog`, `deliveries`, `engine`, `src/contract` and `src/resources`. Start here, then
// `flows.ts`.

import type { UpdateConnectedAccountBody } from "../../resources/connected-accounts/schema.js";
import type { JsonObject } from "../../resources/schema-kit.js";
import type { StoredAccount } from "../engine/account-records.js";
import type { Engine, HandlersOf } from "../engine/engine.js";
import { paginate } from "../engine/pages.js";
import { ApiFailure, invalidRequest } from "../engine/responses.js";
import { buildAccount, initialState, linkAccount } from "./create.js";
import { completeFlow, failFlow, withFlow } from "./flows.js";
import {
  badRequest,
  checkGiven,
  checkValues,
  claimAlias,
  findAccount,
  sharingAfter,
  usableConfig,
  withShared,
} from "./rules.js";
import { isRedirectScheme, isRenewable, isRevocable, requiredFields } from "./schemes.js";
import { detailedAccount, filteredAccounts, linkUrl, maskedState, sharingOf, shownAccount } from "./show.js";
import { enterStatus, REASONS, removeAccount, revokeAccount } from "./transitions.js";

export const connectedAccounts: HandlersOf<"connectedAccounts"> = {
  "connectedAccounts.list": ({ query, ...engine }) => {
    const page = paginate(filteredAccounts(engine.state, query), query);
    return { ...page, items: page.items.map((account) => shownAccount(account, engine)) };
  },

  "connectedAccounts.create": ({ body, ...engine }) => {
    const config = usableConfig(body.auth_config.id, engine.state);
    const { connection } = body;
    if (connection.user_id === undefined && engine.settings.callbackVerifierUrl !== undefined) {
      throw invalidRequest(["body.connection.user_id: expected a string, for this project verifies callbacks"]);
    }
    const built = buildAccount(config, connection, initialState(body, config, engine), engine);
    const callbackUrl = connection.callback_url ?? connection.redirect_uri;
    const account = built.status === "ACTIVE" ? built : withFlow(built, callbackUrl, engine);
    engine.state.connectedAccounts.set(account.id, account);
    const url = account.flow && linkUrl(account.flow, engine.origin);
    return {
      id: account.id,
      connectionData: maskedState(account, engine),
      status: account.status,
      redirect_url: url,
      redirect_uri: url,
      experimental: sharingOf(account),
    };
  },

  "connectedAccounts.link": ({ body, ...engine }) =>
    linkAccount(usableConfig(body.auth_config_id, engine.state), body, engine),

  "connectedAccounts.get": ({ params, ...engine }) => detailedAccount(findAccount(params.nanoid, engine), engine),

  "connectedAccounts.update": ({ params, body, ...engine }) => {
    const { id, status } = update(findAccount(params.nanoid, engine), body, engine);
    return { success: true, id, status };
  },

  "connectedAccounts.setStatus": ({ params, body, ...engine }) => {
    const account = findAccount(params.nanoId, engine, "nanoId");
    const [from, to] = body.enabled ? (["INACTIVE", "ACTIVE"] as const) : (["ACTIVE", "INACTIVE"] as const);
    if (account.status !== from && account.status !== to) {
      const verb = body.enabled ? "enabled" : "disabled";
      throw badRequest(`A connection in ${account.status} state cannot be ${verb}`);
    }
    if (body.enabled) usableConfig(account.authConfigId, engine.state);
    // One that its auth config has disabled stays disabled when the auth config is enabled.
    if (account.status === from || !body.enabled) enterStatus(account, to, { reason: REASONS.byUser }, engine);
    return { success: true };
  },

  "connectedAccounts.refresh": ({ params, query, body, ...engine }) => {
    const account = findAccount(params.nanoid, engine);
    if (!isRenewable(account.scheme)) {
      const message = `${account.scheme} connections cannot be refreshed`;
      throw new ApiFailure(501, 613, "ConnectedAccount_NotImplemented", message, "Send fresh credentials with PATCH");
    }
    if (account.status === "INACTIVE" || account.status === "REVOKED") {
      throw badRequest(`A connection in ${account.status} state cannot be refreshed`);
    }
    usableConfig(account.authConfigId, engine.state);
    if (!isRedirectScheme(account.scheme)) return { id: account.id, status: account.status, redirect_url: null };
    const retried =
      account.status === "FAILED" ? enterStatus(account, "INITIALIZING", { reason: null }, engine) : account;
    const started = withFlow(retried, body?.redirect_url ?? query.redirect_url, engine);
    engine.state.connectedAccounts.set(started.id, started);
    return { id: started.id, status: started.status, redirect_url: linkUrl(started.flow, engine.origin) };
  },

  "connectedAccounts.revoke": ({ params, ...engine }) => {
    const account = findAccount(params.nanoid, engine);
    const { id, scheme, status, toolkit, values } = account;
    if (status === "REVOKED") return { revoked_tokens: [], connected_account: { id, status } };
    if (status !== "ACTIVE") {
      const message = `Only ACTIVE connections can be revoked; this one is ${status}`;
      throw new ApiFailure(409, 614, "ConnectedAccount_Conflict", message);
    }
    if (!isRevocable(engine.catalog.toolkits.get(toolkit), scheme)) {
      const message = `Toolkit ${toolkit} cannot revoke ${scheme} credentials`;
      throw badRequest(message, "Delete the connected account instead");
    }
    const tokens = (["access_token", "refresh_token"] as const).filter((name) => typeof values[name] === "string");
    const revoked = revokeAccount(account, REASONS.revoked, engine);
    return {
      revoked_tokens: tokens.length > 0 ? tokens : ["credential"],
      connected_account: { id, status: revoked.status },
    };
  },

  "connectedAccounts.delete": ({ params, query, ...engine }) => {
    removeAccount(findAccount(params.nanoid, engine), engine);
    return { success: true, ...(query.revoke_on_delete === true && { revoke_job_id: engine.ids.uuid() }) };
  },

  "connectedAccounts.completeAuth": ({ body, ...engine }) => {
    const account = [...engine.state.connectedAccounts.values()].find(
      ({ flow }) => flow?.sessionUri === body.session_uri && !flow.isOver,
    );
    if (!account) throw badRequest("The session_uri is unknown, was used, or is older than 10 minutes");
    if (account.userId !== body.user_id) {
      const description = "The user does not match the one the flow was started for";
      failFlow(account, { error: "user_mismatch", error_description: description }, engine);
      throw badRequest(description);
    }
    usableConfig(account.authConfigId, engine.state);
    completeFlow(account, {}, engine);
    return { connected_account_id: account.id, toolkit_slug: account.toolkit };
  },
};

/**
 * Updates an account; omitted fields don't change. If it throws, nothing has changed. Spec: Connected account update.
 */
function update(account: StoredAccount, body: UpdateConnectedAccountBody, engine: Engine): StoredAccount {
  const alias = body.alias === undefined ? account.alias : claimAlias(body.alias, account, engine.state);
  const patch = body.connection?.state;
  const values = patch ? patchedValues(account, patch, engine) : account.values;
  const isFresh = Object.values(patch?.val ?? {}).some((value) => typeof value === "string");
  const isRenewed = isFresh && account.status === "EXPIRED";
  if (isRenewed) usableConfig(account.authConfigId, engine.state);
  const sharing = sharingAfter(account, { acl_config_for_shared: body.experimental?.acl_config_for_shared });
  const updated = { ...account, ...sharing, alias, values, updatedAt: engine.clock.iso() };
  if (isRenewed) return enterStatus(updated, "ACTIVE", { reason: null }, engine);
  engine.state.connectedAccounts.set(account.id, updated);
  return updated;
}

type StatePatch = NonNullable<NonNullable<UpdateConnectedAccountBody["connection"]>["state"]>;

function patchedValues(account: StoredAccount, patch: StatePatch, engine: Engine) {
  const { authConfigId, scheme, status, toolkit, values } = account;
  if (patch.authScheme !== scheme) {
    const fix = isRedirectScheme(scheme) ? "Renew it with a new link" : `Send authScheme ${scheme}`;
    throw badRequest(`The connection's scheme is ${scheme}, not ${patch.authScheme}`, fix);
  }
  if (!["ACTIVE", "INACTIVE", "EXPIRED"].includes(status)) {
    throw badRequest(`The credentials of a connection in ${status} state cannot be changed`, "Use a new link");
  }
  checkValues(scheme, withoutNulls({ ...patch.val }), "body.connection.state.val");
  const own = withoutNulls({ ...values, ...patch.val });
  const patched = withShared(own, engine.state.authConfigs.get(authConfigId));
  checkGiven(requiredFields(engine.catalog.toolkits.get(toolkit), scheme), patched);
  return patched;
}

/** Removes values set to null. */
function withoutNulls(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined));
}
