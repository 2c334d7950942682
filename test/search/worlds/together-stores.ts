// The stores of Redis and PostgreSQL beside replies that are odd, lost, or those of a conflict.
import { memoryExecutions } from "../../../src/agents/index.js";
import {
  postgresApprovals,
  postgresBudgets,
  postgresDeliveries,
  postgresExecutions,
} from "../../../src/stores/postgres.js";
import {
  redisApprovals,
  redisBudgets,
  redisDeliveries,
  redisExecutions,
  redisRateLimit,
} from "../../../src/stores/redis.js";
import type { Definition } from "../world.js";
import { scripted, thrown } from "./scripted.js";
import { ended, program, Service } from "./service.js";

/** A client of Redis that replies what it is told, with the keys and the arguments of its scripts. */
function redis(...replies: unknown[]) {
  const sent: (readonly [string[], string[]])[] = [];
  const client = {
    eval: async (_script: string, { keys, arguments: args }: { keys: string[]; arguments: string[] }) => {
      sent.push([keys, args]);
      const reply = replies.shift();
      if (reply instanceof Error) throw reply;
      return reply;
    },
  };
  return { client, sent, replies };
}

/** A client of PostgreSQL that replies what it is told, with the values of its statements. */
function postgres(...replies: unknown[]) {
  const sent: (string | null)[][] = [];
  const client = {
    query: async (_text: string, values: (string | null)[] = []) => {
      sent.push(values);
      const reply = replies.shift();
      if (reply instanceof Error) throw reply;
      return reply;
    },
  };
  return { client, sent, replies };
}

const failed = (code: string) => Object.assign(new Error(`It failed with ${code}.`), { code });
const isOdd = async (run: () => Promise<unknown>) => (await thrown(run)).includes("didn't reply as");
const record = {
  ...{ id: "r", value: "new", state: "pending", userId: "u:1", conversationId: null },
  ...{ position: "0001 r", ttlMs: 10.5 },
};

