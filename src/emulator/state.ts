import { ConfigError } from "../errors/local.js";
import { seededAccount } from "./accounts/seeded-account.js";
import type { StoredAccount } from "./accounts/stored-account.js";
import type { Catalogue, Publication } from "./catalogue.js";
import type { EmulatorClock } from "./clock.js";
import type { JsonObject, ToolkitDefinition } from "./definitions.js";
import { HONEST, type Misbehaviour, type StoredDelivery } from "./deliveries/stored.js";
import type { EmittedEvent } from "./emitted-event.js";
import type { StoredAddress, StoredFile } from "./files/stored.js";
import type { IdSequence } from "./ids.js";
import type { FaultRule } from "./injected-faults.js";
import type { StoredExecution } from "./logs/stored.js";
import type { StoredMcpInstance, StoredMcpServer } from "./mcp-servers/stored.js";
import { newAuthConfig } from "./new-auth-config.js";
import { type StoredProject, type StoredProjectKey, seedProjects } from "./projects/stored.js";
import type { EmulatorSeed, KeySeed } from "./seed.js";
import type { EndedSession, StoredMountFile, StoredSession } from "./sessions/stored.js";
import type { StoredAuthConfig } from "./stored-auth-config.js";
import type { StoredWebhookEndpoint } from "./subscriptions/stored-webhook-endpoint.js";
import type { StoredWebhookSubscription } from "./subscriptions/stored-webhook-subscription.js";
import type { StoredTrigger } from "./triggers/stored-trigger.js";

/** A legacy connector. */
export interface StoredIntegration {
  id: string;
  authConfig: JsonObject;
  enabled: boolean;
}

/** One answered request. */
export interface RequestRecord {
  /** ISO 8601, by the emulator's clock. */
  readonly at: string;
  readonly method: string;
  /** Path and query as they came, without the signature of a storage URL. */
  readonly path: string;
  /** The operation, or `undefined` where the address is none. */
  readonly operation: string | undefined;
  /** The answered status; `undefined` where an injected fault broke the connection. */
  readonly status: number | undefined;
  /** The fault that was injected. */
  readonly fault?: string | undefined;
}

/** Everything that changes while an emulator runs. Plain data and maps only: reset, snapshot and restore cover it whole. */
export interface State {
  readonly clock: { ms: number };
  readonly ids: IdSequence;
  /** Versions of toolkits that came out since the start, oldest first. The list is replaced, never added to. */
  readonly published: { items: readonly Publication[] };
  readonly keys: Map<string, KeySeed>;
  readonly authConfigs: Map<string, StoredAuthConfig>;
  readonly connectedAccounts: Map<string, StoredAccount>;
  readonly triggers: Map<string, StoredTrigger>;
  /** Ids of the latest triggers that were deleted, oldest first. */
  readonly deletedTriggers: { ids: string[] };
  readonly webhookSubscriptions: Map<string, StoredWebhookSubscription>;
  readonly webhookEndpoints: Map<string, StoredWebhookEndpoint>;
  /** Events that were emitted, oldest first. */
  readonly events: { emitted: EmittedEvent[] };
  /** Oldest first, and what they do wrong. */
  readonly deliveries: { items: StoredDelivery[]; misbehaviour: Misbehaviour };
  readonly integrations: Map<string, StoredIntegration>;
  /** The external applications' own data, by toolkit. */
  readonly toolkitData: Map<string, JsonObject>;
  /** By their `pr_` id. */
  readonly projects: Map<string, StoredProject>;
  /** What the projects know about their keys, by the key's value. */
  readonly projectKeys: Map<string, StoredProjectKey>;
  readonly sessions: Map<string, StoredSession>;
  /** The latest sessions that were deleted, oldest first: they were used. */
  readonly endedSessions: { items: EndedSession[] };
  readonly mountFiles: Map<string, StoredMountFile>;
  readonly files: Map<string, StoredFile>;
  /** By signature. */
  readonly signedAddresses: Map<string, StoredAddress>;
  /** Executions of tools, oldest first. */
  readonly executions: Map<string, StoredExecution>;
  readonly mcpServers: Map<string, StoredMcpServer>;
  readonly mcpInstances: Map<string, StoredMcpInstance>;
  readonly rateWindow: { startedAt: number; used: number };
  readonly faults: { rules: FaultRule[] };
  readonly log: { requests: RequestRecord[] };
}

