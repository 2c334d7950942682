import { invalidRequest, Refusal } from "./refusal.js";

/** How deep a body may be nested. See assumption E84. */
const MAX_DEPTH = 200;
/** The same for a snapshot, which holds bodies below levels of its own. */
export const SNAPSHOT_DEPTH = 1_000;
/** How many bytes the body of a {@link BOUNDED} operation may have. */
const MAX_BYTES = 6_000_000;

/** The operations whose bodies are bounded: those that are known to answer 413. See assumption E85. */
const BOUNDED: readonly string[] = [
  "tools.execute",
  ...["search", "execute", "executeMeta", "proxyExecute"].map((name) => `toolRouter.${name}`),
];

/**
 * The JSON a request brought, whatever its Content-Type says; `undefined` for an empty body. See assumption E84.
 *
 * @param operation the name of the operation it is for, where it is for one.
 * @param maxDepth how deep it may be nested.
 * @throws {Refusal} 400 for what is no JSON, is nested too deep or breaks off; 413 for what is too large.
 */
export async function readBody(request: Request, operation?: string, maxDepth = MAX_DEPTH): Promise<unknown> {
  const bytes = await readBytes(request);
  if (operation !== undefined && BOUNDED.includes(operation) && bytes.byteLength > MAX_BYTES) throw tooLarge();
  return bytes.byteLength === 0 ? undefined : parseJson(new TextDecoder().decode(bytes), maxDepth);
}

/**
 * The text a request brought.
 *
 * @throws {Refusal} 400 for one that breaks off.
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

async function readBytes(request: Request): Promise<ArrayBuffer> {
  try {
    return await request.arrayBuffer();
  } catch {
    // A caller that went away gets no answer.
    request.signal.throwIfAborted();
    throw invalidRequest(["body: ended before it was whole"]);
  }
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

function tooLarge(): Refusal {
  const message = `The body is larger than ${MAX_BYTES} bytes`;
  return new Refusal({ status: 413, code: 10413, slug: "HTTP_PayloadTooLarge", message, suggestedFix: "Send less" });
}
