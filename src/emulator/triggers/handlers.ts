import type { TriggerInstance, TriggerType } from "../../resources/triggers/schema.js";
import { sameJson } from "../../shared/same-json.js";
import { factsIn, logoOf, versionsOf } from "../catalog/catalog.js";
import { deleteTrigger, ENABLED } from "../connected-accounts/transitions.js";
import type { StoredTrigger } from "../engine/account-records.js";
import type { HandlersOf } from "../engine/engine.js";
import { paginate } from "../engine/pages.js";
import { ApiFailure, Created, checkId, notFound } from "../engine/responses.js";
import type { State } from "../engine/state.js";
import { versionNamed } from "../toolkits/find-tool.js";
import { versionFor } from "../toolkits/handlers.js";
import {
  accountFor,
  allTypes,
  badRequest,
  checkConfig,
  checkEndpoint,
  checkOwner,
  type FoundType,
  filteredTriggers,
  findType,
  withDefaults,
} from "./rules.js";

export const triggers: HandlersOf<"triggers"> = {
  "triggers.listTypes": ({ query, catalog }) => {
    const wanted = allTypes(catalog).filter(
      ({ toolkit }) => !query.toolkit_slugs || query.toolkit_slugs.includes(toolkit.slug),
    );
    // Trigger types missing from the version are omitted, like tools.
    const shown = wanted.flatMap((found) => {
      const version = versionNamed(found.toolkit.slug, query.toolkit_versions) ?? "latest";
      const isThere = version === "latest" || versionsOf(found.toolkit).includes(version);
      return isThere ? [shownType(found, versionFor(found.toolkit, version))] : [];
    });
    return paginate(shown, query);
  },

  "triggers.getType": ({ params, query, catalog }) => {
    const found = findType(params.slug, catalog);
    return shownType(found, versionFor(found.toolkit, versionNamed(found.toolkit.slug, query.toolkit_versions)));
  },

  "triggers.listTypeSlugs": ({ catalog }) => allTypes(catalog).map(({ definition }) => definition.slug),

  "triggers.upsert": ({ params, body, project, ...engine }) => {
    const { state, ids, clock, catalog } = engine;
    const found = findType(params.slug, catalog);
    const version = versionFor(found.toolkit, versionNamed(found.toolkit.slug, body.toolkit_versions ?? body.version));
    const account = accountFor(body, found, engine);
    checkOwner(account, body.user_id, project);
    const given = structuredClone(body.trigger_config ?? body.triggerConfig ?? {});
    checkConfig(found, version, given, state.authConfigs.get(account.authConfigId)?.is_svc_managed ?? false);
    checkEndpoint(found, project.id, engine);
    const config = withDefaults(found, version, given);
    const name = found.definition.slug;
    const now = clock.iso();
    const existing = [...state.triggers.values()].find(
      (trigger) => trigger.name === name && trigger.accountId === account.id && sameJson(trigger.config, config),
    );
    if (existing) {
      state.triggers.update(existing.id, { ...ENABLED, version, updatedAt: now });
      return shownId(existing);
    }
    const trigger: StoredTrigger = {
      id: ids.next("ti_"),
      uuid: ids.uuid(),
      name,
      toolkit: found.toolkit.slug,
      accountId: account.id,
      userId: account.userId,
      config,
      version,
      createdAt: now,
      updatedAt: now,
      ...ENABLED,
    };
    state.triggers.set(trigger.id, trigger);
    return new Created(shownId(trigger));
  },

  "triggers.listActive": ({ query, state }) => {
    const page = paginate(filteredTriggers(state, query), query);
    return { ...page, items: page.items.map((trigger) => shownTrigger(trigger, state)) };
  },

  "triggers.setStatus": ({ params, body, state, clock }) => {
    const trigger = findTrigger(params.triggerId, state);
    const isEnabled = trigger.disabledAt === null;
    if (isEnabled === (body.status === "enable")) {
      const message = `Trigger instance ${trigger.id} is already ${body.status}d`;
      throw new ApiFailure(409, 1209, "TriggerInstance_Conflict", message);
    }
    const account = state.connectedAccounts.get(trigger.accountId);
    if (body.status === "disable") {
      state.triggers.update(trigger.id, { disabledAt: clock.iso(), disabledReason: null, updatedAt: clock.iso() });
    } else if (account?.status === "ACTIVE") {
      state.triggers.update(trigger.id, { ...ENABLED, updatedAt: clock.iso() });
    } else {
      throw badRequest(`Connected account ${trigger.accountId} is in ${account?.status} state`);
    }
    return { status: "success" };
  },

  "triggers.delete": ({ params, ...engine }) => {
    const trigger = findTrigger(params.triggerId, engine.state);
    deleteTrigger(trigger, engine);
    return { trigger_id: trigger.id };
  },
};

function findTrigger(id: string, state: State): StoredTrigger {
  checkId(id, "ti_", "triggerId");
  const trigger = state.triggers.get(id);
  if (trigger) return trigger;
  if (!state.deletedTriggers.ids.includes(id)) throw notFound("TriggerInstance", `Trigger instance ${id}`, 1204);
  throw new ApiFailure(410, 1210, "TriggerInstance_Deleted", `Trigger instance ${id} was deleted`);
}

function shownId({ id, uuid }: StoredTrigger) {
  return { trigger_id: id, deprecated: { uuid } };
}

/** A trigger type as responses show it. */
function shownType({ toolkit, definition }: FoundType, version: string): TriggerType {
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
function shownTrigger(trigger: StoredTrigger, state: State): TriggerInstance {
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
