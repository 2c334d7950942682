import { field, isObject, isString, type Json, textOf } from "../../shared/json.js";
import type { ModelOutput, ModelProvider, ModelTurn, OfferedTool } from "./types.js";

/** A call with the id and the text that are sent. */
export interface MadeCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
  readonly program: string | undefined;
}

/** A turn that is sent. */
export interface MadeTurn {
  readonly text: string | undefined;
  readonly calls: readonly MadeCall[];
  readonly isIncomplete: boolean;
}

/** The reason why a request is rejected. */
export interface Rejection {
  readonly message: string;
  /** @default 400 */
  readonly status?: number;
  /** OpenAI's: the field. */
  readonly param?: string;
  /** OpenAI's: the kind. */
  readonly code?: string;
}

/** The parts of a request that a model sees. */
export interface ReadRequest {
  readonly prompt: string;
  readonly tools: readonly OfferedTool[];
  readonly outputs: readonly ModelOutput[];
}

/** The ids of calls that the script itself gives more than once, which some services do. */
export type RepeatedIds = ReadonlySet<string>;

/** How one provider reads requests and writes responses. */
export interface Wire {
  readonly provider: ModelProvider;
  /** In front of ids of calls. */
  readonly callPrefix: string;
  readonly matches: (path: string) => boolean;
  readonly isStream: (path: string, body: Json) => boolean;
  /** Whether a request has a key, where the provider looks for it. */
  readonly hasKey: (headers: Headers, path: string) => boolean;
  readonly read: (body: Json) => ReadRequest;
  /** Why the provider would reject the request. */
  readonly rejection: (body: Json, repeated: RepeatedIds) => Rejection | undefined;
  /** A body that isn't JSON, or has half of a surrogate pair. */
  readonly notJson: Rejection;
  readonly unauthorized: Rejection;
  readonly failures: Readonly<Record<NonNullable<ModelTurn["failure"]>, Rejection>>;
  readonly errorBody: (rejection: Rejection) => Json;
  readonly whole: (turn: MadeTurn, turnNumber: number, body: Json) => Json;
  /** The events of a stream, from the whole response. */
  readonly events: (whole: Json, turn: MadeTurn) => string[];
  /** Keeps a response to which a later request refers. */
  readonly remember?: (body: Json, response: Json) => void;
}

export const objectsIn = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** A content's text: itself, or that of its parts. */
export const contentText = (content: unknown): string =>
  isString(content)
    ? content
    : objectsIn(content)
        .map((part) => textOf(part, "text"))
        .join("");

export const argumentsText = (args: unknown): string => (isString(args) ? args : JSON.stringify(args ?? {}));

/** Streams come in pieces that break anywhere. */
export const pieces = (text: string): readonly string[] => text.match(/[\s\S]{1,7}/g) ?? [];

/** A server-sent event. */
export function sse(data: object, name?: string): string {
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** The first field that isn't known. */
export function unknownField(value: Json, known: readonly string[]): string | undefined {
  return Object.keys(value).find((name) => !known.includes(name));
}

/** The items at the end of a list that belong to the last turn. */
export function lastOf<Item>(items: readonly Item[], isOfTurn: (item: Item) => boolean): readonly Item[] {
  return items.slice(items.findLastIndex((item) => !isOfTurn(item)) + 1);
}

/** The first id that is there twice, unless the script repeats it. */
export function duplicateOf(ids: readonly string[], repeated: RepeatedIds = new Set()): string | undefined {
  return ids.find((id, index) => id !== "" && ids.indexOf(id) !== index && !repeated.has(id));
}

export const words = (text: string): readonly string[] => text.split(" ");

/** The tool that a definition describes. */
export function offered(definition: Json, schemaField: string): OfferedTool {
  const parameters = field(definition, schemaField);
  return {
    name: textOf(definition, "name"),
    description: textOf(definition, "description"),
    parameters: isObject(parameters) ? parameters : {},
  };
}

/** OpenAI's errors, of both APIs. */
export const openaiErrors = {
  notJson: {
    message:
      "We could not parse the JSON body of your request. (HINT: This likely means you aren't using your HTTP library correctly. The OpenAI API expects a JSON payload, but what was sent was not valid JSON.)",
  },
  unauthorized: { status: 401, message: "Missing bearer authentication in header", code: "invalid_api_key" },
  failures: {
    overloaded: { status: 503, message: "The server is currently overloaded with other requests. Please retry later." },
    rate_limited: { status: 429, message: "Rate limit reached for requests.", code: "rate_limit_exceeded" },
    server_error: { status: 500, message: "The server had an error while processing your request." },
  },
  hasKey: (headers: Headers) => /^Bearer \S/.test(headers.get("authorization") ?? ""),
  errorBody: ({ status = 400, message, param, code }: Rejection) => ({
    error: {
      message,
      type: status === 429 ? "requests" : status >= 500 ? "server_error" : "invalid_request_error",
      param: param ?? null,
      code: code ?? null,
    },
  }),
} as const;

export const openaiUnknown = (path: string): Rejection => ({
  message: `Unknown parameter: '${path}'.`,
  param: path,
  code: "unknown_parameter",
});

export const openaiMissing = (param: string): Rejection => ({
  message: `Missing required parameter: '${param}'.`,
  param,
  code: "missing_required_parameter",
});

/** Why OpenAI rejects the name of a function. */
export function openaiName(name: unknown, param: string): Rejection | undefined {
  if (!isString(name)) return openaiMissing(param);
  if (!/^[\w-]+$/.test(name)) {
    const pattern = "^[a-zA-Z0-9_-]+$";
    return {
      message: `Invalid '${param}': string does not match pattern. Expected a string that matches the pattern '${pattern}'.`,
      param,
      code: "invalid_value",
    };
  }
  if (name.length <= 64) return undefined;
  return {
    message: `Invalid '${param}': string too long. Expected a string with maximum length 64, but got a string with length ${name.length} instead.`,
    param,
    code: "string_above_max_length",
  };
}
