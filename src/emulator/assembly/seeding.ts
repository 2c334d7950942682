import { checkShape } from "../../contract/check-shape.js";
import { ConfigError } from "../../errors/local.js";
import { AUTH_SCHEMES } from "../../resources/shared.js";
import type { CredentialKind } from "../../shared/credentials.js";
import { newAuthConfig } from "../auth-configs/settings.js";
import { duplicates, type ServedCatalog } from "../catalog/catalog.js";
import type { ToolkitDefinition } from "../catalog/definitions.js";
import { newAccount } from "../connected-accounts/create.js";
import { FLOW_MS } from "../connected-accounts/flows.js";
import { demoCredentials } from "../connected-accounts/schemes.js";
import { REASONS } from "../connected-accounts/transitions.js";
import { NO_DELIVERY_FAULTS } from "../deliveries/controls.js";
import { isWaiting, type StoredAccount, type StoredAuthConfig } from "../engine/account-records.js";
import { FIRST_PROJECT, type StoredProjectKey } from "../engine/project-records.js";
import { isId } from "../engine/responses.js";
import { type AuthConfigSeed, type ConnectedAccountSeed, EmulatorSeed, type KeySeed } from "../engine/seed-schema.js";
import type { State } from "../engine/state.js";
import { Table } from "../engine/table.js";
import { NO_LOG_FAULTS } from "../logs/controls.js";
import { newProject } from "../projects/handlers.js";

/** The default seed: a key of each kind, and users with active, expired, and inactive accounts. */
export const demoSeed: EmulatorSeed = {
  keys: [
    { kind: "apiKey", value: "ak_emulator" },
    { kind: "userApiKey", value: "uak_emulator" },
    { kind: "orgApiKey", value: "oak_emulator" },
    { kind: "sessionCookie", value: "cookie_emulator" },
    { kind: "apiKey", value: "ak_revoked", state: "revoked" },
    { kind: "apiKey", value: "ak_expired", state: "expired" },
    {
      kind: "apiKey",
      value: "ak_readonly",
      denied: [
        "tools.execute",
        "tools.proxy",
        "authConfigs.create",
        "authConfigs.update",
        "authConfigs.delete",
        "authConfigs.setStatus",
      ],
    },
  ],
  authConfigs: [
    { id: "ac_github_demo", toolkit: "github", name: "GitHub" },
    { id: "ac_slack_demo", toolkit: "slack", name: "Slack" },
    { id: "ac_weather_demo", toolkit: "weathermap", type: "custom", name: "Weather" },
  ],
  connectedAccounts: [
    { id: "ca_github_demo", userId: "user-4711", authConfigId: "ac_github_demo" },
    { id: "ca_slack_demo", userId: "user-4711", authConfigId: "ac_slack_demo" },
    { id: "ca_weather_demo", userId: "user-4711", authConfigId: "ac_weather_demo" },
    { id: "ca_github_expired", userId: "user-expired", authConfigId: "ac_github_demo", status: "EXPIRED" },
    { id: "ca_github_inactive", userId: "user-inactive", authConfigId: "ac_github_demo", status: "INACTIVE" },
  ],
  integrations: ["integration-demo"],
};

/** Keys of an emulator, as client options. */
export interface EmulatorKeys {
  /** Project API key. Undefined if the seed has none. */
  readonly apiKey: string | undefined;
  /** User API key. Undefined if the seed has none. */
  readonly userApiKey: string | undefined;
  /** Organization API key. Undefined if the seed has none. */
  readonly orgApiKey: string | undefined;
}

/** The first active key of each kind. */
export function activeKeys(keys: ReadonlyMap<string, KeySeed>): EmulatorKeys {
  const first = (kind: CredentialKind) =>
    [...keys.values()].find((key) => key.kind === kind && (key.state ?? "active") === "active")?.value;
  return { apiKey: first("apiKey"), userApiKey: first("userApiKey"), orgApiKey: first("orgApiKey") };
}

/**
 * Checks a seed, which may come from a JSON file.
 *
 * @throws {ConfigError} describing the first problems.
 */
export function checkSeed(seed: EmulatorSeed, catalog: ServedCatalog, operations: readonly string[]): void {
  checkShape(EmulatorSeed, seed, "The emulator's seed is invalid");
  const [problem] = seedProblems(seed, catalog, operations);
  if (problem !== undefined) throw new ConfigError(`The emulator's seed is invalid: ${problem}.`);
}

function seedProblems(
  { keys = [], authConfigs = [], connectedAccounts = [], integrations = [] }: EmulatorSeed,
  { toolkits }: ServedCatalog,
  operations: readonly string[],
): string[] {
  const deniable = new Set(operations.flatMap((name) => [name, name.replace(/\..*/, "")]));
  const configIds = new Set(authConfigs.map(({ id }) => id));
  return [
    // A key is a secret, so don't include it.
    ...duplicates(keys.map(({ value }) => value)).map(() => "two keys have the same value"),
    ...duplicates([...authConfigs, ...connectedAccounts].map(({ id }) => id)).map(
      (id) => `two records have the id ${id}`,
    ),
    ...duplicates(integrations).map((id) => `the integration ${id} appears twice`),
    ...keys
      .flatMap(({ denied = [] }) => denied)
      .filter((name) => !deniable.has(name))
      .map((name) => `a key is denied ${name}, which isn't an operation or a resource`),
    ...authConfigs.flatMap(({ id, toolkit, scheme }) => [
      ...(isId(id, "ac_") ? [] : [`the auth config id ${id} doesn't start with ac_`]),
      ...(toolkits.has(toolkit) ? [] : [`the auth config ${id} refers to the unknown toolkit ${toolkit}`]),
      ...(scheme === undefined || schemesOf(toolkits.get(toolkit)).includes(scheme)
        ? []
        : [`the auth config ${id} has the unknown scheme ${scheme}`]),
    ]),
    ...connectedAccounts.flatMap(({ id, authConfigId }) => [
      ...(isId(id, "ca_") ? [] : [`the account id ${id} doesn't start with ca_`]),
      ...(configIds.has(authConfigId) ? [] : [`the account ${id} refers to the unknown auth config ${authConfigId}`]),
    ]),
  ];
}

