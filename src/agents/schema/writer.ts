import { ANY, acceptsNull, hasImpossibleAlternative, isPossible, type SchemaNode } from "../../json-schema/node.js";
import { spend } from "../../json-schema/step-limit.js";
import type { Json } from "../../shared/json.js";
import { areDisjoint, branchesShareType, canChoose } from "./branches.js";
import { descriptionText } from "./description-text.js";
import { AnyJson, formOf, isReshaped, type PartWriter } from "./forms.js";
import { PieceWriter } from "./piece-writer.js";
import { isAny, piecesOf } from "./type-pieces.js";
import { unionOf, withNull, withWords } from "./unions.js";
import { DEEPEST_SCHEMA, referenceTo, type WritingPlace, type WritingState } from "./writing-state.js";
import type { Written } from "./written-facts.js";

/** Constraints without which a strict schema would promise too much. */
const NOT_STRICT = ["not", "if", "patternProperties", "dependentRequired", "dependentSchemas", "unevaluatedProperties"];

export const IMPOSSIBLE_ALTERNATIVE = "An alternative accepts no value, so it isn't shown.";

const ROOT: WritingPlace = { path: "", trail: [], isOptional: false, isRoot: true, isCrowded: false };

/** Writes nodes in the words of a target that takes a part of JSON Schema. */
export class Writer implements PartWriter {
  readonly writing: WritingState;
  readonly #pieces: PieceWriter = new PieceWriter(this);

  constructor(writing: WritingState) {
    this.writing = writing;
  }

  /** A root, with the parts it refers to. */
  root(root: SchemaNode): Json {
    // `#reference` and `#any` define the parts here, and theirs are nodes.
    return { ...this.#node(root, ROOT), ...this.writing.definitions((part) => this.#node(part as SchemaNode, ROOT)) };
  }

  /** A node below another one. */
  part(node: SchemaNode, place: WritingPlace, path: string, isOptional = false): Json {
    return this.#node(node, { ...place, path, isOptional, isRoot: false });
  }

  /** A node, or a reference to it. A recursive one is cut if the target takes no reference there. */
  #node(node: SchemaNode, place: WritingPlace): Json {
    const { writing } = this;
    const { trail } = place;
    spend(1 + trail.length);
    let again = 0;
    for (const step of trail) if (step.node === node) again += 1;
    if (again > 0 && this.#mayRefer(node, place)) return this.#reference(node, place);
    if (again >= writing.maxDepth)
      return this.#untyped(node, place, `It recurs. ${again} levels of it are written out`);
    if (trail.length > DEEPEST_SCHEMA || !writing.takeObject()) {
      return this.#untyped(node, place, "The schema is too large or too deep");
    }
    const inside = { ...place, trail: [...trail, { node, isOptional: place.isOptional }], isOptional: false };
    const schema = this.#value(node, inside);
    if (place.isRoot) return schema;
    // A part of it may have referred back to it. Then it is a definition, to which this place refers, too.
    const name = writing.writeDefinition(node, schema);
    return name === undefined ? schema : referenceTo(name);
  }

  /** Gemini accepts a cycle only if it goes through an optional property. */
  #mayRefer(node: SchemaNode, { trail, isOptional }: WritingPlace): boolean {
    const { references } = this.writing.dialect;
    if (references !== "below-optional") return references === "all";
    const start = trail.findLastIndex((step) => step.node === node);
    return isOptional || trail.slice(start + 1).some((step) => step.isOptional);
  }

