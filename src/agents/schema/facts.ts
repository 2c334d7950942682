import type { Json } from "../../shared/json.js";
import { FAMILIES, type Kind } from "./drafts.js";
import { NOTHING, type Node } from "./node.js";
import type { Piece } from "./pieces.js";
import type { Dialect } from "./targets.js";
import type { Place, Writing } from "./writing.js";

/** Writes the node of a child. */
export type WriteChild = (node: Node, path: string, isOptional?: boolean) => Json;

/** The written schema of a piece, and the constraints that the target can only read in the description. */
export interface WrittenPiece {
  readonly schema: Json;
  readonly constraints: readonly Json[];
}

export function notStrict(writing: Writing, { path }: Place, reason: string): void {
  if (writing.dialect.plain) writing.note(path, "not-strict", `${reason}.`);
}

export function withFacts(
  piece: WrittenPiece,
  facts: WrittenPiece,
  values: readonly unknown[] | undefined,
): WrittenPiece {
  return {
    schema: { ...facts.schema, ...piece.schema },
    constraints: [...facts.constraints, ...piece.constraints, ...(values ? [{ enum: values }] : [])],
  };
}

const NO_FACTS: WrittenPiece = { schema: {}, constraints: [] };

/** Bounds and the like: as keywords if the target takes them, otherwise as words. */
export function factsOf({ dialect }: Writing, { leaf, kind }: Piece): WrittenPiece {
  const family: Kind = kind === "integer" ? "number" : kind;
  if (leaf.facts === NOTHING) return NO_FACTS;
  const facts = Object.entries(leaf.facts).filter(([keyword]) => FAMILIES[family]?.includes(keyword));
  return {
    schema: Object.fromEntries(facts.filter(([keyword, value]) => isWritable(keyword, value, dialect))),
    constraints: facts
      .filter(([keyword, value]) => !isWritable(keyword, value, dialect))
      .map(([keyword, value]) => ({ [keyword]: value })),
  };
}

export function isWritable(keyword: string, value: unknown, dialect: Dialect): boolean {
  if (keyword === "pattern" && dialect.rejectedPatterns?.test(String(value))) return false;
  if (dialect.constraints === true) return true;
  if (!dialect.constraints.includes(keyword)) return false;
  if (keyword === "format") return dialect.formats.includes(String(value));
  return keyword !== "minItems" || Number(value) <= (dialect.mostMinItems ?? Number.POSITIVE_INFINITY);
}
