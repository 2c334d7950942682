import type { JsonObject } from "../catalog/definitions.js";
import type { ConnectionFlow, StoredAccount } from "../engine/account-records.js";
import type { Engine, ProjectEngine } from "../engine/engine.js";
import { isRedirectScheme } from "./rules.js";
import { enter, REASONS } from "./transitions.js";

/** How long a user has to complete a flow, in milliseconds. */
export const FLOW_MS = 600_000;

/**
 * How many past flows of an account are remembered, so that their pages return 410 instead of 404. Assumption E97.
 */
const KEPT_TOKENS = 100;

/** Starts a hosted flow for an account, replacing any earlier one. */
export function startFlow(
  account: StoredAccount,
  callbackUrl: string | undefined,
  { ids, clock, origin }: ProjectEngine,
): ConnectionFlow {
  const token = ids.next("lk_");
  const flow: ConnectionFlow = {
    token,
    url: `${origin}/link/${token}`,
    callbackUrl: callbackUrl ?? null,
    endsAt: clock.now() + FLOW_MS,
    isOver: false,
    sessionUri: null,
  };
  if (account.flow) account.pastTokens = [...account.pastTokens, account.flow.token].slice(-KEPT_TOKENS);
  account.flow = flow;
  return flow;
}

/** Restarts the timeout of the seed's flows, because a reset doesn't rewind a running clock. */
export function restartFlows({ state, clock }: Engine): void {
  for (const { flow } of state.connectedAccounts.values()) if (flow) flow.endsAt = clock.now() + FLOW_MS;
}

/** The account of a flow's token, even if the flow is over. */
export function accountOfFlow(token: string, { state }: Engine): StoredAccount | undefined {
  return [...state.connectedAccounts.values()].find(
    ({ flow, pastTokens }) => flow?.token === token || pastTokens.includes(token),
  );
}

/** Records that the user opened the page. */
export function openFlow(account: StoredAccount, engine: Engine): void {
  if (account.status === "INITIALIZING") enter(account, "INITIATED", { reason: null }, engine);
}

/** Completes a flow with the form's values or the provider's tokens. */
export function completeFlow(account: StoredAccount, given: JsonObject, engine: Engine): void {
  endFlow(account);
  account.values = { ...account.values, ...given, ...grantedTokens(account, engine) };
  enter(account, "ACTIVE", { reason: null }, engine);
}

/** Fails a flow. An account that was already connected doesn't change. */
export function failFlow(account: StoredAccount, outcome: JsonObject, engine: Engine): void {
  endFlow(account);
  if (!isWaiting(account)) return;
  enter(account, "FAILED", { reason: REASONS.callbackFailed, outcome }, engine);
}

/** Whether an account waits for its user. */
export function isWaiting({ status }: StoredAccount): boolean {
  return status === "INITIALIZING" || status === "INITIATED";
}

export function endFlow({ flow }: StoredAccount): void {
  if (flow) flow.isOver = true;
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
