import * as z from "zod/mini";
import { mismatchesOf } from "../contract/check.js";
import { CREDENTIAL_KINDS } from "../core/endpoint.js";
import { DATED_VERSION } from "../dated-version.js";
import { ConfigError, describeMismatches } from "../errors/local.js";
import { JsonObject, request } from "../schema-kit.js";
import { ACCOUNT_STATUSES } from "./accounts/stored-account.js";
import { type Catalogue, PINNED_VERSION, versionsOf } from "./catalogue.js";
import type { ToolkitDefinition } from "./definitions.js";
import type { EmulatorSeed } from "./seed.js";

const list = <Schema extends z.ZodMiniType>(item: Schema) => z.optional(z.array(item));
const text = z.string().check(z.minLength(1));

const SeedShape = request({
  keys: list(
    request({
      kind: z.enum(CREDENTIAL_KINDS),
      value: text,
      state: z.optional(z.enum(["active", "revoked", "expired"])),
      denied: list(text),
    }),
  ),
  authConfigs: list(
    request({
      id: text,
      toolkit: text,
      type: z.optional(z.enum(["default", "custom"])),
      scheme: z.optional(text),
      name: z.optional(text),
      credentials: z.optional(JsonObject),
      status: z.optional(z.enum(["ENABLED", "DISABLED"])),
    }),
  ),
  connectedAccounts: list(
    request({
      id: text,
      userId: text,
      authConfigId: text,
      status: z.optional(z.enum(ACCOUNT_STATUSES)),
    }),
  ),
  integrations: list(text),
});

/**
 * Compares a seed, which may come from a JSON file, with its shape and with what it names.
 *
 * @throws {ConfigError} naming what does not fit.
 */
export function checkSeed(seed: EmulatorSeed, catalogue: Catalogue, operations: readonly string[]): void {
  const mismatches = mismatchesOf(SeedShape, seed);
  if (mismatches.length > 0) {
    throw new ConfigError(`The emulator's seed does not fit: ${describeMismatches(mismatches)}.`);
  }
  const [problem] = problemsOf(seed, catalogue, operations);
  if (problem !== undefined) throw new ConfigError(`The emulator's seed has ${problem}.`);
}

function problemsOf(
  { keys = [], authConfigs = [], connectedAccounts = [], integrations = [] }: EmulatorSeed,
  { toolkits }: Catalogue,
  operations: readonly string[],
): string[] {
  const deniable = new Set(operations.flatMap((name) => [name, name.replace(/\..*/, "")]));
  const configIds = new Set(authConfigs.map(({ id }) => id));
  return [
    // A key is not named: it is a secret.
    ...repeated(keys.map(({ value }) => value)).map(() => "two keys with the same value"),
    ...repeated([...authConfigs, ...connectedAccounts].map(({ id }) => id)).map(
      (id) => `two records with the id ${id}`,
    ),
    ...repeated(integrations).map((id) => `the integration ${id} twice`),
    ...keys
      .flatMap(({ denied = [] }) => denied)
      .filter((name) => !deniable.has(name))
      .map((name) => `a key that is denied ${name}, which is no operation and no resource`),
    ...authConfigs.flatMap(({ id, toolkit }) => [
      ...(/^ac_[\w-]+$/.test(id) ? [] : [`the auth config ${id}, whose id does not start with ac_`]),
      ...(toolkits.has(toolkit) ? [] : [`an auth config for ${toolkit}, which is no toolkit of it`]),
    ]),
    ...connectedAccounts.flatMap(({ id, authConfigId }) => [
      ...(/^ca_[\w-]+$/.test(id) ? [] : [`the account ${id}, whose id does not start with ca_`]),
      ...(configIds.has(authConfigId) ? [] : [`the account ${id} of ${authConfigId}, which is no auth config of it`]),
    ]),
  ];
}

/**
 * Looks over the toolkits a user registers.
 *
 * @throws {ConfigError} naming the first definition that could not work.
 */
export function checkToolkits(toolkits: readonly ToolkitDefinition[]): void {
  const problem = toolkits.flatMap((toolkit) => toolkitProblems(toolkit))[0];
  if (problem !== undefined) throw new ConfigError(problem);
  const [twice] = repeated(toolkits.map(({ slug }) => slug));
  if (twice !== undefined) throw new ConfigError(`The toolkit ${twice} is registered twice.`);
}

function toolkitProblems(toolkit: ToolkitDefinition): string[] {
  const { slug, tools } = toolkit;
  if (!/^[a-z0-9][a-z0-9_-]*$/.test(slug)) return [`The toolkit slug ${JSON.stringify(slug)} is not in lower case.`];
  const versions = versionsOf(toolkit);
  const prefix = `${slug.toUpperCase()}_`;
  return [
    ...versions
      .filter((version) => !DATED_VERSION.test(version))
      .map((version) => `The toolkit ${slug} has the version ${version}; versions look like 20251023_00.`),
    ...repeated(tools.map((tool) => tool.slug)).map((tool) => `The toolkit ${slug} has the tool ${tool} twice.`),
    ...tools.flatMap((tool) => [
      ...(tool.slug.startsWith(prefix) ? [] : [`The tool ${tool.slug} of ${slug} must begin with ${prefix}.`]),
      ...[tool.since ?? PINNED_VERSION, tool.until ?? PINNED_VERSION, ...Object.keys(tool.changes ?? {})]
        .filter((version) => !versions.includes(version))
        .map((version) => `The tool ${tool.slug} names the version ${version}, which ${slug} does not have.`),
    ]),
    ...(toolkit.triggers ?? []).flatMap((trigger) =>
      Object.keys(trigger.changes ?? {})
        .filter((version) => !versions.includes(version))
        .map(
          (version) => `The trigger type ${trigger.slug} names the version ${version}, which ${slug} does not have.`,
        ),
    ),
  ];
}

function repeated(names: readonly string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) !== index);
}
