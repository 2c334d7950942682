import type { ConnectionLink, LinkConnectedAccountBody } from "../../resources/connected-accounts/schema.js";
import { checkValues } from "../accounts/check-values.js";
import { beginningOf } from "../accounts/create.js";
import { completeFlow, failFlow, startFlow } from "../accounts/flow.js";
import { filteredAccounts } from "../accounts/listing.js";
import {
  badRequest,
  checkCallbackUrl,
  claimAlias,
  findAccount,
  share,
  usableConfig,
  withShared,
} from "../accounts/rules.js";
import { isRedirectScheme, isRenewable, isRevocable } from "../accounts/schemes.js";
import { detailedAccount, maskedState, sharingOf, shownAccount } from "../accounts/show.js";
import { newAccount, REASONS, type StoredAccount } from "../accounts/stored-account.js";
import { endOfToken, enter, remove, revoke } from "../accounts/transitions.js";
import { applyUpdate } from "../accounts/update.js";
import type { HandlersOf, World } from "../context.js";
import type { JsonObject } from "../definitions.js";
import { paginate } from "../page.js";
import { projectOf } from "../projects/lookup.js";
import { invalidRequest, Refusal } from "../refusal.js";
import type { StoredAuthConfig } from "../stored-auth-config.js";

export const connectedAccounts: HandlersOf<"connectedAccounts"> = {
  "connectedAccounts.list": ({ query, key, state }) => {
    const page = paginate(filteredAccounts(state, query), query);
    const project = projectOf(key, state);
    return { ...page, items: page.items.map((account) => shownAccount(account, state, project)) };
  },

  "connectedAccounts.create": ({ body, origin, key, ...world }) => {
    const config = usableConfig(body.auth_config.id, world.state);
    const { connection } = body;
    if (connection.user_id === undefined && world.settings.callbackVerifierUrl !== undefined) {
      throw invalidRequest(["body.connection.user_id: expected a string, for this project verifies callbacks"]);
    }
    const { status, values } = beginningOf(body, config, world);
    const account = accountOf(config, connection.user_id ?? "default", values, status, world);
    account.alias = claimAlias(connection.alias ?? "", account, world.state);
    share(account, connection.experimental);
    const callbackUrl = connection.callback_url ?? connection.redirect_uri;
    const flow = status === "INITIALIZING" ? startFlow(account, { origin, callbackUrl }, world) : undefined;
    keep(account, world);
    return {
      id: account.id,
      connectionData: maskedState(account, world.state, projectOf(key, world.state)),
      status,
      redirect_url: flow?.url ?? null,
      redirect_uri: flow?.url ?? null,
      experimental: sharingOf(account),
    };
  },

  "connectedAccounts.link": ({ body, origin, ...world }) => linkAccount(body, origin, world),

  "connectedAccounts.get": ({ params, key, ...world }) =>
    detailedAccount(findAccount(params.nanoid, world), world.state, projectOf(key, world.state)),

  "connectedAccounts.update": ({ params, body, ...world }) => {
    const account = findAccount(params.nanoid, world);
    applyUpdate(account, body, world);
    return { success: true, id: account.id, status: account.status };
  },

  "connectedAccounts.setStatus": ({ params, body, ...world }) => {
    const account = findAccount(params.nanoId, world, "nanoId");
    const [from, to] = body.enabled ? (["INACTIVE", "ACTIVE"] as const) : (["ACTIVE", "INACTIVE"] as const);
    if (account.status !== from && account.status !== to) {
      const verb = body.enabled ? "enabled" : "disabled";
      throw badRequest(`A connection in ${account.status} state cannot be ${verb}`);
    }
    if (body.enabled) usableConfig(account.authConfigId, world.state);
    if (account.status === from) enter(account, to, { reason: REASONS.byUser }, world);
    return { success: true };
  },

  "connectedAccounts.refresh": ({ params, query, body, origin, ...world }) => {
    const account = findAccount(params.nanoid, world);
    if (!isRenewable(account.scheme)) throw cannotRenew(account);
    if (account.status === "INACTIVE" || account.status === "REVOKED") {
      throw badRequest(`A connection in ${account.status} state cannot be refreshed`);
    }
    usableConfig(account.authConfigId, world.state);
    if (!isRedirectScheme(account.scheme)) return { id: account.id, status: account.status, redirect_url: null };
    if (account.status === "FAILED") enter(account, "INITIALIZING", { reason: null }, world);
    const flow = startFlow(account, { origin, callbackUrl: body?.redirect_url ?? query.redirect_url }, world);
    return { id: account.id, status: account.status, redirect_url: flow.url };
  },

  "connectedAccounts.revoke": ({ params, ...world }) => {
    const account = findAccount(params.nanoid, world);
    const { id, scheme, status, toolkit, values } = account;
    if (status === "REVOKED") return { revoked_tokens: [], connected_account: { id, status } };
    if (status !== "ACTIVE") throw notRevocable(status);
    if (!isRevocable(world.catalogue.toolkits.get(toolkit), scheme)) {
      throw badRequest(
        `Toolkit ${toolkit} cannot revoke ${scheme} credentials`,
        "Delete the connected account instead",
      );
    }
    const tokens = (["access_token", "refresh_token"] as const).filter((name) => typeof values[name] === "string");
    revoke(account, REASONS.revoked, world);
    return {
      revoked_tokens: tokens.length > 0 ? tokens : ["credential"],
      connected_account: { id, status: account.status },
    };
  },

  "connectedAccounts.delete": ({ params, query, ...world }) => {
    remove(findAccount(params.nanoid, world), world);
    return { success: true, ...(query.revoke_on_delete === true && { revoke_job_id: world.ids.uuid() }) };
  },

  "connectedAccounts.completeAuth": ({ body, ...world }) => {
    const account = [...world.state.connectedAccounts.values()].find(
      ({ flow }) => flow?.sessionUri === body.session_uri && !flow.isOver,
    );
    if (!account) throw badRequest("The session_uri is unknown, was used, or is older than 10 minutes");
    if (account.userId !== body.user_id) {
      const description = "The user does not match the one the flow was started for";
      failFlow(account, { error: "user_mismatch", error_description: description }, world);
      throw badRequest(description);
    }
    usableConfig(account.authConfigId, world.state);
    completeFlow(account, {}, world);
    return { connected_account_id: account.id, toolkit_slug: account.toolkit };
  },
};