  #reference(node: SchemaNode, place: WritingPlace): Json {
    if (place.isCrowded && isReshaped(node, this.writing.dialect))
      this.writing.notStrict(place.path, "A map or tuple is below variants that overlap");
    return referenceTo(this.writing.define(node));
  }

  /** A node with its null, if it takes it. */
  #value(node: SchemaNode, place: WritingPlace): Json {
    const { dialect } = this.writing;
    if (!isPossible(node)) return this.#untyped(node, place, "No value is accepted, which the target can't be told");
    if (isAny(node)) return this.#besidesNull(node, place) ?? {};
    const isCrowded = place.isCrowded || branchesShareType(node, dialect);
    const schema = this.#besidesNull(node, isCrowded === place.isCrowded ? place : { ...place, isCrowded });
    if (!schema) return { type: "null" };
    return acceptsNull(node) ? withNull(schema, dialect) : schema;
  }

  /** The part of a node besides null, if it has one, or any value. */
  #besidesNull(node: SchemaNode, place: WritingPlace): Json | undefined {
    for (const reason of node.openings) this.writing.untyped(place.path, reason);
    if (hasImpossibleAlternative(node)) this.#noteImpossible(node, place);
    const { schema, constraints } = isAny(node)
      ? this.#any(place)
      : node.branches
        ? this.#union(node, node.branches, place)
        : this.#leaf(node, place);
    const words = descriptionText(node.annotations, constraints, this.writing, place.path);
    return schema && withWords(schema, words, this.writing.dialect);
  }

  #noteImpossible(node: SchemaNode, { path }: WritingPlace): void {
    this.writing.note(path, "annotated", IMPOSSIBLE_ALTERNATIVE);
    // The others accept what it declares, if they don't mention other properties.
    if (node.leaves.some(({ kinds, rest }) => kinds.includes("object") && rest === undefined))
      this.writing.notStrict(path, "An alternative accepts no value, and others accept its properties");
  }

  #union(node: SchemaNode, branches: readonly SchemaNode[], place: WritingPlace): Variants {
    const { dialect } = this.writing;
    const schemas = branches
      // Its values look like those of the others.
      .map((branch) => this.#besidesNull(branch, isAny(branch) ? { ...place, isCrowded: true } : place))
      .filter((schema) => schema !== undefined);
    if (dialect.allRequired && !canChoose(branches)) {
      this.writing.notStrict(place.path, "The variants overlap, so a missing value can't be distinguished from null");
    }
    const isOpen = node.isExclusive && !areDisjoint(branches);
    return {
      schema: schemas.length > 0 ? unionOf(schemas, dialect) : undefined,
      constraints: isOpen ? [{ oneOf: "exactly one of these" }] : [],
    };
  }

  #leaf(leaf: SchemaNode, place: WritingPlace): Variants {
    const { writing } = this;
    for (const constraint of leaf.others) {
      const keyword = Object.keys(constraint).find((name) => NOT_STRICT.includes(name));
      if (keyword) writing.notStrict(place.path, `${keyword} can't be written`);
    }
    const results = piecesOf(leaf).map((piece) => this.#pieces.write(piece, place));
    const [only] = results;
    if (!only) return { schema: undefined, constraints: leaf.others };
    if (results.length === 1) return { schema: only.schema, constraints: [...only.constraints, ...leaf.others] };
    const schemas = results.map(({ schema, constraints }) =>
      withWords(schema, descriptionText({}, constraints, writing, place.path), writing.dialect),
    );
    return { schema: unionOf(schemas, writing.dialect), constraints: leaf.others };
  }

  /** Any value, as JSON in which objects are lists of entries if the target only takes closed objects. */
  #any(place: WritingPlace): Variants {
    const { writing } = this;
    if (!AnyJson.isFor(ANY, writing.dialect)) {
      writing.notStrict(place.path, "Any value is accepted here");
      return { schema: {}, constraints: [] };
    }
    if (place.isCrowded) writing.notStrict(place.path, "Any value is accepted below variants that overlap");
    writing.note(place.path, "reshaped", AnyJson.note);
    const schema = referenceTo(writing.define(ANY));
    writing.writeDefinition(ANY, AnyJson.write(schema));
    return { schema, constraints: [] };
  }

  /** The type of a node, if it has a single one, and nothing more. */
  #untyped(node: SchemaNode, { path }: WritingPlace, reason: string): Json {
    this.writing.untyped(path, reason);
    this.writing.notStrict(path, reason);
    const kinds = [...new Set(node.leaves.flatMap((leaf) => leaf.kinds))];
    const [kind] = kinds;
    const hasForm = piecesOf(node).some((piece) => formOf(piece, this.writing.dialect) !== undefined);
    if (kinds.length !== 1 || kind === "null" || hasForm) return {};
    return kind === "array" ? { type: kind, items: {} } : { type: kind };
  }
}

/** The written form of a node; no schema if it has no part besides null. */
type Variants = Omit<Written, "schema"> & { readonly schema: Json | undefined };
