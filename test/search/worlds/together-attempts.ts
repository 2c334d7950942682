// What one call's attempts know of each other: earlier outcomes, phases, options, bodies that break off, and listeners.
import { observe } from "../../../src/index.js";
import type { Definition, World } from "../world.js";
import { scripted } from "./scripted.js";
import { broken, done, failure, Service, tooMany, wait } from "./service.js";

const BODY = { user_id: "user-1", version: "20251023_00", arguments: { to: "a" } };
type CallOptions = NonNullable<Parameters<Service["svc"]["tools"]["execute"]>[2]>;
type Answer = () => Response | Promise<Response>;

/** How a call ended: its data, or facts of its error. */
const endOf = (running: PromiseLike<unknown>, ...facts: readonly string[]) =>
  Promise.resolve(running).then(
    () => "ok",
    (error: unknown) => [Object(error).name, ...facts.map((fact) => Object(error)[fact])].join(" "),
  );

/** A service that answers in turn, and a client of it. */
function answering(world: World, options: ConstructorParameters<typeof Service>[1], ...answers: readonly Answer[]) {
  const service = new Service(world, options);
  service.answers.push(...answers);
  return service;
}

const lost: Answer = () => failure(503);
const refused: Answer = () => {
  throw Object.assign(broken("ECONNREFUSED"), { hasStarted: false });
};
const reset: Answer = () => {
  throw broken();
};
const limited: Answer = () => tooMany({ "retry-after": "1" });
const missing: Answer = () => failure(404);

/** A response whose body says so much, and then breaks off or never ends. */
const cut = (status: number, text: string, isLost: boolean, headers: Record<string, string> = {}) => {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text));
    },
    pull(controller) {
      if (isLost) controller.error(broken());
    },
  });
  return new Response(body, { status, headers });
};

