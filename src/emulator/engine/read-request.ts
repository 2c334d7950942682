import type * as z from "zod/mini";
import { readJson } from "../../shared/json.js";
import { withBody } from "./recording.js";
import { ApiFailure, invalidRequest } from "./responses.js";

type QuerySchema = z.core.$ZodType;

/**
 * Converts a query to the types of its schema: numbers, booleans, arrays (comma-separated or repeated), and maps
 * (`name[key]`). Values that can't be converted stay strings and are reported by validation, as are repeated values
 * that aren't an array and names used both plain and as a map. Assumption E88.
 */
export function decodeQuery(schema: z.ZodMiniType, parameters: URLSearchParams): Record<string, unknown> {
  if (parameters.size === 0) return {};
  const shape = shapeOf(schema);
  const given = grouped([...parameters].map(partOf), ({ name }) => name);
  return Object.fromEntries(
    [...given].map(([name, parts]) => [name, convert(Object.hasOwn(shape, name) ? shape[name] : undefined, parts)]),
  );
}

/** Lowers a `limit` to the schema's maximum, as the service does. */
export function withClampedLimit(schema: z.ZodMiniType, value: unknown): unknown {
  const { limit }: { limit?: unknown } = Object(value);
  const maximum = maximumOf(shapeOf(schema)["limit"]);
  return typeof limit === "number" && maximum !== undefined && limit > maximum
    ? { ...Object(value), limit: maximum }
    : value;
}

function maximumOf(schema: QuerySchema | undefined): number | undefined {
  if (!schema) return undefined;
  const { innerType, checks = [] }: QueryDefinition = schema._zod.def;
  if (innerType) return maximumOf(innerType);
  const values = checks.flatMap((check) => {
    const { check: kind, value }: { check: string; value?: unknown } = check._zod.def;
    return kind === "less_than" && typeof value === "number" ? [value] : [];
  });
  return values.length > 0 ? values.reduce((left, right) => Math.min(left, right)) : undefined;
}

/** One query parameter; `key` is set for `name[key]`. */
interface RequestPart {
  readonly name: string;
  readonly key?: string;
  readonly text: string;
}

