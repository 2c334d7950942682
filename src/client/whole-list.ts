import { ResponseError } from "../errors/connection.js";
import { ValidationError } from "../errors/local.js";
import * as option from "../errors/option-rules.js";
import { field, isObject } from "../shared/json.js";
import type { AnyEndpoint } from "./endpoint.js";

/** Options of a list's `toArray`. */
export interface ToArrayOptions {
  /**
   * Maximum number of items. If the list is larger, `toArray` rejects instead of cutting it off. No limit by default.
   */
  max?: number | undefined;
}

/** How often a list that changes is read from its start. */
const MOST_READS = 3;

/**
 * Reads all items of a list, each once. A list that changed while it was read is read again.
 *
 * @param read - Reads the pages from the start.
 * @throws {ResponseError} if the list changed each time, or is larger than `max`.
 */
export async function wholeList<Item>(
  { name: operation, items: key }: AnyEndpoint,
  read: () => AsyncIterable<unknown>,
  given: ToArrayOptions,
): Promise<Item[]> {
  const { options, problems } = option.read(given, { max: option.COUNT });
  if (problems.length > 0) throw new ValidationError(operation, problems.join(" "));
  const { max = Number.POSITIVE_INFINITY } = options;
  let attempts = 0;
  const fail = (problem: string) =>
    new ResponseError(problem, { operation, attempts, outcome: undefined, status: 200 });
  for (let reads = 1; ; reads += 1) {
    const totals = new Set<unknown>();
    const items: Item[] = [];
    for await (const page of read()) {
      attempts += 1;
      totals.add(field(page, "total_items"));
      // The walk has checked that this is an array. Its items are those of the endpoint's type.
      for (const item of field(page, key ?? "items") as readonly Item[]) items.push(item);
      if (items.length > max) throw fail(`the list has more than ${max} items. Raise max, or iterate over the list.`);
    }
    const change = changeIn(items, [...totals]);
    if (change === undefined) return items;
    if (reads === MOST_READS) {
      throw fail(`the list changed each of the ${reads} times it was read: ${change}. Read it when less changes.`);
    }
  }
}

/** How a list has changed while its pages were read, as far as they show it. */
function changeIn(items: readonly unknown[], totals: readonly unknown[]): string | undefined {
  const numbers = totals.filter(Number.isFinite);
  if (numbers.length > 1) return `total_items was ${numbers.join(", then ")}`;
  const ids = items.filter(isObject).map((item) => item["id"] ?? item["slug"] ?? item);
  const repeated = ids.length - new Set(ids).size;
  if (repeated > 0) return `${repeated} of its items arrived twice`;
  const [total = items.length] = numbers;
  return total === items.length ? undefined : `total_items was ${total}, and ${items.length} items arrived`;
}
