import * as z from "zod/mini";
import { mismatchesOf } from "../../contract/check-shape.js";
import { ConfigError, describeMismatches } from "../../errors/local.js";
import { McpInstance } from "../../resources/mcp/schema.js";
import { JsonObject, list, number, object, string } from "../../resources/schema-kit.js";
import { Publication } from "../catalog/catalog-schema.js";
import { StoredAccount, StoredAuthConfig, StoredIntegration, StoredTrigger } from "./account-records.js";
import type { EmulatorClock } from "./clock.js";
import { DeliveryFaults, DeliveryRecord, EmittedEvent } from "./event-schema.js";
import { FaultRule } from "./fault-schema.js";
import { ExecutionLogFaults } from "./options-schema.js";
import {
  EndedSession,
  FIRST_PROJECT,
  SignedUrl,
  StoredExecution,
  StoredFile,
  StoredMcpServer,
  StoredMountFile,
  StoredProject,
  StoredProjectKey,
  StoredSession,
  StoredStub,
  StoredWebhookEndpoint,
  StoredWebhookSubscription,
} from "./project-records.js";
import { KeySeed } from "./seed-schema.js";
import { Table } from "./table.js";

/** Entries of a map of records: a snapshot has them as lists. */
interface EntriesSchema<Stored extends object> extends z.ZodMiniType<[string, Stored][]> {}

/**
 * The schema of a map's entries.
 *
 * @param id the field of a record that is its key, if it has one.
 */
function entries<Stored extends object>(stored: z.ZodMiniType<Stored>, id?: keyof Stored): EntriesSchema<Stored> {
  const entry = z.tuple([string, stored]);
  const isInPlace = ([key, record]: readonly [string, Stored]) => id === undefined || record[id] === key;
  return z.array(entry.check(z.refine(isInPlace, { path: [0], error: "the record's id" })));
}

/** The parts of a state, as a snapshot has them. */
const PARTS = {
  clock: object({ ms: number.check(z.minimum(0)), now: z.optional(number) }),
  /** Null for random ids. */
  ids: object({ seed: z.nullable(number) }),
  /** Toolkit versions published since the start, oldest first. The array is replaced, never changed. */
  published: object({ items: list(Publication) }),
  keys: entries(KeySeed, "value"),
  authConfigs: entries(StoredAuthConfig, "id"),
  connectedAccounts: entries(StoredAccount, "id"),
  triggers: entries(StoredTrigger, "id"),
  /** Ids of the latest deleted triggers, oldest first. */
  deletedTriggers: object({ ids: z.array(string) }),
  webhookSubscriptions: entries(StoredWebhookSubscription, "id"),
  webhookEndpoints: entries(StoredWebhookEndpoint, "id"),
  /** Emitted events, oldest first. */
  events: object({ emitted: z.array(EmittedEvent) }),
  /** Deliveries, oldest first, and the faults injected into them. */
  deliveries: object({ items: z.array(DeliveryRecord), faults: z.required(DeliveryFaults) }),
  integrations: entries(StoredIntegration, "id"),
  /** The providers' data, by toolkit. The only records that change in place, because tools change them. */
  toolkitData: entries(JsonObject),
  /** By their `pr_` id. */
  projects: entries(StoredProject, "id"),
  /** The projects' records of their keys, by the key's value. */
  projectKeys: entries(StoredProjectKey),
  sessions: entries(StoredSession, "id"),
  /** The latest deleted sessions, oldest first, for usage counters. */
  endedSessions: object({ items: z.array(EndedSession) }),
  mountFiles: entries(StoredMountFile),
  files: entries(StoredFile, "key"),
  /** By signature. */
  signedUrls: entries(SignedUrl),
  /** Executions of tools, oldest first. */
  executions: entries(StoredExecution, "id"),
  executionLog: object({ faults: z.required(ExecutionLogFaults) }),
  /** Stubs with fixed results, by tool. Those with a function aren't part of the state. */
  stubs: entries(StoredStub),
  mcpServers: entries(StoredMcpServer, "id"),
  mcpInstances: entries(McpInstance, "id"),
  rateLimit: object({ startedAt: number, used: number }),
  faults: object({ rules: z.array(FaultRule) }),
};

