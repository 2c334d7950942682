import { describe, expect, test } from "vitest";
import { createEmulator, type Emulator, ProviderError } from "../../../src/emulator/index.js";
import { Svc, SvcError, type SvcOptions, ValidationError } from "../../../src/index.js";

const SLUG = "GITHUB_CREATE_AN_ISSUE";
const issue = (title: string) => ({
  user_id: "user-4711",
  version: "20251023_00",
  arguments: { owner: "octo-org", repo: "hello-world", title },
});

/** Time that passes only while the client sleeps, beside an emulator whose clock follows. */
function virtual(emulator: Emulator, aheadMs = 0) {
  const now = () => emulator.clock.now() + aheadMs;
  return {
    now,
    monotonic: now,
    random: () => 0.5,
    sleep: async (ms: number) => {
      emulator.clock.advance(`${Math.ceil(ms)}ms`);
    },
  };
}

function setUp(options: SvcOptions = {}, aheadMs = 0) {
  const emulator = createEmulator({ clock: { start: "2030-01-01T00:00:00Z" } });
  emulator.clock.pause();
  const clock = virtual(emulator, aheadMs);
  return { emulator, svc: new Svc({ ...emulator.connection, clock, maxRetries: 0, ...options }) };
}

/** The same with a log that doesn't find executions by their request ids. */
function withoutIds({ emulator }: ReturnType<typeof setUp>) {
  const fetch = async (request: Request) => {
    const { filters = [] } = request.url.endsWith("/logs/tool_execution") ? await request.clone().json() : {};
    const isById = filters.some(({ field }: { field: string }) => field === "request_id");
    return isById ? Response.json({ logs: [], next_cursor: null }) : emulator.fetch(request);
  };
  return { emulator, svc: new Svc({ ...emulator.connection, fetch, clock: virtual(emulator), maxRetries: 0 }) };
}

async function failureOf(call: Promise<unknown>): Promise<SvcError> {
  const error = await call.then(
    () => expect.unreachable("the call succeeded"),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SvcError);
  return error as SvcError;
}

/** An execution that ran, and whose response was lost. */
async function lostAnswer({ emulator, svc }: ReturnType<typeof setUp>, title = "It works") {
  emulator.faults.next("tools.execute", { connection: "reset", when: "after" });
  return failureOf(svc.tools.execute(SLUG, issue(title)));
}

/** An execution that never reached the service, which the client can't know. */
async function lostRequest({ emulator, svc }: ReturnType<typeof setUp>, title = "It works") {
  emulator.faults.next("tools.execute", { connection: "reset", when: "before" });
  return failureOf(svc.tools.execute(SLUG, issue(title)));
}

