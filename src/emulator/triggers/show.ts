import type {
  GetTriggerTypeQuery,
  ListActiveTriggersQuery,
  TriggerInstance,
  TriggerType,
} from "../../resources/triggers/schema.js";
import { type Catalog, factsIn, latestVersion, logoOf, versionsOf } from "../catalog/catalog.js";
import type { ToolkitDefinition, TriggerDefinition } from "../catalog/definitions.js";
import type { StoredTrigger } from "../host/account-records.js";
import { notFound } from "../host/responses.js";
import type { State } from "../host/state.js";

/** A trigger type with its toolkit. */
export interface FoundType {
  readonly toolkit: ToolkitDefinition;
  readonly definition: TriggerDefinition;
}

/** Every trigger type, by slug. */
export function allTypes({ toolkits }: Catalog): FoundType[] {
  return [...toolkits.values()].flatMap((toolkit) =>
    (toolkit.triggers ?? []).map((definition) => ({ toolkit, definition })),
  );
}

/** Finds a trigger type, ignoring the case of its slug. */
export function typeNamed(slug: string, catalog: Catalog): FoundType | undefined {
  return allTypes(catalog).find(({ definition }) => definition.slug === slug.toUpperCase());
}

/** @throws {ApiFailure} 404 for an unknown trigger type. */
export function findType(slug: string, catalog: Catalog): FoundType {
  const found = typeNamed(slug, catalog);
  if (found) return found;
  throw notFound("TriggerType", `Trigger type ${slug.toUpperCase()}`, 1202);
}

type ToolkitVersions = GetTriggerTypeQuery["toolkit_versions"];

/** The version a request selects, by default the latest; `undefined` if the toolkit doesn't have it. */
export function versionIn(toolkit: ToolkitDefinition, versions: ToolkitVersions): string | undefined {
  const wanted = versionWanted(toolkit, versions);
  if (wanted === "latest") return latestVersion(toolkit);
  return versionsOf(toolkit).includes(wanted) ? wanted : undefined;
}

/**
 * The version a request selects.
 *
 * @throws {ApiFailure} 404 if the toolkit doesn't have it.
 */
export function versionFor(toolkit: ToolkitDefinition, versions: ToolkitVersions): string {
  const version = versionIn(toolkit, versions);
  if (version !== undefined) return version;
  throw notFound("Toolkit", `Toolkit ${toolkit.slug} in version ${versionWanted(toolkit, versions)}`, 2301);
}

function versionWanted({ slug }: ToolkitDefinition, versions: ToolkitVersions): string {
  return (typeof versions === "object" ? versions?.[slug] : versions) ?? "latest";
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

/** Instances matching all of a list's filters, including those with deprecated names. */
export function filteredTriggers(state: State, query: ListActiveTriggersQuery): StoredTrigger[] {
  const showDisabled = query.show_disabled ?? query.showDisabled ?? false;
  const names = (list: readonly string[] | null | undefined) => list?.map((name) => name.toUpperCase());
  return [...state.triggers.values()].filter((trigger) => {
    const account = state.connectedAccounts.get(trigger.accountId);
    const config = state.authConfigs.get(account?.authConfigId ?? "");
    return (
      (showDisabled || trigger.disabledAt === null) &&
      matchesFilter(query.user_ids, trigger.userId) &&
      matchesFilter(query.connected_account_ids, trigger.accountId) &&
      matchesFilter(query.connectedAccountIds, trigger.accountId) &&
      matchesFilter(query.deprecatedConnectedAccountUuids, account?.uuid) &&
      matchesFilter(query.auth_config_ids, config?.id) &&
      matchesFilter(query.authConfigIds, config?.id) &&
      matchesFilter(query.deprecatedAuthConfigUuids, config?.uuid) &&
      matchesFilter(query.trigger_ids, trigger.id) &&
      matchesFilter(query.triggerIds, trigger.id) &&
      matchesFilter(names(query.trigger_names), trigger.name) &&
      matchesFilter(names(query.triggerNames), trigger.name)
    );
  });
}

function matchesFilter(wanted: readonly string[] | null | undefined, value: string | undefined): boolean {
  return !wanted || (value !== undefined && wanted.includes(value));
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
