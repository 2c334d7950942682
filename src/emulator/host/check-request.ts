import { mismatchesOf } from "../../contract/check.js";
import type { Operation } from "../../contract/operation.js";
import type { Mismatch } from "../../errors/local.js";
import { limitOfCursor } from "./page.js";

/** A cursor carries its list's limit, which has the bounds of one that is asked for. */
export function validationErrors(part: string, schema: Operation["body"], value: unknown): string[] {
  if (!schema) return [];
  const { cursor }: { cursor?: unknown } = Object(value);
  const found = gatherMismatches(schema, value);
  if (found === undefined) return [`${part}: has too many errors to list`];
  if (found.length === 0 && typeof cursor === "string" && cursor !== "") {
    found.push(...mismatchesOf(schema, { ...Object(value), ...limitOfCursor(cursor) }));
  }
  return found.map((mismatch) => validationError(part, mismatch));
}

/** Validation errors in one response; a large body can have millions. */
export const MAX_VALIDATION_ERRORS = 100;

/** The mismatches of a value; `undefined` if the validator can't gather that many. */
function gatherMismatches(schema: NonNullable<Operation["body"]>, value: unknown): Mismatch[] | undefined {
  try {
    return mismatchesOf(schema, value);
  } catch (error) {
    // It passes errors on as arguments of a call, which overflow the stack.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A mismatch as the service's `errors` entries put it. */
export function validationError(part: string, { path, expected, seen }: Mismatch): string {
  return `${path === "" ? part : `${part}.${path}`}: expected ${expected}, received ${seen}`;
}

/** Schemes that run or show their own content in a browser, or read its disk, instead of leading to a site or an app. */
const UNSAFE_SCHEMES: readonly string[] = [
  ...["javascript:", "vbscript:", "data:", "file:"],
  ...["blob:", "filesystem:", "about:", "view-source:"],
];

/** Bodies of these are for external applications, which know their own URLs. */
const OPERATIONS_FOR_PROVIDERS =
  /^(tools|triggers|webhookEndpoints)\.|^toolRouter\.(execute|executeMeta|proxyExecute)$/;

/** Whether an operation's own fields can hold URLs. */
export function takesUrls(operation: string): boolean {
  return !OPERATIONS_FOR_PROVIDERS.test(operation);
}

/** The refused scheme of a URL, such as `javascript:`; `undefined` if it has another, or none. */
export function unsafeScheme(url: string): string | undefined {
  // The parser sees through case, spaces, and line breaks, as browsers do.
  const scheme = URL.canParse(url) ? new URL(url).protocol : "";
  return UNSAFE_SCHEMES.includes(scheme) ? scheme : undefined;
}

/**
 * The end of a validation error for each URL with a refused scheme, at any depth; the value's own place goes before it. A URL
 * is a string in a field whose name says so. See assumption E99.
 */
export function urlErrors(value: unknown, isNamedUrl = false): string[] {
  if (typeof value === "string") {
    const scheme = isNamedUrl ? unsafeScheme(value) : undefined;
    return scheme === undefined ? [] : [`: expected the URL of a site or an app, received ${scheme}`];
  }
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) {
    return value.flatMap((part, index) => urlErrors(part, isNamedUrl).map((found) => `[${index}]${found}`));
  }
  return Object.entries(value).flatMap(([key, part]) =>
    urlErrors(part, NAMES_URL.test(key)).map((found) => `.${key}${found}`),
  );
}

/** `callback_url`, `redirectUri`, `redirect_uris`, `link_url_overwrite`. */
const NAMES_URL = /ur[il]s?$|(^|_)ur[il]s?_/i;
