import { ANY, acceptsNull, hasImpossibleAlternative, isPossible, leavesOf, type Node } from "../../json-schema/node.js";
import { spend } from "../../json-schema/work.js";
import { isString, type Json } from "../../shared/json.js";
import { copyForWords } from "./copy.js";
import { areDisjoint, canChoose, formOf, hasJsonForm, isAny, isCrowded, isReshaped, piecesOf } from "./pieces.js";
import { unionOf, withNull, withWords } from "./unions.js";
import { type WriteChild, type WrittenPiece, writePiece } from "./write-piece.js";
import { closedObject, DEEPEST_SCHEMA, definitionsOf, listOfEntries, type Place, type Writing } from "./writing.js";

/** Constraints without which a strict schema would promise too much. */
const NOT_STRICT = ["not", "if", "patternProperties", "dependentRequired", "dependentSchemas", "unevaluatedProperties"];

export const IMPOSSIBLE_ALTERNATIVE = "An alternative accepts no value, so it isn't shown.";

/** A root in the words of a target that takes a part of JSON Schema, with the parts it refers to. */
export function writeRoot(writing: Writing, root: Node): Json {
  const writePart = (node: Node) => write(writing, node, { path: "", trail: [], isOptional: false, isCrowded: false });
  // Only `referenceTo` defines parts here, and its parts are nodes.
  return { ...writePart(root), ...definitionsOf(writing, (part) => writePart(part as Node)) };
}

/** A node in the words of a target that takes a part of JSON Schema. */
function write(writing: Writing, node: Node, place: Place): Json {
  spend(1 + place.trail.length);
  let again = 0;
  for (const step of place.trail) if (step.node === node) again += 1;
  if (again > 0 && mayRefer(writing, node, place)) return referenceTo(writing, node, place);
  if (again >= writing.maxDepth)
    return opened(writing, node, place, `It recurs. ${again} levels of it are written out`);
  if (place.trail.length > DEEPEST_SCHEMA || !writing.spend()) {
    return opened(writing, node, place, "The schema is too large or too deep");
  }
  const trail = [...place.trail, { node, isOptional: place.isOptional }];
  const schema = written(writing, node, { ...place, trail, isOptional: false });
  const definition = writing.definitions.get(node);
  if (!definition || place.trail.length === 0) return schema;
  definition.body ??= schema;
  return { $ref: `#/$defs/${definition.name}` };
}

function written(writing: Writing, node: Node, place: Place): Json {
  if (!isPossible(node)) return opened(writing, node, place, "No value is accepted, which the target can't be told");
  if (isAny(node)) return withoutNull(writing, node, place) ?? {};
  const isClose = place.isCrowded || isCrowded(node, writing.dialect);
  const schema = withoutNull(writing, node, isClose === place.isCrowded ? place : { ...place, isCrowded: isClose });
  if (!schema) return { type: "null" };
  return acceptsNull(node) ? withNull(schema, writing.dialect) : schema;
}

/** Writes the part of a node besides null, if it has one, or any value. */
function withoutNull(writing: Writing, node: Node, place: Place): Json | undefined {
  for (const reason of node.openings) opening(writing, place, reason);
  if (hasImpossibleAlternative(node)) {
    writing.note(place.path, "annotated", IMPOSSIBLE_ALTERNATIVE);
    // The others accept what it declares, if they don't mention other properties.
    if (leavesOf(node).some(({ kinds, rest }) => kinds.includes("object") && rest === undefined))
      writing.notStrict(place, "An alternative accepts no value, and others accept its properties");
  }
  const variantsOf = isAny(node) ? anyValue : node.branches ? branched : leaved;
  const { schema, constraints } = variantsOf(writing, node, place);
  const words = wordsFor(node.annotations, constraints, writing, place.path);
  return schema && withWords(schema, words, writing.dialect);
}

/** The written form of a node; no schema if it has no part besides null. */
type Variants = Omit<WrittenPiece, "schema"> & { readonly schema: Json | undefined };

function branched(writing: Writing, node: Node, place: Place): Variants {
  const { branches = [] } = node;
  const schemas = branches
    // Its values look like those of the others.
    .map((branch) => withoutNull(writing, branch, isAny(branch) ? { ...place, isCrowded: true } : place))
    .filter((schema) => schema !== undefined);
  if (writing.dialect.allRequired && !canChoose(branches)) {
    writing.notStrict(place, "Alternatives look alike, so what is absent can't be told from null");
  }
  const isOpen = node.isExclusive && !areDisjoint(branches);
  return {
    schema: schemas.length > 0 ? unionOf(schemas, writing.dialect) : undefined,
    constraints: isOpen ? [{ oneOf: "exactly one of these" }] : [],
  };
}