/** The service's schemes, and those of a toolkit. */
const schemesOf = (toolkit: ToolkitDefinition | undefined): readonly string[] => [
  ...AUTH_SCHEMES,
  ...(toolkit?.auth ?? []).map(({ scheme }) => scheme),
];

/**
 * Creates an account of the seed, with demo credentials for its scheme. An ACTIVE account of a disabled auth config
 * becomes INACTIVE. `now` is ISO 8601. Assumption E25.
 */
function seededAccount(
  { id, userId, authConfigId, status = "ACTIVE" }: ConnectedAccountSeed,
  { auth_scheme: scheme, toolkit: { slug: toolkit }, status: configStatus }: StoredAuthConfig,
  now: string,
  uuid: string,
): StoredAccount {
  const identity = { id, uuid, userId, toolkit, authConfigId, scheme, status };
  const account = { ...newAccount(identity, now, demoCredentials(scheme)), params: {} };
  if (status === "ACTIVE" && configStatus === "DISABLED") {
    return { ...account, status: "INACTIVE", statusReason: REASONS.authConfigDisabled };
  }
  if (status === "EXPIRED") {
    return { ...account, statusReason: REASONS.refreshFailed, outcome: { expired_at: now } };
  }
  if (isWaiting({ status })) {
    const token = `lk_${id.slice("ca_".length)}`;
    const endsAt = Date.parse(now) + FLOW_MS;
    return { ...account, flow: { token, callbackUrl: null, endsAt, isOver: false, sessionUri: null } };
  }
  return account;
}

/** Creates the initial state from a checked seed. `now` is the start time, ISO 8601. */
export function seedState(
  seed: EmulatorSeed,
  catalog: ServedCatalog,
  now: string,
  newUuid: () => string,
): Omit<State, "clock" | "ids" | "published"> {
  const authConfigs = seedAuthConfigs(seed.authConfigs ?? [], catalog, now, newUuid);
  const connectedAccounts = new Table<StoredAccount>();
  for (const account of seed.connectedAccounts ?? []) {
    const config = authConfigs.get(account.authConfigId);
    if (config) connectedAccounts.set(account.id, seededAccount(account, config, now, newUuid()));
  }
  return {
    keys: new Table((seed.keys ?? []).map((key) => [key.value, { ...key }])),
    authConfigs,
    connectedAccounts,
    triggers: new Table(),
    deletedTriggers: { ids: [] },
    webhookSubscriptions: new Table(),
    webhookEndpoints: new Table(),
    events: { emitted: [] },
    deliveries: { items: [], faults: { ...NO_DELIVERY_FAULTS } },
    integrations: new Table((seed.integrations ?? []).map((id) => [id, { id, authConfig: {}, enabled: true }])),
    toolkitData: new Table([...catalog.toolkits.values()].map(({ slug, data }) => [slug, structuredClone(data ?? {})])),
    ...seedProjects(seed.keys ?? [], now),
    sessions: new Table(),
    endedSessions: { items: [] },
    mountFiles: new Table(),
    files: new Table(),
    signedUrls: new Table(),
    executions: new Table(),
    executionLog: { faults: { ...NO_LOG_FAULTS } },
    stubs: new Table(),
    mcpServers: new Table(),
    mcpInstances: new Table(),
    rateLimit: { startedAt: 0, used: 0 },
    faults: { rules: [] },
  };
}

/** Creates the auth configs of toolkits in the catalog. */
function seedAuthConfigs(
  seeds: readonly AuthConfigSeed[],
  catalog: ServedCatalog,
  now: string,
  newUuid: () => string,
): Table<StoredAuthConfig> {
  const authConfigs = new Table<StoredAuthConfig>();
  for (const config of seeds) {
    const toolkit = catalog.toolkits.get(config.toolkit);
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
  return authConfigs;
}

/** Creates the first project and its keys. `now` is the start time, ISO 8601. */
function seedProjects(keys: readonly KeySeed[], now: string) {
  const projectKeys = keys.filter(({ kind }) => kind === "apiKey");
  return {
    projects: new Table([[FIRST_PROJECT, newProject(FIRST_PROJECT, "emulator", now)]]),
    projectKeys: new Table(
      projectKeys.map(({ value }, index): [string, StoredProjectKey] => [
        value,
        {
          // Not from the sequence, because an additional key must not change all other ids.
          id: `7d2c1c1e-5a53-4c7e-9d5e-${String(index + 1).padStart(12, "0")}`,
          name: index === 0 ? "emulator" : `emulator-${index + 1}`,
          projectId: FIRST_PROJECT,
          createdAt: now,
        },
      ]),
    ),
  };
}