export const togetherStores: readonly Definition[] = [
  scripted("executions: a store in Redis", async (_, see) => {
    const { client, sent, replies } = redis(null, ["s", null], ["s", "end"], null, ["s", null], "1", 0);
    const store = redisExecutions({ client });
    const records = [await store.find("a"), await store.find("a"), await store.find("a")];
    see("records", records, [undefined, { stamp: "s", result: undefined }, { stamp: "s", result: "end" }]);
    const starts = [await store.start("a", "t"), await store.start("a", "t")];
    see("starts", starts, [undefined, { stamp: "s", result: undefined }]);
    await store.finish("a", "t");
    await store.finish("a", "t", "");
    const key = ["svc:execution:a"];
    const values = [[], [], [], ["t"], ["t"], ["t"], ["t", ""]];
    see(
      "what it sends",
      sent,
      values.map((args) => [key, args]),
    );
    for (const odd of [undefined, [], ["s"], [5, null], ["s", null, null], ["s", 5], "s"]) {
      replies.push(odd, odd);
      see(
        JSON.stringify(odd) ?? "",
        [await isOdd(() => store.find("a")), await isOdd(() => store.start("a", "t"))],
        [true, true],
      );
    }
    for (const odd of [2, -1, 0.5, "x", null, ""]) {
      replies.push(odd);
      see(`${odd}`, await isOdd(() => store.finish("a", "t")), true);
    }
  }),
  scripted("deliveries: a store in Redis", async (_, see) => {
    const { client, sent, replies } = redis(0, 1, "2", 1, 0, "1", 0, 0);
    const store = redisDeliveries({ client, prefix: "p:", retentionMs: 1_000 });
    const claimed = await store.claim("a", 10.2);
    see("a claim", claimed, { status: "claimed", token: "P1-1-0-0-0" });
    see(
      "others",
      [await store.claim("a", 10), await store.claim("a", 10)],
      [{ status: "running" }, { status: "committed" }],
    );
    see("renewals", [await store.renew("a", "t", 10.2), await store.renew("a", "t", 10)], [true, false]);
    see("commits", [await store.commit("a", "t"), await store.commit("a", "t")], [true, false]);
    see("a release", await store.release("a", "t"), undefined);
    see(
      "what it sends",
      sent.map(([keys, args]) => [...keys, ...args].join(" ")),
      [
        ...["p:a P1-1-0-0-0 11", "p:a P1-2-0-0-0 10", "p:a P1-3-0-0-0 10", "p:a t 11", "p:a t 10"],
        ...["p:a t 1000", "p:a t 1000", "p:a t"],
      ],
    );
    for (const [run, odd] of [
      [() => store.claim("a", 1), 3],
      [() => store.renew("a", "t", 1), 2],
      [() => store.commit("a", "t"), 2],
      [() => store.release("a", "t"), true],
    ] as const) {
      replies.push(odd);
      see(`${odd}`, await isOdd(run), true);
    }
  }),
  scripted("budgets: stores in Redis and PostgreSQL", async (_, see) => {
    const { client, sent, replies } = redis("7", -1, "1", 0);
    const store = redisBudgets({ client });
    see("what is used", await store.read({ key: "a", windowMs: 61 }), 7);
    const charges = [
      { key: "a", amount: 2, limit: 5, windowMs: undefined },
      { key: "b", amount: 1, limit: 9, windowMs: 60_000 },
    ];
    const consumed = [await store.consume(charges), await store.consume(charges), await store.consume(charges)];
    see("counted, or the first that doesn't fit", consumed, [undefined, 1, 0]);
    const keys = ["{svc:budget}:a", "{svc:budget}:b"];
    see("what it sends", sent.slice(0, 2), [
      [keys.slice(0, 1), ["60", "2"]],
      [keys, ["60", "2", "5", "0", "1", "9", "1000"]],
    ]);
    for (const odd of [2, -2, "", 0.5]) {
      replies.push(odd);
      see(`${odd}`, await isOdd(() => store.consume(charges)), true);
    }
    replies.push(-1);
    see("a negative use", await isOdd(() => store.read({ key: "a", windowMs: undefined })), true);
    const database = postgres();
    const budgets = postgresBudgets({ client: database.client, prefix: "p:" });
    see("no reply", await isOdd(() => budgets.consume(charges)), true);
    see("it was asked once", database.sent.length, 1);
  }),
  scripted("approvals: stores in Redis and PostgreSQL", async (_, see) => {
    const { client, sent, replies } = redis(null, "value", 1, "0", ["2 b", "two", "1 a", "one"], []);
    const store = redisApprovals({ client, prefix: "p:" });
    see("records", [await store.find("a"), await store.find("a")], [undefined, "value"]);
    const both = { ...record, conversationId: "c\n" };
    see("writes", [await store.swap(record, undefined), await store.swap(both, "old")], [true, false]);
    const query = { state: "pending", userId: "u:1", conversationId: null, before: null, limit: 2 };
    see("a list", await store.list(query), [
      { position: "2 b", value: "two" },
      { position: "1 a", value: "one" },
    ]);
    see("the next", await store.list({ ...query, conversationId: "c\n", before: "1 a" }), []);
    const lists = ["p:list:pending", "p:list:pending:user:u%3A1", "p:list:pending:conversation:c%0A"];
    see("what it sends", sent.slice(2), [
      [
        ["p:record:r", "p:record:", ...lists.slice(0, 2)],
        ["", "new", "0001 r", "11", "u:1"],
      ],
      [
        ["p:record:r", "p:record:", ...lists],
        ["old", "new", "0001 r", "11", "u:1"],
      ],
      [
        [...lists.slice(1, 2), "p:record:"],
        ["", "2", "u:1"],
      ],
      [
        [...lists.slice(2), "p:record:"],
        ["1 a", "2", "u:1"],
      ],
    ]);
    for (const odd of [["one"], [1, 2], null, "x"]) {
      replies.push(odd);
      see(JSON.stringify(odd), await isOdd(() => store.list(query)), true);
    }
    replies.push(5, 2);
    see("odd", [await isOdd(() => store.find("a")), await isOdd(() => store.swap(record, undefined))], [true, true]);
    const database = postgres([{ done: "yes" }], { rows: [{ done: true }, { done: true }] });
    const approvals = postgresApprovals({ client: database.client });
    see("no boolean", await isOdd(() => approvals.swap(record, undefined)), true);
    see("two rows", await isOdd(() => approvals.swap(record, undefined)), true);
  }),
  scripted("executions: a store in PostgreSQL and its conflicts", async (_, see, world) => {
    const none = { stamp: null, result: null };
    const held = { stamp: "s", result: null };
    const { client, sent, replies } = postgres(
      [none],
      { rows: [held] },
      [{ done: true, ...none }],
      [{ done: false, ...held }],
    );
    const store = postgresExecutions({ client, prefix: "p:" });
    see("records", [await store.find("a"), await store.find("a")], [undefined, { stamp: "s", result: undefined }]);
    see(
      "starts",
      [await store.start("a", "t"), await store.start("a", "t")],
      [undefined, { stamp: "s", result: undefined }],
    );
    see("what it sends", sent.splice(0), [["p:a"], ["p:a"], ["p:a", "t"], ["p:a", "t"]]);
    replies.push(failed("40001"), failed("40P01"), [{ done: false, ...none }], [{ done: true, ...none }]);
    see("conflicts are repeated", [await store.start("b", "t"), sent.splice(0).length], [undefined, 4]);
    replies.push([{ done: true }], [{ done: false }]);
    see("ends", [await store.finish("a", "t"), await store.finish("a", "t", "end")], [undefined, undefined]);
    see("with what", sent.splice(0), [
      ["p:a", "t"],
      ["p:a", "t", "end"],
    ]);
    replies.push(failed("08006"));
    see(
      "other failures aren't",
      [await thrown(() => store.find("a")), sent.splice(0).length],
      ["It failed with 08006.", 1],
    );
    replies.push(failed("40001"), failed("25P02"));
    see(
      "in a transaction, the conflict is told",
      [await thrown(() => store.find("a")), sent.splice(0).length],
      ["It failed with 40001.", 2],
    );
    replies.push(failed("40001"), failed("08006"));
    see("another failure after it", await thrown(() => store.find("a")), "It failed with 08006.");
    replies.push(failed("25P02"));
    see("without one, the failure", await thrown(() => store.find("a")), "It failed with 25P02.");
    const startedAt = world.time.now;
    for (let number = 0; number < 101; number += 1) replies.push(failed("40001"));
    sent.length = 0;
    see(
      "a hundred times",
      [await thrown(() => store.find("a")), sent.splice(0).length],
      ["It failed with 40001.", 101],
    );
    see("for about five seconds", Math.round((world.time.now - startedAt) / 1_000), 5);
    replies.push([none], [none]);
    await store.find("x".repeat(598));
    await store.find("x".repeat(599));
    see(
      "long ids",
      sent.map(([id]) => [id?.slice(0, 7), id?.length]),
      [
        ["p:xxxxx", 600],
        ["sha256:", 71],
      ],
    );
    for (const odd of [[], {}, [none, none], [{ stamp: 5, result: null }], [{ stamp: null, result: "x" }], null]) {
      replies.push(odd);
      see(JSON.stringify(odd), await isOdd(() => store.find("a")), true);
    }
  }),
  scripted("deliveries: a store in PostgreSQL", async (_, see) => {
    const rows = [
      { done: true, committed: false },
      { done: false, committed: true },
      { done: false, committed: false },
    ];
    const { client, sent, replies } = postgres(
      ...rows.map((row) => [row]),
      [{ done: true }],
      [{ done: false }],
      [{ done: true }],
    );
    const store = postgresDeliveries({ client, retentionMs: 1_000 });
    const claims = [await store.claim("a", 10), await store.claim("a", 10), await store.claim("a", 10)];
    see("claims", claims, [{ status: "claimed", token: "P1-1-0-0-0" }, { status: "committed" }, { status: "running" }]);
    see(
      "ends",
      [await store.renew("a", "t", 10), await store.commit("a", "t"), await store.release("a", "t")],
      [...[true, false, undefined]],
    );
    see(
      "what it sends",
      sent.map((values) => values.join(" ")),
      [
        ...["a P1-1-0-0-0 false 10", "a P1-2-0-0-0 false 10", "a P1-3-0-0-0 false 10"],
        ...["a t false 10", "a t true 1000", "a t"],
      ],
    );
    replies.push([{ done: true, committed: null }]);
    see("an odd claim", await isOdd(() => store.claim("a", 10)), true);
  }),
  scripted("executions: 1 process, a store in Redis whose replies are lost", async (_, see, world) => {
    const memory = memoryExecutions();
    let isLost = false;
    const client = {
      eval: async (
        script: string,
        { keys: [key = ""], arguments: [stamp = "", result] }: { keys: string[]; arguments: string[] },
      ) => {
        const shown = (found: { stamp: string; result?: string | undefined } | undefined) =>
          found ? [found.stamp, found.result ?? null] : null;
        const act = async () => {
          if (stamp === "") return shown(await memory.find(key));
          if (!script.includes("DEL")) return shown(await memory.start(key, stamp));
          await memory.finish(key, stamp, result);
          return 1;
        };
        const reply = await act();
        if (isLost && stamp !== "") throw new Error("Its reply is lost.");
        return reply;
      },
    };
    const service = new Service(world);
    const { run } = await program(service, { executions: redisExecutions({ client }) });
    isLost = true;
    see("its start is lost", [ended(await run("a")), service.ran()], ["not_run", []]);
    isLost = false;
    see(
      "it is its own",
      [ended(await run("a")), ended(await run("a")), service.ran()],
      ["succeeded", "succeeded again", ["PAY a"]],
    );
  }),
  scripted("rate limit: a store in Redis", async (_, see, world) => {
    const { client, replies } = redis(["", "5", 250_000], 1);
    const outages: string[] = [];
    const sharedRateLimit = redisRateLimit({ client, key: "k", onOutage: (problem) => outages.push(problem) });
    const service = new Service(world, { sharedRateLimit });
    const send = async () => {
      const body = { user_id: "user-1", version: "20251023_00", arguments: { to: "a" } };
      await service.svc.tools.execute("PAY", body);
      return [service.ran().length, outages.splice(0).length];
    };
    replies.push(["", "5", 250_000], 1);
    see("an empty window", await send(), [1, 0]);
    replies.length = 0;
    replies.push(["", "soon", 0]);
    see("no time", await send(), [1, 1]);
  }),
];
