import { mismatchesOfJsonSchema } from "../../arguments/check-json-schema.js";
import { ConfigError, describeMismatches } from "../../errors/local.js";
import type { UpsertTriggerBody } from "../../resources/triggers/schema.js";
import { factsIn } from "../catalog/catalog.js";
import type { JsonObject } from "../catalog/definitions.js";
import { accountsOfUser } from "../connected-accounts/execution-rules.js";
import { emit } from "../deliveries/events.js";
import type { StoredAccount } from "../host/account-records.js";
import type { World } from "../host/context.js";
import { ApiFailure, invalidRequest, notFound } from "../host/errors.js";
import type { EmittedEvent } from "../host/event-records.js";
import { type FoundType, typeNamed } from "./show.js";

/** 400 in the trigger instances' own block. */
export function badRequest(message: string, suggestedFix?: string): ApiFailure {
  const fix = suggestedFix === undefined ? {} : { suggestedFix };
  return new ApiFailure({ status: 400, code: 1200, slug: "TriggerInstance_BadRequest", message, ...fix });
}

/**
 * The account that a trigger is to live on: the named one, else the user's first active one of the toolkit.
 *
 * @throws {Refusal} 400 for none named or one of another toolkit, 404 for an unknown one, 410 for an expired and 422 for
 *   any other that cannot be used. See assumption E27.
 */
export function accountFor(body: UpsertTriggerBody, { toolkit }: FoundType, world: World): StoredAccount {
  const id = body.connected_account_id ?? body.connectedAuthId;
  const { user_id: userId } = body;
  if (id === undefined && userId === undefined) {
    throw invalidRequest(["body: expected connected_account_id or user_id"]);
  }
  const own = accountsOfUser(userId, toolkit.slug, world);
  // Without an active one, the newest says why it cannot be used.
  const account =
    id === undefined
      ? (own.find(({ status }) => status === "ACTIVE") ?? own.at(-1))
      : world.state.connectedAccounts.get(id);
  if (!account) {
    const whose = id === undefined ? `of user ${userId} for toolkit ${toolkit.slug}` : `"${id}"`;
    throw notFound("ConnectedAccount", `Connected account ${whose}`, 606);
  }
  if (account.toolkit !== toolkit.slug) {
    throw badRequest(`Connected account ${account.id} belongs to ${account.toolkit}, not to ${toolkit.slug}`);
  }
  checkUsable(account);
  return account;
}

function checkUsable({ id, status }: StoredAccount): void {
  if (status === "ACTIVE") return;
  const isExpired = status === "EXPIRED";
  throw new ApiFailure({
    status: isExpired ? 410 : 422,
    code: isExpired ? 1220 : 1221,
    slug: isExpired ? "TriggerInstance_ConnectedAccountExpired" : "TriggerInstance_ConnectedAccountNotActive",
    message: `Connected account ${id} is in ${status} state`,
  });
}

/**
 * Checks a configuration against its type in a version.
 *
 * @throws {Refusal} 400 for one that does not fit, or that polls too often.
 */
export function checkConfig({ definition }: FoundType, version: string, config: JsonObject, isManaged: boolean): void {
  const [first] = mismatchesOfJsonSchema(factsIn(definition, version).config, config);
  if (first) throw configInvalid(`trigger_config.${first.path}: expected ${first.expected}, received ${first.seen}`);
  const interval = config["interval"];
  if (definition.type !== "poll" || interval === undefined) return;
  const least = isManaged ? 15 : 1;
  if (typeof interval !== "number" || interval < least) {
    throw configInvalid(`trigger_config.interval: expected at least ${least} minutes`);
  }
}

/** A configuration with the values that its type gives to what was left out. See assumption E96. */
export function withDefaults({ definition }: FoundType, version: string, config: JsonObject): JsonObject {
  const properties: unknown = factsIn(definition, version).config["properties"];
  const defaults = Object.entries(Object(properties)).flatMap(([name, property]: [string, unknown]) => {
    const { default: value }: { default?: unknown } = Object(property);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...structuredClone(Object.fromEntries(defaults)), ...config };
}

function configInvalid(complaint: string): ApiFailure {
  return new ApiFailure({
    status: 400,
    code: 1213,
    slug: "TriggerInstance_PollingConfigInvalid",
    message: `The trigger configuration is invalid: ${complaint}`,
    errors: [`body.${complaint}`],
  });
}

/**
 * Checks that events can come in to a project.
 *
 * @throws {Refusal} 400 where the type needs an inbound webhook endpoint and none is set up.
 */
export function checkEndpoint({ toolkit, definition }: FoundType, projectId: string, { state }: World): void {
  if (!definition.requiresWebhookEndpointSetup) return;
  const needed = Object.entries(toolkit.webhookFields ?? {}).filter(([, { isRequired }]) => isRequired);
  const isSetUp = [...state.webhookEndpoints.values()].some(
    (endpoint) =>
      endpoint.projectId === projectId &&
      endpoint.toolkit === toolkit.slug &&
      needed.every(([name]) => endpoint.data[name] !== undefined),
  );
  if (isSetUp) return;
  throw badRequest(
    `${definition.slug} needs a webhook endpoint for ${toolkit.slug}`,
    "Create one with POST /webhook_endpoints and store its required fields",
  );
}

/** A text that two configurations share exactly when they say the same, in whatever order. */
export function fingerprint(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}

/**
 * Lets an event of the external application happen.
 *
 * @throws {ConfigError} for an instance that is unknown, deleted or disabled, and for a payload its type does not have.
 */
export function fire(triggerId: string, payload: JsonObject, world: World): EmittedEvent {
  const { state, ids, clock, catalogue } = world;
  const trigger = state.triggers.get(triggerId);
  if (!trigger) {
    const problem = state.deletedTriggers.ids.includes(triggerId) ? "it was deleted" : "there is no such instance";
    throw new ConfigError(`triggers.fire(${triggerId}): ${problem}.`);
  }
  const account = state.connectedAccounts.get(trigger.accountId);
  if (trigger.disabledAt !== null || !account) throw new ConfigError(`triggers.fire(${triggerId}): it is disabled.`);
  const type = typeNamed(trigger.name, catalogue)?.definition;
  const mismatches = mismatchesOfJsonSchema(type ? factsIn(type, trigger.version).payload : {}, payload);
  if (mismatches.length > 0) {
    const complaint = describeMismatches(mismatches);
    throw new ConfigError(`triggers.fire(${triggerId}): the payload does not fit ${trigger.name}: ${complaint}.`);
  }
  const metadata = {
    log_id: ids.next("log_"),
    trigger_slug: trigger.name,
    trigger_id: trigger.id,
    connected_account_id: account.id,
    auth_config_id: account.authConfigId,
    user_id: trigger.userId,
  };
  const legacy = { triggerUuid: trigger.uuid, connectionUuid: account.uuid };
  return emit("svc.trigger.message", { timestamp: clock.iso(), metadata, data: payload, legacy }, world);
}
