import { LARGEST_PAGE } from "../../shared/service-limits.js";
import { invalidRequest } from "./responses.js";

/** Default number of items per page. Assumption E3. */
const DEFAULT_LIMIT = 20;

interface PageRequest {
  readonly limit?: number | null | undefined;
  readonly cursor?: string | null | undefined;
}

/**
 * Returns one page of a list. The cursor is base64 of page and limit, as the spec requires; Assumption E3. Spec:
 * Pagination envelope.
 */
export function paginate<Item>(all: readonly Item[], request: PageRequest) {
  const first = { page: 1, limit: request.limit ?? DEFAULT_LIMIT };
  const { page, limit } = request.cursor ? decodeCursor(request.cursor) : first;
  const pages = Math.max(1, Math.ceil(all.length / limit));
  return {
    items: all.slice((page - 1) * limit, page * limit),
    next_cursor: page < pages ? btoa(JSON.stringify({ page: page + 1, limit })) : null,
    total_pages: pages,
    current_page: page,
    total_items: all.length,
  };
}

/** Items by a time, ISO 8601. Those of the same time keep their order, or with `desc` have the reverse. */
export function sortedByTime<Item>(all: readonly Item[], time: (item: Item) => string, direction: string): Item[] {
  const oldestFirst = all.toSorted((left, right) => (time(left) < time(right) ? -1 : time(left) > time(right) ? 1 : 0));
  return direction === "asc" ? oldestFirst : oldestFirst.reverse();
}

/** @throws {ApiFailure} 400 for an invalid cursor. */
export function decodeCursor(cursor: string): { page: number; limit: number } {
  try {
    const { page, limit }: { page?: unknown; limit?: unknown } = JSON.parse(atob(cursor));
    if (isCount(page) && isCount(limit) && limit <= LARGEST_PAGE) return { page, limit };
  } catch {
    // Not base64 or not JSON: rejected below, like any other invalid cursor.
  }
  throw invalidRequest(["query.cursor: expected the next_cursor of a page"]);
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 100_000;
}