describe("tools.settle", () => {
  test("returns the result of an execution whose response was lost", async () => {
    const world = setUp();
    const error = await lostAnswer(world);
    expect(error).toMatchObject({ outcome: "unknown" });
    expect(await world.svc.tools.settle(error)).toMatchObject({
      outcome: "succeeded",
      data: { title: "It works" },
      logId: expect.stringMatching(/^log_/),
    });
    expect(world.emulator.tools.calls(SLUG)).toHaveLength(1);
  });

  test("returns the tool's error if the execution failed", async () => {
    const world = setUp();
    world.emulator.tools.stub(SLUG, new ProviderError(422, "The repository is archived"));
    expect(await world.svc.tools.settle(await lostAnswer(world))).toMatchObject({
      outcome: "failed",
      error: "The repository is archived",
    });
  });

  test("settles an execution of an agent session", async () => {
    const { emulator, svc } = setUp();
    const session = await svc.toolRouter.create({ user_id: "user-4711" });
    emulator.faults.next("toolRouter.execute", { connection: "reset", when: "after" });
    const { arguments: args } = issue("In a session");
    const error = await failureOf(session.execute({ tool_slug: SLUG, arguments: args }));
    expect(await svc.tools.settle(error)).toMatchObject({ outcome: "succeeded", data: { title: "In a session" } });
  });

  test("stays unknown if the execution isn't in the log, and nothing is known of the log's delay", async () => {
    const world = setUp();
    const settled = await world.svc.tools.settle(await lostRequest(world), { deadlineMs: 5_000 });
    expect(settled).toEqual({ outcome: "unknown", reason: "not_in_log" });
  });

  test.each([
    [["bug"], ["bug", "urgent"]],
    [["bug", "urgent"], ["bug"]],
  ])("doesn't take an execution with the labels %j for its own, which has %j", async (others, own) => {
    const world = setUp();
    const labeled = (labels: string[]) => ({
      ...issue("Labeled"),
      arguments: { ...issue("Labeled").arguments, labels },
    });
    world.emulator.faults.next("tools.execute", { connection: "reset", when: "before" });
    const error = await failureOf(world.svc.tools.execute(SLUG, labeled(own)));
    await world.svc.tools.execute(SLUG, labeled(others));
    expect(await world.svc.tools.settle(error, { loggedWithinMs: 10_000 })).toEqual({ outcome: "not_run" });
  });

  test("tells that an execution didn't run once it would be in the log", async () => {
    const world = setUp();
    const before = world.emulator.clock.now();
    const settled = await world.svc.tools.settle(await lostRequest(world), { loggedWithinMs: 10_000 });
    expect(settled).toEqual({ outcome: "not_run" });
    expect(world.emulator.clock.now() - before).toBeGreaterThan(10_000);
  });

  test("waits for an entry that appears later", async () => {
    const { emulator } = setUp();
    let looks = 0;
    const fetch: typeof emulator.fetch = async (request: Request) => {
      const response = await emulator.fetch(request);
      if (!request.url.endsWith("/logs/tool_execution")) return response;
      looks += 1;
      return looks < 4 ? Response.json({ logs: [], next_cursor: null }) : response;
    };
    const svc = new Svc({ ...emulator.connection, fetch, clock: virtual(emulator), maxRetries: 0 });
    expect(await svc.tools.settle(await lostAnswer({ emulator, svc }))).toMatchObject({ outcome: "succeeded" });
    expect(looks).toBe(4);
  });

  test("tells equal executions apart by their request ids", async () => {
    const world = setUp();
    const [first, second] = [await lostAnswer(world), await lostRequest(world)];
    await world.svc.tools.execute(SLUG, issue("It works"));
    expect(await world.svc.tools.settle(first)).toMatchObject({ outcome: "succeeded", data: { number: 1 } });
    const options = { loggedWithinMs: 1_000, deadlineMs: 5_000 };
    expect(await world.svc.tools.settle(second, options)).toEqual({ outcome: "unknown", reason: "twins" });
  });

  test("finds no execution by its arguments, unless they belong to this call only", async () => {
    const world = setUp();
    await lostAnswer(world);
    const execution = {
      toolSlug: SLUG,
      arguments: issue("It works").arguments,
      userId: "user-4711",
      startedAfter: new Date(world.emulator.clock.now()),
    };
    expect(await world.svc.tools.settle(execution, { deadlineMs: 2_000 })).toEqual({
      outcome: "unknown",
      reason: "twins",
    });
    expect(await world.svc.tools.settle(execution, { exclusive: true })).toMatchObject({ outcome: "succeeded" });
    await lostAnswer(world);
    expect(await world.svc.tools.settle(execution, { exclusive: true, deadlineMs: 2_000 })).toEqual({
      outcome: "unknown",
      reason: "twins",
    });
  });

  test("finds an execution of a process that ended by the request id that was passed to it", async () => {
    const { emulator, svc } = setUp();
    const requestId = "0b8f6a4e-3c5d-4e1f-9a2b-7c6d5e4f3a2b";
    emulator.faults.next("tools.execute", { connection: "reset", when: "after" });
    await failureOf(svc.tools.execute(SLUG, issue("Mine"), { headers: { "x-request-id": requestId } }));
    const startedAfter = new Date(emulator.clock.now());
    const execution = { toolSlug: SLUG, arguments: {}, userId: "user-4711", startedAfter, requestId };
    expect(await svc.tools.settle(execution)).toMatchObject({ outcome: "succeeded", data: { title: "Mine" } });
  });

  test("knows that an execution ran in a project that stores no payloads, without its result", async () => {
    const world = setUp({ userApiKey: "uak_demo" });
    await world.svc.projects.updateConfig({ log_visibility_setting: "dont_store_data" });
    const error = await lostAnswer(world);
    const settled = await world.svc.tools.settle(error);
    expect(settled).toMatchObject({ outcome: "succeeded", data: undefined });
    const execution = {
      toolSlug: SLUG,
      arguments: issue("It works").arguments,
      userId: "user-4711",
      startedAfter: new Date(world.emulator.clock.now()),
    };
    expect(await world.svc.tools.settle(execution, { exclusive: true, deadlineMs: 2_000 })).toEqual({
      outcome: "unknown",
      reason: "no_payload",
    });
  });

  test.each([-3_600_000, 3_600_000])("compares times although the client's clock is %d ms off", async (aheadMs) => {
    const world = setUp({}, aheadMs);
    await lostAnswer(world);
    const execution = {
      toolSlug: SLUG,
      arguments: issue("It works").arguments,
      userId: "user-4711",
      startedAfter: new Date(world.emulator.clock.now() + aheadMs),
    };
    expect(await world.svc.tools.settle(execution, { exclusive: true })).toMatchObject({ outcome: "succeeded" });
  });

  test.each([-3_600_000, 3_600_000])("isn't misled by a clock that jumps by %d ms after the call", async (jumpMs) => {
    const { emulator } = setUp();
    const clock = virtual(emulator);
    const wall = { aheadMs: 0 };
    let looks = 0;
    const fetch = async (request: Request) => {
      const response = await emulator.fetch(request);
      // The log shows the execution after its first looks.
      if (!request.url.endsWith("/logs/tool_execution") || ++looks > 4) return response;
      return Response.json({ logs: [], next_cursor: null }, { headers: { date: response.headers.get("date") ?? "" } });
    };
    const now = () => clock.now() + wall.aheadMs;
    const svc = new Svc({ ...emulator.connection, fetch, clock: { ...clock, now }, maxRetries: 0 });
    const error = await lostAnswer({ emulator, svc });
    wall.aheadMs = jumpMs;
    const settled = await svc.tools.settle(error, { exclusive: true, loggedWithinMs: 10_000 });
    expect(settled).toMatchObject({ outcome: "succeeded" });
  });

  test("finds an execution although the machine was suspended, and its monotonic clock stopped", async () => {
    const { emulator } = setUp();
    const clock = virtual(emulator);
    const asleep = { ms: 0 };
    // A log that doesn't find executions by their request ids.
    const fetch = async (request: Request) => {
      const { filters = [] } = request.url.endsWith("/logs/tool_execution") ? await request.clone().json() : {};
      const isById = filters.some(({ field }: { field: string }) => field === "request_id");
      return isById ? Response.json({ logs: [], next_cursor: null }) : emulator.fetch(request);
    };
    const monotonic = () => clock.monotonic() - asleep.ms;
    const svc = new Svc({ ...emulator.connection, fetch, clock: { ...clock, monotonic }, maxRetries: 0 });
    const error = await lostAnswer({ emulator, svc });
    asleep.ms = 3_600_000;
    emulator.clock.advance("1h");
    const settled = await svc.tools.settle(error, { exclusive: true, loggedWithinMs: 1_000 });
    expect(settled).toMatchObject({ outcome: "succeeded" });
  });

  test("concludes nothing about time from a service without a clock", async () => {
    const { emulator } = setUp();
    const fetch = async (request: Request) => {
      const response = await emulator.fetch(request);
      response.headers.delete("date");
      return response;
    };
    const svc = new Svc({ ...emulator.connection, fetch, clock: virtual(emulator), maxRetries: 0 });
    const ran = await lostAnswer({ emulator, svc });
    expect(await svc.tools.settle(ran, { exclusive: true })).toMatchObject({ outcome: "succeeded" });
    const lost = await lostRequest({ emulator, svc }, "Never sent");
    expect(await svc.tools.settle(lost, { loggedWithinMs: 10_000 })).toEqual({ outcome: "unknown", reason: "clock" });
  });

  test("reads every page of the log", async () => {
    const world = setUp();
    await lostAnswer(world);
    for (let number = 0; number < 120; number += 1) await world.svc.tools.execute(SLUG, issue(`Other ${number}`));
    const execution = {
      toolSlug: SLUG,
      arguments: issue("It works").arguments,
      userId: "user-4711",
      startedAfter: new Date(world.emulator.clock.now()),
    };
    expect(await world.svc.tools.settle(execution, { exclusive: true })).toMatchObject({ outcome: "succeeded" });
  });

  test.each([
    ["a bigint", 9_007_199_254_740_993n],
    ["a large number", 9_007_199_254_740_994],
    ["a date", new Date(0)],
  ])("finds an execution by arguments with %s, as they were sent", async (_what, milestone) => {
    const { emulator, svc } = withoutIds(setUp());
    emulator.faults.next("tools.execute", { connection: "reset", when: "after" });
    const args = { ...issue("It works").arguments, milestone };
    const error = await failureOf(svc.tools.execute(SLUG, { ...issue("It works"), arguments: args }));
    // What the program does with its object afterward changes nothing.
    args.title = "Another";
    expect(await svc.tools.settle(error, { exclusive: true })).toMatchObject({ outcome: "succeeded" });
  });

  test("doesn't say that an execution in words didn't run: its arguments aren't known", async () => {
    const { emulator, svc } = withoutIds(setUp());
    emulator.faults.next("tools.execute", { connection: "reset", when: "after" });
    const text = 'owner "octo-org", repo "hello-world", title "In words"';
    const { user_id, version } = issue("");
    const error = await failureOf(svc.tools.execute(SLUG, { user_id, version, text }));
    expect(emulator.tools.calls(SLUG)).toHaveLength(1);
    for (const exclusive of [false, true]) {
      const settled = await svc.tools.settle(error, { exclusive, loggedWithinMs: 1_000, deadlineMs: 5_000 });
      expect(settled).toEqual({ outcome: "unknown", reason: "no_payload" });
    }
  });

  test("doesn't find an execution by a request id that all calls of its client have", async () => {
    const world = setUp({ headers: { "x-request-id": "0b8f6a4e-3c5d-4e1f-9a2b-7c6d5e4f3a2b" } });
    const lost = await lostRequest(world, "Never sent");
    await world.svc.tools.execute(SLUG, issue("Another"));
    expect(await world.svc.tools.settle(lost, { loggedWithinMs: 1_000 })).toEqual({ outcome: "not_run" });
    expect(await world.svc.tools.settle(await lostAnswer(world), { exclusive: true })).toMatchObject({
      outcome: "succeeded",
      data: { title: "It works" },
    });
    const options = { headers: { "X-Request-Id": "5d7b8c9e-1f2a-4b3c-8d4e-6f7a8b9c0d1e" } };
    world.emulator.faults.next("tools.execute", { connection: "reset", when: "after" });
    const lostWithOwnId = await failureOf(world.svc.tools.execute(SLUG, issue("It works"), options));
    expect(await world.svc.tools.settle(lostWithOwnId)).toMatchObject({ outcome: "succeeded" });
  });

  test("tells calls apart to which the program passed the same request id", async () => {
    const { emulator, svc } = setUp();
    const options = { headers: { "x-request-id": "0b8f6a4e-3c5d-4e1f-9a2b-7c6d5e4f3a2b" } };
    const words = { version: "latest", arguments: { text: "a b" } };
    await svc.tools.execute("TEXTKIT_COUNT_WORDS", words, options);
    emulator.faults.next("tools.execute", { connection: "reset", when: "before" });
    const lost = await failureOf(svc.tools.execute(SLUG, issue("Never sent"), options));
    const limits = { loggedWithinMs: 1_000, deadlineMs: 5_000 };
    expect(await svc.tools.settle(lost, limits)).toEqual({ outcome: "not_run" });
    for (const title of ["One", "Two"]) await svc.tools.execute(SLUG, issue(title), options);
    expect(await svc.tools.settle(lost, limits)).toEqual({ outcome: "not_run" });
  });

  test("finds the execution of an error that also aborted another call", async () => {
    const world = setUp();
    const error = await lostAnswer(world, "First");
    const caller = new AbortController();
    world.emulator.tools.stub(SLUG, () => {
      caller.abort(error);
      return { title: "Second" };
    });
    const second = world.svc.tools.execute(SLUG, issue("Second"), { signal: caller.signal });
    expect(await failureOf(second)).toBe(error);
    expect(await world.svc.tools.settle(error)).toMatchObject({ outcome: "succeeded", data: { title: "First" } });
  });

  test("concludes nothing from a log that can't be read", async () => {
    const world = setUp();
    const error = await lostAnswer(world);
    world.emulator.faults.every(1, "logs.listToolExecutions", { status: 503 });
    expect(await world.svc.tools.settle(error, { deadlineMs: 3_000, loggedWithinMs: 1 })).toMatchObject({
      outcome: "unknown",
      reason: "log_unavailable",
      cause: { status: 503 },
    });
    world.emulator.faults.clear();
    world.emulator.faults.every(1, "logs.listToolExecutions", { status: 403 });
    const before = world.emulator.clock.now();
    expect(await world.svc.tools.settle(error)).toMatchObject({ reason: "log_unavailable", cause: { status: 403 } });
    expect(world.emulator.clock.now()).toBe(before);
  });

  test("needs no log for an execution that the service rejected", async () => {
    const { svc, emulator } = setUp();
    const error = await failureOf(svc.tools.execute("GITHUB_NO_SUCH_TOOL", issue("x")));
    expect(await svc.tools.settle(error)).toEqual({ outcome: "not_run" });
    expect(emulator.requests.map(({ operation }) => operation)).toEqual(["tools.execute"]);
  });

  test("doesn't know what became of an aborted call, whose reason other calls may share", async () => {
    const { svc, emulator } = setUp();
    const caller = new AbortController();
    emulator.tools.stub(SLUG, () => {
      caller.abort(new Error("The user has left"));
      return { number: 1 };
    });
    const thrown = await svc.tools
      .execute(SLUG, issue("x"), { signal: caller.signal })
      .catch((error: unknown) => error);
    expect(thrown).toBe(caller.signal.reason);
    for (const reason of [thrown, new TypeError("x"), "The user has left", undefined]) {
      expect(await svc.tools.settle(reason)).toEqual({ outcome: "unknown", reason: "not_traced" });
    }
    expect(emulator.tools.calls(SLUG)).toHaveLength(1);
    expect(emulator.requests.map(({ operation }) => operation)).toEqual(["tools.execute"]);
  });

  test("rejects an incomplete execution, and a wrong option", async () => {
    const { svc } = setUp();
    const incomplete = svc.tools.settle({ toolSlug: SLUG });
    await expect(incomplete).rejects.toThrow(ValidationError);
    await expect(svc.tools.settle({ toolSlug: SLUG })).rejects.toThrow(
      "tools.settle: arguments must be an object. userId or sessionId must be a string. startedAfter must be a Date.",
    );
    const execution = { toolSlug: SLUG, arguments: {}, userId: "u", startedAfter: new Date() };
    await expect(svc.tools.settle(execution, { pollMs: 0 })).rejects.toThrow("pollMs must be a number from 1");
    const forever = svc.tools.settle(execution, { deadlineMs: Number.POSITIVE_INFINITY });
    await expect(forever).rejects.toThrow("deadlineMs must be a number from 1");
  });
});
