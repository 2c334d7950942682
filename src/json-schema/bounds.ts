import { child, type Json } from "../shared/json.js";

/** A keyword's own value, if it is a number. */
export function numberAt(schema: Json, keyword: string): number | undefined {
  const value = child(schema, keyword);
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** A bound that a number may be equal to, and one that it may not. */
interface Bounds {
  readonly included: number | undefined;
  readonly excluded: number | undefined;
}

/** The bounds of numbers on one side. In draft 4, `exclusiveMinimum: true` says of `minimum` that it is excluded. */
export function boundsAt(schema: Json, side: "minimum" | "maximum"): Bounds {
  const exclusive = side === "minimum" ? "exclusiveMinimum" : "exclusiveMaximum";
  const bound = numberAt(schema, side);
  const excluded = schema[exclusive] === true ? bound : numberAt(schema, exclusive);
  return { included: bound === excluded ? undefined : bound, excluded };
}
