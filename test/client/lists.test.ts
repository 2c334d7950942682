import { describe, expect, test } from "vitest";
import { endpoint, ResponseError, ServerError, type Svc, typed, type WithResponse } from "../../src/index.js";
import { clientOf, collect, emulated, rejection, rejectionOf } from "../support/client.js";
import { fakeClock, settle } from "../support/clock.js";
import { failure, type Step, scriptedFetch } from "../support/scripted-fetch.js";

/** A page of numbers. */
function page(items: readonly number[], next_cursor?: unknown): Response {
  return Response.json({ items, next_cursor, total_pages: 9, current_page: 1, total_items: 99 });
}

const numbers = endpoint({
  name: "numbers.list",
  method: "GET",
  path: "/api/v3/numbers",
  auth: ["apiKey"],
  retry: "safe",
  query: typed<{ limit?: number; cursor?: string }>(),
  response: typed<{ items: number[]; next_cursor?: string | null }>(),
});

/** A list of a client over scripted pages. The items are numbers, whatever the list's type says. */
function listOf(...steps: readonly Step[]) {
  const fetch = scriptedFetch(...steps);
  const svc = clientOf(fetch, { maxRetries: 0 });
  return { fetch, svc, list: (query: Parameters<Svc["tools"]["list"]>[0] = {}) => svc.tools.list(query) };
}

describe("an awaited page", () => {
  test("can be iterated, through the pages after it, without another request for itself", async () => {
    const { fetch, list } = listOf(page([1, 2], "b"), page([3]));
    const first = await list();
    expect(await collect(first)).toEqual([1, 2, 3]);
    expect(fetch.sent).toHaveLength(2);
  });

  test("is still the data as received", async () => {
    const { list } = listOf(page([1, 2], "b"));
    const first = await list();
    expect(first).toStrictEqual({ items: [1, 2], next_cursor: "b", total_pages: 9, current_page: 1, total_items: 99 });
    expect(Reflect.ownKeys({ ...first })).toEqual(Object.keys(first));
  });

  test("may be frozen, or returned twice, by a middleware that caches", async () => {
    const cached = Object.freeze({ items: [1], total_pages: 1, current_page: 1, total_items: 1, next_cursor: null });
    const again = { ...cached };
    for (const data of [cached, again, again]) {
      const use = [async (_: unknown, next: () => Promise<WithResponse<unknown>>) => ({ ...(await next()), data })];
      const svc = clientOf(scriptedFetch(page([2])), { use });
      expect((await svc.tools.list()).items).toEqual([1]);
    }
  });
});

/** Runs something and gives the rejections that no one handled while it ran. */
async function unhandledDuring(act: () => Promise<unknown>): Promise<unknown[]> {
  const unhandled: unknown[] = [];
  const before = process.listeners("unhandledRejection");
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", (reason) => unhandled.push(reason));
  try {
    await act();
    await settle();
  } finally {
    process.removeAllListeners("unhandledRejection");
    for (const listener of before) process.on("unhandledRejection", listener);
  }
  return unhandled;
}

