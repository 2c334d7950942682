import type { JsonObject } from "../catalog/definitions.js";
import type { ConnectionFlow, StoredAccount } from "../host/account-records.js";
import type { World } from "../host/context.js";
import { isRedirectScheme } from "./rules.js";
import { enter, REASONS } from "./transitions.js";

/** How long a user has to complete a flow, in milliseconds. */
export const FLOW_MS = 600_000;

/**
 * How many past flows of an account are remembered, so that their pages return 410 instead of 404. See assumption E97.
 */
const KEPT_TOKENS = 100;

/** Settings of a new flow. */
interface FlowStart {
  /** Scheme and host of the link page. */
  readonly origin: string;
  readonly callbackUrl: string | undefined;
}

/** Starts a hosted flow for an account, replacing any earlier one. */
export function startFlow(account: StoredAccount, { origin, callbackUrl }: FlowStart, world: World): ConnectionFlow {
  const token = world.ids.next("lk_");
  const flow: ConnectionFlow = {
    token,
    url: `${origin}/link/${token}`,
    callbackUrl: callbackUrl ?? null,
    endsAt: world.clock.now() + FLOW_MS,
    isOver: false,
    sessionUri: null,
  };
  if (account.flow) account.pastTokens = [...account.pastTokens, account.flow.token].slice(-KEPT_TOKENS);
  account.flow = flow;
  return flow;
}

/** Restarts the timeout of the seed's flows, because a reset doesn't rewind a running clock. */
export function restartFlows({ state, clock }: World): void {
  for (const { flow } of state.connectedAccounts.values()) if (flow) flow.endsAt = clock.now() + FLOW_MS;
}

/** The account of a flow's token, even if the flow is over. */
export function accountOfFlow(token: string, { state }: World): StoredAccount | undefined {
  return [...state.connectedAccounts.values()].find(
    ({ flow, pastTokens }) => flow?.token === token || pastTokens.includes(token),
  );
}

/** Records that the user opened the page. */
export function openFlow(account: StoredAccount, world: World): void {
  if (account.status === "INITIALIZING") enter(account, "INITIATED", { reason: null }, world);
}

/** Completes a flow with the form's values or the provider's tokens. */
export function completeFlow(account: StoredAccount, given: JsonObject, world: World): void {
  endFlow(account);
  account.values = { ...account.values, ...given, ...grantedTokens(account, world) };
  enter(account, "ACTIVE", { reason: null }, world);
}

/** Fails a flow. An account that was already connected doesn't change. */
export function failFlow(account: StoredAccount, outcome: JsonObject, world: World): void {
  endFlow(account);
  if (!isWaiting(account)) return;
  enter(account, "FAILED", { reason: REASONS.callbackFailed, outcome }, world);
}

export function isWaiting({ status }: StoredAccount): boolean {
  return status === "INITIALIZING" || status === "INITIATED";
}

export function endFlow({ flow }: StoredAccount): void {
  if (flow) flow.isOver = true;
}

function grantedTokens({ scheme, authConfigId }: StoredAccount, { ids, state }: World): JsonObject {
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
