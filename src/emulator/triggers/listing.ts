import type { ListActiveTriggersQuery, TriggerInstance } from "../../resources/triggers/schema.js";
import type { State } from "../state.js";
import type { StoredTrigger } from "./stored-trigger.js";

/** The instances that a list's filters leave. Those of the old names count as well; a record must fit every filter. */
export function filteredTriggers(state: State, query: ListActiveTriggersQuery): StoredTrigger[] {
  const showDisabled = query.show_disabled ?? query.showDisabled ?? false;
  const names = (list: readonly string[] | null | undefined) => list?.map((name) => name.toUpperCase());
  return [...state.triggers.values()].filter((trigger) => {
    const account = state.connectedAccounts.get(trigger.accountId);
    const config = state.authConfigs.get(account?.authConfigId ?? "");
    return (
      (showDisabled || trigger.disabledAt === null) &&
      fits(query.user_ids, trigger.userId) &&
      fits(query.connected_account_ids, trigger.accountId) &&
      fits(query.connectedAccountIds, trigger.accountId) &&
      fits(query.deprecatedConnectedAccountUuids, account?.uuid) &&
      fits(query.auth_config_ids, config?.id) &&
      fits(query.authConfigIds, config?.id) &&
      fits(query.deprecatedAuthConfigUuids, config?.uuid) &&
      fits(query.trigger_ids, trigger.id) &&
      fits(query.triggerIds, trigger.id) &&
      fits(names(query.trigger_names), trigger.name) &&
      fits(names(query.triggerNames), trigger.name)
    );
  });
}

function fits(wanted: readonly string[] | null | undefined, value: string | undefined): boolean {
  return !wanted || (value !== undefined && wanted.includes(value));
}

/** An instance as answers show it, old spellings included. */
export function shownTrigger(trigger: StoredTrigger, state: State): TriggerInstance {
  const { accountId, name, config, updatedAt, disabledAt } = trigger;
  return {
    id: trigger.id,
    uuid: trigger.uuid,
    connected_account_id: accountId,
    connected_account_uuid: state.connectedAccounts.get(accountId)?.uuid ?? "",
    user_id: trigger.userId,
    trigger_name: name,
    trigger_config: structuredClone(config),
    version: trigger.version,
    updated_at: updatedAt,
    disabled_at: disabledAt,
    state: {},
    connectedAccountId: accountId,
    triggerName: name,
    triggerConfig: structuredClone(config),
    updatedAt,
    disabledAt,
    deprecated: { createdAt: trigger.createdAt },
  };
}