/** The state an emulator starts with, from a seed that was checked. `now` is its first time, ISO 8601. */
export function seedState(
  seed: EmulatorSeed,
  catalogue: Catalogue,
  now: string,
  newUuid: () => string,
): Omit<State, "clock" | "ids" | "published"> {
  const authConfigs = new Map<string, StoredAuthConfig>();
  for (const config of seed.authConfigs ?? []) {
    const toolkit = catalogue.toolkits.get(config.toolkit);
    if (!toolkit) continue;
    const { id, name, type } = config;
    const scheme = config.scheme ?? toolkit.auth[0]?.scheme ?? "NO_AUTH";
    const identity = { id, uuid: newUuid(), isCustom: type === "custom", name, now };
    authConfigs.set(id, {
      ...newAuthConfig(toolkit, scheme, identity),
      credentials: { ...config.credentials },
      status: config.status ?? "ENABLED",
    });
  }
  const connectedAccounts = new Map<string, StoredAccount>();
  for (const account of seed.connectedAccounts ?? []) {
    const config = authConfigs.get(account.authConfigId);
    if (config) connectedAccounts.set(account.id, seededAccount(account, config, now, newUuid()));
  }
  return {
    keys: new Map((seed.keys ?? []).map((key) => [key.value, { ...key }])),
    authConfigs,
    connectedAccounts,
    triggers: new Map(),
    deletedTriggers: { ids: [] },
    webhookSubscriptions: new Map(),
    webhookEndpoints: new Map(),
    events: { emitted: [] },
    deliveries: { items: [], misbehaviour: { ...HONEST } },
    integrations: new Map((seed.integrations ?? []).map((id) => [id, { id, authConfig: {}, enabled: true }])),
    toolkitData: new Map([...catalogue.toolkits.values()].map(({ slug, data }) => [slug, structuredClone(data ?? {})])),
    ...seedProjects(seed.keys ?? [], now),
    sessions: new Map(),
    endedSessions: { items: [] },
    mountFiles: new Map(),
    files: new Map(),
    signedAddresses: new Map(),
    executions: new Map(),
    mcpServers: new Map(),
    mcpInstances: new Map(),
    rateWindow: { startedAt: 0, used: 0 },
    faults: { rules: [] },
    log: { requests: [] },
  };
}

/** The external application's own data, to be read and changed in place. */
export function dataOf({ slug }: ToolkitDefinition, { toolkitData }: State): JsonObject {
  const data = toolkitData.get(slug) ?? {};
  toolkitData.set(slug, data);
  return data;
}

/** A whole state as JSON: what `snapshot` gives and `restore` takes. */
export type Snapshot = Readonly<Record<string, unknown>>;

/** Copies a state into a snapshot. */
export function toSnapshot(state: State): Snapshot {
  return structuredClone(
    Object.fromEntries(Object.entries(state).map(([key, value]) => [key, value instanceof Map ? [...value] : value])),
  );
}

/**
 * Puts a snapshot's content into a state, in place: whoever holds the state sees it.
 *
 * @throws {ConfigError} for what is no snapshot of such an emulator. Nothing was changed.
 */
export function restoreState(state: State, snapshot: Snapshot, clock: EmulatorClock): void {
  // Not every caller is checked by a compiler: what is no object is as good as an empty one.
  const content: Snapshot = { ...structuredClone(snapshot) };
  const parts = Object.entries(state);
  const startedAt = clock.now() - state.clock.ms;
  const isOdd = (key: string, target: unknown) =>
    !fits(target, content[key]) || (key === "clock" && !isTime(startedAt, content[key]));
  const odd = parts.filter(([key, target]) => isOdd(key, target)).map(([key]) => key);
  if (odd.length > 0) {
    throw new ConfigError(`This is not a snapshot of this emulator version: ${odd.join(", ")} is missing or odd.`);
  }
  if (toolkitsOf(content) !== [...state.toolkitData.keys()].sort().join()) {
    throw new ConfigError(`This is a snapshot of an emulator with other toolkits: ${toolkitsOf(content)}.`);
  }
  for (const [key, target] of parts) {
    const value = content[key];
    if (!(target instanceof Map)) Object.assign(target, value);
    else if (isEntries(value)) {
      target.clear();
      for (const [id, entry] of value) target.set(id, entry);
    }
  }
}

/** Whether a snapshot's part is made like the state's. What stands inside of its records is believed. */
function fits(target: unknown, value: unknown): boolean {
  if (target instanceof Map) return isEntries(value);
  if (typeof target === "number") return Number.isFinite(value);
  if (typeof target !== "object" || target === null) return typeof target === typeof value;
  // Lists hold records, or ids.
  if (Array.isArray(target))
    return Array.isArray(value) && value.every((one) => typeof one === "string" || isRecord(one));
  if (!isRecord(value)) return false;
  return Object.entries(target).every(([name, part]) => fits(part, Reflect.get(value, name)));
}

function isEntries(value: unknown): value is [string, object][] {
  return (
    Array.isArray(value) &&
    value.every((entry) => Array.isArray(entry) && typeof entry[0] === "string" && isRecord(entry[1]))
  );
}

function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a clock that was advanced so far from its start shows a date that exists. */
function isTime(startedAt: number, advanced: unknown): boolean {
  const { ms }: { ms?: unknown } = Object(advanced);
  return typeof ms === "number" && ms >= 0 && !Number.isNaN(new Date(startedAt + ms).getTime());
}

function toolkitsOf({ toolkitData }: Snapshot): string {
  return isEntries(toolkitData)
    ? toolkitData
        .map(([slug]) => slug)
        .sort()
        .join()
    : "";
}