export const togetherAttempts: readonly Definition[] = [
  scripted("rate limit: 1 client, three attempts of a deletion that fail in three ways", async (_, see, world) => {
    const cases: readonly (readonly [readonly Answer[], unknown])[] = [
      [
        [lost, refused, missing],
        [3, true, { success: true }],
      ],
      [
        [reset, limited, missing],
        [3, true, { success: true }],
      ],
      [
        [refused, lost, missing],
        [3, true, { success: true }],
      ],
      [
        [limited, reset, () => failure(410)],
        [3, true, { success: true }],
      ],
      [[refused, limited, missing], "NotFoundError 404 3"],
      [[lost, refused, () => failure(409)], "ConflictError 409 3"],
      [
        [lost, missing],
        [2, true, { success: true }],
      ],
      [
        [refused, () => Response.json({ success: true })],
        [2, false, { success: true }],
      ],
    ];
    for (const [index, [answers, promised]] of cases.entries()) {
      const { svc, sent } = answering(world, { maxRetries: 2 }, ...answers);
      const seen = await svc.webhookSubscriptions
        .delete("s")
        .withResponse()
        .then(
          ({ data, meta }) => [meta.attempts, meta.alreadyApplied, data],
          ({ name, status, attempts }) => `${name} ${status} ${attempts}`,
        );
      see(`${index}`, [seen, sent.length], [promised, answers.length]);
    }
    const { svc } = answering(world, { maxRetries: 1 }, lost, missing);
    see("the deleted record", await svc.triggers.delete("t-1"), { trigger_id: "t-1" });
  }),
  scripted("rate limit: 1 client, three attempts of an execution, and what its error says", async (_, see, world) => {
    const execute = async (answers: readonly Answer[], options: CallOptions = {}) => {
      const { svc, sent } = answering(world, { maxRetries: 2 }, ...answers);
      const end = await endOf(svc.tools.execute("PAY", BODY, options), "outcome", "attempts", "phase");
      return [end, sent.length];
    };
    see("the last one is lost", await execute([refused, limited, reset]), ["ConnectionError unknown 3 headers", 3]);
    see("all are refused", await execute([limited, refused, refused]), ["ConnectionError not_sent 3 headers", 3]);
    see("it is lost first", await execute([reset, refused]), ["ConnectionError unknown 1 headers", 1]);
    see("it only reads", await execute([reset, () => done()], { effect: "none" }), ["ok", 2]);
    see("and fails", await execute([reset, lost, reset], { effect: "none" }), ["ConnectionError  3 headers", 3]);
    see("a 429 that broke off", await execute([() => cut(429, "{", true, { "retry-after": "1" })]), [
      ...["RateLimitError unknown 1 ", 1],
    ]);
    see("a page in place of a result", await execute([() => new Response("<html>")]), ["ResponseError unknown 1 ", 1]);
    see("a redirect", await execute([() => new Response(null, { status: 307, headers: { location: "/x" } })]), [
      ...["ResponseError rejected 1 ", 1],
    ]);
    see("another one", await execute([() => new Response(null, { status: 303, headers: { location: "/x" } })]), [
      ...["ResponseError unknown 1 ", 1],
    ]);
  }),
  scripted("rate limit: 1 client, the phase in which a deadline ended a call", async (_, see, world) => {
    const facts = ["phase", "option", "timeoutMs", "outcome", "attempts"];
    const slow = (options: ConstructorParameters<typeof Service>[1] = {}) => {
      const service = new Service(world, { deadlineMs: 5_000, ...options });
      service.slowMs = 6_000;
      return service;
    };
    see(
      "the client's",
      await endOf(slow().svc.tools.execute("PAY", BODY), ...facts),
      "TimeoutError headers deadlineMs 5000 unknown 1",
    );
    see(
      "the call's is longer",
      [await endOf(slow().svc.tools.execute("PAY", BODY, { deadlineMs: 7_000 }), ...facts), world.time.now],
      ["ok", 11_000],
    );
    see(
      "or shorter",
      [await endOf(slow().svc.tools.execute("PAY", BODY, { deadlineMs: 1_000 }), ...facts), world.time.now],
      ["TimeoutError headers deadlineMs 1000 unknown 1", 12_000],
    );
    see(
      "that of an attempt is shorter",
      await endOf(slow().svc.tools.execute("PAY", BODY, { timeoutMs: 2_000 }), ...facts),
      "TimeoutError headers timeoutMs 2000 unknown 1",
    );
    const body = new Service(world, { deadlineMs: 1_000 });
    body.answers.push(() => cut(200, '{"data"', false));
    see(
      "a body that doesn't end",
      await endOf(body.svc.tools.execute("PAY", BODY), ...facts),
      "TimeoutError body deadlineMs 1000 unknown 1",
    );
    const beforeSend = () => wait(9_000);
    see(
      "beforeSend",
      await endOf(slow().svc.tools.execute("PAY", BODY, { beforeSend }), ...facts),
      "TimeoutError middleware deadlineMs 5000 not_sent 0",
    );
    for (const [name, isBefore] of [
      ["before it", true],
      ["after it", false],
    ] as const) {
      const within = new Service(world, {
        deadlineMs: 1_000,
        use: [
          async ({ signal }, next) => {
            const result = isBefore ? undefined : await next();
            await new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
            return result ?? next();
          },
        ],
      });
      const end = await endOf(within.svc.tools.execute("PAY", BODY), ...facts);
      see(name, end, `TimeoutError middleware deadlineMs 1000 ${isBefore ? "not_sent 0" : "unknown 1"}`);
    }
    const waiting = answering(world, { maxRetries: 1 }, () => failure(503, { "retry-after-ms": "4999" }));
    see(
      "a wait that ends with it",
      await endOf(waiting.svc.toolkits.list({}, { deadlineMs: 5_000 }), ...facts),
      "TimeoutError retry_wait deadlineMs 5000  1",
    );
    const blocked = answering(world, {}, () => tooMany({ "retry-after": "30" }));
    await blocked.svc.tools.execute("PAY", BODY).catch(() => undefined);
    const at = world.time.now;
    see(
      "a block that lasts longer",
      await endOf(blocked.svc.tools.execute("PAY", BODY, { deadlineMs: 30_000 }), ...facts, "retryAfterMs"),
      "TimeoutError queue deadlineMs 30000 not_sent 0 30000",
    );
    see("right away", world.time.now, at);
  }),
  scripted("rate limit: 1 client, error responses whose bodies break off beside aborts", async (_, see, world) => {
    const ends = async (answer: Answer, options: CallOptions = {}, client: object = {}) => {
      const { svc } = answering(world, client, answer);
      return endOf(svc.tools.execute("PAY", BODY, options), "status", "outcome");
    };
    see("an error's", await ends(() => cut(404, '{"error"', true)), "NotFoundError 404 unknown");
    see("a success's", await ends(() => cut(200, '{"data"', true)), "ConnectionError  unknown");
    see(
      "an error's, until its time is over",
      await ends(() => cut(404, '{"error"', false), { timeoutMs: 100 }),
      "NotFoundError 404 unknown",
    );
    see(
      "until its deadline",
      await ends(() => cut(404, '{"error"', false), { deadlineMs: 100 }),
      "NotFoundError 404 unknown",
    );
    const stop = new AbortController();
    setTimeout(() => stop.abort(new RangeError("stop")), 100);
    see("until an abort", await ends(() => cut(404, "{", false), { signal: stop.signal }), "RangeError  ");
    const result = JSON.stringify({ data: {}, successful: true, error: null, log_id: "log_1" });
    const large = { maxBodyBytes: result.length };
    see("of the largest size", await ends(() => new Response(result), {}, large), "ok");
    see("one more", await ends(() => new Response(`${result} `), {}, large), "ResponseError 200 unknown");
    const error = JSON.stringify({ error: { message: "It failed.", status: 404 } }).padEnd(result.length + 1);
    see("of an error", await ends(() => new Response(error, { status: 404 }), {}, large), "NotFoundError 404 unknown");
  }),
  scripted("rate limit: 1 client, a listener that ends a call as it is sent", async (_, see, world) => {
    const stop = new AbortController();
    const told: string[] = [];
    const service = new Service(world, {
      maxRetries: 2,
      use: [
        observe((event) => {
          told.push(event.type);
          if (event.type === "attempt") stop.abort(new RangeError("stop"));
        }),
      ],
    });
    see(
      "its reason",
      await endOf(service.svc.toolkits.list({}, { signal: stop.signal }), "message"),
      "RangeError stop",
    );
    see("nothing is sent", [service.sent, told], [[], ["request", "attempt", "failure", "result"]]);
  }),
  scripted("rate limit: 1 client, a fetch that responds after its call has ended", async (_, see, world) => {
    let isCanceled = false;
    const late = new Response(
      new ReadableStream({
        cancel: () => {
          isCanceled = true;
        },
      }),
    );
    let sent = 0;
    const fetch = async () => {
      sent += 1;
      await wait(2_000);
      return late;
    };
    const { svc } = new Service(world, { fetch, timeoutMs: 1_000, maxRetries: 0 });
    see(
      "it ends in time",
      [await endOf(svc.toolkits.list({}), "phase"), world.time.now],
      ["TimeoutError headers", 1_000],
    );
    await wait(2_000);
    see("its body is canceled", [isCanceled, sent, svc.rateLimit.inFlight], [true, 1, 0]);
  }),
  scripted("rate limit: 1 client, what beforeSend is told", async (_, see, world) => {
    const service = new Service(world);
    const ids: unknown[] = [];
    service.answers.push((request) => {
      ids.push(request.headers.get("x-request-id"));
      return tooMany({ "retry-after": "3" });
    });
    service.answers.push((request) => {
      ids.push(request.headers.get("x-request-id"));
      return done();
    });
    await service.svc.tools.execute("PAY", BODY).catch(() => undefined);
    await wait(1_000);
    const told: unknown[] = [];
    const aborted: unknown[] = [];
    const beforeSend: CallOptions["beforeSend"] = async ({ requestId, waitedMs, signal }) => {
      told.push(requestId, waitedMs);
      await wait(100);
      aborted.push(signal?.aborted);
    };
    await service.svc.tools.execute("PAY", BODY, { beforeSend, deadlineMs: 20_000 });
    see("how long it waited, and its id", told, [ids[1], 2_001]);
    see("an id of its own", [typeof ids[0], ids[0] === ids[1]], ["string", false]);
    const end = endOf(service.svc.tools.execute("PAY", BODY, { beforeSend, deadlineMs: 50 }));
    see("it ends", await end, "TimeoutError");
    await wait(100);
    see("its signal", aborted, [false, true]);
  }),
  scripted("rate limit: 1 client, a secret header in an error, and its attempts in events", async (_, see, world) => {
    const attempts: unknown[] = [];
    const service = new Service(world, {
      maxRetries: 1,
      use: [
        observe((event) => {
          if (event.type === "attempt") attempts.push(event.attempt);
        }),
      ],
    });
    const secret = "token-0123456789-abcdefgh";
    const words = () => failure(503, {}, { message: `It got ${secret}.` });
    service.answers.push(words, words);
    const failed = await service.svc.toolkits.list({}, { headers: { "x-secret-token": secret } }).then(
      () => undefined,
      (error: Error) => JSON.stringify([error.message, Object.values(error)]),
    );
    see("it isn't told", [failed?.includes("It got "), failed?.includes(secret)], [true, false]);
    see("their numbers", attempts, [1, 2]);
  }),
  scripted("rate limit: 1 client, responses that aren't the service's, and what they change", async (_, see, world) => {
    const to = (status: number) => () => new Response(null, { status, headers: { location: "https://other.test/" } });
    const execute = async (...answers: readonly Answer[]) => {
      const { svc, sent } = answering(world, { maxRetries: 1 }, ...answers);
      return [await endOf(svc.tools.execute("PAY", BODY), "outcome"), sent.length, svc.rateLimit.isBlocked];
    };
    see("308", await execute(to(308)), ["ResponseError rejected", 1, false]);
    const whole = '{"message":"Too many requests"}';
    see("a 429 without its end", await execute(() => cut(429, whole, true, { "retry-after": "1" })), [
      ...["RateLimitError unknown", 1, true],
    ]);
    const page = new Response("<html>", { status: 429, headers: { "retry-after": "20" } });
    see("a page that asks to wait", await execute(() => page), ["RateLimitError unknown", 1, true]);
    const modes: string[] = [];
    const list = answering(world, { maxRetries: 1 }, to(302));
    list.answers.unshift((request: Request) => {
      modes.push(request.redirect);
      return Response.json({ items: [], next_cursor: null }, { headers: { "x-request-id": "r-1" } });
    });
    const { meta } = await list.svc.toolkits.list({}).withResponse();
    see("no redirect is followed", [modes, meta.requestId], [["manual"], "r-1"]);
    see(
      "nor tried again",
      [await endOf(list.svc.toolkits.list({}), "status"), list.sent.length],
      ["ResponseError 302", 2],
    );
    const soon = answering(world, { maxRetries: 1, maxRetryDelayMs: 100 }, lost);
    const at = world.time.now;
    await soon.svc.tools.list({}).catch(() => undefined);
    see("the longest wait", [soon.sent.length, world.time.now - at], [2, 101]);
  }),
];
