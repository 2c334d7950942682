import * as z from "zod/mini";
import { mismatchesOf } from "../contract/check.js";
import { ConfigError, describeMismatches } from "../errors/local.js";
import { JsonObject as JsonObjectShape, request } from "../resources/schema-kit.js";
import { DATED_VERSION } from "../shared/dated-version.js";
import { type Catalog, latestVersion, type VersionChanges } from "./catalog/catalog.js";
import type { JsonObject } from "./catalog/definitions.js";
import { expire, REASONS } from "./connected-accounts/transitions.js";
import { isDuration } from "./deliveries/post.js";
import type { World } from "./host/context.js";
import {
  type ActiveDeliveryFaults,
  type DeliveryRecord,
  type EmittedEvent,
  NO_DELIVERY_FAULTS,
} from "./host/event-records.js";
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
   * @throws {ConfigError} for an unknown toolkit, tool, or trigger type, a version that isn't newer, or invalid changes.
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
export function catalogControls({ catalog, state: { published } }: World): CatalogControls {
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
  return {
    expire: (accountId, reason = REASONS.refreshFailed) => {
      const account = world.state.connectedAccounts.get(accountId);
      if (!account) throw new ConfigError(`accounts.expire: unknown account ${accountId}.`);
      if (account.status !== "ACTIVE") {
        throw new ConfigError(
          `accounts.expire: ${accountId} is ${account.status}, and only ACTIVE accounts can expire.`,
        );
      }
      expire(account, reason, world);
    },
  };
}

/** Creates the trigger controls of an emulator. */
export function triggerControls(world: World): TriggerControls {
  return { fire: (triggerId, payload) => fire(triggerId, payload, world) };
}

/** Faults to inject into webhook deliveries. Omitted ones are turned off. */
export interface DeliveryFaults {
  /**
   * How many times each delivery is sent. Copies have the same id and body, and their own attempts.
   * @default 1
   */
  readonly copies?: number | undefined;
  /**
   * Sends deliveries that are due at the same time newest first, one after another. With `delayMs`, deliveries are collected
   * for that long and sent together.
   * @default false
   */
  readonly reorder?: boolean | undefined;
  /**
   * Delay between an event and its delivery, in milliseconds of the emulator's clock.
   * @default 0
   */
  readonly delayMs?: number | undefined;
  /**
   * Offset of the sender's clock in seconds; negative if it's behind.
   * @default 0
   */
  readonly skewSeconds?: number | undefined;
  /**
   * Signs with a secret other than the subscription's.
   * @default false
   */
  readonly wrongSecret?: boolean | undefined;
}

/** The emulator's webhook deliveries, and faults to inject into them. */
export class Deliveries {
  readonly #state: { readonly items: readonly DeliveryRecord[]; faults: ActiveDeliveryFaults };

  constructor(state: { readonly items: readonly DeliveryRecord[]; faults: ActiveDeliveryFaults }) {
    this.#state = state;
  }

  /** Deliveries, oldest first; at most 1000 finished ones. Live: attempts and states update as deliveries run. */
  get items(): readonly DeliveryRecord[] {
    return this.#state.items;
  }

  /**
   * Injects faults, replacing earlier ones. `copies` and `delayMs` apply to new events, the others to every attempt.
   *
   * @throws {ConfigError} for a number out of range.
   */
  injectFaults({
    copies = 1,
    reorder = false,
    delayMs = 0,
    skewSeconds = 0,
    wrongSecret = false,
  }: DeliveryFaults): void {
    if (!Number.isInteger(copies) || copies < 1 || copies > 100) {
      throw new ConfigError("deliveries.injectFaults: copies must be an integer from 1 to 100.");
    }
    if (!isDuration(delayMs))
      throw new ConfigError("deliveries.injectFaults: delayMs must be at least 0 and below 2^31.");
    if (!Number.isInteger(skewSeconds) || Math.abs(skewSeconds) > 1e9) {
      throw new ConfigError("deliveries.injectFaults: skewSeconds must be an integer from -1e9 to 1e9.");
    }
    this.#state.faults = { copies, reorder, delayMs, skewSeconds, wrongSecret };
  }

  /** Stops injecting faults. Pending deliveries keep their copies and delays. */
  clearFaults(): void {
    this.#state.faults = { ...NO_DELIVERY_FAULTS };
  }
}
