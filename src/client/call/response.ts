import { ResponseError } from "../../errors/connection.js";
import { field, isObject, kindOf, parseJson, readJson } from "../../shared/json.js";
import type { Received } from "../received.js";
import type { RunningCall } from "../running-call.js";

/**
 * The data of a 2xx response.
 *
 * @throws {ResponseError} if it isn't the data: a redirect, HTML, nothing, broken JSON, another kind of JSON value.
 */
export function readData(received: Received, call: RunningCall): unknown {
  const { status, text } = received;
  const { responseType: expected = "object", noContent, requiredFields, hasSchemas } = call.endpoint;
  const reject = (problem: string): never => {
    // Redact before cutting, or half a secret could remain at the end. Cut before that too, because bodies may be
    // large.
    const snippet = text === "" ? undefined : call.redact(text.slice(0, 20_000)).slice(0, 200);
    throw new ResponseError(call.redact(problem), { ...call.facts(), status, snippet });
  };
  const rejectData = (problem: string) => reject(`the service responded with ${status}, but ${problem}.`);
  if (!received.isServed) return reject(describeRedirect(received));
  if (status === 204 && noContent !== undefined) return noContent;
  if (text.trim() === "") return rejectData("without a body");
  let data: unknown;
  try {
    data = readJson(text, hasSchemas);
  } catch {
    return rejectData(`the body isn't JSON: ${looksLike(text, received.headers)}`);
  }
  if (expected === "array" && typeof data === "string") data = parseJson(data) ?? data;
  if (typeof data !== "object" || data === null || Array.isArray(data) !== (expected === "array")) {
    return rejectData(`the body is a JSON ${kindOf(data)}, not an ${expected}`);
  }
  // How the service fails, whatever the status. A tool's own `error` is a string.
  if (Object.keys(data).length === 1 && isObject(field(data, "error"))) {
    return rejectData("the body is an error object");
  }
  const missing = requiredFields?.find((name) => (field(data, name) ?? null) === null);
  return missing === undefined ? data : rejectData(`the body has no ${missing}`);
}

function looksLike(text: string, headers: Headers): string {
  if (/^\s*</.test(text)) return "it looks like an HTML page, so something between you and the service responded";
  if (/^\s*[[{]/.test(text)) return "it starts like JSON, but is cut off or malformed";
  return `its content type is ${headers.get("content-type")?.slice(0, 100) ?? "missing"}`;
}

/** A redirect is never followed: the key would be sent along. */
function describeRedirect({ status, headers }: Received): string {
  const location = headers.get("location");
  const target = location !== null && URL.canParse(location) ? new URL(location) : undefined;
  // A URL like `javascript:` has no origin.
  const where = target ? ` to ${target.origin === "null" ? target.protocol : target.origin}` : "";
  if (status === 304)
    return "the service responded with 304, but the request wasn't conditional. Is a cache in between?";
  const what = status === 0 ? "The service redirects" : `the service responded with ${status}, a redirect${where}`;
  return `${what}. Redirects aren't followed, because the key would be sent along. Check baseUrl.`;
}
