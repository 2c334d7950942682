import type { JsonObject } from "../../resources/schema-kit.js";
import type { ToolFacts, ToolkitFacts } from "./catalog-schema.js";

/** A file passed to or returned by a tool. */
export interface ToolFile {
  readonly name: string;
  /** Media type. */
  readonly mimetype: string;
  /** The file's content. */
  readonly bytes: Uint8Array;
}

/** Reads input files and stores output files. */
export interface ToolFiles {
  /** Returns the uploaded file with an `s3key`; `undefined` if it no longer exists. */
  read(s3key: string): ToolFile | undefined;
  /** Stores a file, and returns the value for a result field marked `file_downloadable`. */
  store(file: ToolFile): { s3url: string; mimetype: string; name: string };
}

/** One run of an emulated tool. */
export interface ToolRunContext {
  /** Arguments, already validated against the tool's `input`. */
  readonly arguments: JsonObject;
  /** The tool version. */
  readonly version: string;
  /** The end user it runs for. */
  readonly userId: string | undefined;
  /** The connected account; undefined if the tool doesn't need one. */
  readonly accountId: string | undefined;
  /** The provider's data, shared by all tools of the toolkit. `emulator.reset()` restores it. */
  readonly data: JsonObject;
  /** Current time of the emulator's clock, ISO 8601. */
  readonly now: string;
  /** Input and output files. */
  readonly files: ToolFiles;
}

/** A request proxied to the provider unchanged. */
export interface ProxiedCall {
  readonly method: string;
  /** Path below the provider's base URL, without query. */
  readonly path: string;
  /** Query parameters as sent. */
  readonly query: URLSearchParams;
  /** Any JSON value. */
  readonly body: unknown;
  /** The provider's data, as in {@link ToolRunContext}. */
  readonly data: JsonObject;
}

/** An emulated tool. */
export interface ToolDefinition extends ToolFacts {
  /**
   * Whether `run` makes up its results. Log ids of such results start with `log_sample_`.
   * @default false
   */
  readonly isSample?: boolean;
  /** Runs the tool. Throw a {@link ProviderError} if the provider would return an error. */
  run(call: ToolRunContext): JsonObject | Promise<JsonObject>;
}

/** An emulated provider and its tools. */
export interface ToolkitDefinition extends ToolkitFacts {
  /** Tools of all versions. */
  readonly tools: readonly ToolDefinition[];
  /** Responds to a proxied request. */
  proxy?(call: ProxiedCall): { readonly status: number; readonly data: unknown };
}

/** An error from the provider. The execution returns 200 with `successful: false`. */
export class ProviderError extends Error {
  /** The provider's HTTP status. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** An object schema for arguments or results. A property is required unless its name has a `?` at its end. */
export function objectSchema(fields: Record<string, JsonObject>): JsonObject {
  const properties = Object.entries(fields).map(([name, schema]) => [name.replace(/\?$/, ""), schema]);
  const required = Object.keys(fields).filter((name) => !name.endsWith("?"));
  return { type: "object", properties: Object.fromEntries(properties), required };
}

/** A list in a toolkit's data, which only the toolkit's own tools change. */
export const listIn = <Item>(data: JsonObject, name: string) => data[name] as Item[];

/** A secret that an app's developer or user must fill in. */
export const secretField = (name: string, displayName: string, description: string) => {
  return { name, displayName, type: "string", description, required: true, is_secret: true };
};

/** A string property. */
export const text = (description: string): JsonObject => ({ type: "string", description });

/** An integer property. */
export const whole = (description: string): JsonObject => ({ type: "integer", description });

/** An array property. */
export const list = (items: JsonObject, description: string): JsonObject => ({ type: "array", items, description });
