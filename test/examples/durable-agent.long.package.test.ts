import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hasRedis, NEEDS_REDIS } from "../webhooks/redis-server.js";
import { agentInSteps } from "./durable-steps.js";
import { outputOf, start } from "./example-process.js";

const EXAMPLE = new URL("../../examples/durable-steps", import.meta.url).href;

/** A library for durable steps in ten lines: it keeps the results of the steps in a file. */
const RUNNER = `
  import { existsSync, readFileSync, writeFileSync } from "node:fs";
  import { askModel, runTools } from "${EXAMPLE}/agent.ts";
  import { work } from "${EXAMPLE}/work.ts";
  const path = process.env["RESULTS"];
  const results = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : [];
  let at = 0;
  const step = (run) => async (...args) => {
    const index = at++;
    results[index] ??= await run(...args);
    writeFileSync(path, JSON.stringify(results));
    return JSON.parse(JSON.stringify(results[index]));
  };
  console.log(await work({ askModel: step(askModel), runTools: step(runTools) }, "run-1", "Report it."));
  process.exit();`;

test.skipIf(!hasRedis)(`a step that is run again after a crash runs no tool twice${NEEDS_REDIS}`, async (context) => {
  const { model, variables, effects, loseResponse } = await agentInSteps(context);
  const folder = mkdtempSync(join(tmpdir(), "svc-steps-"));
  context.onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = ["--input-type=module-typescript", "-e", RUNNER];
  const environment = { ...variables, RESULTS: join(folder, "results.json") };
  loseResponse();
  const first = start(context, program, environment);
  await expect.poll(effects, { interval: 10, timeout: 20_000 }).toBe(1);
  await first.kill();
  expect(await outputOf(program, environment)).toEqual([expect.stringMatching(/^I read /)]);
  expect([effects(), model.requests.length]).toEqual([1, 2]);
});
