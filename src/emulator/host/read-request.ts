import { ApiFailure, invalidRequest } from "./errors.js";
import { withBody } from "./recorded-body.js";

/** Maximum nesting depth of a body. See assumption E84. */
const MAX_DEPTH = 200;

/** Maximum nesting depth of a snapshot, which contains whole bodies. */
export const SNAPSHOT_DEPTH = 1_000;

/** Maximum size of request bodies in bytes. See assumption E85. */
export const MAX_BYTES = { body: 6_000_000, file: 50_000_000, snapshot: 250_000_000 } as const;

/** Limits of a body; by default, those of an operation. */
export interface BodyLimits {
  readonly maxDepth?: number;
  readonly maxBytes?: number;
}

/**
 * Reads a JSON body, ignoring Content-Type; `undefined` for an empty body. See assumption E84.
 *
 * @throws {ApiFailure} 400 for a body that isn't JSON, is nested too deep, or ends early; 413 if it's too large.
 */
export async function readBody(request: Request, { maxDepth, maxBytes }: BodyLimits = {}): Promise<unknown> {
  const text = await readText(request, maxBytes);
  return text === "" ? undefined : parseJson(text, maxDepth);
}

/**
 * Reads a body as a string.
 *
 * @throws {ApiFailure} 400 if the body ends early; 413 if it's too large.
 */
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
      const bytes = concatenate(chunks, length);
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

function concatenate(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/** Works level by level, because deep nesting would overflow the stack of a recursion. */
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
