import type { ConnectionSharingInput } from "../../resources/connected-accounts/schema.js";
import type { World } from "../context.js";
import type { JsonObject } from "../definitions.js";
import { checkId, invalidRequest, notFound, Refusal } from "../refusal.js";
import type { State } from "../state.js";
import type { StoredAuthConfig } from "../stored-auth-config.js";
import type { StoredAccount } from "./stored-account.js";

/** 400 in the accounts' own block. */
export function badRequest(message: string, suggestedFix?: string): Refusal {
  const fix = suggestedFix === undefined ? {} : { suggestedFix };
  return new Refusal({ status: 400, code: 600, slug: "ConnectedAccount_BadRequest", message, ...fix });
}

/** 400 that names what the user must give. */
export function missingFields(labels: readonly string[]): Refusal {
  return new Refusal({
    status: 400,
    code: 612,
    slug: "ConnectedAccount_MissingRequiredFields",
    message: `Missing required fields: ${labels.join(", ")}`,
  });
}

/**
 * The account with an id.
 *
 * @throws {Refusal} 400 for what is no such id, 404 for an unknown or deleted account.
 */
export function findAccount(id: string, { state }: Pick<World, "state">, parameter = "nanoid"): StoredAccount {
  checkId(id, "ca_", parameter);
  const account = state.connectedAccounts.get(id);
  if (account) return account;
  throw notFound("ConnectedAccount", `Connected account "${id}"`, 606);
}

/**
 * The auth config from which an account is to be made, or to become ACTIVE again.
 *
 * @throws {Refusal} 404 for an unknown or deleted one, 400 for a disabled one. See assumption E25 and assumption E86.
 */
export function usableConfig(id: string, state: State): StoredAuthConfig {
  const config = state.authConfigs.get(id);
  if (!config || config.isDeleted) throw notFound("AuthConfig", `Auth config ${id}`, 301);
  if (config.status === "ENABLED") return config;
  throw badRequest("Auth config is disabled", `Enable ${id}, or use another auth config`);
}

/** What an account has of its own, and what it inherits from its auth config. See assumption E87. */
export function withShared(values: JsonObject, config: StoredAuthConfig | undefined): JsonObject {
  return { ...config?.shared_credentials, ...values };
}

/**
 * An alias as it is stored; an empty text is none.
 *
 * @throws {Refusal} 400 when another account of the user and toolkit has it. Spec: Connected account update.
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
 * Shares an account as a request says.
 *
 * @throws {Refusal} 400 for a config on an account that is not shared.
 */
export function share(account: StoredAccount, input: ConnectionSharingInput = {}): void {
  const { account_type: type = account.sharing, acl_config_for_shared: acl } = input;
  if (acl && type !== "SHARED") throw badRequest("acl_config_for_shared is only valid on SHARED connections");
  account.sharing = type;
  if (acl) account.acl = structuredClone(acl);
}

/** Where a browser is to go: an absolute address, or none. */
export function checkCallbackUrl(callbackUrl: string | undefined): string | undefined {
  if (callbackUrl === undefined || URL.canParse(callbackUrl)) return callbackUrl;
  throw invalidRequest(["body.callback_url: expected an absolute address"]);
}
