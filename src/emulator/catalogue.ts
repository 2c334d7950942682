import type { AuthField } from "../resources/toolkits/schema.js";
import type { ScopeRequirements } from "../resources/tools/schema.js";

/** A JSON object: arguments, results, schemas. */
export type JsonObject = Record<string, unknown>;

/** The version that every tool had before versions. Spec: Versioning. */
export const PINNED_VERSION = "00000000_00";

/** One way to authenticate against an emulated toolkit. */
export interface AuthDefinition {
  /** `OAUTH2`, `API_KEY`, … */
  readonly scheme: string;
  /** Whether the service has credentials of its own for it. */
  readonly isManaged?: boolean;
  /** Scopes it can grant. */
  readonly scopes?: readonly string[];
  /** What you must give for an auth config of your own. */
  readonly configFields?: readonly AuthField[];
  /** What a user must give to connect. */
  readonly accountFields?: readonly AuthField[];
  /** Whether what it granted can be revoked; by default OAuth schemes can. */
  readonly isRevocable?: boolean;
}

/** A file in a tool's hands. */
export interface ToolFile {
  readonly name: string;
  /** Media type. */
  readonly mimetype: string;
  readonly bytes: Uint8Array;
}

/** The files a tool takes and gives. */
export interface ToolFiles {
  /** The uploaded file that an argument names by its `s3key`; `undefined` where there is none any more. */
  read(s3key: string): ToolFile | undefined;
  /** Stores a file and gives the value of a result field whose schema says `file_downloadable`. */
  give(file: ToolFile): { s3url: string; mimetype: string; name: string };
}

/** One run of an emulated tool. */
export interface ToolCall {
  readonly arguments: JsonObject;
  /** The version it runs in. */
  readonly version: string;
  readonly userId: string | undefined;
  readonly accountId: string | undefined;
  /** The external application's own data. What a tool writes here, the next one reads; `emulator.reset()` restores it. */
  readonly data: JsonObject;
  /** The emulator's time, ISO 8601. */
  readonly now: string;
  /** Files: those that arguments name, and those that the result names. */
  readonly files: ToolFiles;
}

/** A request that goes to the external application as it is. */
export interface ProxiedCall {
  readonly method: string;
  /** Path below the application's base address, without query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly data: JsonObject;
}

/** What differs from one version of a tool to the next. */
export interface ToolFacts {
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly input: JsonObject;
  /** JSON Schema of the result. */
  readonly output: JsonObject;
  readonly scopes?: readonly string[];
  /** Left out, the tool has flat scopes only. */
  readonly scopeRequirements?: ScopeRequirements;
  readonly tags?: readonly string[];
  readonly isDeprecated?: boolean;
}

/** An emulated tool. */
export interface ToolDefinition extends ToolFacts {
  /** SCREAMING_SNAKE_CASE; begins with the toolkit's slug. */
  readonly slug: string;
  readonly name: string;
  /** The first version that has it. From the beginning when left out. */
  readonly since?: string;
  /** The first version that has it no more. */
  readonly until?: string;
  /** What changed, by the version it changed in. */
  readonly changes?: Readonly<Record<string, Partial<ToolFacts>>>;
  /** Does the work. Throw a {@link ProviderError} where the external application would refuse. */
  run(call: ToolCall): JsonObject | Promise<JsonObject>;
}

/** What differs from one version of a trigger type to the next. */
export interface TriggerFacts {
  readonly description: string;
  /** JSON Schema of the configuration. */
  readonly config: JsonObject;
  /** JSON Schema of an event. */
  readonly payload: JsonObject;
}

/** An event of an external application that can be listened for. */
export interface TriggerDefinition extends TriggerFacts {
  /** SCREAMING_SNAKE_CASE; begins with the toolkit's slug. */
  readonly slug: string;
  readonly name: string;
  /** What changed, by the version it changed in. */
  readonly changes?: Readonly<Record<string, Partial<TriggerFacts>>>;
  /** How to set it up, in words. */
  readonly instructions?: string;
  /** `webhook`: the application reports events. `poll`: the service asks at an interval. */
  readonly type: "webhook" | "poll";
  /** Whether an inbound webhook endpoint must be set up first. */
  readonly requiresWebhookEndpointSetup?: boolean;
}

/** A value that an inbound webhook endpoint has to be given. */
export interface WebhookFieldDefinition {
  readonly displayName: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly isSecret: boolean;
}

/** An emulated external application. */
export interface ToolkitDefinition {
  /** Lower case. */
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly categories: readonly { readonly id: string; readonly name: string }[];
  /** Empty: its tools need no account. */
  readonly auth: readonly AuthDefinition[];
  /** What each version changed, oldest first. The pinned version comes before them all by itself. */
  readonly versions: Readonly<Record<string, string>>;
  readonly tools: readonly ToolDefinition[];
  readonly triggers?: readonly TriggerDefinition[];
  /** What an inbound webhook endpoint of it needs, by key. Left out, it has none. */
  readonly webhookFields?: Readonly<Record<string, WebhookFieldDefinition>>;
  /** What the external application holds at the start. */
  readonly data?: JsonObject;
  /** Base address for proxied requests. */
  readonly baseUrl?: string;
  /** Answers a proxied request. */
  proxy?(call: ProxiedCall): { readonly status: number; readonly data: unknown };
}

/** The external application refuses: the execution answers 200 with `successful: false`. */
export class ProviderError extends Error {
  /** The external application's HTTP status. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A tool as it is in one version. */
export interface VersionedTool {
  readonly toolkit: ToolkitDefinition;
  readonly tool: ToolDefinition;
  readonly version: string;
  readonly facts: ToolFacts;
}

/** The toolkits of an emulator. Definitions only: what changes lives in the state. */
export class Catalogue {
  readonly toolkits: ReadonlyMap<string, ToolkitDefinition>;
  readonly #tools = new Map<string, { toolkit: ToolkitDefinition; tool: ToolDefinition }>();

