import { loadPart } from "../errors/base.js";
import { ResponseError } from "../errors/connection.js";
import { ValidationError } from "../errors/local.js";
import { field, isObject, isRecord } from "../shared/json.js";
import { type ApiPromise, apiPromise, type WithResponse } from "./api-promise.js";
import type { AnyEndpoint, AnyInput } from "./endpoint.js";
import type { ToArrayOptions } from "./whole-list.js";

/** The item type of a page type: the elements of its array. */
export type ItemOf<Page> = Page extends
  | { readonly items: readonly (infer Item)[] }
  | { readonly logs: readonly (infer Item)[] }
  | { readonly data: readonly (infer Item)[] }
  ? Item
  : never;

/**
 * Await it for one page, or iterate over all items of all pages.
 *
 * ```ts
 * for await (const tool of svc.tools.list({ toolkit_slug: "github" })) console.log(tool.slug, tool.version);
 * const { total_items } = await svc.tools.list({ limit: 5 });
 * ```
 *
 * You can iterate over an awaited page as well: `for await` returns its items, then the items of later pages.
 *
 * The first page is requested immediately, later pages only when the iteration reaches them. Break out of the loop to
 * stop. Timeouts and retries apply to each page. A `signal` ends the whole iteration, even between items.
 */
export interface PagePromise<Page, Item = ItemOf<Page>>
  extends ApiPromise<Page & AsyncIterable<Item>>,
    AsyncIterable<Item> {
  /** Iterates over whole pages, with their totals. */
  pages(): AsyncIterableIterator<Page>;
  /**
   * Reads all items of all pages, each once. If records are added or removed meanwhile, items move from one page to
   * another. The items are therefore compared with the pages' `total_items`, and a list that changed is read again, at
   * most three times in all. If one item replaced another between two pages, this isn't always noticed.
   *
   * ```ts
   * const everyone = await svc.connectedAccounts.list({ account_type: "ALL", limit: 500 }).toArray({ max: 100_000 });
   * ```
   *
   * @throws {ResponseError} if the list changed each time, or has more than `max` items.
   * @throws {ValidationError} if the query has a `cursor`.
   */
  toArray(options?: ToArrayOptions): Promise<Item[]>;
}

type SendPage<Page> = (input: AnyInput) => Promise<WithResponse<Page>>;

/** A list call: sends the first page now and follows cursors while it is iterated. */
export function pagePromise<Page, Item>(
  endpoint: AnyEndpoint,
  input: AnyInput,
  send: SendPage<Page>,
  signal: AbortSignal | undefined,
): PagePromise<Page, Item> {
  // A copy, because the caller may use its object for another list before the next page is requested. Its loop may
  // start from the last page's `next_cursor`: null requests the first page.
  const start = withCursor(endpoint, input, cursorOf(endpoint, input) ?? undefined);
  const pages = () => {
    promise.catch(() => undefined);
    return walk(endpoint, start, first, send);
  };
  async function* items() {
    for await (const page of pages()) {
      for (const item of itemsOf<Item>(endpoint, page) ?? []) {
        signal?.throwIfAborted();
        yield item;
      }
    }
  }
  const first = send(start).then(({ data, meta }) => {
    // Not enumerable, so the page is printed, copied and compared as received. A middleware may return one twice, or
    // frozen.
    if (isObject(data) && Object.isExtensible(data)) {
      Object.defineProperties(data, {
        [Symbol.asyncIterator]: { value: items, configurable: true },
        [Symbol.iterator]: { value: () => onlyPage<Item>(endpoint, data), configurable: true },
      });
    }
    // It is iterable now, if it is a page.
    return { data: data as Page & AsyncIterable<Item>, meta };
  });
  const promise = apiPromise(first);
  const toArray = async (options: ToArrayOptions = {}) => {
    promise.catch(() => undefined);
    if (cursorOf(endpoint, start) !== undefined) {
      throw new ValidationError(endpoint.name, "toArray() reads the whole list. Omit cursor.");
    }
    let answer: typeof first | undefined = first;
    const read = () => {
      const given = answer ?? send(start);
      answer = undefined;
      return walk(endpoint, start, given, send);
    };
    // Few programs need it.
    const { wholeList } = await loadPart(endpoint.name, import("./whole-list.js"));
    return wholeList<Item>(endpoint, read, options);
  };
  return Object.assign(promise, { pages, toArray, [Symbol.asyncIterator]: items });
}

