import fc from "fast-check";
import type * as z from "zod/mini";
import { codePoints } from "../support/code-points.js";

type Schema = z.core.$ZodType;

/** The definition of a schema of zod, with the members that its type has. */
export interface Definition extends z.core.$ZodTypeDef {
  readonly innerType?: Schema;
  readonly options?: readonly Schema[];
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly catchall?: Schema;
  readonly element?: Schema;
  readonly keyType?: Schema;
  readonly valueType?: Schema;
  readonly values?: readonly unknown[];
  readonly entries?: Readonly<Record<string, string | number>>;
  readonly getter?: () => Schema;
  readonly left?: Schema;
  readonly format?: string;
  readonly right?: Schema;
}

/** The checks of a schema, as zod keeps them in its definition. */
interface Check extends z.core.$ZodCheckDef {
  readonly format?: string;
  readonly pattern?: RegExp;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly value?: number | bigint;
}

interface Bounds {
  readonly least: number | undefined;
  readonly most: number | undefined;
  readonly pattern: RegExp | undefined;
  readonly isWhole: boolean;
}

function boundsOf(schema: Schema): Bounds {
  const checks: Check[] = (schema._zod.def.checks ?? []).map((check) => check._zod.def);
  const find = (...names: string[]) => checks.find(({ check }) => names.includes(check));
  const least = find("min_length", "greater_than");
  const most = find("max_length", "less_than");
  return {
    least: least && Number(least.minimum ?? least.value),
    most: most && Number(most.maximum ?? most.value),
    pattern: find("string_format")?.pattern,
    isWhole: find("number_format") !== undefined,
  };
}

/** Whether a value matches. */
export function fits(schema: Schema, value: unknown): boolean {
  const result = schema._zod.run({ value, issues: [] }, { async: false });
  return !(result instanceof Promise) && result.issues.length === 0;
}

/**
 * Values that match a schema, except for refinements, which aren't in its definition; `fits` filters. Small ones: the
 * point is to reach every branch, not every size.
 */
export function arbitraryOf(schema: Schema): fc.Arbitrary<unknown> {
  const definition: Definition = schema._zod.def;
  const bounds = boundsOf(schema);
  switch (definition.type) {
    case "string":
      return text(definition, bounds);
    case "number":
      return number(bounds);
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "literal":
      return fc.constantFrom(...(definition.values ?? []));
    case "enum":
      return fc.constantFrom(...Object.values(definition.entries ?? {}));
    case "optional":
      return fc.option(inner(definition), { nil: undefined, freq: 2 });
    case "nullable":
      return fc.option(inner(definition), { nil: null });
    case "lazy":
      return definition.getter ? arbitraryOf(definition.getter()) : fc.constant(undefined);
    case "array":
      return fc.array(arbitraryOf(definition.element ?? schema), {
        minLength: bounds.least ?? 0,
        maxLength: Math.min(bounds.most ?? 3, 3),
      });
    case "union":
      return fc.oneof(...(definition.options ?? []).map(arbitraryOf));
    case "record":
      return fc.dictionary(key(definition.keyType), arbitraryOf(definition.valueType ?? schema), { maxKeys: 3 });
    case "object":
      return object(definition);
    case "intersection":
      return definition.left ? arbitraryOf(definition.left) : fc.constant({});
    case "never":
      return fc.constant(undefined);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function inner({ innerType }: Definition): fc.Arbitrary<unknown> {
  return innerType ? arbitraryOf(innerType) : fc.constant(undefined);
}

function object({ shape = {} }: Definition): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, likely(name, field)]));
  // An omitted field, not one that is undefined, because JSON has no undefined.
  return fc
    .record(fields)
    .map((value) => Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)));
}

/** Existing values by field name. Without them, most requests would fail at their first lookup. */
const TELLING: Readonly<Record<string, readonly unknown[]>> = {
  arguments: [{ text: "abc" }, { city: "Lisbon" }, { owner: "octo-org", repo: "hello-world", title: "t" }],
  auth_config_id: ["ac_github_demo", "ac_weather_demo"],
  auth_config_ids: [["ac_github_demo"]],
  connected_account_id: ["ca_github_demo", "ca_weather_demo", "ca_github_expired"],
  data: [{ signing_secret: "s" }],
  enabled_events: [["svc.trigger.message"]],
  endpoint: ["/weather?city=Lisbon", "https://api.weathermap.example.com/weather"],
  id: ["ac_github_demo", "ac_weather_demo"],
  mount_relative_path: ["notes/today.txt"],
  slug: ["github", "slack"],
  tool_slug: ["TEXTKIT_REVERSE", "WEATHERMAP_WEATHER", "DRIVE_UPLOAD_FILE"],
  toolkit: ["github", "weathermap", "textkit"],
  toolkit_slug: ["slack", "weathermap", "drive"],
  tools: [["GITHUB_CREATE_AN_ISSUE"], ["TEXTKIT_REVERSE"]],
  trigger_config: [{ owner: "octo-org", repo: "hello-world" }],
  user_id: ["user-4711", "user-expired"],
  version: ["latest", "20251023_00"],
};

function likely(name: string, field: Schema): fc.Arbitrary<unknown> {
  const telling = (TELLING[name] ?? []).filter((value) => fits(field, value));
  return telling.length > 0 ? fc.oneof(arbitraryOf(field), fc.constantFrom(...telling)) : arbitraryOf(field);
}

const KNOWN = [
  "github",
  "GITHUB_CREATE_AN_ISSUE",
  "textkit",
  "user-4711",
  "ca_github_demo",
  "ac_github_demo",
  "latest",
  "20251023_00",
];

function text(
  { format }: Definition,
  { least = 0, most = Number.POSITIVE_INFINITY, pattern }: Bounds,
): fc.Arbitrary<string> {
  if (format === "url") return fc.webUrl();
  // A lookahead can't be turned into strings, so generate arbitrary strings and let `fits` filter.
  if (pattern && !pattern.source.includes("(?"))
    return fc.stringMatching(pattern).filter(({ length }) => length >= least && length <= most);
  const bounds = { minLength: least, maxLength: Math.min(most, Math.max(least, 20)) };
  const fitting = KNOWN.filter(({ length }) => length >= least && length <= most);
  return fc.oneof(fc.string(bounds), codePoints(bounds), ...(fitting.length > 0 ? [fc.constantFrom(...fitting)] : []));
}

function key(schema: Schema | undefined): fc.Arbitrary<string> {
  const isPlain = !schema || (schema._zod.def.type === "string" && boundsOf(schema).pattern === undefined);
  return isPlain ? fc.string({ minLength: 1, maxLength: 8 }) : arbitraryOf(schema).map(String);
}

function number({ least = 0, most = 1_000, isWhole }: Bounds): fc.Arbitrary<number> {
  const range = { min: least, max: Math.min(most, 10_000) };
  return isWhole ? fc.integer(range) : fc.double({ ...range, noNaN: true });
}
