import { readJson } from "../../shared/json.js";
import { withBody } from "./recording.js";
import { ApiFailure, invalidRequest } from "./responses.js";

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
  return text === "" ? undefined : parseBody(text, maxDepth, hasSchemas);
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
export function parseBody(text: string, maxDepth = MAX_DEPTH, hasSchemas = false): unknown {
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
 * Reads a body's bytes, stopping at the limit. The receiver and the client have their own loops: the receiver has a
 * time limit and takes streams of strings, and the client keeps what arrived before a body broke off.
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
