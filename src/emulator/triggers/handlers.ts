// The room of trigger types and their instances, which tests fire. `deliveries` sends the events. It imports `catalog`,
// `connected-accounts`, `deliveries`, `engine`, `toolkits`, `src/json-schema` and `src/resources`. Start here, then
// `controls.ts`.

import { SchemaObject } from "../../json-schema/schema-object.js";
import type { JsonObject } from "../../resources/schema-kit.js";
import type { ListActiveTriggersQuery } from "../../resources/triggers/schema.js";
import { sameJson } from "../../shared/same-json.js";
import { factsIn, versionsOf } from "../catalog/catalog.js";
import { deleteTrigger, ENABLED } from "../connected-accounts/transitions.js";
import type { StoredTrigger } from "../engine/account-records.js";
import type { HandlersOf } from "../engine/engine.js";
import { paginate } from "../engine/pages.js";
import { ApiFailure, Created, checkId, notFound } from "../engine/responses.js";
import type { State } from "../engine/state.js";
import { versionNamed } from "../toolkits/find-tool.js";
import { versionFor } from "../toolkits/handlers.js";
import { allTypes, type FoundType, findType } from "./find-type.js";
import { accountFor, badRequest, checkConfig, checkEndpoint, checkOwner } from "./rules.js";
import { shownId, shownTrigger, shownType } from "./show.js";

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

/** A configuration with the schema's defaults for omitted values. Assumption E96. */
function withDefaults({ definition }: FoundType, version: string, config: JsonObject): JsonObject {
  const { fields } = new SchemaObject(factsIn(definition, version).config);
  const defaults = fields.flatMap(([name, property]) => {
    const { default: value } = new SchemaObject(Object(property));
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...structuredClone(Object.fromEntries(defaults)), ...config };
}

/** Instances matching all of a list's filters, including those with deprecated names. */
function filteredTriggers(state: State, query: ListActiveTriggersQuery): StoredTrigger[] {
  const showDisabled = query.show_disabled ?? query.showDisabled ?? false;
  const names = (list: readonly string[] | null | undefined) => list?.map((name) => name.toUpperCase());
  return [...state.triggers.values()].filter((trigger) => {
    const account = state.connectedAccounts.get(trigger.accountId);
    const config = state.authConfigs.get(account?.authConfigId ?? "");
    if (trigger.disabledAt !== null && !showDisabled) return false;
    const filters: readonly (readonly [readonly string[] | null | undefined, string | undefined])[] = [
      [query.user_ids, trigger.userId],
      [query.connected_account_ids, trigger.accountId],
      [query.connectedAccountIds, trigger.accountId],
      [query.deprecatedConnectedAccountUuids, account?.uuid],
      [query.auth_config_ids, config?.id],
      [query.authConfigIds, config?.id],
      [query.deprecatedAuthConfigUuids, config?.uuid],
      [query.trigger_ids, trigger.id],
      [query.triggerIds, trigger.id],
      [names(query.trigger_names), trigger.name],
      [names(query.triggerNames), trigger.name],
    ];
    return filters.every(([wanted, value]) => !wanted || (value !== undefined && wanted.includes(value)));
  });
}
