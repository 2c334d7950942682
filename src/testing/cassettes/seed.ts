import {
  type AuthConfigSeed,
  type ConnectedAccountSeed,
  demoSeed,
  type EmulatorOptions,
  type EmulatorSeed,
  type JsonObject,
  ProviderError,
  type ToolDefinition,
  type ToolkitDefinition,
} from "../../emulator/index.js";
import { isObject } from "../../shared/json.js";
import { type Exchange, jsonOf, type RecordedBody, readCassette } from "./cassette.js";
import { fillValue } from "./match.js";

/**
 * Options of an emulator that knows what a cassette recorded: the executed tools respond with the recorded data, and
 * the recorded auth configs and connected accounts exist next to the demo's. A toolkit has only its executed tools.
 *
 * ```ts
 * const emulator = createEmulator(cassetteSeed(file));
 * ```
 *
 * An execution gets the data that was recorded for its arguments: first the first, then the next, and the last one
 * again. Other arguments fail, with an error that shows the recorded ones. Arguments are validated if `tools.get` or
 * `tools.list` was recorded.
 *
 * @throws {ConfigError} for a file that is missing or isn't a cassette.
 */
export function cassetteSeed(file: string): Required<Pick<EmulatorOptions, "toolkits" | "seed">> {
  const { exchanges } = readCassette(file, "cassetteSeed");
  const described = new Map(exchanges.flatMap(objectsIn).flatMap(describedTool));
  const executions = exchanges.flatMap((exchange) => toExecution(exchange, described));
  const toolkits = [...groupsOf(executions, ({ toolkit }) => toolkit)].map(([slug, own]) =>
    toToolkit(slug, own, described),
  );
  return { toolkits, seed: withRecorded(exchanges, executions) };
}

interface Execution {
  readonly tool: string;
  readonly toolkit: string;
  readonly version: string | undefined;
  readonly userId: string | undefined;
  /** As JSON. */
  readonly arguments: string;
  readonly data: JsonObject;
  /** Why it failed; `undefined` if it didn't. */
  readonly error: string | undefined;
}

/** A tool as `tools.get` returned it. */
interface Described {
  readonly toolkit: string;
  readonly facts: Pick<ToolDefinition, "name" | "description" | "input" | "output">;
}

function toExecution({ request, response }: Exchange, described: ReadonlyMap<string, Described>): Execution[] {
  const tool = /\/tools\/execute\/([\w.-]+)$/.exec(request.path)?.[1];
  const [sent, received] = [contentOf(request), contentOf(response)];
  if (tool === undefined || tool === "proxy" || response.status !== 200) return [];
  const { version, user_id, arguments: given = {} } = sent;
  const { successful, error, data } = received;
  return [
    {
      tool,
      toolkit: described.get(tool)?.toolkit ?? tool.split("_", 1).join().toLowerCase(),
      version: typeof version === "string" && /^\d{8}_\d{2}$/.test(version) ? version : undefined,
      userId: typeof user_id === "string" ? user_id : undefined,
      arguments: inOrder(given),
      data: fieldsOf(data),
      error: successful === false ? String(error) : undefined,
    },
  ];
}

function toToolkit(
  slug: string,
  executions: readonly Execution[],
  described: ReadonlyMap<string, Described>,
): ToolkitDefinition {
  const versions = executions.flatMap(({ version }) => version ?? []).filter((version) => version !== "00000000_00");
  return {
    slug,
    name: slug,
    description: "From a cassette",
    categories: [],
    auth: [{ scheme: "OAUTH2", isManaged: true }],
    versions: Object.fromEntries(versions.map((version) => [version, ""])),
    tools: [...groupsOf(executions, ({ tool }) => tool)].map(([tool, own]) => ({
      ...(described.get(tool)?.facts ?? {
        name: tool,
        description: "From a cassette",
        input: { type: "object" },
        output: { type: "object" },
      }),
      slug: tool,
      run: replaying(tool, own),
    })),
  };
}