describe("a list", () => {
  test("resolves to its first page with the totals when awaited, in one request", async () => {
    const { fetch, list } = listOf(page([1, 2], "c2"));
    expect(await list({ limit: 2 })).toMatchObject({ items: [1, 2], next_cursor: "c2", total_items: 99 });
    await settle();
    expect(fetch.sent.map(({ target }) => target)).toEqual(["/api/v3.1/tools?limit=2"]);
  });

  test("yields every item of every page in order when iterated, with one request per page", async () => {
    const { fetch, list } = listOf(page([1, 2], "c2"), page([3], "c3"), page([4], null));
    expect(await collect(list({ limit: 2, toolkit_slug: "github" }))).toEqual([1, 2, 3, 4]);
    expect(fetch.sent.map(({ url }) => url.searchParams.get("cursor"))).toEqual([null, "c2", "c3"]);
    // The filters go with every page: a cursor alone does not carry them.
    expect(fetch.sent.every(({ url }) => url.searchParams.get("toolkit_slug") === "github")).toBe(true);
    expect(fetch.sent.every(({ url }) => url.searchParams.get("limit") === "2")).toBe(true);
  });

  test("yields whole pages with .pages()", async () => {
    const { list } = listOf(page([1], "c2"), page([2], null));
    const pages = await collect(list().pages());
    expect(pages).toEqual([
      expect.objectContaining({ items: [1], next_cursor: "c2", total_pages: 9 }),
      expect.objectContaining({ items: [2], next_cursor: null }),
    ]);
  });

  test("resolves to the first page and its metadata with .withResponse(), without another request", async () => {
    const { fetch, list } = listOf(page([1], "c2"));
    const listing = list();
    const { data, meta } = await listing.withResponse();
    expect(meta).toMatchObject({
      operation: "tools.list",
      status: 200,
      attempts: 1,
      alreadyApplied: false,
      mismatches: [],
    });
    expect(await listing).toBe(data);
    expect(fetch.sent).toHaveLength(1);
  });

  test("requests the first page once when awaited and then iterated", async () => {
    const { fetch, list } = listOf(page([1], "c2"), page([2], null));
    const listing = list();
    await listing;
    expect(await collect(listing)).toEqual([1, 2]);
    expect(fetch.sent).toHaveLength(2);
  });

  test("requests the next page only when the iteration reaches it", async () => {
    const { fetch, list } = listOf(page([1, 2], "c2"), page([3], null));
    const items = list()[Symbol.asyncIterator]();
    await items.next();
    await items.next();
    await settle();
    expect(fetch.sent).toHaveLength(1);
    await items.next();
    expect(fetch.sent).toHaveLength(2);
  });

  test("requests nothing more after the loop ends, because it never prefetches", async () => {
    const { fetch, list } = listOf(page([1], "c2"), page([2], "c3"), page([3], null));
    for await (const item of list()) if (Object.is(item, 2)) break;
    await settle();
    expect(fetch.sent).toHaveLength(2);
  });

  test("checks, retries and throttles every page like any call", async () => {
    const clock = fakeClock();
    const fetch = scriptedFetch(page([1], "c2"), failure(503), page([2], null));
    expect(await collect(clientOf(fetch, { clock }).tools.list())).toEqual([1, 2]);
    expect(fetch.sent).toHaveLength(3);
    expect(clock.slept).toEqual([250]);
  });
});

test("a list keeps the filters it was requested with, even if the caller uses the object for another list", async () => {
  const { fetch, list } = listOf(page([1], "b"), page([2], "c"), page([3]));
  const filters = { toolkit_slug: "github" };
  const started = list(filters);
  filters.toolkit_slug = "slack";
  expect(await collect(started)).toEqual([1, 2, 3]);
  expect(fetch.sent.map(({ url }) => url.search)).toEqual([
    "?toolkit_slug=github",
    "?toolkit_slug=github&cursor=b",
    "?toolkit_slug=github&cursor=c",
  ]);
});

test("a list keeps the values of a filter, even if the caller removes each one it has handled", async () => {
  const { fetch, list } = listOf(page([1], "b"), page([2]));
  const slugs = ["A_TOOL", "B_TOOL"];
  const items: unknown[] = [];
  for await (const item of list({ tags: slugs })) {
    slugs.shift();
    items.push(item);
  }
  expect(items).toEqual([1, 2]);
  expect(fetch.sent.map(({ url }) => url.searchParams.get("tags"))).toEqual(["A_TOOL,B_TOOL", "A_TOOL,B_TOOL"]);
});

