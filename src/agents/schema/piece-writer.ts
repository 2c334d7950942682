import {
  ANY,
  type Field,
  hasImpossibleAlternative,
  isPossible,
  type SchemaNode,
  schemaOf,
} from "../../json-schema/node.js";
import type { Json } from "../../shared/json.js";
import { Box, formOf, type PartWriter } from "./forms.js";
import { isStrict } from "./targets.js";
import { isAny, type Piece, valuesOf } from "./type-pieces.js";
import { unionOf, withNull } from "./unions.js";
import { itemPath, memberPath, valuePath, type WritingPlace } from "./writing-state.js";
import { isWritable, type Written, withFacts, writtenFacts } from "./written-facts.js";

/** Writes the parts of leaves for values of one type. */
export class PieceWriter {
  readonly #parts: PartWriter;

  constructor(parts: PartWriter) {
    this.#parts = parts;
  }

  write(piece: Piece, place: WritingPlace): Written {
    const { writing } = this.#parts;
    const { leaf, kind } = piece;
    const form = formOf(piece, writing.dialect);
    const values = valuesOf(piece);
    const isNested = kind === "object" || kind === "array";
    if (values && isNested) writing.notStrict(place.path, "The values of an enum are objects or lists");
    if (form && place.isCrowded) writing.notStrict(place.path, "A map or tuple is below variants that overlap");
    if (form?.kind === "array" && place.isRoot) writing.notStrict(place.path, "The arguments themselves are a map");
    // Alternatives that look alike can't be decoded. A strict target has noted that above, and is given up for it.
    const keepsOwn = place.isCrowded && !isStrict(writing.dialect);
    if (form && !keepsOwn) {
      writing.note(place.path, "reshaped", form.note);
      return form.write(this.#parts, place);
    }
    const facts = writtenFacts(writing.dialect, kind, leaf.facts);
    if (!isNested) return this.#scalar(piece, facts, values);
    const written = withFacts(kind === "object" ? this.#object(leaf, place) : this.#array(leaf, place), facts);
    return values ? { ...written, constraints: [...written.constraints, { enum: values }] } : written;
  }

  #scalar({ kind }: Piece, facts: Written, values: readonly unknown[] | undefined): Written {
    const { dialect } = this.#parts.writing;
    const schema = { type: kind, ...facts.schema };
    const isBoth = values?.length === 2 && values.includes(true) && values.includes(false);
    if (!values || isBoth) return { schema, constraints: facts.constraints };
    const isListable = dialect.enums.includes(kind) && !(dialect.bareUnions && values.includes(""));
    return isListable
      ? { schema: { ...schema, enum: values }, constraints: facts.constraints }
      : { schema, constraints: [...facts.constraints, { enum: values }] };
  }

  #object(leaf: SchemaNode, place: WritingPlace): Written {
    const { dialect } = this.#parts.writing;
    const properties: [string, Json][] = [];
    const required: string[] = [];
    for (const [name, field] of leaf.fields) {
      const property = this.#property(name, field, place);
      if (!property) continue;
      properties.push(property);
      if (field.isRequired || dialect.allRequired) required.push(property[0]);
    }
    const rest = this.#rest(leaf, place);
    const isEmpty = properties.length === 0 && !isStrict(dialect) && !place.isRoot;
    const schema = {
      type: "object",
      ...(!isEmpty && { properties: Object.fromEntries(properties) }),
      ...(required.length > 0 || (isStrict(dialect) && properties.length > 0) ? { required } : {}),
      ...rest.schema,
    };
    return { schema, constraints: rest.constraints };
  }

  /** The property under the model's name; `undefined` if it can have no value. */
  #property(name: string, field: Field, place: WritingPlace): [alias: string, schema: Json] | undefined {
    const { writing } = this.#parts;
    const { dialect } = writing;
    const { node, isRequired } = field;
    const path = memberPath(place.path, name);
    if (!isPossible(node)) {
      writing.note(path, "described", "The schema accepts no value here, so the property isn't shown.");
      return undefined;
    }
    const alias = writing.aliasAt(path, name);
    const own = this.#parts.part(node, place, path, !isRequired);
    if (isRequired || !dialect.allRequired) return [alias, own];
    return [alias, withNull(Box.isFor(field, dialect) ? this.#boxed(own, place, path) : own, dialect)];
  }

  #boxed(schema: Json, { isCrowded }: WritingPlace, path: string): Json {
    const { writing } = this.#parts;
    if (isCrowded) writing.notStrict(path, "It may be absent and may be null, below variants that overlap");
    writing.note(path, "reshaped", Box.note);
    return Box.write(schema);
  }

  /** Writes the schema of undeclared properties. */
  #rest(leaf: SchemaNode, place: WritingPlace): Written {
    const { writing } = this.#parts;
    const { dialect } = writing;
    const { rest, fields, isDeclared } = leaf;
    const nothing = { schema: {}, constraints: [] };
    if (isStrict(dialect)) {
      // Tools without arguments declare an empty `properties`. Further down it says nothing.
      const isUndescribed = rest === undefined && fields.size === 0 && !(isDeclared && place.isRoot);
      if (rest || isUndescribed) writing.notStrict(place.path, "Any properties are accepted here");
      return { schema: { additionalProperties: false }, constraints: [] };
    }
    // An alternative that accepts no value is said where the others are written.
    if (rest === undefined || (rest && isAny(rest) && !hasImpossibleAlternative(rest))) return nothing;
    if (dialect.rest) {
      const schema = rest && this.#parts.part(rest, place, valuePath(place.path));
      return { schema: { additionalProperties: schema }, constraints: [] };
    }
    if (rest) return { schema: {}, constraints: [{ additionalProperties: schemaOf(rest) }] };
    writing.note(
      place.path,
      "described",
      "additionalProperties: the target can't be told that there are no other properties.",
    );
    return nothing;
  }

  #array({ tuple, items, facts }: SchemaNode, place: WritingPlace): Written {
    const { writing } = this.#parts;
    const { dialect } = writing;
    const item = (node: SchemaNode) => this.#parts.part(node, place, itemPath(place.path));
    if (tuple.length === 0) return this.#list(item(items || ANY), items === false);
    if (dialect.tuples) {
      const most = Math.min(tuple.length, Number(facts["maxItems"] ?? tuple.length));
      const limit = items === false && { maxItems: most };
      // Where no more items are accepted, `maxItems` says so.
      return {
        schema: { type: "array", prefixItems: tuple.map(item), items: item(items || ANY), ...limit },
        constraints: [],
      };
    }
    writing.notStrict(place.path, "The list has schemas for single positions and for more items");
    const variants = [...tuple, ...(items ? [items] : [])].map(item);
    return {
      schema: { type: "array", items: unionOf(variants, dialect) },
      constraints: [{ prefixItems: "each position has its own form, in this order" }],
    };
  }

  #list(items: Json, isClosed: boolean): Written {
    const isWritten = isWritable("maxItems", 0, this.#parts.writing.dialect);
    return {
      schema: { type: "array", items, ...(isClosed && isWritten && { maxItems: 0 }) },
      constraints: isClosed && !isWritten ? [{ maxItems: 0 }] : [],
    };
  }
}
