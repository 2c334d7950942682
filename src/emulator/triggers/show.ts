import type { TriggerInstance, TriggerType } from "../../resources/triggers/schema.js";
import { factsIn, logoOf } from "../catalog/catalog.js";
import type { StoredTrigger } from "../engine/account-records.js";
import type { State } from "../engine/state.js";
import type { FoundType } from "./find-type.js";

export function shownId({ id, uuid }: StoredTrigger) {
  return { trigger_id: id, deprecated: { uuid } };
}

/** A trigger type as responses show it. */
export function shownType({ toolkit, definition }: FoundType, version: string): TriggerType {
  const { slug, name, description, instructions = "", type, config, payload } = factsIn(definition, version);
  return {
    slug,
    name,
    description,
    instructions,
    type,
    toolkit: { slug: toolkit.slug, name: toolkit.name, logo: logoOf(toolkit.slug) },
    config,
    payload,
    version,
    requires_webhook_endpoint_setup: definition.requiresWebhookEndpointSetup ?? false,
  };
}

/** An instance as responses show it, including deprecated names. */
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
