// Lists beside cursors of the program, changed filters, repeated iterations and frozen pages.
import type { Svc } from "../../../src/index.js";
import type { Definition, World } from "../world.js";
import { scripted, thrown } from "./scripted.js";
import { Service } from "./service.js";

/** A service that returns pages in turn, and what it was asked. */
function listing(world: World, options: ConstructorParameters<typeof Svc>[0], ...pages: readonly object[]) {
  const asked: string[] = [];
  const left = [...pages];
  const fetch = async (request: Request) => {
    const { search } = new URL(request.url);
    asked.push(request.method === "POST" ? JSON.stringify(await request.json()) : decodeURIComponent(search));
    return Response.json(left.shift() ?? {});
  };
  const { svc } = new Service(world, { fetch, ...options });
  return { svc, asked };
}

const page = (next_cursor: unknown, ...slugs: readonly string[]) => {
  return { items: slugs.map((slug) => ({ slug })), next_cursor };
};

async function read(list: AsyncIterable<{ readonly slug: string }>): Promise<string[]> {
  const slugs: string[] = [];
  for await (const { slug } of list) slugs.push(slug);
  return slugs;
}

export const togetherLists: readonly Definition[] = [
  scripted(
    "rate limit: 1 client, a list from a cursor whose filters are changed while it is read",
    async (_, see, world) => {
      const { svc, asked } = listing(
        world,
        {},
        { items: [{ id: "ca_1" }], next_cursor: "3" },
        { items: [{ id: "ca_2" }] },
      );
      const query = { cursor: "2", user_ids: ["u1"], limit: 1 };
      const list = svc.connectedAccounts.list(query);
      query.user_ids.push("u2");
      query.limit = 9;
      const ids: string[] = [];
      for await (const { id } of list) ids.push(id);
      see("both pages", ids, ["ca_1", "ca_2"]);
      see("as it was asked first", asked, ["?cursor=2&user_ids=u1&limit=1", "?cursor=3&user_ids=u1&limit=1"]);
      const back = listing(world, {}, page("3", "a"), page("2", "b"), page(null, "c"));
      const end = await thrown(() => read(back.svc.toolkits.list({ cursor: "2" })));
      see("back to its start", end.includes("the same cursor twice"), true);
      see("it ends", back.asked.length, 2);
    },
  ),
  scripted("rate limit: 1 client, a list that is iterated, awaited and iterated again", async (_, see, world) => {
    const { svc, asked } = listing(world, {}, page("2", "a"), page("", "b"), page(null, "c"), page(null, "d"));
    const list = svc.toolkits.list({});
    see("once", await read(list), ["a", "b"]);
    see(
      "the first page is requested once",
      [await read(list), asked],
      [
        ["a", "c"],
        ["", "?cursor=2", "?cursor=2"],
      ],
    );
    const first = await list;
    see("from its page", [await read(first), asked.length], [["a", "d"], 4]);
    // The types have no such iterator: a list may need more pages.
    see("without waiting", (await thrown(() => [...(first as unknown as Iterable<object>)])) !== "", true);
    const last = await listing(world, {}, page(null, "z")).svc.toolkits.list({});
    see("the last page", [...(last as unknown as Iterable<object>)], [{ slug: "z" }]);
  }),
  scripted("rate limit: 1 client, a list in the body of its request, and frozen pages", async (_, see, world) => {
    const use = [
      async (_call: unknown, next: () => Promise<{ data: unknown; meta: never }>) => {
        const { data, meta } = await next();
        return { data: Object.freeze(data), meta };
      },
    ];
    const logs = [{ id: "log_1" }, { id: "log_2" }];
    const pages = [
      { logs: logs.slice(0, 1), next_cursor: "2" },
      { logs: logs.slice(1), next_cursor: null },
    ];
    const { svc, asked } = listing(world, { use: use as never }, ...pages);
    const ids: string[] = [];
    for await (const { id } of svc.logs.listToolExecutions({ limit: 1 })) ids.push(id);
    see(
      "both pages",
      [ids, asked],
      [
        ["log_1", "log_2"],
        ['{"limit":1}', '{"limit":1,"cursor":"2"}'],
      ],
    );
  }),
  scripted("rate limit: 1 client, which items of a whole list are the same", async (_, see, world) => {
    const whole = async (...pages: readonly object[]) => {
      const { svc, asked } = listing(world, {}, ...pages);
      const items = svc.connectedAccounts.list({}).toArray();
      const end = await items.then(
        (found) => found.length,
        (error: Error) => error.message.split(": ").slice(1).join(": "),
      );
      return [end, asked.length];
    };
    const items = (next_cursor: string | null, total_items: unknown, ...found: readonly object[]) => {
      return { items: found, next_cursor, total_items };
    };
    see("two of one toolkit", await whole(items(null, 2, { id: "1", slug: "a" }, { id: "2", slug: "a" })), [2, 1]);
    const same = items(null, 2, { id: "1", slug: "a" }, { id: "1", slug: "b" });
    see("one id", await whole(same, same, same), [
      "the list changed each of the 3 times it was read: 1 of its items arrived twice. Read it when less changes.",
      3,
    ]);
    see("without totals", await whole(items("2", undefined, { id: "1" }), items(null, null, { id: "2" })), [2, 2]);
    see("one total", await whole(items("2", 2, { id: "1" }), items(null, undefined, { id: "2" })), [2, 2]);
    see("fewer than the total", await whole(items(null, 3, { id: "1" }), items(null, 1, { id: "1" })), [1, 2]);
  }),
  scripted("rate limit: 1 client, a list whose first page fails", async (_, see, world) => {
    type List = ReturnType<Svc["toolkits"]["list"]>;
    const ways: readonly ((list: List) => unknown)[] = [
      (list) => read(list),
      (list) => read(list.pages() as never),
      (list) => list.toArray(),
      (list) => list.withResponse(),
      (list) => list,
    ];
    const failed = "toolkits.list: the service responded with 200, but the body is an error object.";
    for (const [index, way] of ways.entries()) {
      const { svc, asked } = listing(world, {}, { error: { message: "It failed." } });
      see(`${index}`, [await thrown(() => way(svc.toolkits.list({}))), asked.length], [failed, 1]);
    }
    const { svc, asked } = listing(world, {}, { error: { message: "It failed." } });
    const list = svc.toolkits.list({});
    const ends = await Promise.all(ways.map((way) => thrown(() => way(list))));
    see("all of one", [ends, asked.length], [ways.map(() => failed), 1]);
  }),
];
