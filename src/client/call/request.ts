import { MissingCredentialError, ToolVersionRequiredError, ValidationError } from "../../errors/local.js";
import { kindName } from "../../errors/mismatch-words.js";
import { CREDENTIALS, type CredentialKind } from "../../shared/credentials.js";
import { REQUEST_ID } from "../../shared/headers.js";
import { child, isObject, isRecord, isString, kindOf, writeJson } from "../../shared/json.js";
import type { AnyEndpoint, AnyInput } from "../endpoint.js";
import type { SentExecution } from "../lost-calls.js";
import { OPTIONS_OF_CALLS } from "../options/checks.js";
import { lowerCased, type Settings } from "../options/settings.js";
import type { RequestOptions } from "../request-options.js";
import { statedVersion, type Versions, withToolVersion } from "../tool-versions.js";
import type { Outgoing } from "./attempt.js";

/**
 * The input of a call as it is sent, including its tool version.
 *
 * @throws {ValidationError} if the input, its filters or its version are invalid.
 */
export function readInput(endpoint: AnyEndpoint, input: AnyInput, versions: Versions): AnyInput {
  // Untyped code or a middleware may have set anything: a string as query would be sent letter by letter.
  if (typeof input !== "object" || input === null) {
    throw new ValidationError(endpoint.name, "the input must be an object. Pass {} for none.");
  }
  if (input.query && !isRecord(input.query)) {
    throw new ValidationError(endpoint.name, "the filters must be an object, such as { limit: 5 }.");
  }
  return withToolVersion(endpoint, input, versions);
}

/** The arguments before the body or query that a method has from its object. */
const BOUND: readonly string[] = ["session_id", "mount_id"];

/**
 * The problem with the arguments of a method that wasn't type-checked, or `undefined`: in the wrong order, or with
 * options among the fields.
 */
export function argumentProblem({ params = {}, query, body }: AnyInput): string | undefined {
  if (body !== undefined && !isRecord(body)) {
    const ids = Object.keys(params).filter((name) => !BOUND.includes(name));
    const found = isObject(body) ? "a promise or a Map" : kindName(kindOf(body));
    return `the body must be an object, not ${found}. The arguments are ${[...ids, "body", "options"].join(", ")}.`;
  }
  const fields = body ?? query;
  if (fields === undefined) return undefined;
  const option = OPTIONS_OF_CALLS.find((name) => child(fields, name) !== undefined);
  return option && `${option} is an option of the call. Pass { ${option} } as the next argument.`;
}

/**
 * Builds a call's request, once for all its attempts. Invalid arguments throw here, before anything is sent.
 *
 * @param input - The result of {@link readInput}.
 * @throws {MissingCredentialError} if the client has no credential that the endpoint accepts.
 * @throws {ValidationError} if an argument is invalid.
 * @throws {ToolVersionRequiredError} if a direct execution has no version.
 */
export function prepareRequest(
  endpoint: AnyEndpoint,
  input: AnyInput,
  options: RequestOptions,
  settings: Settings,
): Outgoing {
  const url = settings.baseUrl + urlPath(endpoint, input, settings.apiVersion);
  if (endpoint.version === "required_body" && statedVersion(input.body) === undefined) {
    throw new ToolVersionRequiredError(endpoint.name, String(input.params?.["tool_slug"]));
  }
  const body = input.body === undefined ? undefined : encodeBody(endpoint.name, input.body);
  const headers = { ...settings.headers, ...(options.headers && lowerCased(options.headers)) };
  if (body !== undefined) headers["content-type"] = "application/json";
  // See assumption A19.
  if (endpoint.isLogged) headers[REQUEST_ID] ??= crypto.randomUUID();
  const kind = credentialKind(endpoint, settings);
  if (kind) headers[CREDENTIALS[kind].header] = CREDENTIALS[kind].prefix + settings.credentials.get(kind);
  return { method: endpoint.method, url, headers, body };
}

/**
 * The facts by which the log finds an execution, and by which an earlier change is recognized; `undefined` for other
 * calls. Not the input, which a middleware or the program may change while the call runs.
 */
export function sentExecution(
  { endpoint, settings }: { readonly endpoint: AnyEndpoint; readonly settings: Settings },
  { params }: AnyInput,
  { headers, body }: Outgoing,
): SentExecution | undefined {
  if (!endpoint.isLogged && !endpoint.alreadyApplied) return undefined;
  const id = headers[REQUEST_ID];
  const requestId = id === settings.headers[REQUEST_ID] ? undefined : id;
  const sentAt = settings.clock.now();
  return { params: { ...params }, body: isString(body) ? body : undefined, requestId, sentAt };
}

