import { fitsShape } from "../../contract/check-shape.js";
import { operations } from "../../contract/operations.js";
import type { ConnectionSharingInput } from "../../resources/connected-accounts/schema.js";
import { CONNECTION_STATUSES } from "../../resources/connected-accounts/state-fields-schema.js";
import type { JsonObject } from "../../resources/schema-kit.js";
import type { ConnectionFlow, StoredAccount, StoredAuthConfig } from "../engine/account-records.js";
import type { Engine } from "../engine/engine.js";
import { ApiFailure, checkId, invalidRequest, notFound } from "../engine/responses.js";
import { type CheckedSnapshot, checkSnapshot, notASnapshot, type Snapshot, type State } from "../engine/state.js";
import { demoCredentials, type RequiredField } from "./schemes.js";
import { stateInClear } from "./show.js";

/** 400 for a connected account. */
export function badRequest(message: string, suggestedFix?: string): ApiFailure {
  return new ApiFailure(400, 600, "ConnectedAccount_BadRequest", message, suggestedFix);
}

/**
 * Returns the account with an id.
 *
 * @throws {ApiFailure} 400 for an invalid id, 404 for an unknown or deleted account.
 */
export function findAccount(id: string, { state }: Pick<Engine, "state">, parameter = "nanoid"): StoredAccount {
  checkId(id, "ca_", parameter);
  const account = state.connectedAccounts.get(id);
  if (account) return account;
  throw notFound("ConnectedAccount", `Connected account "${id}"`, 606);
}

/** 404 for an auth config, which says what its id looks like if this isn't one. */
export function authConfigNotFound(id: string): ApiFailure {
  const hint = "The id of an auth config starts with ac_; authConfigs.list() returns it";
  return notFound("AuthConfig", `Auth config ${id}`, 301, id.startsWith("ac_") ? undefined : hint);
}

/**
 * Returns an auth config, to create an account or to make one ACTIVE again.
 *
 * @throws {ApiFailure} 404 if it's unknown or deleted, 400 if it's disabled. Assumption E25 and assumption E86.
 */
export function usableConfig(id: string, state: State): StoredAuthConfig {
  const config = state.authConfigs.get(id);
  if (!config || config.isDeleted) throw authConfigNotFound(id);
  if (config.status === "ENABLED") return config;
  throw badRequest("Auth config is disabled", `Enable ${id}, or use another auth config`);
}

/** An account's own values, and those inherited from its auth config. Assumption E87. */
export function withShared(values: JsonObject, config: StoredAuthConfig | undefined): JsonObject {
  return { ...config?.shared_credentials, ...values };
}

/**
 * Returns an alias for storage; an empty string removes it.
 *
 * @throws {ApiFailure} 400 if another account of the user and toolkit has it. Spec: Connected account update.
 */
export function claimAlias(alias: string, owner: StoredAccount, state: State): string | null {
  if (alias === "") return null;
  const taken = [...state.connectedAccounts.values()].some(
    (other) =>
      other.id !== owner.id &&
      other.userId === owner.userId &&
      other.toolkit === owner.toolkit &&
      other.alias === alias,
  );
  if (!taken) return alias;
  throw badRequest(`Alias "${alias}" is already in use by another connection for this entity`, "Choose another alias");
}

/**
 * How an account is shared after a request.
 *
 * @throws {ApiFailure} 400 for an access list on an account that isn't shared.
 */
export function sharingAfter(
  { sharing, acl }: Pick<StoredAccount, "sharing" | "acl">,
  input: ConnectionSharingInput = {},
): Pick<StoredAccount, "sharing" | "acl"> {
  const { account_type: type = sharing, acl_config_for_shared: given } = input;
  if (given && type !== "SHARED") throw badRequest("acl_config_for_shared is only valid on SHARED connections");
  return { sharing: type, acl: given ? structuredClone(given) : acl };
}

/** @throws {ApiFailure} 400 that lists the fields without a value; an empty string doesn't count as one. */
export function checkGiven(fields: readonly RequiredField[], values: JsonObject): void {
  const missing = fields.filter(({ name }) => (values[name] ?? "") === "");
  if (missing.length === 0) return;
  const message = `Missing required fields: ${missing.map(({ displayName }) => displayName).join(", ")}`;
  const fix = `Send ${missing.map(({ name }) => name).join(", ")}`;
  throw new ApiFailure(400, 612, "ConnectedAccount_MissingRequiredFields", message, fix);
}

/** The operation whose response is little more than an account's state. */
const creation = operations.find(({ endpoint }) => endpoint.name === "connectedAccounts.create");

/**
 * Checks values of a request before they're stored, for every status: whatever happens to the account, responses must
 * be able to show them. Assumption E89.
 *
 * @param part path of the values in the request, such as `body.connection_data`.
 * @throws {ApiFailure} 400 that lists the invalid values.
 */
export function checkValues(scheme: string, values: JsonObject, part: string): void {
  // Check all values at once first, because they're almost always valid.
  if (canBeShown(scheme, values)) return;
  const invalid = Object.entries(values).filter(([name, value]) => !canBeShown(scheme, { [name]: value }));
  throw invalidRequest(invalid.map(([name]) => `${part}.${name}: no value that a connection of ${scheme} can have`));
}

/** Any flow, because accounts that wait for their user have one. */
const ANY_FLOW: ConnectionFlow = { token: "", callbackUrl: null, endsAt: 0, isOver: false, sessionUri: null };

function canBeShown(scheme: string, given: JsonObject): boolean {
  // Demo values cover what the status adds later.
  const values = { ...demoCredentials(scheme), ...given };
  return CONNECTION_STATUSES.every((status) => isShowable({ scheme, status, values, outcome: {}, flow: ANY_FLOW }));
}

function isShowable(account: Parameters<typeof stateInClear>[0]): boolean {
  // Unmasked, because masking turns every secret into a string.
  const connectionData = stateInClear(account, "");
  const shown = { id: "", connectionData, status: account.status, redirect_url: null, redirect_uri: null };
  return creation === undefined || fitsShape(creation.response, shown);
}

/**
 * Checks that a value is a snapshot whose records can be shown.
 *
 * @throws {ConfigError} if it isn't.
 */
export function checkShowable(snapshot: Snapshot): asserts snapshot is CheckedSnapshot {
  checkSnapshot(snapshot);
  const odd = snapshot.connectedAccounts.find(
    ([, account]) => !isShowable(account) || !canBeShown(account.scheme, account.values),
  );
  if (odd) throw notASnapshot(`${odd[0]} has values that a connection of ${odd[1].scheme} can't have`);
}
