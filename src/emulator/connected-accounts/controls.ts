import { ConfigError } from "../../errors/local.js";
import type { JsonObject } from "../../resources/schema-kit.js";
import { didYouMean } from "../../shared/nearest-name.js";
import type { StoredAccount } from "../engine/account-records.js";
import type { Engine } from "../engine/engine.js";
import { completeFlow, DENIED, failFlow } from "./flows.js";
import { askedFields, demoCredentials } from "./schemes.js";
import { expireAccount, REASONS, revokeAccount } from "./transitions.js";

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
   * Activates an account, as if its user had connected it (again). Completes its link, if it has an open one. Enables
   * the triggers that its expiration disabled.
   *
   * @throws {ConfigError} for an account that doesn't exist, is ACTIVE already, or is REVOKED.
   */
  activate(accountId: string): void;
  /**
   * Fails the open link of an account, as if its user had denied access. A new account becomes FAILED. An account that
   * was connected before doesn't change.
   *
   * @param reason the `error_description` of the provider.
   * @throws {ConfigError} for an account that doesn't exist or has no open link.
   */
  decline(accountId: string, reason?: string): void;
  /**
   * Revokes an account's credentials. Disables its triggers.
   *
   * @throws {ConfigError} for an account that doesn't exist or is REVOKED already.
   */
  revoke(accountId: string): void;
}

/** Creates the account controls of an emulator. */
export function accountControls(engine: Engine): AccountControls {
  const control =
    (verb: keyof AccountControls, apply: (account: StoredAccount, reason?: string) => void) =>
    (accountId: string, reason?: string) => {
      const account = engine.state.connectedAccounts.get(accountId);
      if (!account) {
        // Untyped callers may pass anything.
        const hint = didYouMean(String(accountId), [...engine.state.connectedAccounts.keys()]);
        throw new ConfigError(`accounts.${verb}: unknown account ${accountId}.${hint}`);
      }
      const { accepts, otherwise } = RULES[verb];
      if (!accepts(account)) {
        throw new ConfigError(`accounts.${verb}: ${accountId} is ${account.status}, and ${otherwise}.`);
      }
      apply(account, reason);
    };
  return {
    expire: control("expire", (account, reason = REASONS.refreshFailed) => expireAccount(account, reason, engine)),
    activate: control("activate", (account) => completeFlow(account, demoAnswers(account, engine), engine)),
    decline: control("decline", (account, reason = DENIED) =>
      failFlow(account, { error: "access_denied", error_description: reason }, engine),
    ),
    revoke: control("revoke", (account) => revokeAccount(account, REASONS.revoked, engine)),
  };
}

const RULES = {
  expire: {
    accepts: ({ status }: StoredAccount) => status === "ACTIVE",
    otherwise: "only ACTIVE accounts can expire",
  },
  activate: {
    accepts: ({ status }: StoredAccount) => status !== "ACTIVE" && status !== "REVOKED",
    otherwise: "ACTIVE and REVOKED accounts can't be activated",
  },
  decline: {
    accepts: ({ flow }: StoredAccount) => flow !== null && !flow.isOver,
    otherwise: "it has no open link. connectedAccounts.link or refresh opens one",
  },
  revoke: {
    accepts: ({ status }: StoredAccount) => status !== "REVOKED",
    otherwise: "it can't be revoked again",
  },
};

/** Entries in the form of the account's page. Without them, an account that takes a key would have none. */
function demoAnswers({ scheme, toolkit, values }: StoredAccount, { catalog }: Engine): JsonObject {
  const asked = askedFields(catalog.toolkits.get(toolkit), scheme).filter(({ name }) => (values[name] ?? "") === "");
  const demo = demoCredentials(scheme);
  return Object.fromEntries(asked.map(({ name }) => [name, demo[name] ?? "demo"]));
}
