import { invalidRequest } from "./errors.js";

/** Default number of items per page. See assumption E3. */
const DEFAULT_LIMIT = 20;

/** Maximum number of items per page. Spec: Limits. */
const MAX_LIMIT = 1_000;

interface PageRequest {
  readonly limit?: number | null | undefined;
  readonly cursor?: string | null | undefined;
}

/** A page of a list. Spec: Pagination envelope. */
interface Page<Item> {
  items: Item[];
  next_cursor: string | null;
  total_pages: number;
  current_page: number;
  total_items: number;
}

/** Returns one page of a list. The cursor is base64 of page and limit, as the spec requires; see assumption E3. */
export function paginate<Item>(all: readonly Item[], request: PageRequest): Page<Item> {
  const requested = request.cursor ? decodeCursor(request.cursor) : { page: 1, limit: request.limit ?? DEFAULT_LIMIT };
  const { page, limit } = requested;
  const pages = Math.max(1, Math.ceil(all.length / limit));
  return {
    items: all.slice((page - 1) * limit, page * limit),
    next_cursor: page < pages ? btoa(JSON.stringify({ page: page + 1, limit })) : null,
    total_pages: pages,
    current_page: page,
    total_items: all.length,
  };
}

/**
 * Returns the limit in a cursor, which must be in the range of its list.
 *
 * @throws {ApiFailure} 400 for an invalid cursor.
 */
export function limitOfCursor(cursor: string): { readonly limit: number } {
  const { limit } = decodeCursor(cursor);
  return { limit };
}

function decodeCursor(cursor: string): { page: number; limit: number } {
  try {
    const { page, limit }: { page?: unknown; limit?: unknown } = JSON.parse(atob(cursor));
    if (isCount(page) && isCount(limit) && limit <= MAX_LIMIT) return { page, limit };
  } catch {
    // Not base64 or not JSON: rejected below, like any other invalid cursor.
  }
  throw invalidRequest(["query.cursor: expected the next_cursor of a page"]);
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 100_000;
}