describe("the end of a list", () => {
  test.each([
    ["null", null],
    ["absent", undefined],
    ["an empty text", ""],
  ])("a cursor that is %s ends the list", async (_, cursor) => {
    const { fetch, list } = listOf(page([1], cursor));
    expect(await collect(list())).toEqual([1]);
    expect(fetch.sent).toHaveLength(1);
  });

  test("an empty page with a cursor doesn't end the list", async () => {
    const { list } = listOf(page([], "c2"), page([], "c3"), page([1], null));
    expect(await collect(list())).toEqual([1]);
  });

  test("a page shorter than the limit doesn't end the list", async () => {
    const { list } = listOf(page([1], "c2"), page([2, 3], null));
    expect(await collect(list({ limit: 100 }))).toEqual([1, 2, 3]);
  });

  test("a cursor is opaque: it is sent back byte for byte", async () => {
    const cursor = "eyJwIjoyfQ==+/&?#%2F ü\u0000";
    const { fetch, list } = listOf(page([1], cursor), page([2], null));
    await collect(list());
    expect(fetch.sent[1]?.url.searchParams.get("cursor")).toBe(cursor);
  });

  test("a list that starts at a cursor continues from there", async () => {
    const { fetch, list } = listOf(page([3], "c4"), page([4], null));
    expect(await collect(list({ cursor: "c3" }))).toEqual([3, 4]);
    expect(fetch.sent.map(({ target }) => target)).toEqual(["/api/v3.1/tools?cursor=c3", "/api/v3.1/tools?cursor=c4"]);
  });
});

describe("a service whose cursors repeat", () => {
  async function walk(steps: readonly Response[], query = {}) {
    const { fetch, list } = listOf(...steps);
    const seen: unknown[] = [];
    const error = await rejectionOf(
      ResponseError,
      (async () => {
        for await (const item of list(query)) seen.push(item);
      })(),
    );
    return { seen, error, requests: fetch.sent.length };
  }

  test("the same cursor twice ends the iteration with an error, after every received item was yielded", async () => {
    const { seen, error, requests } = await walk([page([1], "c2"), page([2], "c2"), page([3], null)]);
    expect(seen).toEqual([1, 2]);
    expect(requests).toBe(2);
    expect(error).toMatchObject({ operation: "tools.list", status: 200, attempts: 1 });
    expect(error.message).toContain("the same cursor twice");
  });

  test("100 empty pages in a row, each with a new cursor, end the iteration with an error", async () => {
    const empty = Array.from({ length: 150 }, (_, index) => page([], `e${index}`));
    const { seen, error, requests } = await walk([page([1], "a"), ...empty]);
    expect([seen, requests]).toEqual([[1], 102]);
    expect(error.message).toContain("100 pages without items in a row");
  });

  test("99 empty pages in a row don't end it", async () => {
    const empty = Array.from({ length: 99 }, (_, index) => page([], `e${index}`));
    const { list } = listOf(...empty, page([1], "a"), page([], "b"), page([2]));
    expect(await collect(list())).toEqual([1, 2]);
  });

  test("a cycle of several cursors is detected too", async () => {
    const { seen, requests } = await walk([page([1], "a"), page([2], "b"), page([3], "a"), page([4], null)]);
    expect(seen).toEqual([1, 2, 3]);
    expect(requests).toBe(3);
  });

  test("a cursor that leads back to the start yields nothing twice", async () => {
    const { seen, requests } = await walk([page([1], "start"), page([1], null)], { cursor: "start" });
    expect(seen).toEqual([1]);
    expect(requests).toBe(1);
  });

  test("cycles are detected in lists whose cursor is in the body", async () => {
    const { svc, fetch } = listOf(Response.json({ logs: [1], next_cursor: "start" }));
    await rejectionOf(ResponseError, collect(svc.logs.listToolExecutions({ cursor: "start" })));
    expect(fetch.sent).toHaveLength(1);
  });
});