  constructor(toolkits: readonly ToolkitDefinition[]) {
    this.toolkits = new Map(toolkits.map((toolkit) => [toolkit.slug, toolkit]));
    for (const toolkit of this.toolkits.values()) {
      for (const tool of toolkit.tools) this.#tools.set(tool.slug, { toolkit, tool });
    }
  }

  /** The slugs of the latest versions. */
  get toolSlugs(): string[] {
    return [...this.#tools.keys()].filter((slug) => this.tool(slug, "latest"));
  }

  /** The versions that have a tool; `undefined` where none ever had it. */
  versionsWith(slug: string): string[] | undefined {
    const found = this.#tools.get(slug);
    return found && versionsOf(found.toolkit, found.tool);
  }

  /** The tool in a version (`latest` included), or `undefined` where it does not exist. */
  tool(slug: string, version: string): VersionedTool | undefined {
    const found = this.#tools.get(slug);
    return found && this.#at(found.toolkit, found.tool, version);
  }

  /** All tools of a toolkit that exist in a version. */
  toolsOf(toolkit: ToolkitDefinition, version: string): VersionedTool[] {
    return toolkit.tools.flatMap((tool) => this.#at(toolkit, tool, version) ?? []);
  }

  #at(toolkit: ToolkitDefinition, tool: ToolDefinition, wanted: string): VersionedTool | undefined {
    const version = wanted === "latest" ? latestVersion(toolkit) : wanted;
    if (!versionsOf(toolkit, tool).includes(version)) return undefined;
    return { toolkit, tool, version, facts: factsIn(tool, version) };
  }
}

/** A definition with what changed up to a version. Dated versions sort like their dates. */
export function factsIn<Facts extends { readonly changes?: Readonly<Record<string, object>> }>(
  definition: Facts,
  version: string,
): Facts {
  const changes = Object.entries(definition.changes ?? {}).filter(([since]) => since <= version);
  return Object.assign({}, definition, ...changes.map(([, change]) => change));
}

/** The versions of a toolkit, or of one of its tools, oldest first. */
export function versionsOf(toolkit: ToolkitDefinition, tool?: ToolDefinition): string[] {
  const all = [PINNED_VERSION, ...Object.keys(toolkit.versions).sort()];
  const { since = "", until = "~" } = tool ?? {};
  return all.filter((version) => version >= since && version < until);
}

/** The newest version of a toolkit. */
export function latestVersion(toolkit: ToolkitDefinition): string {
  return versionsOf(toolkit).at(-1) ?? PINNED_VERSION;
}
