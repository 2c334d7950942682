import { atPointer } from "../../../src/json-schema/references.js";
import { isObject, type Json } from "../../../src/shared/json.js";

/** Random numbers from 0 to 1, the same ones for the same seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Random = () => number;

const STRINGS = [
  "",
  "a",
  "ab",
  "abc",
  "abcdef",
  "open",
  "OPEN",
  "1",
  "2020-01-02",
  "2020-01-02T03:04:05Z",
  "a@example.com",
  "x y",
  "#ff",
];
const NUMBERS = [0, 1, -1, 2, 3, 7, 10, 0.5, 100];
const KINDS = ["string", "number", "integer", "boolean", "null", "object", "array"];

function pick<Value>(values: readonly Value[], random: Random): Value | undefined {
  return values[Math.floor(random() * values.length)];
}

/** How many values the one that is being made consists of. */
const sizes = new WeakMap<Random, number>();
const LARGEST = 200;

/**
 * A value that a schema of draft 2020-12 probably accepts; the caller checks. Undeclared properties and items are left
 * away.
 */
export function sample(schema: unknown, root: unknown, random: Random, depth = 0): unknown {
  const size = depth === 0 ? 0 : (sizes.get(random) ?? 0) + 1;
  sizes.set(random, size);
  if (depth > 5 || size > LARGEST) return null;
  const parts = partsOf(schema, root, random);
  const lists = parts.flatMap((part) => [
    ...(Array.isArray(part["enum"]) ? [part["enum"]] : []),
    ...("const" in part ? [[part["const"]]] : []),
  ]);
  if (lists[0]) return pick(lists[0], random);
  switch (pick(kindsOf(parts), random)) {
    case "string":
      return pick([...STRINGS, ...parts.flatMap((part) => part["examples"] ?? [])], random);
    case "integer":
      return Math.round(pick(NUMBERS, random) ?? 0);
    case "number":
      return pick(NUMBERS, random);
    case "boolean":
      return random() < 0.5;
    case "object":
      return sampleObject(parts, root, random, depth);
    case "array":
      return sampleArray(parts, root, random, depth);
    default:
      return null;
  }
}

/** The schemas that hold here at once, with one branch of each union. */
function partsOf(schema: unknown, root: unknown, random: Random, seen: readonly unknown[] = []): Json[] {
  if (!isObject(schema) || seen.includes(schema) || seen.length > 20) return [];
  const trail = [...seen, schema];
  const target = typeof schema["$ref"] === "string" ? [atPointer(root, schema["$ref"])] : [];
  const all = Array.isArray(schema["allOf"]) ? schema["allOf"] : [];
  const branches = [schema["anyOf"], schema["oneOf"]].flatMap((union) =>
    Array.isArray(union) ? [pick(union, random)] : [],
  );
  return [schema, ...[...target, ...all, ...branches].flatMap((below) => partsOf(below, root, random, trail))];
}

function kindsOf(parts: readonly Json[]): string[] {
  const declared = parts.flatMap(({ type }) => (type === undefined ? [] : [[type].flat().map(String)]));
  const [first, ...others] = declared;
  if (first)
    return first.filter((kind) =>
      others.every((kinds) => kinds.includes(kind) || (kind === "integer" && kinds.includes("number"))),
    );
  const has = (...keywords: string[]) => parts.some((part) => keywords.some((keyword) => keyword in part));
  if (
    has(
      "properties",
      "required",
      "additionalProperties",
      "minProperties",
      "maxProperties",
      "propertyNames",
      "patternProperties",
    )
  )
    return ["object"];
  if (has("items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains")) return ["array"];
  if (has("minLength", "maxLength", "pattern", "format")) return ["string"];
  if (has("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")) return ["number"];
  return KINDS;
}

function sampleObject(parts: readonly Json[], root: unknown, random: Random, depth: number): Json {
  const required = new Set(
    parts.flatMap((part) => (Array.isArray(part["required"]) ? part["required"].map(String) : [])),
  );
  const names = [...new Set([...parts.flatMap((part) => Object.keys(Object(part["properties"]))), ...required])];
  const chosen = names.filter((name) => required.has(name) || (depth < 4 && random() < 0.6));
  const own = (part: Json, name: string): unknown[] => {
    if (Object.hasOwn(Object(part["properties"]), name)) return [Reflect.get(Object(part["properties"]), name)];
    return part["additionalProperties"] === undefined ? [] : [part["additionalProperties"]];
  };
  const members = chosen.map((name) => [
    name,
    sample({ allOf: parts.flatMap((part) => own(part, name)) }, root, random, depth + 1),
  ]);
  const rest = parts
    .map((part) => part["additionalProperties"])
    .find((schema) => schema !== undefined && schema !== false);
  const extra =
    rest !== undefined && depth < 3
      ? ["k", "l", "k-1", "__proto__"].filter(
          (name) => random() < 0.3 && !names.includes(name) && !JSON.stringify(root).includes(`"${name}":`),
        )
      : [];
  return Object.fromEntries([...members, ...extra.map((name) => [name, sample(rest, root, random, depth + 1)])]);
}

function sampleArray(parts: readonly Json[], root: unknown, random: Random, depth: number): unknown[] {
  const prefix = parts.map((part) => part["prefixItems"]).find(Array.isArray) ?? [];
  const items = parts.filter((part) => part["items"] !== undefined).map((part) => part["items"]);
  const least = Math.max(0, ...parts.map((part) => Number(part["minItems"] ?? 0)));
  const more = depth > 3 ? least : least + Math.floor(random() * 3);
  const length = prefix.length > 0 && items.length === 0 ? Math.min(more, prefix.length) : more;
  return Array.from({ length }, (_, index) => sample(prefix[index] ?? { allOf: items }, root, random, depth + 1));
}

/** The value with one thing in it changed. */
export function mutated(value: unknown, random: Random): unknown {
  if (random() < 0.25) return pick([null, "", "zz", 5, 1.5, true, [], {}, [1], { z: 1 }], random);
  if (Array.isArray(value)) {
    if (value.length === 0) return [null];
    const place = Math.floor(random() * value.length);
    if (random() < 0.3) return value.filter((_, index) => index !== place);
    if (random() < 0.3) return [...value, value[place]];
    return value.map((item, index) => (index === place ? mutated(item, random) : item));
  }
  if (!isObject(value)) return pick([null, "", "zz", 5, false], random);
  const entries = Object.entries(value);
  if (entries.length === 0) return { z: null };
  const place = Math.floor(random() * entries.length);
  if (random() < 0.2) return Object.fromEntries(entries.filter((_, index) => index !== place));
  return Object.fromEntries(
    entries.map(([name, member], index) => [name, index === place ? mutated(member, random) : member]),
  );
}