function replaying(tool: string, executions: readonly Execution[]): ToolDefinition["run"] {
  const left = groupsOf(executions, (execution) => execution.arguments);
  return ({ arguments: given }) => {
    const [next, ...more] = left.get(inOrder(given)) ?? [];
    if (!next) {
      const known = [...left.keys()].slice(0, 3).join(", ");
      throw new ProviderError(501, `The cassette has ${tool} only with other arguments: ${known}.`);
    }
    if (more.length > 0) left.set(next.arguments, more);
    if (next.error !== undefined) throw new ProviderError(400, next.error);
    return next.data;
  };
}

function withRecorded(exchanges: readonly Exchange[], executions: readonly Execution[]): EmulatorSeed {
  const { authConfigs = [], connectedAccounts = [] } = demoSeed;
  const known = new Set([...executions, ...authConfigs].map(({ toolkit }) => toolkit));
  const recorded = exchanges.flatMap(objectsIn).flatMap((record) => toAccount(record, known));
  const users = [...new Set(["user-4711", ...executions.flatMap(({ userId }) => userId ?? [])])];
  const own = [...new Set(executions.map(({ toolkit }) => toolkit))];
  const made = own.map((toolkit) => ({ id: `ac_${toolkit}_cassette`, toolkit }));
  const accounts = own.flatMap((toolkit) =>
    users.map((userId, index) => ({
      id: `ca_${toolkit}_cassette_${index}`,
      userId,
      authConfigId: `ac_${toolkit}_cassette`,
    })),
  );
  return {
    ...demoSeed,
    authConfigs: byId([...authConfigs, ...recorded.map(({ config }) => config), ...made]),
    connectedAccounts: byId([...connectedAccounts, ...recorded.map(({ account }) => account), ...accounts]),
  };
}

function toAccount(
  record: JsonObject,
  toolkits: ReadonlySet<string>,
): { readonly account: ConnectedAccountSeed; readonly config: AuthConfigSeed }[] {
  const { id, user_id: userId, status } = record;
  const { id: authConfigId } = fieldsOf(record["auth_config"]);
  const { slug: toolkit } = fieldsOf(record["toolkit"]);
  if (![id, userId, authConfigId, toolkit].every((value) => typeof value === "string")) return [];
  if (!toolkits.has(String(toolkit)) || !String(id).startsWith("ca_")) return [];
  const known = STATUSES.find((one) => one === status);
  const config = { id: String(authConfigId), toolkit: String(toolkit) };
  const account = { id: String(id), userId: String(userId), authConfigId: config.id, ...(known && { status: known }) };
  return [{ account, config }];
}

const STATUSES = ["ACTIVE", "EXPIRED", "INACTIVE", "FAILED", "REVOKED"] as const;

/** The tool in a record, if it is one. */
function describedTool(record: JsonObject): [string, Described][] {
  const { slug, name, description, input_parameters: input, output_parameters: output } = record;
  const { slug: toolkit } = fieldsOf(record["toolkit"]);
  if (typeof slug !== "string" || typeof toolkit !== "string" || !isObject(input)) return [];
  const texts = { name: String(name), description: String(description) };
  return [[slug, { toolkit, facts: { ...texts, input: { ...input }, output: fieldsOf(output) } }]];
}

/** The record of a response, or those of its list. */
function objectsIn({ response }: Exchange): JsonObject[] {
  const content = contentOf(response);
  const { items } = content;
  return Array.isArray(items) ? items.map(fieldsOf) : [content];
}

/** The fields of a body, with pseudonyms for users. */
function contentOf(body: RecordedBody): JsonObject {
  return fieldsOf(fillValue(jsonOf(body), new Map()));
}

function groupsOf<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, readonly Item[]> {
  const groups = new Map<string, readonly Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

function byId<Item extends { readonly id: string }>(items: readonly Item[]): Item[] {
  return [...new Map(items.toReversed().map((item) => [item.id, item])).values()].toReversed();
}

function fieldsOf(value: unknown): JsonObject {
  return isObject(value) ? { ...value } : {};
}

/** JSON with the fields of each object in one order. */
function inOrder(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1))) : part,
  );
}
