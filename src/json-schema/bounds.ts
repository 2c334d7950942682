import { child, type Json } from "../shared/json.js";

/** A keyword's own value, if it is a number. */
export function numberAt(schema: Json, keyword: string): number | undefined {
  const value = child(schema, keyword);
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** A bound that a number may be equal to, and one that it may not. */
interface Bounds {
  readonly included?: number | undefined;
  readonly excluded: number | undefined;
}

/** The keyword of the bound that a number may not be equal to. */
export const EXCLUSIVE = { minimum: "exclusiveMinimum", maximum: "exclusiveMaximum" } as const;

/** The bounds of numbers on one side. In draft 4, `exclusiveMinimum: true` says of `minimum` that it is excluded. */
export function boundsAt(schema: Json, side: keyof typeof EXCLUSIVE): Bounds {
  const bound = numberAt(schema, side);
  const exclusive = EXCLUSIVE[side];
  return schema[exclusive] === true ? { excluded: bound } : { included: bound, excluded: numberAt(schema, exclusive) };
}
