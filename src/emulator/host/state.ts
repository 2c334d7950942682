import { ConfigError } from "../../errors/local.js";
import { isObject } from "../../shared/json.js";
import { nextRandom } from "../../shared/random.js";
import type { Publication } from "../catalog/catalog.js";
import type { JsonObject, ToolkitDefinition } from "../catalog/definitions.js";
import type { EmulatorClock } from "./clock.js";
import type {
  ActiveDeliveryFaults,
  EmittedEvent,
  StoredDelivery,
  StoredWebhookEndpoint,
  StoredWebhookSubscription,
} from "./event-records.js";
import type { FaultRule } from "./faults.js";
import type {
  EndedSession,
  SignedUrl,
  StoredExecution,
  StoredFile,
  StoredMcpInstance,
  StoredMcpServer,
  StoredMountFile,
  StoredProject,
  StoredProjectKey,
  StoredSession,
  StoredStub,
} from "./project-records.js";
import type {
  KeySeed,
  StoredAccount,
  StoredAuthConfig,
  StoredIntegration,
  StoredTrigger,
} from "./seed-and-account-records.js";

/** Everything that changes while an emulator runs. Plain data and maps only, for reset, snapshot, and restore. */
export interface State {
  readonly clock: { ms: number };
  readonly ids: IdSequence;
  /** Toolkit versions published since the start, oldest first. The array is replaced, never changed. */
  readonly published: { items: readonly Publication[] };
  readonly keys: Map<string, KeySeed>;
  readonly authConfigs: Map<string, StoredAuthConfig>;
  readonly connectedAccounts: Map<string, StoredAccount>;
  readonly triggers: Map<string, StoredTrigger>;
  /** Ids of the latest deleted triggers, oldest first. */
  readonly deletedTriggers: { ids: string[] };
  readonly webhookSubscriptions: Map<string, StoredWebhookSubscription>;
  readonly webhookEndpoints: Map<string, StoredWebhookEndpoint>;
  /** Emitted events, oldest first. */
  readonly events: { emitted: EmittedEvent[] };
  /** Deliveries, oldest first, and the faults injected into them. */
  readonly deliveries: { items: StoredDelivery[]; faults: ActiveDeliveryFaults };
  readonly integrations: Map<string, StoredIntegration>;
  /** The providers' data, by toolkit. */
  readonly toolkitData: Map<string, JsonObject>;
  /** By their `pr_` id. */
  readonly projects: Map<string, StoredProject>;
  /** The projects' records of their keys, by the key's value. */
  readonly projectKeys: Map<string, StoredProjectKey>;
  readonly sessions: Map<string, StoredSession>;
  /** The latest deleted sessions, oldest first, for usage counters. */
  readonly endedSessions: { items: EndedSession[] };
  readonly mountFiles: Map<string, StoredMountFile>;
  readonly files: Map<string, StoredFile>;
  /** By signature. */
  readonly signedUrls: Map<string, SignedUrl>;
  /** Executions of tools, oldest first. */
  readonly executions: Map<string, StoredExecution>;
  /** Stubs with fixed results, by tool. Those with a function aren't part of the state. */
  readonly stubs: Map<string, StoredStub>;
  readonly mcpServers: Map<string, StoredMcpServer>;
  readonly mcpInstances: Map<string, StoredMcpInstance>;
  readonly rateLimit: { startedAt: number; used: number };
  readonly faults: { rules: FaultRule[] };
}

/** A provider's data, to be read and changed in place. */
export function dataOf({ slug }: ToolkitDefinition, { toolkitData }: State): JsonObject {
  const data = toolkitData.get(slug) ?? {};
  toolkitData.set(slug, data);
  return data;
}

/** The state as JSON, returned by `snapshot` and accepted by `restore`. */
export type Snapshot = Readonly<Record<string, unknown>>;

/** The format of snapshots. It changes when earlier versions can't read them anymore. */
const FORMAT = 1;

