import { expect, test } from "vitest";
import { memoryExecutions, type ToolClient, toolset } from "../../../src/agents/index.js";
import { createEmulator } from "../../../src/emulator/index.js";
import { type Middleware, Svc } from "../../../src/index.js";
import { rejection } from "../../support/client.js";
import { heldClock, settle } from "../../support/clock.js";
import { bench, CREATE_ISSUE, ISSUE, USER } from "../support.js";

const CALL = { callId: "call_1", name: CREATE_ISSUE, arguments: ISSUE };
const OPTIONS = { userId: USER, tools: [CREATE_ISSUE], accounts: "newest" } as const;

/** A client whose rate limit is used up, and which waits for its next window. */
async function limitedClient() {
  const clock = heldClock();
  const emulator = createEmulator();
  const svc = new Svc({ ...emulator.connection, env: {}, clock, maxRetries: 0 });
  const from = (await toolset(svc, OPTIONS)).toJSON();
  emulator.faults.next("tools.listSlugs", { status: 429, retryAfterSeconds: 10 });
  await rejection(svc.tools.listSlugs());
  return { clock, emulator, svc, from };
}

test("a call that waits for the rate limit isn't recorded as started", async () => {
  const { clock, svc, from, emulator } = await limitedClient();
  const executions = memoryExecutions();
  const started: string[] = [];
  const onEvent = ({ type }: { type: string }) => started.push(type);
  const dying = await toolset(svc, { ...OPTIONS, from, executions, onEvent });
  const controller = new AbortController();
  const aborted = rejection(dying.run([CALL], { signal: controller.signal }));
  while (svc.rateLimit.queued === 0) await settle();
  expect(started).not.toContain("started");
  controller.abort();
  await aborted;
  const other = await toolset(new Svc({ ...emulator.connection, env: {} }), { ...OPTIONS, executions });
  expect(await other.run([CALL])).toMatchObject([{ status: "succeeded", isReplay: false }]);
  clock.advance(10_000);
});

test("the same call in another run of the process waits for the one that waits, and counts once", async () => {
  const { clock, svc, from, emulator } = await limitedClient();
  const executions = memoryExecutions();
  const toolsets = await Promise.all([1, 2].map(() => toolset(svc, { ...OPTIONS, from, executions })));
  const runs = [];
  for (const tools of toolsets) {
    runs.push(tools.run([CALL]));
    while (svc.rateLimit.queued === 0) await settle();
  }
  await settle();
  expect(svc.rateLimit.queued).toBe(1);
  clock.advance(10_000);
  const results = (await Promise.all(runs)).flat();
  expect(results.map(({ status, isReplay }) => [status, isReplay])).toEqual([
    ["succeeded", false],
    ["succeeded", true],
  ]);
  expect(emulator.requests.filter(({ operation }) => operation === "tools.execute")).toHaveLength(1);
});

test("a deadline that passes in the wait leaves a call that can run", async () => {
  const { clock, svc, from } = await limitedClient();
  const tools = await toolset(svc, { ...OPTIONS, from });
  expect(await tools.run([CALL], { deadlineMs: 5_000 })).toMatchObject([
    { status: "not_run", error: { outcome: "not_sent", phase: "queue" } },
  ]);
  clock.advance(10_000);
  expect(await tools.run([CALL])).toMatchObject([{ status: "succeeded", isReplay: false }]);
});

test("a call that middleware of the client carries out is recorded", async () => {
  const emulator = createEmulator();
  let count = 0;
  const acting: Middleware = async (call, next) => {
    if (call.endpoint.name !== "tools.execute") return next();
    count += 1;
    const { meta } = await call.send({ ...call.endpoint, name: "other" }, call.input);
    return { data: { data: { count }, successful: true, error: null, log_id: "log_1" }, meta };
  };
  const tools = await toolset(new Svc({ ...emulator.connection, env: {}, use: [acting] }), OPTIONS);
  expect(await tools.run([CALL])).toMatchObject([{ status: "succeeded", isReplay: false }]);
  expect(await tools.run([CALL])).toMatchObject([{ status: "succeeded", isReplay: true }]);
  expect(count).toBe(1);
});

test("a call that middleware of the client carries out is unknown if its start can't be recorded", async () => {
  const acting: Middleware = async (call, next) => {
    if (call.endpoint.name !== "tools.execute") return next();
    const { meta } = await call.send({ ...call.endpoint, name: "other" }, call.input);
    return { data: { data: {}, successful: true, error: null, log_id: "log_1" }, meta };
  };
  const svc = new Svc({ ...createEmulator().connection, env: {}, use: [acting] });
  const error = new Error("no connection");
  const executions = { ...memoryExecutions(), start: () => Promise.reject(error) };
  const tools = await toolset(svc, { ...OPTIONS, executions });
  expect(await tools.run([CALL])).toMatchObject([{ status: "unknown", error }]);
});

test("a client that isn't one of this package runs a call after its start is recorded", async () => {
  const { svc } = await bench();
  const executions = memoryExecutions();
  const steps: string[] = [];
  const client: ToolClient = {
    tools: {
      list: svc.tools.list.bind(svc.tools),
      execute: ((slug, body, options) => {
        steps.push(`execute ${Object.keys(Object(options)).includes("beforeSend")}`);
        return svc.tools.execute(slug, body, options);
      }) as Svc["tools"]["execute"],
    },
  };
  const tools = await toolset(client, {
    ...OPTIONS,
    executions: {
      ...executions,
      start: (id, stamp) => {
        steps.push("start");
        return executions.start(id, stamp);
      },
    },
  });
  expect(await tools.run([CALL])).toMatchObject([{ status: "succeeded" }]);
  expect(steps).toEqual(["start", "execute false"]);
});
