import { describe, expect, test } from "vitest";
import { ResponseError, ServerError, ValidationError } from "../../src/index.js";
import { clientOf, emulated, rejectionOf } from "../support/client.js";
import { failure, type Step, scriptedFetch } from "../support/scripted-fetch.js";

type Page = readonly [ids: string, total: number | undefined];

const page = ([ids, total_items]: Page, next_cursor: string | null) =>
  Response.json({ items: [...ids].map((id) => ({ id })), next_cursor, total_items });

/** A list of accounts over reads of two pages each. */
function listOf(...reads: readonly (readonly [Page, Page])[]) {
  const fetch = scriptedFetch(...reads.flatMap(([one, two]): Step[] => [page(one, "c2"), page(two, null)]));
  return { fetch, list: clientOf(fetch, { maxRetries: 0 }).connectedAccounts.list() };
}

const QUIET = [
  ["ab", 4],
  ["cd", 4],
] as const;

describe("toArray()", () => {
  test("reads every page once", async () => {
    const { fetch, list } = listOf(QUIET);
    expect((await list.toArray()).map(({ id }) => id)).toEqual(["a", "b", "c", "d"]);
    expect(fetch.sent.map(({ url }) => url.searchParams.get("cursor"))).toEqual([null, "c2"]);
  });

  test.each<[string, Page, Page]>([
    ["an item was added at the start", ["ab", 4], ["bc", 5]],
    ["an item was removed from the first page", ["ab", 4], ["d", 3]],
    ["one was added and another one removed", ["ab", 4], ["bc", 4]],
    ["items are missing", ["ab", 4], ["c", 4]],
    ["an item arrived twice, without a total", ["ab", undefined], ["bc", undefined]],
  ])("reads the list again if %s", async (_, one, two) => {
    const { fetch, list } = listOf([one, two], QUIET);
    expect(await list.toArray()).toHaveLength(4);
    expect(fetch.sent.map(({ url }) => url.searchParams.get("cursor"))).toEqual([null, "c2", null, "c2"]);
  });

  test("rejects a list that never rests, and says how it changed", async () => {
    const { fetch, list } = listOf([
      ["ab", 4],
      ["bc", 5],
    ]);
    const busy = [...Array(3)].flatMap((): Step[] => [page(["ab", 4], "c2"), page(["bc", 5], null)]);
    const svc = clientOf(scriptedFetch(...busy), { maxRetries: 0 });
    const error = await rejectionOf(ResponseError, svc.connectedAccounts.list().toArray());
    expect(error.message).toBe(
      "connectedAccounts.list: the list changed each of the 3 times it was read: total_items was 4, then 5. Read it when less changes.",
    );
    expect(error).toMatchObject({ attempts: 6, status: 200 });
    expect(await list).toBeDefined();
    expect(fetch.sent).toHaveLength(1);
  });

  test("rejects a list with more than max items, instead of cutting it off", async () => {
    const { list } = listOf(QUIET);
    const error = await rejectionOf(ResponseError, list.toArray({ max: 3 }));
    expect(error.message).toContain("the list has more than 3 items. Raise max, or iterate over the list.");
    expect(await listOf(QUIET).list.toArray({ max: 4 })).toHaveLength(4);
  });

  test("passes an error of a page on, and causes no unhandled rejection", async () => {
    const svc = clientOf(scriptedFetch(page(["ab", 4], "c2"), failure(503)), { maxRetries: 0 });
    await rejectionOf(ServerError, svc.connectedAccounts.list().toArray());
  });

  test("rejects a list that starts in the middle, and wrong options", async () => {
    const svc = clientOf(scriptedFetch(page(["ab", 2], null)));
    const inside = await rejectionOf(ValidationError, svc.connectedAccounts.list({ cursor: "c2" }).toArray());
    expect(inside.message).toBe("connectedAccounts.list: toArray() reads the whole list. Omit cursor.");
    for (const options of [{ max: 0 }, { max: "5" }, { limit: 5 }, 5]) {
      await rejectionOf(ValidationError, svc.connectedAccounts.list().toArray(options as object));
    }
  });

  test("reads all records of the emulator, in pages of any size", async () => {
    const { svc } = emulated();
    const all = await svc.tools.list().toArray();
    expect(await svc.tools.list({ limit: 2 }).toArray()).toEqual(all);
    expect(all.length).toBeGreaterThan(10);
  });
});
