import { mismatchWords } from "../../errors/mismatch-words.js";
import { mismatchesOfJsonSchema } from "../../json-schema/check/check-json-schema.js";
import type { JsonObject } from "../../resources/schema-kit.js";
import type { UpsertTriggerBody } from "../../resources/triggers/schema.js";
import { factsIn } from "../catalog/catalog.js";
import { accountsOfUser, checkActive } from "../connected-accounts/execution-rules.js";
import type { StoredAccount } from "../engine/account-records.js";
import type { Engine } from "../engine/engine.js";
import type { StoredProject } from "../engine/project-records.js";
import { ApiFailure, invalidRequest, notFound } from "../engine/responses.js";
import type { FoundType } from "./find-type.js";

/** 400 for a trigger instance. */
export function badRequest(message: string, suggestedFix?: string): ApiFailure {
  return new ApiFailure(400, 1200, "TriggerInstance_BadRequest", message, suggestedFix);
}

/**
 * The account of a new trigger: the one the request names, otherwise the user's first active one of the toolkit.
 *
 * @throws {ApiFailure} 400 if the request names none, or one of another toolkit; 404 if it's unknown; 410 if it's
 * expired; 422 if it isn't ACTIVE for another reason. Assumption E27.
 */
export function accountFor(body: UpsertTriggerBody, { toolkit }: FoundType, engine: Engine): StoredAccount {
  const id = body.connected_account_id ?? body.connectedAuthId;
  const { user_id: userId } = body;
  if (id === undefined && userId === undefined) {
    throw invalidRequest(["body: expected connected_account_id or user_id"]);
  }
  const own = accountsOfUser(userId, toolkit.slug, engine);
  // Without an active account, the newest one's status is the reason.
  const account =
    id === undefined
      ? (own.find(({ status }) => status === "ACTIVE") ?? own.at(-1))
      : engine.state.connectedAccounts.get(id);
  if (!account) {
    const whose = id === undefined ? `of user ${userId} for toolkit ${toolkit.slug}` : `"${id}"`;
    throw notFound("ConnectedAccount", `Connected account ${whose}`, 606);
  }
  if (account.toolkit !== toolkit.slug) {
    throw badRequest(`Connected account ${account.id} belongs to ${account.toolkit}, not to ${toolkit.slug}`);
  }
  return checkActive(account, "TriggerInstance", 1220);
}

/**
 * Checks the user of a trigger in a project with 2FA.
 *
 * @throws {ApiFailure} 400 if the request names a user other than the account's. Assumption E27.
 */
export function checkOwner(account: StoredAccount, userId: string | undefined, { config }: StoredProject): void {
  if (config.is_2FA_enabled !== true || userId === undefined || userId === account.userId) return;
  throw badRequest(`Connected account ${account.id} does not belong to user ${userId}`);
}

/**
 * Checks a configuration against the schema of its trigger type.
 *
 * @throws {ApiFailure} 400 if it's invalid, or polls too often.
 */
export function checkConfig({ definition }: FoundType, version: string, config: JsonObject, isManaged: boolean): void {
  const [first] = mismatchesOfJsonSchema(factsIn(definition, version).config, config);
  if (first) throw configInvalid(`trigger_config.${first.path}: ${mismatchWords(first)}`);
  const interval = config["interval"];
  if (definition.type !== "poll" || interval === undefined) return;
  const least = isManaged ? 15 : 1;
  if (typeof interval !== "number" || interval < least) {
    throw configInvalid(`trigger_config.interval: expected at least ${least} minutes`);
  }
}

function configInvalid(problem: string): ApiFailure {
  const message = `The trigger configuration is invalid: ${problem}`;
  return new ApiFailure(400, 1213, "TriggerInstance_PollingConfigInvalid", message, undefined, [`body.${problem}`]);
}

/**
 * Checks that a project can receive events of a type.
 *
 * @throws {ApiFailure} 400 if the type requires an inbound webhook endpoint and none is set up.
 */
export function checkEndpoint({ toolkit, definition }: FoundType, projectId: string, { state }: Engine): void {
  if (!definition.requiresWebhookEndpointSetup) return;
  const needed = Object.entries(toolkit.webhookFields ?? {}).filter(([, { isRequired }]) => isRequired);
  const isSetUp = [...state.webhookEndpoints.values()].some(
    (endpoint) =>
      endpoint.projectId === projectId &&
      endpoint.toolkit_slug === toolkit.slug &&
      needed.every(([name]) => endpoint.data[name] !== undefined),
  );
  if (isSetUp) return;
  const message = `${definition.slug} needs a webhook endpoint for ${toolkit.slug}`;
  throw badRequest(message, "Create one with POST /webhook_endpoints and store its required fields");
}
