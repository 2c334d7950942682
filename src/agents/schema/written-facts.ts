import { KEYWORDS_OF, type Kind } from "../../json-schema/keywords.js";
import type { Json } from "../../shared/json.js";
import type { Dialect } from "./targets.js";

/** A written schema, and the constraints that the target can only read in the description. */
export interface Written {
  readonly schema: Json;
  readonly constraints: readonly Json[];
}

/** Bounds and the like of one type: as keywords if the target takes them, otherwise as words. */
export function writtenFacts(dialect: Dialect, kind: Kind, facts: Json): Written {
  const schema: Record<string, unknown> = {};
  const constraints: Json[] = [];
  for (const [keyword, value] of Object.entries(facts)) {
    if (!KEYWORDS_OF[kind].includes(keyword)) continue;
    if (isWritable(keyword, value, dialect)) schema[keyword] = value;
    else constraints.push({ [keyword]: value });
  }
  return { schema, constraints };
}

/** A written schema with the facts about its type before it. */
export function withFacts(written: Written, facts: Written): Written {
  return {
    schema: { ...facts.schema, ...written.schema },
    constraints: [...facts.constraints, ...written.constraints],
  };
}

/** Whether a target takes a keyword with this value. */
export function isWritable(keyword: string, value: unknown, dialect: Dialect): boolean {
  if (keyword === "pattern" && dialect.rejectedPatterns?.test(String(value))) return false;
  if (dialect.constraints === true) return true;
  if (!dialect.constraints.includes(keyword)) return false;
  if (keyword === "format") return dialect.formats.includes(String(value));
  return keyword !== "minItems" || Number(value) <= (dialect.mostMinItems ?? Number.POSITIVE_INFINITY);
}