function encodeBody(operation: string, body: unknown): string {
  try {
    const text = writeJson(body);
    if (text !== undefined) return text;
    throw new TypeError("JSON.stringify() returns undefined");
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : "unknown reason";
    throw new ValidationError(operation, `the body can't be converted to JSON: ${reason}`);
  }
}

/** Exactly one credential: the first kind the endpoint accepts that the client has. Two would cause a 401. */
function credentialKind({ name, auth }: AnyEndpoint, { credentials }: Settings): CredentialKind | undefined {
  for (const kind of auth) if (credentials.has(kind)) return kind;
  if (auth.length === 0) return undefined;
  const accepted = auth.map((kind) => {
    const { header, variable } = CREDENTIALS[kind];
    return `new Svc({ ${kind} })${variable ? ` or ${variable}` : ""} (sent as ${header})`;
  });
  throw new MissingCredentialError(`${name} needs a credential. Set ${accepted.join(", or ")}.`);
}

/**
 * The path and query of a call, under the base URL. Each path parameter becomes exactly one segment, whatever it
 * contains.
 *
 * @throws {ValidationError} if a value can't be one segment or one query value. Nothing was sent.
 */
function urlPath({ name: operation, path }: AnyEndpoint, { params, query }: AnyInput, apiVersion: string): string {
  if (!path.startsWith("/")) {
    throw new ValidationError(operation, "the endpoint's path must start with /, or it could reach another host.");
  }
  if (path.includes("?") || path.includes("#")) {
    throw new ValidationError(operation, "the endpoint's path must not contain ? or #. Pass the call a query.");
  }
  // By hand: every call runs this, and a pattern with a callback costs four times as much.
  let filled = "";
  let end = 0;
  for (let open = path.indexOf("{"); open !== -1; open = path.indexOf("{", end)) {
    const close = path.indexOf("}", open);
    if (close === -1) break;
    const name = path.slice(open + 1, close);
    filled += path.slice(end, open) + segment(operation, name, name === "apiVersion" ? apiVersion : params?.[name]);
    end = close + 1;
  }
  filled += path.slice(end);
  const pairs = query && queryString(operation, query);
  return pairs ? `${filled}?${pairs}` : filled;
}

function segment(operation: string, name: string, value: unknown): string {
  // The service's own name for an id, which no method has.
  const place = `path parameter ${name === "nanoid" ? "id" : name}`;
  if (typeof value !== "string") {
    throw invalid(operation, place, `must be a string, not ${kindOf(value)}`);
  }
  if (value === "") throw invalid(operation, place, "is empty: the request would reach another URL");
  // URL parsers resolve these even if they are percent-encoded.
  if (value === "." || value === "..") throw invalid(operation, place, 'must not be "." or ".."');
  return encode(operation, place, value);
}

function invalid(operation: string, place: string, problem: string): ValidationError {
  return new ValidationError(operation, `the ${place} ${problem}.`);
}

function encode(operation: string, place: string, value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    throw invalid(operation, place, "contains half of a surrogate pair, which isn't a character");
  }
}

// See assumption A1.
/**
 * Query rules of the service: arrays joined by commas, objects as `name[key]`, null as an empty string, undefined
 * omitted.
 */
function queryString(operation: string, query: object): string {
  const pairs: string[] = [];
  const add = (name: string, value: unknown) => {
    const place = `query parameter ${name}`;
    pairs.push(`${encode(operation, place, name)}=${encode(operation, place, queryText(operation, place, value))}`);
  };
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) {
      const place = `query parameter ${name}`;
      if (value.length === 0) {
        throw invalid(operation, place, "is an empty array, which wouldn't filter at all: omit it");
      }
      const items = value.map((item) => queryText(operation, place, item));
      if (items.includes("")) throw invalid(operation, place, "contains an empty string, which might not filter");
      // Nothing says that the service doesn't split a repeated parameter too.
      if (items.some((item) => item.includes(","))) {
        throw invalid(
          operation,
          place,
          "contains an item with a comma, which the service would read as several items. Omit the filter, and filter what the list returns",
        );
      }
      add(name, items.join(","));
    } else if (isPlainObject(value)) {
      for (const [key, item] of Object.entries(value)) if (item !== undefined) add(`${name}[${key}]`, item);
    } else if (value !== undefined) {
      add(name, value);
    }
  }
  return pairs.join("&");
}

/** A `Date` or a `Map` has no own fields: as an object of parameters, it would vanish. */
function isPlainObject(value: unknown): value is object {
  return Object.prototype.toString.call(value) === "[object Object]";
}

function queryText(operation: string, place: string, value: unknown): string {
  if (value === null) return "";
  if (typeof value === "string" || typeof value === "boolean" || Number.isFinite(value)) return String(value);
  throw invalid(
    operation,
    place,
    `must be a string, a finite number or a boolean, not ${typeof value === "number" ? value : typeof value}`,
  );
}
