import { NEED_OF_STATUS } from "../../shared/account-status.js";
import type { Execution } from "../agent-tool.js";
import { needsAccount } from "../call/auth-required.js";
import type { AuthRequired } from "../call-result.js";
import { ensure } from "../ensure.js";
import type { Permission } from "../guard.js";
import type { GuardContext } from "../policy-base.js";
import { type CallLimits, limitsOf } from "../run-options.js";
import type { ToolClient } from "../tools/read-tools.js";
import { ensureOneUser, usesAccount } from "../user-accounts.js";

/**
 * Gives a call the account that it would run through: what is approved is one account, not whichever is the newest when
 * the call runs. Without one, the call ends: no approval could let it run.
 */
export async function withAccount(call: Execution, context: GuardContext, limits: CallLimits): Promise<Permission> {
  const { client, records } = context;
  const { tool, userId, accountId } = call;
  const { toolkit } = tool;
  const needsNone = accountId !== undefined || toolkit === undefined || !usesAccount(tool, records);
  // An agent session chooses the accounts of its tools.
  if (needsNone || !client || userId === undefined) return { kind: "runs", execution: call };
  const found = await newestAccount(client, userId, toolkit, limits);
  if ("reason" in found) return { kind: "ends", ending: needsAccount(tool, context, found) };
  return { kind: "runs", execution: Object.freeze({ ...call, accountId: found.id }) };
}

/** The user's newest account that can be used; otherwise why the newest can't be. */
async function newestAccount(
  client: ToolClient,
  userId: string,
  toolkit: string,
  limits: CallLimits,
): Promise<{ readonly id: string } | Pick<AuthRequired, "reason">> {
  const { connectedAccounts } = client;
  ensure(connectedAccounts, "approvals need a client with connectedAccounts.");
  ensureOneUser(userId, "pass accounts to use approvals");
  const query = {
    user_ids: [userId],
    toolkit_slugs: [toolkit],
    order_by: "created_at",
    order_direction: "desc",
    limit: 1,
  } as const;
  const usable = await connectedAccounts.list({ ...query, statuses: ["ACTIVE"] }, limitsOf(limits));
  const [newest] = usable.items;
  if (newest) return { id: newest.id };
  const { items } = await connectedAccounts.list(query, limitsOf(limits));
  const status = items[0]?.status;
  return { reason: status === "INACTIVE" ? "inactive" : (NEED_OF_STATUS.get(status) ?? "not_connected") };
}
