import type { OutputUnit } from "@cfworker/json-schema";
import type { Mismatch } from "../errors/local.js";
import { amount, formatPath, hint, kindAt, kindName } from "../errors/mismatch-words.js";
import { child, isText } from "../json.js";
import { pointerSteps } from "../json-pointer.js";

/** What was checked, and with what. */
interface Check {
  readonly schema: unknown;
  readonly value: unknown;
}

/** Complaints about a part of the value, which the complaints after them explain. */
const ABOUT_PARTS =
  "properties patternProperties additionalProperties unevaluatedProperties items prefixItems additionalItems unevaluatedItems $ref $recursiveRef allOf if dependentSchemas".split(
    " ",
  );
/** Complaints that the ones after them do not explain better. */
const WHOLE = ["not", "contains", "propertyNames"];

/** The validator's complaints in our own words: its own hold values. */
export function toMismatches(units: readonly OutputUnit[], check: Check): Mismatch[] {
  const mismatches: Mismatch[] = [];
  /** Where the complaints are that a complaint before has spoken for. */
  let spokenFor: string | undefined;
  units.forEach((unit, index) => {
    if (spokenFor !== undefined && unit.keywordLocation.startsWith(spokenFor)) return;
    const isUnion = unit.keyword === "anyOf" || unit.keyword === "oneOf";
    spokenFor = isUnion || WHOLE.includes(unit.keyword) ? `${unit.keywordLocation}/` : undefined;
    if (isUnion) mismatches.push(...unionMismatches(unit, innerOf(units, index), check));
    else if (!isAboutParts(unit)) mismatches.push(...leaf(unit, check));
  });
  return mismatches;
}

/** The complaints about the parts of one, which follow it. */
function innerOf(units: readonly OutputUnit[], index: number): OutputUnit[] {
  const below = `${units[index]?.keywordLocation}/`;
  const end = units.findIndex((unit, place) => place > index && !unit.keywordLocation.startsWith(below));
  return units.slice(index + 1, end === -1 ? units.length : end);
}

function isAboutParts({ keyword, error }: OutputUnit): boolean {
  // Of a missing property `dependencies` speaks itself.
  if (keyword === "dependencies") return !error.includes("does not have");
  return ABOUT_PARTS.includes(keyword);
}

/** The complaints of the variant that came closest, or one line about all of them where none came close. */
function unionMismatches(unit: OutputUnit, inner: readonly OutputUnit[], check: Check): Mismatch[] {
  const path = pathOf(unit.instanceLocation, check.value);
  const at = (expected: string) => [mismatch(path, expected, check.value)];
  const variants = new Map<string, OutputUnit[]>();
  for (const next of inner) {
    const [index = ""] = next.keywordLocation.slice(unit.keywordLocation.length + 1).split("/");
    variants.set(index, [...(variants.get(index) ?? []), next]);
  }
  const declared = schemaAt(unit.keywordLocation, check.schema);
  if (Array.isArray(declared) && variants.size < declared.length) return at("exactly one of the variants, not several");
  const isAboutWhole = ({ instanceLocation, keyword }: OutputUnit) =>
    instanceLocation === unit.instanceLocation && OF_THE_WHOLE.includes(keyword);
  const [closest] = [...variants.values()]
    .filter((variant) => !variant.some(isAboutWhole))
    .map((variant) => toMismatches(variant, check))
    .sort((one, other) => one.length - other.length);
  if (closest && closest.length > 0) return closest;
  const kinds = inner.filter(isAboutWhole).flatMap((about) => leaf(about, check).map(({ expected }) => expected));
  return at([...new Set(kinds)].join(" or ") || "one of the documented variants");
}

/** Longer expectations, as of a list with thousands of values, are cut. */
const LONGEST = 300;

function mismatch(path: readonly PropertyKey[], expected: string, value: unknown): Mismatch {
  const shown = expected.length > LONGEST ? `${expected.slice(0, LONGEST)}…` : expected;
  return { path: formatPath(path), expected: shown, seen: kindAt(value, path) };
}

/** Complaints that speak of a value as a whole, not of its parts or its bounds. */
const OF_THE_WHOLE = ["type", "const", "enum", "false"];

function leaf(unit: OutputUnit, { schema, value }: Check): Mismatch[] {
  const path = pathOf(unit.instanceLocation, value);
  const said = schemaAt(unit.keywordLocation, schema);
  const at = (place: readonly PropertyKey[], expected: string) => [mismatch(place, expected, value)];
  switch (unit.keyword) {
    case "required":
    case "dependencies":
    case "dependentRequired": {
      const [, name = ""] = /(?:property|have) "(.*)"\.$/s.exec(unit.error) ?? [];
      const property = child(child(schemaAt(parentOf(unit.keywordLocation), schema), "properties"), name);
      const type = child(property, "type");
      return at([...path, name], type === undefined ? "a value" : kindsOf(type));
    }
    case "false": {
      const siblings = child(schemaAt(parentOf(parentOf(unit.keywordLocation)), schema), "properties");
      return at(path, `no such field${hint(String(path.at(-1)), Object.keys(Object(siblings)))}`);
    }
    default:
      return at(path, expectation(unit.keyword, said));
  }
}

/** What a keyword asks for, in words. */
function expectation(keyword: string, said: unknown): string {
  const bound = Number(said);
  switch (keyword) {
    case "type":
      return kindsOf(said);
    case "enum":
      return Array.isArray(said) ? said.map((known) => JSON.stringify(known)).join(" or ") : "another value";
    case "const":
      return JSON.stringify(said);
    case "minimum":
      return `at least ${bound}`;
    case "maximum":
      return `at most ${bound}`;
    case "exclusiveMinimum":
      return `more than ${bound}`;
    case "exclusiveMaximum":
      return `less than ${bound}`;
    case "multipleOf":
      return `a multiple of ${bound}`;
    case "minLength":
      return `at least ${amount(bound, "string")}`;
    case "maxLength":
      return `at most ${amount(bound, "string")}`;
    case "minItems":
      return `at least ${amount(bound, "array")}`;
    case "maxItems":
      return `at most ${amount(bound, "array")}`;
    case "uniqueItems":
      return "no item twice";
    case "minProperties":
      return `at least ${bound} fields`;
    case "maxProperties":
      return `at most ${bound} fields`;
    case "pattern":
      return `a text that matches ${String(said)}`;
    case "format":
      return `a valid ${String(said)}`;
    default:
      return "another value";
  }
}

function kindsOf(types: unknown): string {
  return [types].flat().map(String).map(kindName).join(" or ");
}

/** Where the validator was in the value. */
function pathOf(pointer: string, value: unknown): PropertyKey[] {
  const path: PropertyKey[] = [];
  let place = value;
  for (const step of pointerSteps(pointer)) {
    const key = Array.isArray(place) ? Number(step) : step;
    path.push(key);
    place = child(place, key);
  }
  return path;
}

/** What stands in the schema where the validator was; it walks through references as if they were written out. */
function schemaAt(pointer: string, root: unknown): unknown {
  return pointerSteps(pointer).reduce<unknown>((place, step) => {
    const next = child(place, step);
    // A property may be called so too, and has a schema there.
    return step === "$ref" && isText(next) ? schemaAt(next, root) : next;
  }, root);
}

function parentOf(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf("/"));
}