type StatePart<Name, Schema> =
  Schema extends EntriesSchema<infer Stored>
    ? Name extends "toolkitData"
      ? Table<Stored>
      : Table<Readonly<Stored>>
    : z.infer<Schema>;

/** Everything that changes while an emulator runs. Plain data and tables only, for reset, snapshot, and restore. */
export type State = { readonly [Name in keyof typeof PARTS]: StatePart<Name, (typeof PARTS)[Name]> };

/** The records that belong to a project. Other projects can't see them. */
export function recordsOf<Stored extends { readonly projectId: string }>(
  { id }: StoredProject,
  records: ReadonlyMap<string, Stored>,
): Stored[] {
  return [...records.values()].filter(({ projectId }) => projectId === id);
}

/** The state as JSON, returned by `snapshot` and accepted by `restore`. */
export type Snapshot = Readonly<Record<string, unknown>>;

/** The version of snapshots. It changes when earlier versions can't read them anymore. */
export const FORMAT = 3;

/** Copies a state into a snapshot. */
export function toSnapshot(state: State): Snapshot {
  const content = Object.entries(state).map(([part, value]) => [part, value instanceof Table ? [...value] : value]);
  return structuredClone({ format: FORMAT, ...Object.fromEntries(content) });
}

/**
 * Replaces a state's content with a snapshot's, in place.
 *
 * @throws {ConfigError} if it's another emulator's. The state is unchanged then.
 */
export function restoreState(state: State, snapshot: CheckedSnapshot, clock: EmulatorClock): void {
  const now = clock.timeOf(snapshot.clock);
  if (Number.isNaN(new Date(now).getTime())) throw notASnapshot("clock: not a possible time");
  const toolkits = (slugs: Iterable<string>) => [...slugs].sort().join();
  const named = toolkits(snapshot.toolkitData.map(([slug]) => slug));
  if (named !== toolkits(state.toolkitData.keys())) {
    throw new ConfigError(`This is a snapshot of an emulator with other toolkits: ${named}.`);
  }
  const content = new Map(Object.entries(structuredClone(snapshot)));
  // Random ids stay random: a restored sequence would repeat the ids of events that receivers have handled.
  if (state.ids.seed === null || snapshot.ids.seed === null) content.delete("ids");
  for (const [part, target] of Object.entries(state)) {
    const value: unknown = content.get(part);
    if (!(target instanceof Table)) Object.assign(target, value);
    else if (Array.isArray(value)) target.load(value);
  }
  clock.continueAt(now);
}

const Parts = object(PARTS);

/** A snapshot with valid records. */
export type CheckedSnapshot = z.infer<typeof Parts>;

/**
 * Checks that a value is a snapshot, with each of its records.
 *
 * @throws {ConfigError} if it isn't.
 */
export function checkSnapshot(value: Snapshot): asserts value is CheckedSnapshot {
  checkFormat({ ...value });
  checkRecords(value);
  const known = new Set(value.projects.map(([id]) => id));
  const needed = [FIRST_PROJECT, ...value.projectKeys.map(([, { projectId }]) => projectId)];
  const missing = needed.find((id) => !known.has(id));
  if (missing !== undefined) throw notASnapshot(`projects: ${missing} is missing, and keys belong to it`);
}

function checkRecords(value: Snapshot): asserts value is CheckedSnapshot {
  const mismatches = mismatchesOf(Parts, value);
  if (mismatches.length > 0) throw notASnapshot(describeMismatches(mismatches));
}

/** A value isn't a snapshot. */
export function notASnapshot(problem: string): ConfigError {
  return new ConfigError(`This isn't a snapshot of this emulator version: ${problem}. Export it again.`);
}

/** @throws {ConfigError} for a snapshot of a newer version. */
export function checkFormat({ format }: Snapshot): void {
  if (typeof format !== "number" || format <= FORMAT) return;
  throw new ConfigError(`This snapshot has format ${format}, but this version reads up to ${FORMAT}. Update svc-sdk.`);
}
