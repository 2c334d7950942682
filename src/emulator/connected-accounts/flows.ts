import type { JsonObject } from "../../resources/schema-kit.js";
import { type ConnectionFlow, isWaiting, type StoredAccount } from "../engine/account-records.js";
import type { Engine } from "../engine/engine.js";
import { isRedirectScheme } from "./schemes.js";
import { endedFlow, endOfToken, enterStatus, REASONS } from "./transitions.js";

/** How long a user has to complete a flow, in milliseconds. */
export const FLOW_MS = 600_000;

/**
 * How many past flows of an account are remembered, so that their pages return 410 instead of 404. Assumption E97.
 */
const KEPT_TOKENS = 100;

/** An account with a new hosted flow in place of any earlier one. It isn't stored yet. */
export function withFlow(
  account: StoredAccount,
  callbackUrl: string | undefined,
  { ids, clock }: Engine,
): StoredAccount & { readonly flow: ConnectionFlow } {
  const flow: ConnectionFlow = {
    token: ids.next("lk_"),
    callbackUrl: callbackUrl ?? null,
    endsAt: clock.now() + FLOW_MS,
    isOver: false,
    sessionUri: null,
  };
  const earlier = account.flow ? [account.flow.token] : [];
  return { ...account, flow, pastTokens: [...account.pastTokens, ...earlier].slice(-KEPT_TOKENS) };
}

/** Restarts the timeout of the seed's flows, because a reset doesn't rewind a running clock. */
export function restartFlows({ state: { connectedAccounts }, clock }: Engine): void {
  for (const { id, flow } of connectedAccounts.values()) {
    if (flow) connectedAccounts.update(id, { flow: { ...flow, endsAt: clock.now() + FLOW_MS } });
  }
}

/** The account of a flow's token, even if the flow is over. */
export function accountOfFlow(token: string, { state }: Engine): StoredAccount | undefined {
  return [...state.connectedAccounts.values()].find(
    ({ flow, pastTokens }) => flow?.token === token || pastTokens.includes(token),
  );
}

/** Records that the user opened the page. */
export function openFlow(account: StoredAccount, engine: Engine): void {
  if (account.status === "INITIALIZING") enterStatus(account, "INITIATED", { reason: null }, engine);
}

/** Completes a flow with the form's values or the provider's tokens. */
export function completeFlow(account: StoredAccount, given: JsonObject, engine: Engine): void {
  const values = { ...account.values, ...given, ...grantedTokens(account, engine) };
  const connected = { ...account, values, flow: endedFlow(account) };
  // An account that was disabled would keep the end of its earlier token.
  const tokenExpiresAt = endOfToken(connected, engine.clock.now());
  enterStatus({ ...connected, tokenExpiresAt }, "ACTIVE", { reason: null }, engine);
}

/** Description of a denial, unless the user or the test gives another. */
export const DENIED = "The user denied access";

/** Fails a flow. An account that was already connected doesn't change. */
export function failFlow(account: StoredAccount, outcome: JsonObject, engine: Engine): void {
  const ended = { ...account, flow: endedFlow(account) };
  if (isWaiting(account)) enterStatus(ended, "FAILED", { reason: REASONS.callbackFailed, outcome }, engine);
  else engine.state.connectedAccounts.set(account.id, ended);
}

function grantedTokens({ scheme, authConfigId }: StoredAccount, { ids, state }: Engine): JsonObject {
  if (!isRedirectScheme(scheme)) return {};
  const secret = (prefix: string) => ids.next(prefix) + ids.next("");
  if (scheme === "OAUTH1") return { oauth_token: secret("oat_"), oauth_token_secret: secret("oas_") };
  const scopes = state.authConfigs.get(authConfigId)?.credentials["scopes"];
  return {
    access_token: secret("at_"),
    refresh_token: secret("rt_"),
    token_type: "bearer",
    expires_in: 3_600,
    scope: Array.isArray(scopes) ? scopes.join(" ") : typeof scopes === "string" ? scopes : "",
    ...(scheme === "DCR_OAUTH" && { client_id: ids.next("client_") }),
  };
}
