import { isObject } from "../json.js";
import { type Alternative, toSchema } from "./alternative.js";
import { alternativesOf } from "./alternatives-of.js";
import { conditionChanges } from "./condition-changes.js";
import { canonicalSchema, type JsonSchema } from "./json-schema.js";
import { noteChanges } from "./note-changes.js";
import { discriminantOf, type Pair, pairAlternatives } from "./pair-alternatives.js";
import { type Direction, judged, type RawChange, type SchemaChange } from "./schema-change.js";

/**
 * Tells what changed between two JSON Schemas, and whether it breaks those who send (`input`) or read (`output`) values.
 *
 * It compares what the schemas accept, not how they are written: an inlined definition, another order or another description
 * is no change. Where a keyword cannot be weighed (`pattern`, `not`, `if`), a change of it counts as breaking.
 */
export function diffSchemas(before: unknown, after: unknown, direction: Direction): SchemaChange[] {
  const [old, fresh] = [toSchema(before), toSchema(after)];
  return new Walk(old, fresh).differences(old, fresh).map((change) => judged(change, direction));
}

/** One comparison of two documents. Remembers what it has compared, so that recursive schemas end. */
class Walk {
  readonly #before: JsonSchema;
  readonly #after: JsonSchema;
  readonly #known = new Map<string, readonly RawChange[]>();

  constructor(before: JsonSchema, after: JsonSchema) {
    this.#before = before;
    this.#after = after;
  }

  /** The changes from one schema to the other, with paths from there. */
  differences(before: JsonSchema, after: JsonSchema): readonly RawChange[] {
    const key = `${nodeText(before)} ${nodeText(after)}`;
    const known = this.#known.get(key);
    if (known) return known;
    // Inside itself a pair counts as equal: what differs is told where it was first met.
    this.#known.set(key, []);
    const { pairs, gone, fresh } = pairAlternatives(
      alternativesOf(before, this.#before),
      alternativesOf(after, this.#after),
    );
    const isOneOfSeveral = [...pairs.map((pair) => pair.after), ...gone, ...fresh].filter(isStructured).length > 1;
    const changes = [
      ...choiceChanges(pairs, gone, fresh),
      ...pairs.flatMap((pair) => {
        const step = isOneOfSeveral && isStructured(pair.after) ? `<${nameOf(pair.after)}>` : "";
        return below(step, [...conditionChanges(pair), ...this.#partChanges(pair)]);
      }),
      ...noteChanges({ schema: before, root: this.#before }, { schema: after, root: this.#after }),
    ];
    this.#known.set(key, changes);
    return changes;
  }

  #partChanges({ before, after }: Pair): RawChange[] {
    return [
      ...this.#propertyChanges(before, after),
      ...this.#otherPropertyChanges(before, after),
      ...this.#itemChanges(before, after),
    ];
  }

  #propertyChanges(before: Alternative, after: Alternative): RawChange[] {
    const names = new Set([before, after].flatMap(({ properties, required }) => [...properties.keys(), ...required]));
    return [...names].flatMap((name) => {
      const path = stepTo(name);
      const [old, fresh] = [before.properties.get(name), after.properties.get(name)];
      const wasRequired = before.required.includes(name);
      const isRequired = after.required.includes(name);
      if (old === undefined && fresh !== undefined && !wasRequired) return [addedProperty(path, isRequired)];
      if (old !== undefined && fresh === undefined && !isRequired) {
        return [{ path, kind: "removed" as const, text: "is no longer there" }];
      }
      const changes: RawChange[] = [];
      if (!wasRequired && isRequired) changes.push({ path, kind: "narrowed", text: "is required now" });
      if (wasRequired && !isRequired) changes.push({ path, kind: "loosened", text: "may be absent now" });
      return [...changes, ...below(path, this.differences(old ?? true, fresh ?? true))];
    });
  }

  #otherPropertyChanges({ additional: before }: Alternative, { additional: after }: Alternative): RawChange[] {
    if (before === false && after !== false) {
      // Readers pass over what they do not know.
      return [{ path: "", kind: "loosened", text: "properties that are not named are accepted now", breaksOnly: [] }];
    }
    if (before !== false && after === false) {
      return [{ path: "", kind: "narrowed", text: "properties that are not named are refused now" }];
    }
    return below(".*", this.differences(before, after));
  }

  #itemChanges(before: Alternative, after: Alternative): RawChange[] {
    const places = Math.max(before.prefix.length, after.prefix.length);
    const first = Array.from({ length: places }, (_, index) =>
      below(`[${index}]`, this.differences(before.prefix[index] ?? before.items, after.prefix[index] ?? after.items)),
    );
    return [...first.flat(), ...below("[]", this.differences(before.items, after.items))];
  }
}

function addedProperty(path: string, isRequired: boolean): RawChange {
  if (!isRequired) return { path, kind: "added", text: "is new, optional" };
  return { path, kind: "added", text: "is new, required", breaksOnly: ["input"] };
}

/** What alternatives came and went. */
function choiceChanges(
  pairs: readonly Pair[],
  gone: readonly Alternative[],
  fresh: readonly Alternative[],
): RawChange[] {
  const list = (alternatives: readonly Alternative[]) => alternatives.map(nameOf).join(" or ");
  const at = (kind: RawChange["kind"], text: string): RawChange[] => [{ path: "", kind, text }];
  if (gone.length + fresh.length === 0) return [];
  if (pairs.length === 0) {
    if (gone.length === 0) return at("loosened", `was not allowed, may be ${list(fresh)} now`);
    if (fresh.length === 0) return at("narrowed", "is not allowed any more");
    if (fresh.some(({ type }) => type === "any")) return at("loosened", `was ${list(gone)}, may be anything now`);
    if (gone.some(({ type }) => type === "any")) return at("narrowed", `could be anything, must be ${list(fresh)} now`);
    return at("replaced", `was ${list(gone)}, is ${list(fresh)} now`);
  }
  return [
    ...fresh.flatMap((alternative) => at("loosened", `may also be ${nameOf(alternative)} now`)),
    ...gone.flatMap((alternative) => at("narrowed", `may no longer be ${nameOf(alternative)}`)),
  ];
}

/** An alternative as people say it. */
function nameOf(alternative: Alternative): string {
  const { type, values } = alternative;
  if (type === "any") return "anything";
  return discriminantOf(alternative) ?? (values && type !== "null" ? values.join(" or ") : type);
}

function isStructured({ type }: Alternative): boolean {
  return type === "object" || type === "array";
}

/** A schema as text without the definitions it carries: the root, which does, is met again through references. */
function nodeText(schema: JsonSchema): string {
  if (!isObject(schema) || !("$defs" in schema || "definitions" in schema)) return canonicalSchema(schema);
  const { $defs: _newer, definitions: _older, ...node } = schema;
  return canonicalSchema(node);
}

function stepTo(name: string): string {
  return /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

function below(step: string, changes: readonly RawChange[]): RawChange[] {
  return changes.map((change) => ({ ...change, path: step + change.path }));
}
