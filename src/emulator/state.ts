import { ConfigError } from "../errors/local.js";
import type { AuthConfig } from "../resources/auth-configs/schema.js";
import type { Catalogue, JsonObject } from "./catalogue.js";
import type { IdSequence } from "./ids.js";
import type { FaultRule } from "./injected-faults.js";
import type { ConnectedAccountSeed, EmulatorSeed, KeySeed } from "./seed.js";

/** An auth config with what answers do not show. */
export interface StoredAuthConfig extends Omit<AuthConfig, "credentials" | "shared_credentials" | "no_of_connections"> {
  /** In clear; answers redact it. */
  credentials: JsonObject;
  /** In clear; answers redact it. */
  shared_credentials: JsonObject | undefined;
  auth_scheme: string;
  is_svc_managed: boolean;
  isDeleted: boolean;
}

/** A connected account, as far as executions need it. */
export interface StoredAccount {
  id: string;
  userId: string;
  toolkit: string;
  authConfigId: string;
  status: NonNullable<ConnectedAccountSeed["status"]>;
  createdAt: string;
}

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
  /** Path and query as they came. */
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
  readonly keys: Map<string, KeySeed>;
  readonly authConfigs: Map<string, StoredAuthConfig>;
  readonly connectedAccounts: Map<string, StoredAccount>;
  readonly integrations: Map<string, StoredIntegration>;
  /** The external applications' own data, by toolkit. */
  readonly toolkitData: Map<string, JsonObject>;
  readonly rateWindow: { startedAt: number; used: number };
  readonly faults: { rules: FaultRule[] };
  readonly log: { requests: RequestRecord[] };
}

/** The state an emulator starts with. `now` is its first time, ISO 8601. */
export function seedState(
  seed: EmulatorSeed,
  catalogue: Catalogue,
  now: string,
  newUuid: () => string,
): Omit<State, "clock" | "ids"> {
  const authConfigs = new Map<string, StoredAuthConfig>();
  for (const config of seed.authConfigs ?? []) {
    const toolkit = catalogue.toolkits.get(config.toolkit);
    if (!toolkit)
      throw new ConfigError(`The emulator's seed has an auth config for ${config.toolkit}, which is no toolkit of it.`);
    const isManaged = config.type !== "custom";
    authConfigs.set(config.id, {
      id: config.id,
      uuid: newUuid(),
      type: config.type ?? "default",
      toolkit: { slug: toolkit.slug, logo: logoOf(toolkit.slug) },
      name: config.name ?? toolkit.name,
      auth_scheme: config.scheme ?? toolkit.auth[0]?.scheme ?? "NO_AUTH",
      is_svc_managed: isManaged,
      credentials: { ...config.credentials },
      shared_credentials: undefined,
      status: config.status ?? "ENABLED",
      created_at: now,
      last_updated_at: now,
      tool_access_config: {},
      isDeleted: false,
    });
  }
  const connectedAccounts = new Map<string, StoredAccount>();
  for (const { id, userId, authConfigId, status = "ACTIVE" } of seed.connectedAccounts ?? []) {
    const config = authConfigs.get(authConfigId);
    if (!config)
      throw new ConfigError(
        `The emulator's seed has the account ${id} of ${authConfigId}, which is no auth config of it.`,
      );
    connectedAccounts.set(id, { id, userId, authConfigId, toolkit: config.toolkit.slug, status, createdAt: now });
  }
  return {
    keys: new Map((seed.keys ?? []).map((key) => [key.value, { ...key }])),
    authConfigs,
    connectedAccounts,
    integrations: new Map((seed.integrations ?? []).map((id) => [id, { id, authConfig: {}, enabled: true }])),
    toolkitData: new Map([...catalogue.toolkits.values()].map(({ slug, data }) => [slug, structuredClone(data ?? {})])),
    rateWindow: { startedAt: 0, used: 0 },
    faults: { rules: [] },
    log: { requests: [] },
  };
}

/** Where an emulated toolkit's logo would be. */
export function logoOf(toolkit: string): string {
  return `https://logos.example.com/${toolkit}.svg`;
}

/** A whole state as JSON: what `snapshot` gives and `restore` takes. */
export type Snapshot = Readonly<Record<string, unknown>>;

/** Copies a state into a snapshot. */
export function toSnapshot(state: State): Snapshot {
  return structuredClone(
    Object.fromEntries(Object.entries(state).map(([key, value]) => [key, value instanceof Map ? [...value] : value])),
  );
}

/** Puts a snapshot's content into a state, in place: whoever holds the state sees it. */
export function restoreState(state: State, snapshot: Snapshot): void {
  const content: Snapshot = structuredClone(snapshot);
  const missing = Object.keys(state).filter((key) => !(key in content));
  if (missing.length > 0)
    throw new ConfigError(`This is not a snapshot of this emulator version: ${missing.join(", ")} is missing.`);
  for (const [key, target] of Object.entries(state)) {
    const value = content[key];
    if (target instanceof Map) {
      target.clear();
      // `toSnapshot` wrote it as entries.
      for (const [id, entry] of value as [string, unknown][]) target.set(id, entry);
    } else {
      Object.assign(target, value);
    }
  }
}
