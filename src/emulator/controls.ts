import * as z from "zod/mini";
import { mismatchesOf } from "../contract/check.js";
import { ConfigError, describeMismatches } from "../errors/local.js";
import { JsonObject as JsonObjectShape, request } from "../resources/schema-kit.js";
import { DATED_VERSION } from "../shared/dated-version.js";
import { didYouMean } from "../shared/nearest-name.js";
import { type Catalog, latestVersion, type VersionChanges } from "./catalog/catalog.js";
import type { JsonObject } from "./catalog/definitions.js";
import { completeFlow } from "./connected-accounts/flow.js";
import { expire, REASONS, revoke } from "./connected-accounts/transitions.js";
import type { AccountStatus, StoredAccount } from "./host/account-records.js";
import type { World } from "./host/context.js";
import type { EmittedEvent } from "./host/event-records.js";
import { fire } from "./triggers/rules.js";

/** Controls of the emulator's tool catalog. */
export interface CatalogControls {
  /**
   * Publishes a new version of a toolkit, which becomes its latest. Older versions don't change. `reset()` removes it.
   *
   * ```ts
   * emulator.catalog.publish("github", "20260101_00", {
   *   tools: { GITHUB_GET_AN_ISSUE: { isDeprecated: true }, GITHUB_STAR_A_REPOSITORY: null },
   * });
   * ```
   *
   * @param version `<YYYYMMDD>_<NN>`, newer than the toolkit's latest.
   * @throws {ConfigError} for an unknown toolkit, tool, or trigger type, a version that isn't newer, or invalid
   * changes.
   */
  publish(toolkit: string, version: string, changes?: VersionChanges): void;
}

const optionalString = z.optional(z.string());

const optionalStrings = z.optional(z.array(z.string()));

const optionalSchema = z.optional(JsonObjectShape);

const ChangesShape = request({
  changelog: optionalString,
  tools: z.optional(
    z.record(
      z.string(),
      z.nullable(
        request({
          description: optionalString,
          input: optionalSchema,
          output: optionalSchema,
          scopes: optionalStrings,
          scopeRequirements: optionalSchema,
          tags: optionalStrings,
          isDeprecated: z.optional(z.boolean()),
        }),
      ),
    ),
  ),
  triggers: z.optional(
    z.record(z.string(), request({ description: optionalString, config: optionalSchema, payload: optionalSchema })),
  ),
});

/** Creates the catalog controls of an emulator. */
export function catalogControls({ catalog, state: { published }, feed }: World): CatalogControls {
  return {
    publish: (slug, version, changes = {}) => {
      const mismatches = mismatchesOf(ChangesShape, changes);
      const [problem] =
        mismatches.length > 0
          ? [`the changes are invalid: ${describeMismatches(mismatches)}`]
          : publicationProblems(slug, version, changes, catalog);
      if (problem !== undefined) throw new ConfigError(`catalog.publish: ${problem}.`);
      // Copy it, so later changes by the caller aren't published.
      published.items = [...published.items, structuredClone({ ...changes, toolkit: slug, version })];
      feed.publish({ type: "catalog" });
    },
  };
}

function publicationProblems(
  slug: string,
  version: string,
  { tools = {}, triggers = {} }: VersionChanges,
  catalog: Catalog,
): string[] {
  const toolkit = catalog.toolkits.get(slug);
  if (!toolkit) return [`unknown toolkit ${slug}`];
  const latest = latestVersion(toolkit);
  const knownTools = catalog.toolsOf(toolkit, latest).map(({ tool }) => tool.slug);
  const knownTriggers = (toolkit.triggers ?? []).map((trigger) => trigger.slug);
  const unknownNames = (named: object, known: readonly string[]) =>
    Object.keys(named).filter((name) => !known.includes(name));
  return [
    ...(DATED_VERSION.test(version) ? [] : [`expected a version like 20260101_00, not ${version}`]),
    ...(version > latest ? [] : [`${version} isn't newer than ${slug}'s latest version, ${latest}`]),
    ...unknownNames(tools, knownTools).map((name) => `${slug} ${latest} has no tool ${name}`),
    ...unknownNames(triggers, knownTriggers).map((name) => `${slug} has no trigger type ${name}`),
  ];
}

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
   * Makes an account ACTIVE, as if its user had connected it (again). Enables the triggers that its expiration
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

/** Controls of trigger instances. */
export interface TriggerControls {
  /**
   * Fires an event of an enabled trigger instance, and returns the emitted message.
   *
   * @param payload must match the trigger type's `payload` schema.
   * @throws {ConfigError} for an unknown, deleted, or disabled instance, or an invalid payload.
   */
  fire(triggerId: string, payload: JsonObject): EmittedEvent;
}

/** Creates the account controls of an emulator. */
export function accountControls(world: World): AccountControls {
  const change = (
    verb: string,
    accountId: string,
    rule: { readonly accepts: (status: AccountStatus) => boolean; readonly otherwise: string },
    apply: (account: StoredAccount) => void,
  ) => {
    const account = world.state.connectedAccounts.get(accountId);
    if (!account) {
      const hint = didYouMean(accountId, [...world.state.connectedAccounts.keys()]);
      throw new ConfigError(`accounts.${verb}: unknown account ${accountId}.${hint}`);
    }
    if (!rule.accepts(account.status)) {
      throw new ConfigError(`accounts.${verb}: ${accountId} is ${account.status}, and ${rule.otherwise}.`);
    }
    apply(account);
    world.changes.report();
  };
  return {
    expire: (accountId, reason = REASONS.refreshFailed) =>
      change("expire", accountId, EXPIRES, (account) => expire(account, reason, world)),
    activate: (accountId) => change("activate", accountId, ACTIVATES, (account) => completeFlow(account, {}, world)),
    revoke: (accountId) => change("revoke", accountId, REVOKES, (account) => revoke(account, REASONS.revoked, world)),
  };
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

/** Creates the trigger controls of an emulator. */
export function triggerControls(world: World): TriggerControls {
  return { fire: (triggerId, payload) => fire(triggerId, payload, world) };
}