function leaved(writing: Writing, leaf: Node, place: Place): Variants {
  for (const constraint of leaf.others) {
    const keyword = Object.keys(constraint).find((name) => NOT_STRICT.includes(name));
    if (keyword) writing.notStrict(place, `${keyword} can't be written`);
  }
  const writeChild: WriteChild = (node, path, isOptional = false) =>
    write(writing, node, { ...place, path, isOptional });
  const results = piecesOf(leaf).map((piece) => writePiece(writing, piece, place, writeChild));
  const [only] = results;
  if (!only) return { schema: undefined, constraints: leaf.others };
  if (results.length === 1) return { schema: only.schema, constraints: [...only.constraints, ...leaf.others] };
  const schemas = results.map(({ schema, constraints }) =>
    withWords(schema, wordsFor({}, constraints, writing, place.path), writing.dialect),
  );
  return { schema: unionOf(schemas, writing.dialect), constraints: leaf.others };
}

/** Gemini accepts a cycle only if it goes through an optional property. */
function mayRefer({ dialect }: Writing, node: Node, { trail, isOptional }: Place): boolean {
  if (dialect.references !== "below-optional") return dialect.references === "all";
  const start = trail.findLastIndex((step) => step.node === node);
  return isOptional || trail.slice(start + 1).some((step) => step.isOptional);
}

function referenceTo(writing: Writing, node: Node, place: Place): Json {
  if (place.isCrowded && isReshaped(node, writing.dialect))
    writing.notStrict(place, "A map or tuple is below alternatives that look alike");
  return { $ref: `#/$defs/${writing.define(node)}` };
}

/** The type of a node, if it has a single one, and nothing more. */
function opened(writing: Writing, node: Node, place: Place, reason: string): Json {
  opening(writing, place, reason);
  writing.notStrict(place, reason);
  const kinds = [...new Set(leavesOf(node).flatMap((leaf) => leaf.kinds))];
  const [kind] = kinds;
  const hasForm = piecesOf(node).some((piece) => formOf(piece, writing.dialect) !== undefined);
  if (kinds.length !== 1 || kind === "null" || hasForm) return {};
  return kind === "array" ? { type: kind, items: {} } : { type: kind };
}

function opening(writing: Writing, { path }: Place, reason: string): void {
  writing.note(path, "opened", `${reason}. Anything is accepted there.`);
}

/** Any value, as JSON in which objects are lists of entries if the target only takes closed objects. */
function anyValue(writing: Writing, _: Node, place: Place): Variants {
  if (!hasJsonForm(writing.dialect)) {
    writing.notStrict(place, "Any value is accepted here");
    return { schema: {}, constraints: [] };
  }
  if (place.isCrowded) writing.notStrict(place, "Any value is accepted below alternatives that look alike");
  writing.note(place.path, "reshaped", "Objects in it are written as lists of entries.");
  const json = { $ref: `#/$defs/${writing.define(ANY)}` };
  const scalars = ["string", "number", "boolean", "null"].map((type) => ({ type }));
  const definition = writing.definitions.get(ANY);
  if (definition)
    definition.body = {
      anyOf: [...scalars, { type: "array", items: json }, closedObject({ entries: listOfEntries(json) })],
    };
  return { schema: json, constraints: [] };
}

/**
 * The text of a description: the author's words, then the constraints and annotations that the target has no keywords
 * for.
 */
export function wordsFor(annotations: Json, constraints: readonly Json[], writing: Writing, path: string): string {
  const { title, description, ...others } = annotations;
  const keywords = Object.keys(others);
  if (constraints.length + keywords.length === 0) return titled(title, description, path);
  const limits = constraints.flatMap((constraint) => {
    const isInWords = Object.values(constraint).some(isString);
    return Object.entries(isInWords ? constraint : Object(copyForWords(constraint, writing)));
  });
  for (const [keyword] of limits) {
    writing.note(path, "described", `${keyword}: the target can't check it, so it is in the description.`);
  }
  for (const keyword of keywords) writing.note(path, "annotated", `${keyword}: it is in the description.`);
  const words = [...limits, ...Object.entries(others)].map(
    ([keyword, value]) => `${keyword}: ${isString(value) ? value : JSON.stringify(value)}`,
  );
  return [titled(title, description, path), words.length === 0 ? "" : `(${words.join("; ")})`]
    .filter(Boolean)
    .join(" ");
}

/** A title that only repeats the property's name or the description, as generators write it, adds nothing. */
function titled(title: unknown, description: unknown, path: string): string {
  const text = isString(description) ? description : "";
  if (!isString(title)) return text;
  const isKnown = plain(path).endsWith(plain(title)) || plain(text).includes(plain(title));
  if (isKnown) return text;
  return text === "" ? title : `${title}: ${text}`;
}

const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
