import { argumentsNode } from "../../json-schema/graph.js";
import { hasImpossibleAlternative, isPossible, type SchemaNode } from "../../json-schema/node.js";
import { resolverOf } from "../../json-schema/references.js";
import { namesIn, outlineOf } from "../../json-schema/schema-outline.js";
import { limited } from "../../json-schema/step-limit.js";
import { isObject, type Json } from "../../shared/json.js";
import { type Aliases, aliasesFor } from "./aliases.js";
import type { CompiledSchema, Note, Target } from "./compiled-tool.js";
import { copiedDefinitions, copyOf } from "./copy.js";
import { Decoder } from "./decoder.js";
import { countsOf, excess, needsItself } from "./limits.js";
import { mergedRoot, wholeRoot } from "./merged-root.js";
import { checkTarget, DIALECTS, type Dialect, isStrict, takesAll } from "./targets.js";
import { IMPOSSIBLE_ALTERNATIVE, Writer } from "./writer.js";
import { isWidening, WritingState } from "./writing-state.js";

/**
 * How many levels of a recursive schema are written out for a target without recursive references. Fewer if the result
 * would be too large. Deeper values are accepted as they are.
 */
const DEEPEST_RECURSION = 3;

/**
 * The most steps of one compilation: more than 50 times those of the largest tool of public MCP servers, and far less
 * than a second.
 */
const MOST_STEPS = 100_000;

/**
 * Compiles the JSON Schema of a tool's arguments for one target. Accepts every draft from 4 to 2020-12 and OpenAPI's
 * `nullable`, and never throws because of a schema's content.
 *
 * For a strict target, a schema that can't be strict is compiled for the plain target: see `strict` and the notes.
 *
 * @throws {ConfigError} if the target doesn't exist.
 */
export function compileSchema(schema: unknown, target: Target): CompiledSchema {
  checkTarget("compileSchema", target);
  return compilerOf(schema)(target);
}

export type Compile = (target: Target) => CompiledSchema;

/** The compiler of a schema. What all targets need is done once. */
export function compilerOf(schema: unknown): Compile {
  const node = argumentsNode(schema);
  return (target) => limited(MOST_STEPS, () => compiledOf(schema, node, target)) ?? outlined(schema, target);
}

/** The compiled outline of a schema that is too large. */
function outlined(schema: unknown, target: Target): CompiledSchema {
  const outline = outlineOf(schema);
  const { plain } = DIALECTS[target];
  const compiled = compiledOf(outline, argumentsNode(outline), plain ?? target);
  const opening: Note = { path: "", kind: "untyped", message: OUTLINED };
  const reasons = plain ? [notStrict("The schema is too large.")] : [];
  return { ...compiled, fidelity: "widened", notes: [...compiled.notes, opening, ...reasons] };
}

const OUTLINED =
  "The schema is too large. Only the names, types and descriptions of its properties are kept. Anything else is accepted.";

/** One way to write a schema. */
interface WritingAttempt {
  readonly target: Target;
  readonly dialect: Dialect;
  /** How many levels of a recursive schema are written out. */
  readonly maxDepth: number;
  /** Why the attempts before weren't strict. */
  readonly reasons: readonly Note[];
}

/** The result of one attempt. */
interface WrittenSchema {
  readonly schema: Json;
  readonly root: SchemaNode;
  readonly aliases: Aliases;
  readonly writing: WritingState;
}

/** Compiles a schema for a target. After each attempt that the target doesn't accept, the next one gives up more. */
function compiledOf(schema: unknown, node: SchemaNode, target: Target): CompiledSchema {
  let attempt: WritingAttempt = { target, dialect: DIALECTS[target], maxDepth: DEEPEST_RECURSION, reasons: [] };
  for (;;) {
    const written = writeSchema(attempt, schema, node);
    const next = nextAttempt(attempt, written);
    if (!next) return compiledFrom(attempt, written);
    attempt = next;
  }
}

/** The attempt after one that the target doesn't accept, and what it gives up; `undefined` if the target accepts it. */
function nextAttempt(attempt: WritingAttempt, written: WrittenSchema): WritingAttempt | undefined {
  const { dialect, maxDepth } = attempt;
  // A level of recursion: part of every branch describes more than all of the first one.
  if (written.writing.isFull && dialect.references !== "all" && maxDepth > 1) {
    return { ...attempt, maxDepth: maxDepth - 1 };
  }
  // Its references: each alone is accepted, but parts that are shared by several places can still need each other.
  if (dialect.references === "below-optional" && needsItself(written.schema)) {
    return { ...attempt, dialect: { ...dialect, references: "none" } };
  }
  // Strictness.
  const { plain } = dialect;
  const reasons = reasonsNotStrict(attempt, written);
  if (plain && reasons.length > 0) return { target: plain, dialect: DIALECTS[plain], maxDepth, reasons };
  return undefined;
}

/** Why a schema in a strict dialect can't be strict. */
function reasonsNotStrict({ target, dialect }: WritingAttempt, { schema, writing }: WrittenSchema): readonly Note[] {
  const reasons = writing.notes.filter(({ kind }) => kind === "not-strict");
  const tooMuch = isStrict(dialect) && reasons.length === 0 ? excess(target, countsOf(schema)) : undefined;
  return tooMuch === undefined ? reasons : [notStrict(tooMuch)];
}

function writeSchema({ dialect, maxDepth }: WritingAttempt, schema: unknown, node: SchemaNode): WrittenSchema {
  const aliases = aliasesFor(namesIn(schema), dialect.propertyNames);
  const root = dialect.rootUnions ? node : mergedRoot(node, aliases);
  const writing = new WritingState(dialect, aliases, resolverOf(schema), maxDepth);
  if (!dialect.rootUnions && hasImpossibleAlternative(node)) writing.note("", "annotated", IMPOSSIBLE_ALTERNATIVE);
  const written = takesAll(dialect) ? whole(writing, schema, root) : new Writer(writing).root(root);
  return { schema: written, root, aliases, writing };
}

/** The compiled schema of the attempt that the target accepts. */
function compiledFrom(
  { dialect, reasons }: WritingAttempt,
  { schema, root, aliases, writing }: WrittenSchema,
): CompiledSchema {
  const { notes } = writing;
  const isReshaped = notes.some(({ kind }) => kind === "reshaped");
  const decoder = new Decoder(root, dialect, aliases, isReshaped);
  return {
    schema,
    strict: isStrict(dialect),
    fidelity: notes.some(isWidening) ? "widened" : "exact",
    notes: [...notes, ...reasons],
    decode: decoder.decode.bind(decoder),
  };
}

/** The plain form of a schema, with the reason why it isn't strict. */
export function plainInstead(plain: CompiledSchema, reasons: readonly Note[]): CompiledSchema {
  return { ...plain, notes: [...plain.notes, ...reasons] };
}

export function notStrict(message: string): Note {
  return { path: "", kind: "not-strict", message };
}

function whole(writing: WritingState, schema: unknown, root: SchemaNode): Json {
  const copy = writing.dialect.rootUnions ? objectOf(copyOf(schema, writing, ""), root) : wholeRoot(writing, root);
  return { ...copy, ...copiedDefinitions(writing) };
}

/** A schema that accepts only objects, as a tool's arguments are. */
function objectOf(copy: unknown, root: SchemaNode): Json {
  if (!isPossible(root) || !isObject(copy)) return { type: "object", not: {} };
  return { type: "object", ...copy, ...(copy["type"] !== undefined && { type: "object" }) };
}
