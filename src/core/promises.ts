import type { RateLimit } from "../errors/api-error.js";
import { ResponseError } from "../errors/connection.js";
import type { Mismatch } from "../errors/local.js";
import { field } from "../shared/json.js";
import type { AnyEndpoint, AnyInput } from "./endpoint.js";

/** What is known about an answered call beside its data. */
export interface Meta {
  /** The call, named as the method: `tools.execute`. */
  readonly operation: string;
  /** HTTP status of the last answer. */
  readonly status: number;
  /** The service's id of the request, where the answer carries one. */
  readonly requestId: string | undefined;
  /** How many requests were sent, the first included. */
  readonly attempts: number;
  /** What the rate limiter said with this answer; `undefined` where it said nothing. */
  readonly rateLimit: RateLimit | undefined;
  /** Headers of the last answer. */
  readonly headers: Headers;
  /** True when an earlier attempt had already done it and the service only said so. */
  readonly repeated: boolean;
  /** Where the response doesn't match the contract. Empty without `checkContract()`. */
  readonly mismatches: readonly Mismatch[];
}

/** Data and what is known about the call that brought it. */
export interface WithResponse<Data> {
  /** The data, the very object that was received. */
  readonly data: Data;
  /** Status, headers and what else came with it. */
  readonly meta: Meta;
}

const NO_MISMATCHES: readonly Mismatch[] = Object.freeze([]);

/** What a call that succeeded resolves with. */
export function resultOf(
  call: { readonly endpoint: AnyEndpoint; readonly attempts: number },
  data: unknown,
  { status, headers, rateLimit }: Pick<Meta, "status" | "headers" | "rateLimit">,
  repeated: boolean,
): WithResponse<unknown> {
  const { attempts, endpoint } = call;
  const requestId = headers.get("x-request-id") ?? undefined;
  const operation = endpoint.name;
  const meta = { operation, status, requestId, attempts, rateLimit, headers, repeated, mismatches: NO_MISMATCHES };
  return { data, meta: Object.freeze(meta) };
}

/** A promise of the data that can also give the answer's status, headers and attempts. */
export interface ApiPromise<Data> extends Promise<Data> {
  /** The data together with {@link Meta}. Sends nothing further. */
  withResponse(): Promise<WithResponse<Data>>;
}

/** Attaches `.withResponse()` to the promise of the data: a plain promise, no subclass. */
export function apiPromise<Data>(answered: Promise<WithResponse<Data>>): ApiPromise<Data> {
  const data = answered.then(dataOf);
  return Object.assign(data, {
    withResponse: () => {
      // Whoever takes this branch handles the failure here; the other branch must not also report it as unhandled.
      data.catch(() => undefined);
      return answered.then((answer) => answer);
    },
  });
}

function dataOf<Data>({ data }: WithResponse<Data>): Data {
  return data;
}

/**
 * One page when awaited, every item of every page when iterated.
 *
 * ```ts
 * for await (const tool of svc.tools.list({ toolkit_slug: "github" })) console.log(tool.slug, tool.version);
 * const { total_items } = await svc.tools.list({ limit: 5 });
 * ```
 *
 * The first page is asked for at once; a further one only when the iteration reaches it. Leaving the loop stops.
 */
export interface PagePromise<Page, Item> extends ApiPromise<Page>, AsyncIterable<Item> {
  /** Iterates over whole pages, with their totals. */
  pages(): AsyncIterableIterator<Page>;
}

/** The items of a page type: the elements of the array it holds. */
export type ItemOf<Page> = Page extends
  | { readonly items: readonly (infer Item)[] }
  | { readonly logs: readonly (infer Item)[] }
  | { readonly data: readonly (infer Item)[] }
  ? Item
  : never;

type SendPage<Page> = (input: AnyInput) => Promise<WithResponse<Page>>;

/** A list call: sends the first page now and follows cursors while it is iterated. */
export function pagePromise<Page, Item>(
  endpoint: AnyEndpoint,
  input: AnyInput,
  send: SendPage<Page>,
): PagePromise<Page, Item> {
  // What a last page holds as `next_cursor` may be where a caller's loop begins: null asks for the first page.
  const start = cursorOf(endpoint, input) === null ? withCursor(endpoint, input, undefined) : input;
  const first = send(start);
  const promise = apiPromise(first);
  const pages = () => {
    promise.catch(() => undefined);
    return walk(endpoint, start, first, send);
  };
  return Object.assign(promise, {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* itemsOf<Item>(endpoint, page) ?? [];
    },
  });
}

async function* walk<Page>(
  endpoint: AnyEndpoint,
  input: AnyInput,
  first: Promise<WithResponse<Page>>,
  send: SendPage<Page>,
): AsyncIterableIterator<Page> {
  // Where the list begins counts as seen: a cursor that leads back there would deliver everything again.
  const seen = new Set<unknown>([cursorOf(endpoint, input)]);
  for (let answer = await first; ; ) {
    const refuse = (problem: string) => {
      const { attempts, status } = answer.meta;
      return new ResponseError(problem, { operation: endpoint.name, attempts, outcome: undefined, status });
    };
    // To take a broken page for an empty one would lose items without a word.
    if (itemsOf(endpoint, answer.data) === undefined) throw refuse("the page holds no list of items.");
    const cursor = nextCursor(answer.data);
    yield answer.data;
    if (cursor === undefined) return;
    if (typeof cursor !== "string")
      throw refuse("the page's next_cursor is no text, so the next page cannot be asked for.");
    if (seen.has(cursor)) {
      throw refuse(
        "the service gave the same cursor twice, so the list would never end. Every page up to here was delivered.",
      );
    }
    seen.add(cursor);
    answer = await send(withCursor(endpoint, input, cursor));
  }
}

/** The end of a list is a missing, null or empty cursor, never a short page: the service may cap any `limit`. */
function nextCursor(page: unknown): unknown {
  const cursor = field(page, "next_cursor");
  return cursor === null || cursor === "" ? undefined : cursor;
}

function cursorOf({ method }: AnyEndpoint, { query, body }: AnyInput): unknown {
  return field(method === "GET" ? query : body, "cursor");
}

function withCursor(endpoint: AnyEndpoint, input: AnyInput, cursor: string | undefined): AnyInput {
  if (endpoint.method === "GET") return { ...input, query: { ...input.query, cursor } };
  return { ...input, body: { ...Object(input.body), cursor } };
}

function itemsOf<Item>(endpoint: AnyEndpoint, page: unknown): readonly Item[] | undefined {
  const items = field(page, endpoint.items ?? "items");
  // The page is the service's JSON: its item type is what the endpoint declares.
  return Array.isArray(items) ? (items as readonly Item[]) : undefined;
}
