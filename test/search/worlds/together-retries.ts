// Attempts of one call: retries beside waits that the service asks for, limits, aborts, middleware and budgets.
import { observe, type SvcEvent } from "../../../src/index.js";
import type { Definition, World } from "../world.js";
import { scripted, thrown } from "./scripted.js";
import { broken, done, failure, Service, tooMany, wait } from "./service.js";

const BODY = { user_id: "user-1", version: "20251023_00", arguments: { to: "a" } };
type Options = ConstructorParameters<typeof Service>[1];
type CallOptions = NonNullable<Parameters<Service["svc"]["tools"]["execute"]>[2]>;

/** A client that tries calls three times. */
function client(world: World, options: Options = {}) {
  const service = new Service(world, { maxRetries: 2, ...options });
  const { svc } = service;
  /** The time at which a call ended, and its error. */
  const ends = async (running: PromiseLike<unknown>) => {
    try {
      await running;
      return `ok @${world.time.now}`;
    } catch (error) {
      const { name, outcome, attempts, status } = Object(error);
      return [name, status, outcome, attempts, `@${world.time.now}`].filter((fact) => fact !== undefined).join(" ");
    }
  };
  const execute = (more: CallOptions = {}) => ends(svc.tools.execute("PAY", BODY, more));
  const list = (more: CallOptions = {}) => ends(svc.toolkits.list({}, more));
  const times = () => service.sent.splice(0).map((line) => Number(line.split("@")[1]));
  return { service, svc, ends, execute, list, times };
}

const page =
  (items: readonly object[], next_cursor: unknown = null, more: object = {}) =>
  () =>
    Response.json({ items, next_cursor, ...more });

