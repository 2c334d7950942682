import type { JsonObject } from "../catalog/definitions.js";
import type { ConnectionFlow, StoredAccount } from "../host/account-records.js";
import type { World } from "../host/context.js";
import { isRedirectScheme } from "./rules.js";
import { enter, REASONS } from "./transitions.js";

/** How long a user has to finish a flow, in milliseconds. */
export const FLOW_MS = 600_000;

/** The latest flows of an account that had their turn whose pages are told from unknown ones. See assumption E97. */
const KEPT_TOKENS = 100;

/** Where the link page of an account lies. */
interface FlowStart {
  /** Scheme and host that serve it. */
  readonly origin: string;
  readonly callbackUrl: string | undefined;
}

/** Gives an account a new hosted flow; one that was under way ends. */
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

/** Gives the flows of the seed their whole time again: where the clock runs, a reset does not take it back. */
export function restartFlows({ state, clock }: World): void {
  for (const { flow } of state.connectedAccounts.values()) if (flow) flow.endsAt = clock.now() + FLOW_MS;
}

/** The account one of whose flows has a token, over or not. */
export function accountOfFlow(token: string, { state }: World): StoredAccount | undefined {
  return [...state.connectedAccounts.values()].find(
    ({ flow, pastTokens }) => flow?.token === token || pastTokens.includes(token),
  );
}

/** The user opened the page. */
export function openFlow(account: StoredAccount, world: World): void {
  if (account.status === "INITIALIZING") enter(account, "INITIATED", { reason: null }, world);
}

/** The user granted access: with what a form asked for, or with the tokens that the provider gave. */
export function completeFlow(account: StoredAccount, given: JsonObject, world: World): void {
  endFlow(account);
  account.values = { ...account.values, ...given, ...grantedTokens(account, world) };
  enter(account, "ACTIVE", { reason: null }, world);
}

/** The provider or the user refused. An account that was connected before stays as it was. */
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
