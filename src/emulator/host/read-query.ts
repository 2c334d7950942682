import type * as z from "zod/mini";

type Schema = z.core.$ZodType;

/**
 * Converts a query to the types of its schema: numbers, booleans, arrays (comma-separated or repeated), and maps
 * (`name[key]`). Values that can't be converted stay strings and are reported by validation, as are repeated values
 * that aren't an array and names used both plain and as a map. See assumption E88.
 */
export function decodeQuery(schema: z.ZodMiniType, parameters: URLSearchParams): Record<string, unknown> {
  const shape = shapeOf(schema);
  const given = grouped([...parameters].map(partOf), ({ name }) => name);
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

function maximumOf(schema: Schema | undefined): number | undefined {
  if (!schema) return undefined;
  const { innerType, checks = [] }: Definition = schema._zod.def;
  if (innerType) return maximumOf(innerType);
  const values = checks.flatMap((check) => {
    const { check: kind, value }: { check: string; value?: unknown } = check._zod.def;
    return kind === "less_than" && typeof value === "number" ? [value] : [];
  });
  return values.length > 0 ? Math.min(...values) : undefined;
}

/** One query parameter; `key` is set for `name[key]`. */
interface Part {
  readonly name: string;
  readonly key?: string;
  readonly text: string;
}

function partOf([written, text]: readonly [string, string]): Part {
  const open = written.indexOf("[", 1);
  if (open < 0 || open + 2 >= written.length || !written.endsWith("]")) return { name: written, text };
  return { name: written.slice(0, open), key: written.slice(open + 1, -1), text };
}

function convert(schema: Schema | undefined, parts: readonly Part[]): unknown {
  const plain = parts.filter(({ key }) => key === undefined).map(({ text }) => text);
  const keyed = grouped(parts, ({ key }) => key);
  if (keyed.size === 0) return decode(schema, plain);
  const entries = [...keyed].map(([key, same]) => {
    const values = same.map(({ text }) => text);
    return [key, values.length === 1 ? values[0] : values] as const;
  });
  const map = Object.fromEntries(entries);
  return plain.length === 0 ? map : [...plain, map];
}

/** Groups parameters by name, dropping those without one. */
function grouped(parts: readonly Part[], nameOf: (part: Part) => string | undefined): Map<string, Part[]> {
  const groups = new Map<string, Part[]>();
  for (const part of parts) {
    const name = nameOf(part);
    if (name === undefined) continue;
    const group = groups.get(name);
    if (group) group.push(part);
    else groups.set(name, [part]);
  }
  return groups;
}

function shapeOf(schema: z.ZodMiniType): Readonly<Record<string, Schema>> {
  const definition: z.core.$ZodTypeDef & { shape?: Readonly<Record<string, Schema>> } = schema._zod.def;
  return definition.shape ?? {};
}

interface Definition extends z.core.$ZodTypeDef {
  readonly innerType?: Schema;
  readonly options?: readonly Schema[];
}

function decode(schema: Schema | undefined, values: readonly string[]): unknown {
  const [text = ""] = values;
  if (values.length > 1) return [...values];
  const definition: Definition | undefined = schema?._zod.def;
  switch (definition?.type) {
    case "optional":
      return decode(definition.innerType, values);
    case "nullable":
      return text === "" ? null : decode(definition.innerType, values);
    case "number":
      return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
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
function decodeUnion(options: readonly Schema[], values: readonly string[]): unknown {
  const conversions = options.map((option) => decode(option, values));
  return (
    conversions.find((conversion) => typeof conversion !== "string" && !Array.isArray(conversion)) ??
    conversions.find((conversion) => typeof conversion === "string") ??
    conversions[0]
  );
}