export const togetherRetries: readonly Definition[] = [
  scripted("rate limit: 1 client, which failures are followed by another attempt", async (_, see, world) => {
    const cases: readonly (readonly [() => Response, string, string])[] = [
      [() => failure(500), "ServerError 500 unknown 1", "ok 2"],
      [() => failure(501), "ServerError 501 unknown 1", "ServerError 501 1"],
      [() => failure(408), "ApiError 408 unknown 1", "ok 2"],
      [() => failure(404), "NotFoundError 404 rejected 1", "NotFoundError 404 1"],
      [() => failure(500, { "x-should-retry": "false" }), "ServerError 500 unknown 1", "ServerError 500 1"],
      [() => failure(404, { "x-should-retry": "true" }), "NotFoundError 404 rejected 1", "ok 2"],
      [() => tooMany({ "retry-after": "0" }), "ok 2", "ok 2"],
      [
        () => tooMany({ "x-should-retry": "false", "retry-after": "0" }),
        "RateLimitError 429 rejected 1",
        "RateLimitError 429 1",
      ],
      [() => tooMany({}), "RateLimitError 429 unknown 1", "ok 2"],
      [() => failure(429, { "retry-after": "0" }), "RateLimitError 429 unknown 1", "ok 2"],
      [() => new Response("<html>", { status: 200 }), "ResponseError 200 unknown 1", "ok 2"],
    ];
    for (const [index, [answer, executed, listed]] of cases.entries()) {
      for (const [name, promised] of [
        ["execute", executed],
        ["list", listed],
      ] as const) {
        const made = client(world);
        made.service.answers.push(answer, name === "list" ? page([]) : () => done());
        const end = (await made[name]()).replace(/ @.*/, "");
        see(`${index} ${name}`, end === "ok" ? `${end} ${made.times().length}` : end, promised);
      }
    }
  }),
  scripted("rate limit: 1 client, how long it waits between attempts", async (_, see, world) => {
    const waits: readonly (readonly [Record<string, string>, number])[] = [
      [{}, 375],
      [{ "retry-after": "2" }, 2_000],
      [{ "retry-after": "0" }, 375],
      [{ "retry-after": "1.5s" }, 1_500],
      [{ "retry-after-ms": "30", "retry-after": "1" }, 1_000],
      [{ "retry-after-ms": "1500", "retry-after": "1" }, 1_500],
      [{ "retry-after": "soon" }, 375],
      [{ "retry-after": "3, 1" }, 3_000],
      [{ "retry-after": "Thu, 01 Jan 2026 00:00:05 GMT", date: "Thu, 01 Jan 2026 00:00:01 GMT" }, 4_000],
      [{ "retry-after": "Thu, 01 Jan 2026 00:00:01 GMT", date: "Thu, 01 Jan 2026 00:00:05 GMT" }, 375],
      [{ "retry-after": "Fri, 30 Feb 2026 00:00:01 GMT" }, 375],
    ];
    for (const [headers, promised] of waits) {
      const made = client(world);
      made.service.answers.push(() => failure(503, headers), page([]));
      await made.list();
      const [first = 0, second = 0] = made.times();
      // A timer may fire up to a millisecond early, so the client adds one.
      see(JSON.stringify(headers), second - first, promised + 1);
    }
    const made = client(world, { maxRetries: 7 });
    for (let number = 0; number < 7; number += 1) made.service.answers.push(() => failure(503));
    made.service.answers.push(page([]));
    await made.list();
    const times = made.times();
    const between = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    see("longer each time", between, [376, 751, 1_501, 3_001, 6_001, 6_001, 6_001]);
  }),
  scripted("rate limit: 1 client, retries beside the limits of a call", async (_, see, world) => {
    const { service, list, execute, times } = client(world, { maxRetryDelayMs: 5_000 });
    const startedAt = () => world.time.now;
    const asks = (seconds: string) => service.answers.push(() => failure(503, { "retry-after": seconds }), page([]));
    asks("6");
    see("longer than it waits", await list(), "ServerError 503 1 @0");
    service.answers.length = 0;
    asks("5");
    see("so long", [await list(), times()], ["ok @5001", [0, 0, 5_001]]);
    asks("5");
    see("to its deadline", await list({ deadlineMs: 5_000 }), "ServerError 503 1 @5001");
    service.answers.length = 0;
    asks("5");
    see("before its deadline", await list({ deadlineMs: 5_002 }), "ok @10002");
    times();
    const stop = new AbortController();
    asks("5");
    setTimeout(() => stop.abort(new Error("stop")), 1_000);
    const from = startedAt();
    see("an abort ends the wait", await list({ signal: stop.signal }), `Error @${from + 1_000}`);
    see("nothing follows", times().length, 1);
    service.answers.length = 0;
    service.slowMs = 2_000;
    service.answers.push(() => failure(503), page([]));
    see("each attempt has its time", await list({ timeoutMs: 2_001 }), `ok @${from + 5_376}`);
    see("one without retries", await list({ timeoutMs: 1_000, maxRetries: 0 }), `TimeoutError 1 @${from + 6_376}`);
    see("one with", await list({ timeoutMs: 1_000, maxRetries: 1 }), `TimeoutError 2 @${from + 8_752}`);
    times();
    const late = await execute({ timeoutMs: 1_000 });
    see("an effect isn't tried again", [late, times().length], [`TimeoutError unknown 1 @${from + 9_752}`, 1]);
  }),
  scripted("rate limit: 1 client, beforeSend beside retries, a deadline and an abort", async (_, see, world) => {
    const { service, execute, times } = client(world);
    let told: unknown[] = [];
    const beforeSend = ({ waitedMs }: { waitedMs: number }) => {
      told.push(waitedMs);
    };
    service.answers.push(
      () => tooMany({ "retry-after": "1" }),
      () => done(),
    );
    see("it is sent twice", await execute({ beforeSend }), "ok @1001");
    see("and told once", [told, times()], [[0], [0, 1_001]]);
    told = [];
    const failing = () => {
      throw Object.assign(new Error("It is down."), { outcome: "not_sent" });
    };
    see("a failure sends nothing", [await execute({ beforeSend: failing }), times()], ["Error not_sent @1001", []]);
    const other = client(world, { maxRetries: 0 });
    other.service.answers.push(() => tooMany({ "retry-after": "0" }));
    const limited = await other.svc.toolkits.list().catch((error: unknown) => error);
    const failsSo = () => Promise.reject(limited);
    see("that of another call", [await execute({ beforeSend: failsSo }), times()], ["RateLimitError 429 1 @1001", []]);
    const slow = () => wait(1_000);
    see("nor a deadline", await execute({ beforeSend: slow, deadlineMs: 400 }), "TimeoutError not_sent 0 @1401");
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("stop")), 300);
    see("nor an abort", await execute({ beforeSend: slow, signal: stop.signal }), "Error @1701");
    see("nor one before", await execute({ beforeSend, signal: stop.signal }), "Error @1701");
    see("none was sent", [times(), told], [[], []]);
    see("a slow one", [await execute({ beforeSend: slow }), times()], ["ok @2701", [2_701]]);
  }),
  scripted("rate limit: 1 client, a budget of retries", async (_, see, world) => {
    const { service, list, times } = client(world, { maxRetries: 30 });
    const fail = (count: number, answer = () => failure(503, { "retry-after": "0" })) => {
      for (let number = 0; number < count; number += 1) service.answers.push(answer);
    };
    service.answers.push(page([]));
    await list();
    times();
    fail(30);
    await list();
    see("twenty retries", times().length, 21);
    service.answers.length = 0;
    for (let number = 0; number < 4; number += 1) {
      service.answers.push(page([]));
      await list();
    }
    times();
    fail(1);
    await list();
    see("four successes aren't enough", times().length, 1);
    service.answers.push(page([]));
    await list();
    times();
    fail(3);
    await list();
    see("five are, for one", times().length, 2);
    for (const answer of [() => tooMany({ "retry-after": "0" }), () => failure(503, { "retry-after": "1" })]) {
      service.answers.length = 0;
      fail(2, answer);
      await list();
      see("these cost, too", times().length, 1);
    }
    service.answers.length = 0;
    fail(3, () => tooMany({ "retry-after": "1" }));
    service.answers.push(page([]));
    see("what the service asks for costs nothing", [(await list()).slice(0, 2), times().length], ["ok", 4]);
    const slow = client(world, { maxRetries: 30, timeoutMs: 100 });
    slow.service.slowMs = 200;
    await slow.list();
    see("after a timeout, half as many", slow.times().length, 11);
  }),
  scripted("rate limit: 1 client, middleware beside retries", async (_, see, world) => {
    const seen: string[] = [];
    let again: (() => Promise<unknown>) | undefined;
    const { service, execute, times } = client(world, {
      use: [
        async (_call, next) => {
          seen.push("in");
          again = next;
          try {
            return await next();
          } finally {
            seen.push(`out @${world.time.now}`);
          }
        },
      ],
    });
    service.answers.push(
      () => tooMany({ "retry-after": "1" }),
      () => failure(500),
    );
    see("it fails", [await execute(), times()], ["ServerError 500 unknown 2 @1001", [0, 1_001]]);
    see("once around all", seen, ["in", "out @1001"]);
    see("not again", [(await thrown(() => again?.())).includes("called twice"), times()], [true, []]);
    const late = client(world, {
      use: [
        async (_call, next) => {
          again = next;
          throw new Error("It doesn't call next.");
        },
      ],
    });
    see("one that throws", [await late.execute(), late.times()], ["Error @1001", []]);
    see("sends nothing later", [(await thrown(() => again?.())) !== "", late.times()], [true, []]);
    const retrying = client(world, {
      use: [
        (call, next) => {
          call.retry = "safe";
          return next();
        },
      ],
    });
    retrying.service.answers.push(
      () => failure(500),
      () => done(),
    );
    see("it knows that a call only reads", [await retrying.execute(), retrying.times().length], ["ok @1377", 2]);
  }),
  scripted("rate limit: 1 client, what listeners are told of attempts", async (_, see, world) => {
    const told: string[] = [];
    const shown = (event: SvcEvent) => {
      const facts: Record<string, unknown> = { ...event };
      return [event.type, facts["status"], facts["delayMs"]].filter((fact) => fact !== undefined).join(" ");
    };
    const { service, execute } = client(world, { use: [observe((event) => told.push(shown(event)))] });
    service.answers.push(
      () => tooMany({ "retry-after": "1" }),
      () => done(),
    );
    await execute();
    see("all of them", told, [
      ...["request", "attempt", "response 429", "retry 429 1000", "attempt", "response 200", "result 200"],
    ]);
  }),
  scripted("rate limit: 1 client, a request that may have been applied is repeated", async (_, see, world) => {
    const { service, svc, ends, times } = client(world);
    const remove = () => ends(svc.authConfigs.delete("ac_1"));
    service.answers.push(() => failure(404));
    see("one that isn't there", await remove(), "NotFoundError 404 1 @0");
    service.answers.push(
      () => failure(503, { "retry-after": "0" }),
      () => failure(404),
    );
    see("one that a lost attempt has removed", [(await remove()).slice(0, 2), times().length], ["ok", 3]);
    service.answers.push(
      () => tooMany({ "retry-after": "0" }),
      () => failure(404),
    );
    see("one that none has removed", (await remove()).split(" @")[0], "NotFoundError 404 2");
  }),
  scripted("rate limit: 1 client, pages of a list beside retries and an abort", async (_, see, world) => {
    const { service, svc } = client(world);
    const toolkit = (slug: string) => ({ slug });
    const read = async (more: object = {}, until = Number.POSITIVE_INFINITY, atEnd = () => {}) => {
      const slugs: string[] = [];
      try {
        for await (const { slug } of svc.toolkits.list({}, more)) {
          slugs.push(slug);
          if (slugs.length >= until) atEnd();
        }
      } catch (error) {
        slugs.push(Object(error).message.split(": ")[1]?.slice(0, 40) ?? Object(error).message);
      }
      return [...slugs, service.sent.splice(0).length];
    };
    service.answers.push(page([toolkit("a")], "2"), () => failure(503), page([], "3"), page([toolkit("b")], ""));
    see("all, with the page that failed", await read(), ["a", "b", 4]);
    service.answers.push(page([toolkit("a")], "2"), page([toolkit("b")], "2"));
    see("a cursor that comes again", await read(), ["a", "b", "the service returned the same cursor twi", 2]);
    service.answers.push(page([toolkit("a")], "2"), page([toolkit("b")], 3));
    see("a cursor that isn't a string", await read(), ["a", "b", "the page's next_cursor isn't a string.", 2]);
    service.answers.push(page([toolkit("a")], "2"), () => Response.json({ next_cursor: null }));
    see("no items", await read(), ["a", "the page has no array of items.", 2]);
    const stop = new AbortController();
    service.answers.push(page([toolkit("a"), toolkit("b")], "2"));
    see("an abort", await read({ signal: stop.signal }, 1, () => stop.abort(new Error("stop"))), ["a", "stop", 1]);
    for (let number = 0; number < 120; number += 1) {
      service.answers.push(page(number === 60 ? [toolkit("a")] : [], number === 119 ? null : `${number}`));
    }
    see("one that ends", await read(), ["a", 120]);
    for (let number = 0; number < 101; number += 1) service.answers.push(page([], `${number}`));
    const [problem, requests] = await read();
    see("a list that never ends", [String(problem).slice(0, 11), requests], ["the service", 101]);
  }),
  scripted("rate limit: 1 client, a whole list that changes while it is read", async (_, see, world) => {
    const { service, svc } = client(world);
    const two = (total_items: number, ...ids: string[]) =>
      ids.map((slug, index) => page([{ slug }], index === ids.length - 1 ? null : `${index}`, { total_items }));
    const whole = async (max?: number) => {
      const read = svc.toolkits.list({}).toArray(max === undefined ? {} : { max });
      const slugs = await read.then(
        (items) => items.map(({ slug }) => slug).join(),
        (error: Error) => error.message.split(": ")[1]?.slice(0, 35),
      );
      return [slugs, service.sent.splice(0).length];
    };
    service.answers.push(...two(2, "a", "b"));
    see("one that doesn't", await whole(2), ["a,b", 2]);
    service.answers.push(...two(2, "a", "b"));
    see("one too many", await whole(1), ["the list has more than 1 items. Rai", 2]);
    service.answers.push(...two(2, "a", "a"), ...two(3, "a", "b"), ...two(2, "a", "b"));
    see("the third time", await whole(), ["a,b", 6]);
    const grown = [page([{ slug: "a" }], "2", { total_items: 2 }), page([{ slug: "b" }], null, { total_items: 3 })];
    service.answers.push(...grown, ...two(3, "a", "b", "c"));
    see("one that has grown", await whole(), ["a,b,c", 5]);
    service.answers.push(...two(3, "a", "b"), ...two(3, "a", "b"), ...two(3, "a", "b"));
    see("not a fourth", await whole(), ["the list changed each of the 3 time", 6]);
    service.answers.push(page([]));
    see("an empty one", await whole(), ["", 1]);
    see("with a cursor", (await thrown(() => svc.toolkits.list({ cursor: "2" }).toArray())) !== "", true);
  }),
  scripted("rate limit: 1 client, connections that break", async (_, see, world) => {
    const cases: readonly (readonly [object, string, string])[] = [
      [broken(), "ConnectionError unknown 1", "ok"],
      [Object.assign(broken("ECONNREFUSED"), { hasStarted: false }), "ok", "ok"],
      [Object.assign(broken("ECONNRESET"), { hasStarted: false }), "ConnectionError unknown 1", "ok"],
      [Object.assign(broken("ECONNRESET"), { hasStarted: false, syscall: "connect" }), "ok", "ok"],
      [Object.assign(broken("ECONNREFUSED"), { hasStarted: true }), "ConnectionError unknown 1", "ok"],
      [broken("CERT_HAS_EXPIRED"), "ConnectionError unknown 1", "ConnectionError 1"],
    ];
    for (const [error, executed, listed] of cases) {
      for (const [name, promised] of [
        ["execute", executed],
        ["list", listed],
      ] as const) {
        const made = client(world);
        const fail = () => {
          throw error;
        };
        made.service.answers.push(fail, name === "list" ? page([]) : () => done());
        see(`${name} ${JSON.stringify(error)}`, (await made[name]()).replace(/ @.*/, ""), promised);
      }
    }
  }),
];
