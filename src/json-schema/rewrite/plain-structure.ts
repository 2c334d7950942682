import { isObject, isString, type Json } from "../../shared/json.js";
import { DOWNLOAD, isKind, isNullable } from "../keywords.js";
import { listOf, type Resolve, referencesOf, resolverOf } from "../references.js";

/** The deepest level of a schema that is described. Anything is accepted below. */
const DEEPEST = 50;
/** Maximum number of described parts. References are written out, so shared ones could multiply. */
const MOST_PARTS = 5_000;

/** The structure of an object. */
export interface ObjectStructure {
  readonly description?: string | undefined;
  /** Schemas with only the keywords that every validator reads alike: no bounds, references or closed objects. */
  readonly members: Json;
}

/**
 * The structure of an object that a schema in any draft describes, which accepts what the schema accepts. Files to
 * download may be anything.
 *
 * @returns `undefined` if the schema describes no properties of an object.
 */
export function structureOf(schema: Json): ObjectStructure | undefined {
  const { type = "object", description, properties } = new StructureWriter(schema).write(schema);
  if (![type].flat().includes("object") || !isObject(properties)) return undefined;
  return { members: properties, ...(isString(description) && { description }) };
}

class StructureWriter {
  readonly #resolve: Resolve;
  /** The schemas around the one that is written. */
  readonly #open = new Set<unknown>();
  #parts = 0;

  constructor(root: Json) {
    this.#resolve = resolverOf(root);
  }

  readonly write = (schema: unknown): Json => {
    this.#parts += 1;
    // A recursive schema is written once.
    if (!isObject(schema) || this.#open.has(schema) || this.#open.size > DEEPEST || this.#parts > MOST_PARTS) return {};
    this.#open.add(schema);
    const structure = schema[DOWNLOAD] === true ? wordsOf(schema) : this.#combined(schema);
    this.#open.delete(schema);
    return structure;
  };

  #combined(schema: Json): Json {
    const own = this.#own(schema);
    const unions = [schema["anyOf"], schema["oneOf"]].map(listOf).filter(({ length }) => length > 0);
    const [union, ...others] = unions.map((branches) => ({ anyOf: branches.map(this.write) }));
    const members = [...referencesOf(schema).map(this.#resolve), ...listOf(schema["allOf"])];
    const all = members.map(this.write).concat(others);
    const [first, ...more] = all;
    const isReference = Object.keys(own).length === 0 && !union && more.length === 0;
    const structure = isReference ? (first ?? {}) : { ...own, ...union, ...(first && { allOf: all }) };
    return isNullable(schema) ? { anyOf: [structure, { type: "null" }] } : structure;
  }

  /** The structure without combinations and references. */
  #own(schema: Json): Json {
    const { type, properties, required, additionalProperties: rest, items } = schema;
    const types = [type].flat();
    const values: unknown = "const" in schema ? [schema["const"]] : schema["enum"];
    const declared = Object.entries(Object(properties));
    // Validators find these names in any object. One that is omitted isn't another property.
    const named = declared.filter(([name]) => !(name in Object.prototype));
    const hasOthers = !("patternProperties" in schema) && named.length === declared.length;
    const names = listOf(required).filter(isString);
    return {
      ...wordsOf(schema),
      ...(types.length > 0 && types.every(isKind) && { type: types.length === 1 ? type : types }),
      ...(listOf(values).length > 0 && { enum: values }),
      ...(named.length > 0 && {
        properties: Object.fromEntries(named.map(([name, part]) => [name, this.write(part)])),
      }),
      ...(names.length > 0 && { required: names }),
      ...(isObject(rest) && hasOthers && only("additionalProperties", this.write(rest))),
      ...(isObject(items) && !("prefixItems" in schema) && only("items", this.write(items))),
    };
  }
}

/** A keyword without its schema, if that accepts anything, says the same. */
const only = (keyword: string, schema: Json) => Object.keys(schema).length > 0 && { [keyword]: schema };

function wordsOf({ title, description }: Json): Json {
  return { ...(isString(title) && { title }), ...(isString(description) && { description }) };
}
