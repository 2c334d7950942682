import type { AuthField } from "../../resources/toolkits/schema.js";
import type { ScopeRequirements } from "../../resources/tools/schema.js";

/** A JSON object: arguments, results, schemas. */
export type JsonObject = Record<string, unknown>;

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
  /** All of the file. */
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
  /** They fit the tool's `input`. */
  readonly arguments: JsonObject;
  /** The version it runs in. */
  readonly version: string;
  /** The end user it runs for. */
  readonly userId: string | undefined;
  /** The account it acts through; undefined for a tool that needs none. */
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
  /** As it came. */
  readonly query: URLSearchParams;
  /** Any JSON value. */
  readonly body: unknown;
  /** The external application's own data, as in {@link ToolCall}. */
  readonly data: JsonObject;
}

/** What differs from one version of a tool to the next. */
export interface ToolFacts {
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly input: JsonObject;
  /** JSON Schema of the result. */
  readonly output: JsonObject;
  /** Scopes it needs. None when left out. */
  readonly scopes?: readonly string[];
  /** Left out, the tool has flat scopes only. */
  readonly scopeRequirements?: ScopeRequirements;
  /** Hints such as `readOnlyHint`. None when left out. */
  readonly tags?: readonly string[];
  /** False when left out. */
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
  /** Whether a replacement must give it. */
  readonly isRequired: boolean;
  /** True when answers mask it. */
  readonly isSecret: boolean;
}

/** An emulated external application. */
export interface ToolkitDefinition {
  /** Lower case. */
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  /** What the filter `category` knows it by. */
  readonly categories: readonly { readonly id: string; readonly name: string }[];
  /** Empty: its tools need no account. */
  readonly auth: readonly AuthDefinition[];
  /** What each version changed, oldest first. The pinned version comes before them all by itself. */
  readonly versions: Readonly<Record<string, string>>;
  /** In every version that they exist in. */
  readonly tools: readonly ToolDefinition[];
  /** None when left out. */
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

/** An object schema for arguments or results: every property is required but the named ones. */
export function objectSchema(properties: Record<string, JsonObject>, optional: readonly string[] = []): JsonObject {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", properties, required };
}

/** A text property. */
export const text = (description: string): JsonObject => ({ type: "string", description });

/** A whole-number property. */
export const whole = (description: string): JsonObject => ({ type: "integer", description });

/** A list property. */
export const list = (items: JsonObject, description: string): JsonObject => ({ type: "array", items, description });
