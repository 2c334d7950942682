import type * as z from "zod/mini";

type QuerySchema = z.core.$ZodType;

/**
 * Converts a query to the types of its schema: numbers, booleans, arrays (comma-separated or repeated), and maps
 * (`name[key]`). Values that can't be converted stay strings and are reported by validation, as are repeated values
 * that aren't an array and names used both plain and as a map. Assumption E88.
 *
 * @param ignored names of parameters to omit.
 */
export function decodeQuery(
  schema: z.ZodMiniType,
  parameters: URLSearchParams,
  ignored: readonly string[] = [],
): Record<string, unknown> {
  const shape = shapeOf(schema);
  const taken = [...parameters].filter(([name]) => !ignored.includes(name));
  const given = grouped(taken.map(partOf), ({ name }) => name);
  return Object.fromEntries(
    [...given].map(([name, parts]) => [name, convert(Object.hasOwn(shape, name) ? shape[name] : undefined, parts)]),
  );
}

/** Lowers a `limit` to the schema's maximum, as the service does. */
export function withClampedLimit(schema: z.ZodMiniType, value: unknown): unknown {
  const { limit }: { limit?: unknown } = Object(value);
  const maximum = maximumOf(shapeOf(schema)["limit"]);
  return typeof limit === "number" && maximum !== undefined && limit > maximum
    ? { ...Object(value), limit: maximum }
    : value;
}

function maximumOf(schema: QuerySchema | undefined): number | undefined {
  if (!schema) return undefined;
  const { innerType, checks = [] }: QueryDefinition = schema._zod.def;
  if (innerType) return maximumOf(innerType);
  const values = checks.flatMap((check) => {
    const { check: kind, value }: { check: string; value?: unknown } = check._zod.def;
    return kind === "less_than" && typeof value === "number" ? [value] : [];
  });
  return values.length > 0 ? values.reduce((left, right) => Math.min(left, right)) : undefined;
}

/** One query parameter; `key` is set for `name[key]`. */
interface RequestPart {
  readonly name: string;
  readonly key?: string;
  readonly text: string;
}

function partOf([written, text]: readonly [string, string]): RequestPart {
  const [, name = written, key] = /^(.[^[]*)\[(.+)\]$/s.exec(written) ?? [];
  return key === undefined ? { name, text } : { name, key, text };
}

function convert(schema: QuerySchema | undefined, parts: readonly RequestPart[]): unknown {
  const plain = parts.filter(({ key }) => key === undefined).map(({ text }) => text);
  const keyed = grouped(parts, ({ key }) => key);
  if (keyed.size === 0) return decode(schema, plain);
  const entries = [...keyed].map(
    ([key, same]) => [key, same.length === 1 ? same[0]?.text : same.map(({ text }) => text)] as const,
  );
  const map = Object.fromEntries(entries);
  return plain.length === 0 ? map : [...plain, map];
}

/** Groups parameters by name, dropping those without one. */
function grouped(
  parts: readonly RequestPart[],
  nameOf: (part: RequestPart) => string | undefined,
): Map<string, RequestPart[]> {
  const groups = new Map<string, RequestPart[]>();
  for (const part of parts) {
    const name = nameOf(part);
    if (name === undefined) continue;
    const group = groups.get(name);
    if (group) group.push(part);
    else groups.set(name, [part]);
  }
  return groups;
}

function shapeOf(schema: z.ZodMiniType): Readonly<Record<string, QuerySchema>> {
  const definition: z.core.$ZodTypeDef & { shape?: Readonly<Record<string, QuerySchema>> } = schema._zod.def;
  return definition.shape ?? {};
}

interface QueryDefinition extends z.core.$ZodTypeDef {
  readonly innerType?: QuerySchema;
  readonly options?: readonly QuerySchema[];
}

/** A number as in the service's queries and prompts: without an exponent. */
export const NUMBER = /^-?\d+(\.\d+)?$/;

function decode(schema: QuerySchema | undefined, values: readonly string[]): unknown {
  const [text = ""] = values;
  if (values.length > 1) return [...values];
  const definition: QueryDefinition | undefined = schema?._zod.def;
  switch (definition?.type) {
    case "optional":
      return decode(definition.innerType, values);
    case "nullable":
      return text === "" ? null : decode(definition.innerType, values);
    case "number":
      return NUMBER.test(text) ? Number(text) : text;
    case "boolean":
      return text === "true" || text === "false" ? text === "true" : text;
    case "array":
      return text.split(",");
    case "union":
      return decodeUnion(definition.options ?? [], values);
    default:
      return text;
  }
}

/** The most specific conversion: `true` is a boolean rather than a string. */
function decodeUnion(options: readonly QuerySchema[], values: readonly string[]): unknown {
  const conversions = options.map((option) => decode(option, values));
  return (
    conversions.find((conversion) => typeof conversion !== "string" && !Array.isArray(conversion)) ??
    conversions.find((conversion) => typeof conversion === "string") ??
    conversions[0]
  );
}
