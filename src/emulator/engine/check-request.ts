import { fitsShape, mismatchesOf } from "../../contract/check-shape.js";
import { isUnknownField } from "../../errors/mismatch-words.js";
import type { Operation } from "../../resources/operation.js";
import { isObject } from "../../shared/json.js";
import { nameWithin } from "../../shared/nearest-name.js";
import type { ServedCatalog } from "../catalog/catalog.js";
import { decodeCursor } from "./pages.js";
import { withClampedLimit } from "./read-query.js";
import { ApiFailure, invalidRequest, validationError } from "./responses.js";
import { unsafeScheme } from "./unsafe-scheme.js";

type RequestSchema = NonNullable<Operation["body"]>;

/** A part of a request as the service accepts it, and the reasons why it doesn't. */
interface CheckedInput {
  readonly value: unknown;
  readonly errors: readonly string[];
}

/** Checks a query or body. Its value has a limit in range and, on request, no unknown fields. */
export function checkInput(
  part: string,
  schema: Operation["body"],
  given: unknown,
  ignoresUnknownFields: boolean,
): CheckedInput {
  if (!schema) return { value: undefined, errors: [] };
  const { cursor }: { cursor?: unknown } = Object(given);
  if (!cursor && fitsShape(schema, given)) return { value: given, errors: [] };
  const value = withClampedLimit(schema, ignoresUnknownFields ? withoutUnknownFields(schema, given) : given);
  let found = mismatchesOf(schema, value);
  // A cursor contains a limit, which must be in the list's range too.
  if (found.length === 0 && typeof cursor === "string" && cursor !== "") {
    found = mismatchesOf(schema, { ...Object(value), limit: decodeCursor(cursor).limit });
  }
  return { value, errors: found.slice(0, MAX_VALIDATION_ERRORS).map((mismatch) => validationError(part, mismatch)) };
}

/** A copy of a query or body without the fields its schema doesn't have. */
function withoutUnknownFields(schema: RequestSchema, value: unknown): unknown {
  const known = structuredClone(value);
  // Removing one can select another variant of a union, so repeat until none is left.
  for (;;) {
    const unknown = mismatchesOf(schema, known).filter(isUnknownField);
    const removed = unknown.filter(({ path }) => removeAt(known, path));
    if (removed.length === 0) return known;
  }
}

/** Removes the field at a mismatch's path, such as `a.b[0].c`. Keys can contain dots and brackets, so try each key. */
function removeAt(value: unknown, path: string): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (!Array.isArray(value) && Object.hasOwn(value, path)) return Reflect.deleteProperty(value, path);
  return Object.entries(value).some(([key, part]: [string, unknown]) => {
    const prefix = Array.isArray(value) ? `[${key}]` : key;
    const rest = path.slice(prefix.length);
    // Otherwise the key is only the start of another one.
    return path.startsWith(prefix) && /^[.[]/.test(rest) && removeAt(part, rest.replace(/^\./, ""));
  });
}

/** Maximum number of validation errors in one response, because a large body can have millions. */
const MAX_VALIDATION_ERRORS = 100;

/** 400 for validation errors. A custom tool's schema without `properties` has its own code. */
export function validationFailure(errors: readonly string[]): ApiFailure {
  const listed = errors.slice(0, MAX_VALIDATION_ERRORS);
  if (!listed.some((error) => /\.input_schema\.properties: .*missing$/.test(error))) return invalidRequest(listed);
  const message = "A custom tool's input_schema needs properties";
  return new ApiFailure(400, 4300, "ToolRouterV2_BadRequest", message, undefined, listed);
}

/** The slugs of toolkits in a parameter of a query. */
function slugsIn(name: string, value: unknown): readonly string[] {
  switch (name) {
    case "toolkit_slug":
      return String(value ?? "").split(",");
    case "toolkit_slugs":
      return [value ?? []].flat().map(String);
    case "toolkit_versions":
      return isObject(value) ? Object.keys(value) : [];
    default:
      return [];
  }
}

/**
 * An error for each toolkit that a query names in capitals or with one letter wrong, which would silently find nothing.
 * Assumption E110.
 */
export function slugErrors(query: unknown, catalog: ServedCatalog): string[] {
  return Object.entries(query ?? {}).flatMap(([name, value]) => {
    // Programs share versions among lists of different toolkits.
    const most = name === "toolkit_versions" ? 0 : 1;
    return slugsIn(name, value).flatMap((slug) => {
      const { toolkits } = catalog;
      const meant = toolkits.has(slug) ? undefined : nameWithin(most, slug, [...toolkits.keys()]);
      return meant ? `query.${name}: expected the slug of a toolkit (did you mean ${meant}?), received ${slug}` : [];
    });
  });
}

/**
 * An error for each URL with an unsafe scheme, at any depth. A URL is a string in a field named like one. Assumption
 * E99.
 */
export function urlErrors(value: unknown, path: string, isNamedUrl = false): string[] {
  if (typeof value === "string") {
    const scheme = isNamedUrl ? unsafeScheme(value) : undefined;
    return scheme === undefined ? [] : [`${path}: expected the URL of a site or an app, received ${scheme}`];
  }
  if (Array.isArray(value)) {
    return value.flatMap((part, index) => urlErrors(part, `${path}[${index}]`, isNamedUrl));
  }
  return Object.entries(value ?? {}).flatMap(([key, part]) => urlErrors(part, `${path}.${key}`, NAMES_URL.test(key)));
}

/** `callback_url`, `redirectUri`, `redirect_uris`, `link_url_overwrite`. */
const NAMES_URL = /ur[il]s?$|(^|_)ur[il]s?_/i;
