import { listOf } from "../../json-schema/references.js";
import { spend } from "../../json-schema/step-limit.js";
import { child, isObject, isString, type Json } from "../../shared/json.js";
import type { Target } from "./compiled-tool.js";
import { areEnumsApart } from "./unions.js";

/** Anthropic's limits for all strict schemas of a request together. */
export const ANTHROPIC_BUDGET = { tools: 20, optionals: 24, unions: 16 };

const NONE = {
  properties: 0,
  levels: 0,
  /** Characters of property names and enum values. */
  characters: 0,
  enumValues: 0,
  /** Characters of the largest enum with more than 250 values. */
  largeEnum: 0,
  optionals: 0,
  /** Properties that accept more than one type. */
  unions: 0,
  /** Whether two branches start with the same property, which OpenAI can't tell apart. */
  hasLookalikes: false,
};

/** The numbers that providers limit in a strict schema. */
export type Counts = typeof NONE;

const LARGE_ENUM = 250;

/** Counts a compiled schema, its definitions included. */
export function countsOf(root: Json): Counts {
  const tally = { ...NONE };
  count(root, 1, tally, root);
  for (const [name, definition] of Object.entries(Object(root["$defs"]))) {
    tally.characters += name.length;
    count(definition, 1, tally, root);
  }
  return tally;
}

function count(schema: unknown, level: number, tally: Counts, root: Json): void {
  if (!isObject(schema)) return;
  tally.levels = Math.max(tally.levels, level);
  const { enum: values, anyOf, items, properties, required } = schema;
  if (Array.isArray(values)) {
    const characters = values.map((value) => String(value).length).reduce((sum, length) => sum + length, 0);
    tally.enumValues += values.length;
    tally.characters += characters;
    if (values.length > LARGE_ENUM) tally.largeEnum = Math.max(tally.largeEnum, characters);
  }
  for (const [name, property] of Object.entries(Object(properties))) {
    tally.properties += 1;
    tally.characters += name.length;
    if (!listOf(required).includes(name)) tally.optionals += 1;
    if (Array.isArray(child(property, "anyOf")) || Array.isArray(child(property, "type"))) tally.unions += 1;
    count(property, level + 1, tally, root);
  }
  count(items, level + 1, tally, root);
  if (!Array.isArray(anyOf)) return;
  tally.hasLookalikes ||= haveSameFirstKey(
    anyOf.map((branch) => {
      const reference = child(branch, "$ref");
      return isString(reference) ? child(root["$defs"], reference.slice("#/$defs/".length)) : branch;
    }),
  );
  for (const branch of anyOf) count(branch, level, tally, root);
}

function haveSameFirstKey(branches: readonly unknown[]): boolean {
  spend(branches.length ** 2);
  const firsts = branches.flatMap((branch) => Object.entries(Object(child(branch, "properties"))).slice(0, 1));
  return firsts.some(([name, property], index) =>
    firsts.slice(0, index).some(([other, sibling]) => name === other && !areEnumsApart(property, sibling)),
  );
}

/** Whether a definition needs itself: it leads back to itself without an optional property on the way. */
export function needsItself({ $defs }: Json): boolean {
  const needs = new Map(Object.entries(Object($defs)).map(([name, part]) => [name, referencesNeededBy(part)]));
  return [...needs.keys()].some((name) => {
    const reached = new Set(needs.get(name));
    for (const other of reached) for (const next of needs.get(other) ?? []) reached.add(next);
    return reached.has(name);
  });
}

function referencesNeededBy(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(referencesNeededBy);
  if (!isObject(schema)) return [];
  const { $ref, properties, required, ...others } = schema;
  const needed = Object.entries(Object(properties)).filter(([name]) => listOf(required).includes(name));
  const below = [...needed.map(([, property]) => property), ...Object.values(others)].flatMap(referencesNeededBy);
  return isString($ref) ? [$ref.slice("#/$defs/".length), ...below] : below;
}

/** The most that a provider takes in a strict schema. */
const LIMITS: Readonly<Partial<Record<Target, readonly (readonly [keyof Counts, most: number, words: string])[]>>> = {
  "openai-strict": [
    ["properties", 5_000, "properties"],
    ["levels", 10, "levels"],
    ["characters", 120_000, "characters in names and enums"],
    ["enumValues", 1_000, "enum values"],
    ["largeEnum", 15_000, "characters in a large enum"],
  ],
  // Of all strict schemas of a request together.
  "anthropic-strict": [
    ["optionals", ANTHROPIC_BUDGET.optionals, "optional properties"],
    ["unions", ANTHROPIC_BUDGET.unions, "properties of several types"],
  ],
};

/** Why a target rejects a strict schema of these counts; `undefined` if it doesn't. */
export function excess(target: Target, counts: Partial<Counts>): string | undefined {
  if (target === "openai-strict" && counts.hasLookalikes) return "Two alternatives start with the same property.";
  const over = LIMITS[target]?.find(([name, most]) => Number(counts[name]) > most);
  return over && `It has ${counts[over[0]]} ${over[2]}; at most ${over[1]} are allowed.`;
}
