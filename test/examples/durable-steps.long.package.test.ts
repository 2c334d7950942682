import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import * as nodeModule from "node:module";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { hasPostgres, NEEDS_POSTGRES, postgresServer } from "../stores/postgres-server.js";
import { freePort } from "../support/ports.js";
import { hasRedis, NEEDS_REDIS } from "../webhooks/redis-server.js";
import { agentInSteps } from "./durable-steps.js";
import { outputOf, start } from "./example-process.js";

const isInstalled = existsSync("test/programs/steps/node_modules");
// Node has had hooks that run in the same thread since 22.15.
const canRun = isInstalled && "registerHooks" in nodeModule && hasRedis;
const needs = canRun ? "" : NEEDS_REDIS || " [skipped: needs npm run steps, and Node 22.15]";
const program = (name: string) => [
  "--import",
  "./test/programs/resolve.mjs?steps",
  `examples/durable-steps/${name}.ts`,
];

/** An operation with which a run of Inngest's answers its server. */
interface Operation {
  readonly id: string;
  readonly displayName?: string;
  readonly data: unknown;
}

describe.skipIf(!canRun)(`the agent in steps${needs}`, () => {
  test("with Inngest runs no tool twice, if its server repeats a step", async (context) => {
    const { model, variables, effects, loseResponse } = await agentInSteps(context);
    const port = await freePort();
    const run = async () => {
      const server = start(context, program("inngest"), { ...variables, PORT: String(port), INNGEST_DEV: "1" });
      await server.line(/^Listening/);
      return server;
    };
    /** Acts as Inngest's server: sends the results of the steps so far, and receives the result of the next step. */
    const send = (steps: object): Promise<Response> => {
      const event = { name: "support/task.created", data: { task: "Report it." } };
      const stack = { stack: Object.keys(steps), current: Object.keys(steps).length };
      const ctx = { run_id: "run-1", attempt: 0, stack, use_api: false, disable_immediate_execution: false };
      const body = JSON.stringify({ event, events: [event], ctx, steps, version: 1, use_api: false });
      const url = `http://127.0.0.1:${port}/api/inngest?fnId=support-answer&stepId=step`;
      const headers = { "content-type": "application/json" };
      return fetch(url, { method: "POST", body, headers });
    };
    const ask = async (steps: object): Promise<Operation> => {
      const response = await send(steps);
      expect(response.status).toBe(206);
      const [operation] = (await response.json()) as [Operation];
      return operation;
    };
    const kept = ({ id, data }: Operation) => ({ [id]: { type: "data", data } });

    const first = await run();
    const asked = await ask({});
    loseResponse();
    const lost = ask(kept(asked)).catch(() => "lost");
    await expect.poll(effects, { interval: 10, timeout: 20_000 }).toBe(1);
    await first.kill();
    expect(await lost).toBe("lost");

    await run();
    const again = await ask(kept(asked));
    expect(again).toMatchObject({ displayName: "run the tools", data: { hasCalls: true } });
    expect((await ask(kept(asked))).data).toEqual(again.data);
    const answered = await ask({ ...kept(asked), ...kept(again) });
    const ended = await ask({ ...kept(asked), ...kept(again), ...kept(answered) });
    const all = { ...kept(asked), ...kept(again), ...kept(answered), ...kept(ended) };
    const response = await send(all);
    expect([response.status, await response.json()]).toEqual([200, expect.stringMatching(/^I read /)]);
    expect([effects(), model.requests.length]).toEqual([1, 2]);
  });

  describe.skipIf(!hasPostgres)(`with DBOS${NEEDS_POSTGRES}`, () => {
    const server = postgresServer();

    test("goes on after a crash, and runs no tool twice", async (context) => {
      const { model, variables, effects, loseResponse } = await agentInSteps(context);
      const DATABASE_URL = `postgresql://postgres@localhost/postgres?host=${server.host}`;
      const environment = { ...variables, DATABASE_URL, TASK_ID: "task-1" };
      loseResponse();
      const first = start(context, program("dbos"), environment);
      await expect.poll(effects, { interval: 10, timeout: 30_000 }).toBe(1);
      await first.kill();
      const lines = await outputOf(program("dbos"), environment);
      expect(lines.at(-1)).toMatch(/^I read /);
      expect([effects(), model.requests.length]).toEqual([1, 2]);
    });
  });
});

test.skipIf(!isInstalled)(
  `the libraries for steps fit the types of the examples${isInstalled ? "" : " [skipped: needs npm run steps]"}`,
  async () => {
    const compiler = "node_modules/@typescript/native/bin/tsc";
    await promisify(execFile)(process.execPath, [compiler, "-p", "test/programs/steps"]);
  },
);
