import type * as z from "zod/mini";
import type { Mismatch } from "../errors/local.js";

type Issue = z.core.$ZodIssue;

/** Every place where a value does not fit a schema. Holds paths and kinds, never values. */
export function mismatchesOf(schema: z.ZodMiniType, value: unknown): Mismatch[] {
  const result = schema.safeParse(value);
  return result.success ? [] : result.error.issues.flatMap((issue) => toMismatches(issue, value, []));
}

function toMismatches(issue: Issue, value: unknown, above: readonly PropertyKey[]): Mismatch[] {
  const path = [...above, ...issue.path];
  const at = (place: readonly PropertyKey[], expected: string): Mismatch => ({
    path: formatPath(place),
    expected,
    seen: kindAt(value, place),
  });
  switch (issue.code) {
    case "invalid_type":
      return [at(path, article(issue.expected))];
    case "invalid_value":
      return [at(path, issue.values.map((known) => JSON.stringify(known)).join(" or "))];
    case "unrecognized_keys":
      return issue.keys.map((key) => at([...path, key], "no such field"));
    case "too_small":
      return [at(path, `at least ${issue.minimum}${unit(issue.origin)}`)];
    case "too_big":
      return [at(path, `at most ${issue.maximum}${unit(issue.origin)}`)];
    case "invalid_format":
      return [at(path, `a valid ${issue.format}`)];
    case "invalid_union":
      return unionMismatches(issue, value, path);
    default:
      return [at(path, "another value")];
  }
}

/** The complaints of the variant that came closest, or one line about all of them where none came close. */
function unionMismatches(issue: Issue & { code: "invalid_union" }, value: unknown, path: PropertyKey[]): Mismatch[] {
  const depth = (variant: readonly Issue[]) => Math.max(0, ...variant.map((inner) => inner.path.length));
  const closest = [...issue.errors].sort((a, b) => depth(b) - depth(a))[0];
  if (closest && depth(closest) > 0) return closest.flatMap((inner) => toMismatches(inner, value, path));
  const kinds = issue.errors.flatMap((variant) =>
    variant.map((inner) => ("expected" in inner ? inner.expected : undefined)),
  );
  const known = [...new Set(kinds.filter((kind) => kind !== undefined))].join(" or ");
  const options =
    "options" in issue && Array.isArray(issue.options)
      ? issue.options.map((option) => JSON.stringify(option)).join(" or ")
      : "";
  return [
    {
      path: formatPath(path),
      expected: known || options || "one of the documented variants",
      seen: kindAt(value, path),
    },
  ];
}

function unit(origin: string): string {
  if (origin === "string") return " characters";
  return origin === "array" || origin === "set" ? " items" : "";
}

function article(kind: string): string {
  return /^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`;
}

function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    return text === "" ? String(key) : `${text}.${String(key)}`;
  }, "");
}

function kindAt(value: unknown, path: readonly PropertyKey[]): string {
  let current = value;
  for (const key of path) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, key)) return "missing";
    current = Reflect.get(current, key);
  }
  if (current === undefined) return "missing";
  if (current === null) return "null";
  return Array.isArray(current) ? "array" : typeof current;
}
