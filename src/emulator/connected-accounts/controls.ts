import { ConfigError } from "../../errors/local.js";
import { didYouMean } from "../../shared/nearest-name.js";
import type { JsonObject } from "../catalog/definitions.js";
import type { AccountStatus, StoredAccount } from "../engine/account-records.js";
import type { Engine } from "../engine/engine.js";
import { completeFlow } from "./flow-and-expiry.js";
import { askedFields, demoCredentials } from "./rules.js";
import { expire, REASONS, revoke } from "./transitions.js";

/** Controls of connected accounts. */
export interface AccountControls {
  /**
   * Expires an ACTIVE account, as if refreshing its token failed permanently. Disables its triggers.
   *
   * @param reason the `status_reason`; by default, the service's reason for a failed token refresh.
   * @throws {ConfigError} for an account that doesn't exist or isn't ACTIVE.
   */
  expire(accountId: string, reason?: string): void;
  /**
   * Activates an account, as if its user had connected it (again). Enables the triggers that its expiration
   * disabled.
   *
   * @throws {ConfigError} for an account that doesn't exist, is ACTIVE already, or is REVOKED.
   */
  activate(accountId: string): void;
  /**
   * Revokes an account's credentials. Disables its triggers.
   *
   * @throws {ConfigError} for an account that doesn't exist or is REVOKED already.
   */
  revoke(accountId: string): void;
}

/** Creates the account controls of an emulator. */
export function accountControls(engine: Engine): AccountControls {
  const change = (
    verb: string,
    accountId: string,
    rule: { readonly accepts: (status: AccountStatus) => boolean; readonly otherwise: string },
    apply: (account: StoredAccount) => void,
  ) => {
    const account = engine.state.connectedAccounts.get(accountId);
    if (!account) {
      const hint = didYouMean(accountId, [...engine.state.connectedAccounts.keys()]);
      throw new ConfigError(`accounts.${verb}: unknown account ${accountId}.${hint}`);
    }
    if (!rule.accepts(account.status)) {
      throw new ConfigError(`accounts.${verb}: ${accountId} is ${account.status}, and ${rule.otherwise}.`);
    }
    apply(account);
    engine.changes.report();
  };
  return {
    expire: (accountId, reason = REASONS.refreshFailed) =>
      change("expire", accountId, EXPIRES, (account) => expire(account, reason, engine)),
    activate: (accountId) =>
      change("activate", accountId, ACTIVATES, (account) =>
        completeFlow(account, demoAnswers(account, engine), engine),
      ),
    revoke: (accountId) => change("revoke", accountId, REVOKES, (account) => revoke(account, REASONS.revoked, engine)),
  };
}

/** Entries in the form of the account's page. Without them, an account that takes a key would have none. */
function demoAnswers({ scheme, toolkit, values }: StoredAccount, { catalog }: Engine): JsonObject {
  const asked = askedFields(catalog.toolkits.get(toolkit), scheme).filter(({ name }) => (values[name] ?? "") === "");
  const demo = demoCredentials(scheme);
  return Object.fromEntries(asked.map(({ name }) => [name, demo[name] ?? "demo"]));
}

const EXPIRES = {
  accepts: (status: AccountStatus) => status === "ACTIVE",
  otherwise: "only ACTIVE accounts can expire",
};

const ACTIVATES = {
  accepts: (status: AccountStatus) => status !== "ACTIVE" && status !== "REVOKED",
  otherwise: "ACTIVE and REVOKED accounts can't be activated",
};

const REVOKES = {
  accepts: (status: AccountStatus) => status !== "REVOKED",
  otherwise: "it can't be revoked again",
};
