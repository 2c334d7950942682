import type * as z from "zod/mini";

type Schema = z.core.$ZodType;

/**
 * Reads a query as the values its schema asks for: texts become numbers, booleans, lists (joined by commas or repeated) and
 * maps (`name[key]`). What cannot be read stays a text, and the check that follows names it.
 */
export function decodeQuery(schema: z.ZodMiniType, parameters: URLSearchParams): Record<string, unknown> {
  const shape = shapeOf(schema);
  const query: Record<string, unknown> = Object.create(null);
  for (const name of new Set(parameters.keys())) {
    const map = /^(.+?)\[(.+)\]$/.exec(name);
    if (map?.[1] !== undefined && map[2] !== undefined) {
      const known = query[map[1]];
      query[map[1]] = { ...(typeof known === "object" ? known : {}), [map[2]]: parameters.get(name) };
    } else {
      query[name] = decode(Object.hasOwn(shape, name) ? shape[name] : undefined, parameters.getAll(name));
    }
  }
  return { ...query };
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
      return texts.length > 1 ? [...texts] : text.split(",");
    case "union":
      return decodeUnion(definition.options ?? [], texts);
    default:
      return texts.length > 1 ? [...texts] : text;
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
