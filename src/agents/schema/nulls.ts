import { isObject } from "../../shared/json.js";
import { fittingLeaves, isAbsentIfNull, type Reading } from "./fits.js";
import { isPossible, leavesOf, type Node } from "./node.js";

/** Values nested deeper than this stay as they are. */
export const DEEPEST_VALUE = 200;

const EXACT: Reading = { isTolerant: false, isClosed: false };

/** Writes null for each absent property, for targets that require all of them. */
export function withNulls(node: Node | false | undefined, value: unknown, depth = 0): unknown {
  if (!node || depth > DEEPEST_VALUE || typeof value !== "object" || value === null) return value;
  const [leaf] = fittingLeaves(node, value, { isTolerant: false, isClosed: true });
  if (!leaf) return value;
  if (Array.isArray(value)) {
    return value.map((item, index) => withNulls(leaf.tuple[index] ?? leaf.items, item, depth + 1));
  }
  const possible = [...leaf.fields].filter(([, field]) => isPossible(field.node) && isAbsentIfNull(field));
  const absent = possible.map(([name]) => name).filter((name) => !Object.hasOwn(value, name));
  const members = Object.entries(value).map(([name, member]) => [
    name,
    withNulls(leaf.fields.get(name)?.node ?? leaf.rest, member, depth + 1),
  ]);
  return Object.fromEntries([...members, ...absent.map((name) => [name, null])]);
}

/**
 * Removes each null that can only mean an absent property. With every API, models write null for optional properties. A
 * union's branch counts if the value fits it as it is, otherwise if it fits without such nulls, otherwise all of them
 * count.
 */
export function withoutNulls(nodes: readonly Node[], value: unknown, depth = 0): unknown {
  if (depth > DEEPEST_VALUE || typeof value !== "object" || value === null) return value;
  const leaves = branchesFor(nodes, value);
  // Branches often share what is below them. Taken once each, they don't multiply with every level.
  const next = (below: (Node | false | undefined)[], member: unknown) =>
    withoutNulls([...new Set(below.flatMap((node) => node || []))], member, depth + 1);
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      next(
        leaves.map(({ tuple, items }) => tuple[index] ?? items),
        item,
      ),
    );
  }
  const isAbsent = (name: string) => {
    const fields = leaves.flatMap((leaf) => leaf.fields.get(name) ?? []);
    return fields.length > 0 && fields.every(isAbsentIfNull);
  };
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => member !== null || !isAbsent(name))
      .map(([name, member]) => [
        name,
        next(
          leaves.map(({ fields, rest }) => fields.get(name)?.node ?? rest),
          member,
        ),
      ]),
  );
}

function branchesFor(nodes: readonly Node[], value: object): readonly Node[] {
  const kind = isObject(value) ? "object" : "array";
  const leaves = nodes.flatMap(leavesOf).filter(({ kinds }) => kinds.includes(kind));
  if (leaves.length < 2) return leaves;
  for (const reading of [EXACT, { ...EXACT, isTolerant: true }]) {
    const fitting = nodes.flatMap((node) => fittingLeaves(node, value, reading));
    if (fitting.length > 0) return fitting;
  }
  return leaves;
}
