import type * as z from "zod/mini";
import { ApiFailure, invalidRequest } from "./errors.js";

/** How many levels deep a body may be nested. See assumption E84. */
const MAX_DEPTH = 200;

/** The same for a snapshot, which contains bodies below levels of its own. */
export const SNAPSHOT_DEPTH = 1_000;

/** How many bytes a request may bring, by what it brings. See assumption E85. */
export const MAX_BYTES = { body: 6_000_000, file: 50_000_000, snapshot: 250_000_000 } as const;

/** Limits of a body; by default those of an operation. */
export interface BodyLimits {
  readonly maxDepth?: number;
  readonly maxBytes?: number;
}

/**
 * The JSON a request brought, whatever its Content-Type says; `undefined` for an empty body. See assumption E84.
 *
 * @throws {Refusal} 400 for what isn't JSON, is nested too deep, or breaks off; 413 if it's too large.
 */
export async function readBody(request: Request, { maxDepth, maxBytes }: BodyLimits = {}): Promise<unknown> {
  const bytes = await readBytes(request, maxBytes);
  return bytes.byteLength === 0 ? undefined : parseJson(new TextDecoder().decode(bytes), maxDepth);
}

/**
 * The text a request brought.
 *
 * @throws {Refusal} 400 for one that breaks off; 413 if it's too large.
 */
export async function readText(request: Request): Promise<string> {
  return new TextDecoder().decode(await readBytes(request));
}

/**
 * Parses JSON from outside.
 *
 * @throws {Refusal} 400 for what is none, or is nested too deep.
 */
export function parseJson(text: string, maxDepth = MAX_DEPTH): unknown {
  const value = parse(text);
  if (isTooDeep(value, maxDepth)) throw invalidRequest([`body: expected at most ${maxDepth} levels`]);
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidRequest(["body: expected JSON"]);
  }
}

/**
 * The bytes a request brought, read only as far as the limit.
 *
 * @throws {Refusal} 400 for a body that breaks off; 413 if it's too large.
 */
export async function readBytes(request: Request, maxBytes: number = MAX_BYTES.body): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length")) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = request.body?.getReader();
  for (;;) {
    const chunk = await reader?.read().catch(() => {
      // A caller that went away gets no response.
      request.signal.throwIfAborted();
      throw invalidRequest(["body: ended before it was whole"]);
    });
    if (!chunk?.value) return concatenate(chunks, length);
    chunks.push(chunk.value);
    length += chunk.value.length;
    if (length > maxBytes) {
      // What the sender does about it changes nothing.
      void reader?.cancel().catch(() => undefined);
      throw tooLarge(maxBytes);
    }
  }
}

function concatenate(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/** Level by level, not by recursion: what is looked for would end the stack of that. */
function isTooDeep(value: unknown, maxDepth: number): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > maxDepth) return true;
    level = level.flatMap((container) => Object.values(container).filter(isContainer));
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function tooLarge(maxBytes: number): ApiFailure {
  const message = `The body is larger than ${maxBytes} bytes`;
  return new ApiFailure({ status: 413, code: 10413, slug: "HTTP_PayloadTooLarge", message, suggestedFix: "Send less" });
}

type Schema = z.core.$ZodType;

/**
 * Reads a query as the values its schema asks for: texts become numbers, booleans, lists (joined by commas or repeated) and
 * maps (`name[key]`). What cannot be read stays as it came, and the check that follows names it: so does what is repeated and
 * is no list, and what comes both plain and as a map. See assumption E88.
 */
export function decodeQuery(schema: z.ZodMiniType, parameters: URLSearchParams): Record<string, unknown> {
  const shape = shapeOf(schema);
  const given = grouped([...parameters].map(partOf), ({ name }) => name);
  return Object.fromEntries(
    [...given].map(([name, parts]) => [name, readingOf(Object.hasOwn(shape, name) ? shape[name] : undefined, parts)]),
  );
}

/** One parameter as it was written; `key` where it is `name[key]`. */
interface Part {
  readonly name: string;
  readonly key?: string;
  readonly text: string;
}

function partOf([written, text]: readonly [string, string]): Part {
  const open = written.indexOf("[", 1);
  if (open < 0 || open + 2 >= written.length || !written.endsWith("]")) return { name: written, text };
  return { name: written.slice(0, open), key: written.slice(open + 1, -1), text };
}

function readingOf(schema: Schema | undefined, parts: readonly Part[]): unknown {
  const plain = parts.filter(({ key }) => key === undefined).map(({ text }) => text);
  const keyed = grouped(parts, ({ key }) => key);
  if (keyed.size === 0) return decode(schema, plain);
  const entries = [...keyed].map(([key, same]) => {
    const texts = same.map(({ text }) => text);
    return [key, texts.length === 1 ? texts[0] : texts] as const;
  });
  const map = Object.fromEntries(entries);
  return plain.length === 0 ? map : [...plain, map];
}

/** What has the same name, together. What has none is left out. */
function grouped(parts: readonly Part[], nameOf: (part: Part) => string | undefined): Map<string, Part[]> {
  const groups = new Map<string, Part[]>();
  for (const part of parts) {
    const name = nameOf(part);
    if (name === undefined) continue;
    const group = groups.get(name);
    if (group) group.push(part);
    else groups.set(name, [part]);
  }
  return groups;
}

function shapeOf(schema: z.ZodMiniType): Readonly<Record<string, Schema>> {
  const definition: z.core.$ZodTypeDef & { shape?: Readonly<Record<string, Schema>> } = schema._zod.def;
  return definition.shape ?? {};
}

interface Definition extends z.core.$ZodTypeDef {
  readonly innerType?: Schema;
  readonly options?: readonly Schema[];
}

function decode(schema: Schema | undefined, texts: readonly string[]): unknown {
  const [text = ""] = texts;
  if (texts.length > 1) return [...texts];
  const definition: Definition | undefined = schema?._zod.def;
  switch (definition?.type) {
    case "optional":
      return decode(definition.innerType, texts);
    case "nullable":
      return text === "" ? null : decode(definition.innerType, texts);
    case "number":
      return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
    case "boolean":
      return text === "true" || text === "false" ? text === "true" : text;
    case "array":
      return text.split(",");
    case "union":
      return decodeUnion(definition.options ?? [], texts);
    default:
      return text;
  }
}

/** The reading that says most: `true` is a boolean before it is a text. */
function decodeUnion(options: readonly Schema[], texts: readonly string[]): unknown {
  const readings = options.map((option) => decode(option, texts));
  return (
    readings.find((reading) => typeof reading !== "string" && !Array.isArray(reading)) ??
    readings.find((reading) => typeof reading === "string") ??
    readings[0]
  );
}
