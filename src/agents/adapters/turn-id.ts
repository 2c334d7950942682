import { isString } from "../../shared/json.js";

const ids = new WeakMap<object, string>();

/**
 * The id of a model's turn, for the ids of its calls that have none: a call runs once per id, so the same turn must get
 * the same one each time it is run.
 *
 * @param message - An object of the turn. It is recognized if the turn has no id.
 */
export function turnId(message: object, given: unknown): string {
  const id = (isString(given) && given) || (ids.get(message) ?? crypto.randomUUID());
  ids.set(message, id);
  return id;
}