/** The most pages without items in a row, each with another cursor. Otherwise such a list could go on forever. */
const MOST_EMPTY_PAGES = 100;

async function* walk<Page>(
  endpoint: AnyEndpoint,
  input: AnyInput,
  first: Promise<WithResponse<Page>>,
  send: SendPage<Page>,
): AsyncIterableIterator<Page> {
  // The starting cursor counts as seen: a cursor that leads back to it would return everything again.
  const seen = new Set<unknown>([cursorOf(endpoint, input)]);
  let emptyPages = 0;
  for (let result = await first; ; ) {
    const failure = (problem: string) => {
      const { attempts, status } = result.meta;
      return new ResponseError(problem, { operation: endpoint.name, attempts, outcome: undefined, status });
    };
    // Treating a broken page as an empty one would silently lose items.
    const items = itemsOf(endpoint, result.data);
    if (items === undefined) throw failure("the page has no array of items.");
    emptyPages = items.length > 0 ? 0 : emptyPages + 1;
    if (emptyPages > MOST_EMPTY_PAGES) {
      throw failure(
        `the service returned ${MOST_EMPTY_PAGES} pages without items in a row, so the list may never end. All items until then were returned.`,
      );
    }
    const cursor = nextCursor(result.data);
    yield result.data;
    if (cursor === undefined) return;
    if (typeof cursor !== "string") throw failure("the page's next_cursor isn't a string.");
    if (seen.has(cursor)) {
      throw failure(
        "the service returned the same cursor twice, so the list would never end. All pages until then were returned.",
      );
    }
    seen.add(cursor);
    result = await send(withCursor(endpoint, input, cursor));
  }
}

/** The items of a page after which no other follows. A loop without `await` would silently leave out the rest. */
function onlyPage<Item>(endpoint: AnyEndpoint, page: unknown): Iterator<Item> {
  if (nextCursor(page) === undefined) return (itemsOf<Item>(endpoint, page) ?? []).values();
  const name = endpoint.items ?? "items";
  throw new TypeError(
    `${endpoint.name}: more pages follow this one. Use for await to read all of them, or ${name} of the page for only this one.`,
  );
}

/** A missing, null or empty cursor ends a list. A short page doesn't: the service may cap any `limit`. */
function nextCursor(page: unknown): unknown {
  const cursor = field(page, "next_cursor");
  return cursor === null || cursor === "" ? undefined : cursor;
}

function partOf({ method }: AnyEndpoint): "query" | "body" {
  return method === "GET" ? "query" : "body";
}

function cursorOf(endpoint: AnyEndpoint, input: AnyInput): unknown {
  return field(input[partOf(endpoint)], "cursor");
}

function withCursor(endpoint: AnyEndpoint, input: AnyInput, cursor: unknown): AnyInput {
  const part = partOf(endpoint);
  const filters = input[part] ?? {};
  // What isn't an object of filters is rejected as it was passed.
  if (!isRecord(filters)) return input;
  const copied = Object.entries(filters).map(([name, value]) => [name, Array.isArray(value) ? [...value] : value]);
  return { ...input, [part]: { ...Object.fromEntries(copied), cursor } };
}

function itemsOf<Item>(endpoint: AnyEndpoint, page: unknown): readonly Item[] | undefined {
  const items = field(page, endpoint.items ?? "items");
  // The page is the service's JSON; the endpoint declares its item type.
  return Array.isArray(items) ? (items as readonly Item[]) : undefined;
}
