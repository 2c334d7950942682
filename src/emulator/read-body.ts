import { invalidRequest, Refusal } from "./refusal.js";

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
  const value = parsed(text);
  if (isTooDeep(value, maxDepth)) throw invalidRequest([`body: expected at most ${maxDepth} levels`]);
  return value;
}

function parsed(text: string): unknown {
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
    if (!chunk?.value) return joined(chunks, length);
    chunks.push(chunk.value);
    length += chunk.value.length;
    if (length > maxBytes) {
      // What the sender does about it changes nothing.
      void reader?.cancel().catch(() => undefined);
      throw tooLarge(maxBytes);
    }
  }
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
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

function tooLarge(maxBytes: number): Refusal {
  const message = `The body is larger than ${maxBytes} bytes`;
  return new Refusal({ status: 413, code: 10413, slug: "HTTP_PayloadTooLarge", message, suggestedFix: "Send less" });
}
