import type { ToolkitConnectionStatus } from "../../resources/tool-router/schema.js";
import type { ToolkitDefinition } from "../definitions.js";
import { accountsOf, needsSelection } from "./accounts.js";
import type { SessionScope } from "./scope.js";

/** Whether the session's user is connected to a toolkit, and what to do where not. */
export function connectionStatus(toolkit: ToolkitDefinition, scope: SessionScope): ToolkitConnectionStatus {
  const { slug: name, description } = toolkit;
  const facts = { toolkit: name, description };
  if (toolkit.auth.length === 0) {
    return { ...facts, has_active_connection: true, status_message: `${toolkit.name} needs no connection` };
  }
  const { config, state } = scope;
  const accounts = accountsOf(name, config, state);
  const chosen = accounts.find(({ status }) => status === "ACTIVE");
  const active = accounts.filter(({ status }) => status === "ACTIVE");
  return {
    ...facts,
    has_active_connection: chosen !== undefined,
    status_message: chosen
      ? `The user is connected to ${toolkit.name}`
      : `The user is not connected to ${toolkit.name}: call SVC_MANAGE_CONNECTIONS before its tools`,
    ...(chosen && { account_type: chosen.sharing }),
    accounts: accounts.map(({ id, alias, status, createdAt, sharing }) => ({
      id,
      alias,
      status,
      created_at: createdAt,
      is_default: id === chosen?.id,
      account_type: sharing,
    })),
    ...(needsSelection(config) && active.length > 1 && { account_selection: "required" as const }),
  };
}
