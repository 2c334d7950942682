import * as z from "zod/mini";
import { mismatchesOf } from "../contract/check.js";
import { DATED_VERSION } from "../dated-version.js";
import { ConfigError, describeMismatches } from "../errors/local.js";
import { JsonObject as JsonObjectShape, request } from "../schema-kit.js";
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

/** What happens to the toolkits while programs use them. */
export interface CatalogControls {
  /**
   * Publishes a new version of a toolkit: from now on it is the latest one. Older versions stay what they were. `reset()` takes
   * it back.
   *
   * ```ts
   * emulator.catalogue.publish("github", "20260101_00", {
   *   tools: { GITHUB_GET_AN_ISSUE: { isDeprecated: true }, GITHUB_STAR_A_REPOSITORY: null },
   * });
   * ```
   *
   * @param version `<YYYYMMDD>_<NN>`, newer than the toolkit's latest.
   * @throws {ConfigError} for a toolkit, tool or trigger type that does not exist, for a version that is not newer, and for
   * changes that are none.
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

/** The catalogue's verbs in a world. */
export function catalogControls({ catalogue, state: { published } }: World): CatalogControls {
  return {
    publish: (slug, version, changes = {}) => {
      const mismatches = mismatchesOf(ChangesShape, changes);
      const [problem] =
        mismatches.length > 0
          ? [`the changes do not fit: ${describeMismatches(mismatches)}`]
          : publicationProblems(slug, version, changes, catalogue);
      if (problem !== undefined) throw new ConfigError(`catalogue.publish: ${problem}.`);
      // A copy: what the caller changes later was not published.
      published.items = [...published.items, structuredClone({ ...changes, toolkit: slug, version })];
    },
  };
}

function publicationProblems(
  slug: string,
  version: string,
  { tools = {}, triggers = {} }: VersionChanges,
  catalogue: Catalog,
): string[] {
  const toolkit = catalogue.toolkits.get(slug);
  if (!toolkit) return [`there is no toolkit ${slug}`];
  const latest = latestVersion(toolkit);
  const knownTools = catalogue.toolsOf(toolkit, latest).map(({ tool }) => tool.slug);
  const knownTriggers = (toolkit.triggers ?? []).map((trigger) => trigger.slug);
  const strangers = (named: object, known: readonly string[]) =>
    Object.keys(named).filter((name) => !known.includes(name));
  return [
    ...(DATED_VERSION.test(version) ? [] : [`a version looks like 20260101_00, not ${version}`]),
    ...(version > latest ? [] : [`${slug} has ${latest} already, and ${version} is not newer`]),
    ...strangers(tools, knownTools).map((name) => `${slug} ${latest} has no tool ${name}`),
    ...strangers(triggers, knownTriggers).map((name) => `${slug} has no trigger type ${name}`),
  ];
}

/** What happens to connected accounts outside of the service. */
export interface AccountControls {
  /**
   * Lets the refresh of an ACTIVE account's credentials fail for good: it becomes EXPIRED, and its triggers are disabled.
   *
   * @param reason the `status_reason`; by default what the service says of a failed token refresh.
   * @throws {ConfigError} for an account that does not exist or is not ACTIVE.
   */
  expire(accountId: string, reason?: string): void;
}

/** What happens in the external applications that triggers listen to. */
export interface TriggerControls {
  /**
   * Lets an event happen that an enabled trigger instance listens for, and gives the message that was emitted.
   *
   * @param payload as the trigger type's `payload` describes it.
   * @throws {ConfigError} for an instance that is unknown, deleted or disabled, and for a payload its type does not have.
   */
  fire(triggerId: string, payload: JsonObject): EmittedEvent;
}

/** The accounts' verbs in a world. */
export function accountControls(world: World): AccountControls {
  return {
    expire: (accountId, reason = REASONS.refreshFailed) => {
      const account = world.state.connectedAccounts.get(accountId);
      if (!account) throw new ConfigError(`accounts.expire: there is no account ${accountId}.`);
      if (account.status !== "ACTIVE") {
        throw new ConfigError(`accounts.expire: only ACTIVE accounts expire; ${accountId} is ${account.status}.`);
      }
      expire(account, reason, world);
    },
  };
}

/** The triggers' verbs in a world. */
export function triggerControls(world: World): TriggerControls {
  return { fire: (triggerId, payload) => fire(triggerId, payload, world) };
}

/** What deliveries can do wrong. What is left out is done right. */
export interface DeliveryFaults {
  /**
   * How often each delivery comes. Each copy has the same id and body, and attempts of its own.
   * @default 1
   */
  readonly copies?: number | undefined;
  /**
   * What is due at the same time goes out newest first, one after another. With `delayMs`, events are gathered for that long:
   * later ones go out with the first.
   * @default false
   */
  readonly reorder?: boolean | undefined;
  /**
   * How much later than its event a delivery goes out, in milliseconds of the emulator's clock.
   * @default 0
   */
  readonly delayMs?: number | undefined;
  /**
   * How far the sender's clock is ahead, in seconds; below 0 it is behind.
   * @default 0
   */
  readonly skewSeconds?: number | undefined;
  /**
   * Signs with a secret that is not the subscription's.
   * @default false
   */
  readonly wrongSecret?: boolean | undefined;
}

/** The deliveries of an emulator, and the switches that make them misbehave. */
export class Deliveries {
  readonly #state: { readonly items: readonly DeliveryRecord[]; misbehaviour: ActiveDeliveryFaults };

  constructor(state: { readonly items: readonly DeliveryRecord[]; misbehaviour: ActiveDeliveryFaults }) {
    this.#state = state;
  }

  /** The deliveries, oldest first; at most 1000 that are over. Live: attempts and states follow what happens. */
  get items(): readonly DeliveryRecord[] {
    return this.#state.items;
  }

  /**
   * Sets all the switches. `copies` and `delayMs` hold for events that come; the others for every attempt.
   *
   * @throws {ConfigError} for a number that cannot be.
   */
  misbehave({ copies = 1, reorder = false, delayMs = 0, skewSeconds = 0, wrongSecret = false }: DeliveryFaults): void {
    if (!Number.isInteger(copies) || copies < 1 || copies > 100) {
      throw new ConfigError("deliveries.misbehave: copies must be a whole number from 1 to 100.");
    }
    if (!isDuration(delayMs)) throw new ConfigError("deliveries.misbehave: delayMs must be from 0, and below 2^31.");
    if (!Number.isInteger(skewSeconds) || Math.abs(skewSeconds) > 1e9) {
      throw new ConfigError("deliveries.misbehave: skewSeconds must be a whole number from -1e9 to 1e9.");
    }
    this.#state.misbehaviour = { copies, reorder, delayMs, skewSeconds, wrongSecret };
  }

  /** Turns all the switches off. What waits keeps its copies and its time. */
  behave(): void {
    this.#state.misbehaviour = { ...NO_DELIVERY_FAULTS };
  }
}
