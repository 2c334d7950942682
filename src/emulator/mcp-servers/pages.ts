interface NumberedRequest {
  readonly page_no?: number | undefined;
  readonly limit?: number | undefined;
  readonly order_by?: "created_at" | "updated_at" | undefined;
  readonly order_direction?: "asc" | "desc" | undefined;
}

interface Dated {
  readonly createdAt: string;
  readonly updatedAt?: string;
}

/** One numbered page of records in the wanted order. These lists have no cursor. */
export function numberedPage<Item extends Dated>(
  all: readonly Item[],
  { page_no: page = 1, limit, order_by, order_direction }: NumberedRequest,
  defaultLimit: number,
): { items: Item[]; total_pages: number; current_page: number } {
  const size = limit ?? defaultLimit;
  const time = ({ createdAt, updatedAt = createdAt }: Item) => (order_by === "created_at" ? createdAt : updatedAt);
  const direction = order_direction === "asc" ? 1 : -1;
  // Records of the same moment stay in the order they were made in, or in its reverse.
  const places = new Map(all.map((item, index) => [item, index]));
  const place = (item: Item) => places.get(item) ?? 0;
  const sorted = all.toSorted((one, other) => {
    const byTime = time(one) === time(other) ? place(one) - place(other) : time(one) < time(other) ? -1 : 1;
    return direction * byTime;
  });
  return {
    items: sorted.slice((page - 1) * size, page * size),
    total_pages: Math.max(1, Math.ceil(all.length / size)),
    current_page: page,
  };
}
