import type * as z from "zod/mini";

type Schema = z.core.$ZodType;

/**
 * Reads a query as the values its schema asks for: texts become numbers, booleans, lists (joined by commas or repeated) and
 * maps (`name[key]`). What cannot be read stays as it came, and the check that follows names it: so does what is repeated and
 * is no list, and what comes both plain and as a map. See assumption E88.
 */
export function decodeQuery(schema: z.ZodMiniType, parameters: URLSearchParams): Record<string, unknown> {
  const shape = shapeOf(schema);
  const given = grouped([...parameters].map(partOf), ({ name }) => name);
  return Object.fromEntries(
    [...given].map(([name, parts]) => [name, readingOf(Object.hasOwn(shape, name) ? shape[name] : undefined, parts)]),
  );
}

/** One parameter as it was written; `key` where it is `name[key]`. */
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

function readingOf(schema: Schema | undefined, parts: readonly Part[]): unknown {
  const plain = parts.filter(({ key }) => key === undefined).map(({ text }) => text);
  const keyed = grouped(parts, ({ key }) => key);
  if (keyed.size === 0) return decode(schema, plain);
  const entries = [...keyed].map(([key, same]) => {
    const texts = same.map(({ text }) => text);
    return [key, texts.length === 1 ? texts[0] : texts] as const;
  });
  const map = Object.fromEntries(entries);
  return plain.length === 0 ? map : [...plain, map];
}

/** What has the same name, together. What has none is left out. */
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

function decode(schema: Schema | undefined, texts: readonly string[]): unknown {
  const [text = ""] = texts;
  if (texts.length > 1) return [...texts];
  const definition: Definition | undefined = schema?._zod.def;
  switch (definition?.type) {
    case "optional":
      return decode(definition.innerType, texts);
    case "nullable":
      return text === "" ? null : decode(definition.innerType, texts);
    case "number":
      return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
    case "boolean":
      return text === "true" || text === "false" ? text === "true" : text;
    case "array":
      return text.split(",");
    case "union":
      return decodeUnion(definition.options ?? [], texts);
    default:
      return text;
  }
}

/** The reading that says most: `true` is a boolean before it is a text. */
function decodeUnion(options: readonly Schema[], texts: readonly string[]): unknown {
  const readings = options.map((option) => decode(option, texts));
  return (
    readings.find((reading) => typeof reading !== "string" && !Array.isArray(reading)) ??
    readings.find((reading) => typeof reading === "string") ??
    readings[0]
  );
}