function partOf([written, text]: readonly [string, string]): RequestPart {
  const [, name = written, key] = /^(.[^[]*)\[(.+)\]$/s.exec(written) ?? [];
  return key === undefined ? { name, text } : { name, key, text };
}

function convert(schema: QuerySchema | undefined, parts: readonly RequestPart[]): unknown {
  const plain = parts.filter(({ key }) => key === undefined).map(({ text }) => text);
  const keyed = grouped(parts, ({ key }) => key);
  if (keyed.size === 0) return decode(schema, plain);
  const entries = [...keyed].map(
    ([key, same]) => [key, same.length === 1 ? same[0]?.text : same.map(({ text }) => text)] as const,
  );
  const map = Object.fromEntries(entries);
  return plain.length === 0 ? map : [...plain, map];
}

/** Groups parameters by name, dropping those without one. */
function grouped(
  parts: readonly RequestPart[],
  nameOf: (part: RequestPart) => string | undefined,
): Map<string, RequestPart[]> {
  const groups = new Map<string, RequestPart[]>();
  for (const part of parts) {
    const name = nameOf(part);
    if (name === undefined) continue;
    const group = groups.get(name);
    if (group) group.push(part);
    else groups.set(name, [part]);
  }
  return groups;
}

function shapeOf(schema: z.ZodMiniType): Readonly<Record<string, QuerySchema>> {
  const definition: z.core.$ZodTypeDef & { shape?: Readonly<Record<string, QuerySchema>> } = schema._zod.def;
  return definition.shape ?? {};
}

interface QueryDefinition extends z.core.$ZodTypeDef {
  readonly innerType?: QuerySchema;
  readonly options?: readonly QuerySchema[];
}

/** A number as in the service's queries and prompts: without an exponent. */
export const NUMBER = /^-?\d+(\.\d+)?$/;

function decode(schema: QuerySchema | undefined, values: readonly string[]): unknown {
  const [text = ""] = values;
  if (values.length > 1) return [...values];
  const definition: QueryDefinition | undefined = schema?._zod.def;
  switch (definition?.type) {
    case "optional":
      return decode(definition.innerType, values);
    case "nullable":
      return text === "" ? null : decode(definition.innerType, values);
    case "number":
      return NUMBER.test(text) ? Number(text) : text;
    case "boolean":
      return text === "true" || text === "false" ? text === "true" : text;
    case "array":
      return text.split(",");
    case "union":
      return decodeUnion(definition.options ?? [], values);
    default:
      return text;
  }
}

/** The most specific conversion: `true` is a boolean rather than a string. */
function decodeUnion(options: readonly QuerySchema[], values: readonly string[]): unknown {
  const conversions = options.map((option) => decode(option, values));
  return (
    conversions.find((conversion) => typeof conversion !== "string" && !Array.isArray(conversion)) ??
    conversions.find((conversion) => typeof conversion === "string") ??
    conversions[0]
  );
}

/** Maximum nesting depth of a body. Assumption E84. */
const MAX_DEPTH = 200;

/** Maximum nesting depth of a snapshot, which contains whole bodies. */
export const SNAPSHOT_DEPTH = 1_000;

/** Maximum size of request bodies in bytes. Assumption E85. */
export const MAX_BYTES = { body: 6_000_000, file: 50_000_000, snapshot: 250_000_000 } as const;

/** Limits of a body; by default, those of an operation. */
export interface BodyLimits {
  readonly maxDepth?: number;
  readonly maxBytes?: number;
  /** Whether the body contains JSON Schemas, whose bounds stay numbers. */
  readonly hasSchemas?: boolean;
}

/**
 * Reads a JSON body, ignoring Content-Type; `undefined` for an empty body. Assumption E84.
 *
 * @throws {ApiFailure} 400 for a body that isn't JSON, is nested too deep, or ends early; 413 if it's too large.
 */
export async function readBody(
  request: Request,
  { maxDepth, maxBytes, hasSchemas }: BodyLimits = {},
): Promise<unknown> {
  const text = await readText(request, maxBytes);
  return text === "" ? undefined : parseJson(text, maxDepth, hasSchemas);
}

/** Reads a body as a string. Throws what `readBytes` throws. */
export async function readText(request: Request, maxBytes?: number): Promise<string> {
  const text = new TextDecoder().decode(await readBytes(request, maxBytes));
  withBody(request, text);
  return text;
}

/**
 * Parses JSON from a request.
 *
 * @throws {ApiFailure} 400 if it's invalid or nested too deep.
 */
export function parseJson(text: string, maxDepth = MAX_DEPTH, hasSchemas = false): unknown {
  let value: unknown;
  try {
    value = readJson(text, hasSchemas);
  } catch {
    throw invalidRequest(["body: expected JSON"]);
  }
  if (isTooDeep(value, maxDepth)) throw invalidRequest([`body: expected at most ${maxDepth} levels`]);
  return value;
}

/**
 * Reads a body's bytes, stopping at the limit.
 *
 * @throws {ApiFailure} 400 if the body ends early; 413 if it's too large.
 */
export async function readBytes(request: Request, maxBytes: number = MAX_BYTES.body): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length")) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = request.body?.getReader();
  for (;;) {
    const chunk = await reader?.read().catch(() => {
      // An aborted request gets no response.
      request.signal.throwIfAborted();
      throw invalidRequest(["body: ended before it was whole"]);
    });
    if (!chunk?.value) {
      const bytes = new Uint8Array(length);
      let offset = 0;
      for (const part of chunks) {
        bytes.set(part, offset);
        offset += part.length;
      }
      withBody(request, bytes);
      return bytes;
    }
    chunks.push(chunk.value);
    length += chunk.value.length;
    if (length > maxBytes) {
      // If canceling fails, the response is the same.
      void reader?.cancel().catch(() => undefined);
      throw tooLarge(maxBytes);
    }
  }
}

/** Works level by level, because deep nesting would overflow the stack of a recursion. */
function isTooDeep(value: unknown, maxDepth: number): boolean {
  let level: readonly unknown[] = [[value]];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return true;
    const below: unknown[] = [];
    for (const container of level) {
      for (const part of Object.values(Object(container))) {
        if (typeof part === "object" && part !== null) below.push(part);
      }
    }
    level = below;
  }
  return false;
}

function tooLarge(maxBytes: number): ApiFailure {
  const message = `The body is larger than ${maxBytes} bytes`;
  return new ApiFailure(413, 10413, "HTTP_PayloadTooLarge", message, "Send less");
}