/** Copies a state into a snapshot. */
export function toSnapshot(state: State): Snapshot {
  return structuredClone(snapshotOf(state));
}

/** A state's parts as a snapshot, which shares their records. */
export function snapshotOf(parts: object): Snapshot {
  const content = Object.entries(parts).map(([part, value]) => [part, value instanceof Map ? [...value] : value]);
  return { format: FORMAT, ...Object.fromEntries(content) };
}

/**
 * Replaces a state's content with a snapshot's, in place.
 *
 * @throws {ConfigError} if it isn't a snapshot of such an emulator. The state is unchanged then.
 */
export function restoreState(state: State, snapshot: Snapshot, clock: EmulatorClock): void {
  // Callers may bypass the type; anything but an object is treated as an empty one.
  const content: Snapshot = { ...structuredClone(snapshot) };
  const parts = Object.entries(state);
  const startedAt = clock.now() - state.clock.ms;
  checkParts(state, content, isTime(startedAt, content["clock"]) ? [] : ["clock"]);
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

/**
 * Checks that a snapshot has the format and the parts of a state.
 *
 * @param wrong parts that are known to be invalid.
 * @throws {ConfigError} if it doesn't.
 */
export function checkParts(state: State, snapshot: Snapshot, wrong: readonly string[] = []): void {
  checkFormat(snapshot);
  const invalid = Object.entries(state).filter(
    ([part, target]) => wrong.includes(part) || !hasSameShape(target, snapshot[part]),
  );
  if (invalid.length === 0) return;
  const names = invalid.slice(0, 3).map(([part]) => part);
  const all = invalid.length > names.length ? [...names, `${invalid.length - names.length} more`] : names;
  const problem = `missing or invalid: ${all.join(", ")}`;
  throw new ConfigError(`This isn't a snapshot of this emulator version: ${problem}. Export it again.`);
}

/** @throws {ConfigError} for a snapshot of a newer version. */
export function checkFormat({ format }: Snapshot): void {
  if (typeof format !== "number" || format <= FORMAT) return;
  throw new ConfigError(`This snapshot has format ${format}, but this version reads up to ${FORMAT}. Update svc-sdk.`);
}

/** Whether a part of a snapshot has the same shape as the state's. The content of records isn't checked. */
function hasSameShape(target: unknown, value: unknown): boolean {
  if (target instanceof Map) return isEntries(value);
  if (typeof target === "number") return Number.isFinite(value);
  if (typeof target !== "object" || target === null) return typeof target === typeof value;
  // Arrays contain records or ids.
  if (Array.isArray(target))
    return Array.isArray(value) && value.every((one) => typeof one === "string" || isObject(one));
  if (!isObject(value)) return false;
  return Object.entries(target).every(([name, part]) => hasSameShape(part, Reflect.get(value, name)));
}

function isEntries(value: unknown): value is [string, object][] {
  return (
    Array.isArray(value) &&
    value.every((entry) => Array.isArray(entry) && typeof entry[0] === "string" && isObject(entry[1]))
  );
}

/** Whether advancing the clock that far gives a valid date. */
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

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";

/** Position in the sequence of ids. Part of the state, so equal runs create equal ids. */
interface IdSequence {
  seed: number;
}

/** Creates ids in the service's formats, deterministically. */
export class Ids {
  readonly #sequence: IdSequence;

  constructor(sequence: IdSequence) {
    this.#sequence = sequence;
  }

  /** A prefixed id: `ac_` and 12 characters. */
  next(prefix: string): string {
    return prefix + Array.from({ length: 12 }, () => ALPHABET[this.#below(ALPHABET.length)]).join("");
  }

  /** A UUID in the format of version 4. */
  uuid(): string {
    const hex = Array.from({ length: 32 }, () => this.#below(16).toString(16)).join("");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  }

  #below(limit: number): number {
    return Math.floor(nextRandom(this.#sequence) * limit);
  }
}