describe("a list that fails", () => {
  test("on its first page rejects when awaited and when iterated", async () => {
    const { list } = listOf(failure(500));
    expect(await rejection(list())).toBeInstanceOf(ServerError);
    expect(await rejection(collect(list()))).toBeInstanceOf(ServerError);
    expect(await rejection(collect(list().pages()))).toBeInstanceOf(ServerError);
    expect(await rejection(list().withResponse())).toBeInstanceOf(ServerError);
  });

  test("on page 2 rejects after the items of page 1 were yielded", async () => {
    const { list } = listOf(page([1, 2], "c2"), failure(500));
    const seen: unknown[] = [];
    const error = await rejection(
      (async () => {
        for await (const item of list()) seen.push(item);
      })(),
    );
    expect(error).toBeInstanceOf(ServerError);
    expect(seen).toEqual([1, 2]);
  });

  test("leaves no unhandled rejection, however it is used", async () => {
    const { list } = listOf(failure(500));
    const unhandled = await unhandledDuring(async () => {
      await rejection(list());
      await rejection(list().withResponse());
      await rejection(collect(list()));
      await rejection(collect(list().pages()));
      list().pages();
      const { list: failsLater } = listOf(page([1], "c2"), failure(500));
      await rejection(collect(failsLater()));
    });
    expect(unhandled).toEqual([]);
  });

  test("causes an unhandled rejection if it's never used, like any promise", async () => {
    const { list } = listOf(failure(500));
    const unhandled = await unhandledDuring(async () => {
      void list();
    });
    expect(unhandled).toEqual([expect.any(ServerError)]);
  });
});

test.each([
  ["no items", Response.json({ total_items: 3 }), /has no array of items/],
  ["items that are no list", Response.json({ items: { 0: 1 } }), /has no array of items/],
  ["a cursor that is no text", page([1], 2), /next_cursor isn't a string/],
])("a page with %s ends the iteration with an error instead of an early end", async (_, answer, message) => {
  const { list } = listOf(answer);
  const error = await rejectionOf(ResponseError, collect(list()));
  expect(error.message).toMatch(message);
});

test("a list that is requested with a body has its cursor there", async () => {
  const { fetch, svc } = listOf(page([1], "c2"), page([2], null));
  expect(await collect(svc.toolkits.listBySlugs({ toolkits: ["github"] }))).toEqual([1, 2]);
  expect(fetch.sent.map(({ body }) => body)).toEqual([
    { toolkits: ["github"] },
    { toolkits: ["github"], cursor: "c2" },
  ]);
});

test("a cursor of null, as in the last page, requests the first page and isn't sent", async () => {
  const { fetch, svc, list } = listOf(page([1], "c2"), page([2], null));
  expect(await collect(list({ limit: 1, cursor: null }))).toEqual([1, 2]);
  await svc.toolkits.listBySlugs({ toolkits: ["github"], cursor: null });
  expect(fetch.sent.map(({ target }) => target)).toEqual([
    "/api/v3.1/tools?limit=1",
    "/api/v3.1/tools?limit=1&cursor=c2",
    "/api/v3.1/toolkits/multi",
  ]);
  expect(fetch.sent.at(-1)?.body).toEqual({ toolkits: ["github"] });
});

test("a call without a list method can be paged by hand with its cursor", async () => {
  const fetch = scriptedFetch(page([1], "c2"), page([2], null));
  const svc = clientOf(fetch);
  const first = await svc.call(numbers, { query: { limit: 1 } });
  const second = await svc.call(numbers, { query: { limit: 1, cursor: first.next_cursor ?? "" } });
  expect([...first.items, ...second.items]).toEqual([1, 2]);
});

test("the emulator's list yields every tool exactly once, whatever the page size", async () => {
  const { svc, emulator } = emulated();
  const all = (await svc.tools.list({ limit: 1000 })).items.map(({ slug }) => slug);
  expect(all.length).toBeGreaterThan(5);
  for (const limit of [1, 3, all.length - 1, all.length, all.length + 1]) {
    emulator.reset();
    const slugs = (await collect(svc.tools.list({ limit }))).map(({ slug }) => slug);
    expect(slugs).toEqual(all);
    expect(emulator.requests).toHaveLength(Math.ceil(all.length / limit));
  }
});
