import { API_VERSIONS } from "../../shared/api-versions.js";
import { REDACTED } from "../../shared/control-plane.js";
import { CREDENTIALS } from "../../shared/credentials.js";
import { readJson } from "../../shared/json.js";
import { bytesOf } from "../../shared/text-size.js";
import type { OperationView, RequestRecord, ShownRun } from "./api.js";

/** A variable for each credential header, because the log has no credentials. */
const VARIABLES: Readonly<Record<string, string | undefined>> = Object.fromEntries(
  Object.values(CREDENTIALS).map(({ header, variable }) => [header, variable]),
);

/** Headers that curl sends itself, or that belong to one connection. */
const OWN_HEADERS =
  /^(host|connection|content-length|accept-encoding|accept-language|user-agent|accept|sec-.*|origin|cookie)$/;

/** A request as a `curl` command for a POSIX shell. */
export function curlOf({ method, path, headers, body }: RequestRecord, origin: string): string {
  const sent = Object.entries(headers).filter(([name]) => !OWN_HEADERS.test(name));
  const lines = [
    `curl -g ${method === "GET" ? "" : `-X ${method} `}${shell(origin + path)}`,
    ...sent.map(
      ([name, value]) => `-H ${VARIABLES[name] ? `"${name}: $${VARIABLES[name]}"` : shell(`${name}: ${value}`)}`,
    ),
    ...(body === "" ? [] : [`--data-raw ${shell(body)}`]),
  ];
  return lines.join(" \\\n  ");
}

function shell(text: string): string {
  // A terminal would act on control characters that are pasted.
  if (text.search(CONTROL) >= 0) return `$'${text.replace(/['\\]/g, "\\$&").replace(CONTROL, escaped)}'`;
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Control characters, except for line breaks. */
const CONTROL = /[^\P{Cc}\n]/gu;

/** A character in a `$'…'` string. */
function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Whether a request can be sent again: the log masks secrets, cuts long bodies, and forgets old ones. */
export function canReplay({ operation, path, body, bytes }: RequestRecord): boolean {
  // A secret of which the start is shown makes the body shorter.
  return operation !== undefined && bytesOf(body) === bytes && !(path + body).includes(REDACTED);
}

/** A request as a call of the client; `undefined` if no method of the client sends it. */
export function codeOf(record: RequestRecord, operations: readonly OperationView[]): string | undefined {
  const operation = operations.find(({ name }) => name === record.operation);
  return operation && callOf(operation, record);
}

/**
 * Calls as a file for `svc-sdk policy check`, which expects the policy's decisions to stay. Omits calls without a
 * decision, and those whose arguments were too long to keep.
 */
export function policyTestOf(calls: readonly ShownRun[]): string {
  const tests = calls.flatMap(({ tool, arguments: written, userId, accountId, steps }) => {
    const decided = steps.find((step) => step.type === "decided" && step.tool === tool?.name);
    try {
      return decided ? [{ tool, arguments: readJson(written), userId, accountId, expect: decided.outcome }] : [];
    } catch {
      return [];
    }
  });
  return JSON.stringify(tests, null, 2);
}

function callOf({ name, path, method }: OperationView, record: RequestRecord): string | undefined {
  const { pathname, searchParams } = new URL(record.path, "http://emulator.localhost");
  const params = paramsOf(path, pathname);
  const [resource = "", verb = ""] = name.split(".");
  // Methods of sessions and servers are those of an object, which a line can't show in general.
  if (!params || SPECIAL.test(name)) return undefined;
  if (verb === "setStatus") return switchOf(resource, params, record.body);
  const input = method === "GET" || record.body === "" ? queryOf(searchParams) : objectOf(record.body);
  if (input === undefined) return undefined;
  const given = [...params.map((param) => JSON.stringify(param)), ...(input === "" ? [] : [input])];
  return `await svc.${resource}.${verb}(${given.join(", ")});`;
}

/** Operations whose method isn't `svc.<resource>.<verb>(…path parameters, input)`. */
const SPECIAL = /^toolRouter\.(?!create$)/;

/** The client has two methods, `enable` and `disable`, for a status that is sent in the path or in the body. */
function switchOf(resource: string, [id, inPath]: readonly string[], body: string): string | undefined {
  const isOn = /^(ENABLED|\{"enabled":true\}|\{"status":"enable"\})$/;
  const isOff = /^(DISABLED|\{"enabled":false\}|\{"status":"disable"\})$/;
  const status = inPath ?? body.replace(/\s/g, "");
  const verb = isOn.test(status) ? "enable" : isOff.test(status) ? "disable" : undefined;
  return verb && `await svc.${resource}.${verb}(${JSON.stringify(id)});`;
}

/** Values of a path's parameters; `undefined` if it doesn't match. */
export function paramsOf(template: string, path: string): string[] | undefined {
  const pattern = template
    .replaceAll("{apiVersion}", "[^/]+")
    .replace("/api/v3/", `/api/(?:${API_VERSIONS.join("|")})/`)
    .replace(/\{\w+\}/g, "([^/]+)");
  try {
    return new RegExp(`^${pattern}$`).exec(path)?.slice(1).map(decodeURIComponent);
  } catch {
    // A path may contain percent signs that encode nothing.
    return undefined;
  }
}

/** A query as an object of code; an empty string for an empty one. */
function queryOf(query: URLSearchParams): string {
  const names = [...new Set(query.keys())];
  if (names.length === 0) return "";
  return literal(Object.fromEntries(names.map((name) => [name, parameterOf(query.getAll(name))])));
}

function parameterOf(values: readonly string[]): unknown {
  if (values.length > 1) return values;
  const [value = ""] = values;
  return /^(true|false|\d{1,15})$/.test(value) ? JSON.parse(value) : value;
}

/** A JSON object as code; `undefined` if it isn't one. */
function objectOf(body: string): string | undefined {
  try {
    return literal(readJson(body));
  } catch {
    return undefined;
  }
}

function literal(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, "$1$2:");
}
