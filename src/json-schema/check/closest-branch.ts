import { child, isObject } from "../../shared/json.js";
import { valueTest } from "../listed-values.js";
import { type Resolve, referencesOf } from "../references.js";
import { spend } from "../step-limit.js";

/**
 * The branches of a union that a value is meant for: those that no property contradicts, as `kind: "a"` contradicts one
 * in which `kind` is `"b"`. All of them if that tells nothing.
 */
export function meantBranches(union: readonly unknown[], value: unknown, resolve: Resolve): readonly unknown[] {
  if (!isObject(value)) return union;
  const contradicts = (properties: unknown) =>
    Object.entries<unknown>(Object(properties)).some(([name, property]) => {
      spend();
      return isObject(property) && Object.hasOwn(value, name) && valueTest(property)?.(value[name]) === false;
    });
  const meant = union.filter((branch) => {
    const schemas = isObject(branch) ? [branch, ...referencesOf(branch).map(resolve)] : [];
    return !schemas.some((schema) => contradicts(child(schema, "properties")));
  });
  return meant.length > 0 ? meant : union;
}

/**
 * The issues of the branch that a value comes closest to, which has the fewest of them.
 *
 * @param isOfWhole - Whether an issue says that the whole value has another kind, so that the branch wasn't meant.
 * @returns `undefined` if no branch was meant.
 */
export function closestBranch<Issue>(
  branches: readonly (readonly Issue[])[],
  isOfWhole: (issue: Issue) => boolean,
): readonly Issue[] | undefined {
  const [closest] = branches
    .filter((issues) => !issues.some(isOfWhole))
    .sort((left, right) => left.length - right.length);
  return closest;
}