/** A new account with a page on which its user connects it. Sessions link through it as well. */
export function linkAccount(body: LinkConnectedAccountBody, origin: string, world: World): ConnectionLink {
  const config = usableConfig(body.auth_config_id, world.state);
  const own = { ...body.connection_data };
  checkValues(config.auth_scheme, own, "body.connection_data");
  const account = accountOf(config, body.user_id, withShared(own, config), "INITIALIZING", world);
  account.alias = claimAlias(body.alias ?? "", account, world.state);
  share(account, body.experimental);
  const flow = startFlow(account, { origin, callbackUrl: checkCallbackUrl(body.callback_url) }, world);
  keep(account, world);
  return {
    link_token: flow.token,
    redirect_url: flow.url,
    expires_at: new Date(flow.endsAt).toISOString(),
    connected_account_id: account.id,
    experimental: sharingOf(account),
  };
}

function accountOf(
  config: StoredAuthConfig,
  userId: string,
  values: JsonObject,
  status: StoredAccount["status"],
  { ids, clock }: World,
): StoredAccount {
  const { id: authConfigId, auth_scheme: scheme, toolkit } = config;
  const identity = {
    id: ids.next("ca_"),
    uuid: ids.uuid(),
    userId,
    toolkit: toolkit.slug,
    authConfigId,
    scheme,
    status,
  };
  return newAccount(identity, clock.iso(), values);
}

/** The last step of making one: nothing refuses it any more. */
function keep(account: StoredAccount, world: World): void {
  if (account.status === "ACTIVE") account.diesAt = endOfToken(account, world.clock.now());
  world.state.connectedAccounts.set(account.id, account);
}

function cannotRenew({ scheme }: StoredAccount): Refusal {
  return new Refusal({
    status: 501,
    code: 613,
    slug: "ConnectedAccount_NotImplemented",
    message: `${scheme} connections cannot be refreshed`,
    suggestedFix: "Send fresh credentials with PATCH",
  });
}

function notRevocable(status: string): Refusal {
  return new Refusal({
    status: 409,
    code: 614,
    slug: "ConnectedAccount_Conflict",
    message: `Only ACTIVE connections can be revoked; this one is ${status}`,
  });
}
