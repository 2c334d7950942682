import { describe, expect, test } from "vitest";
import { toolset } from "../../../src/agents/index.js";
import { approvals, customPolicy } from "../../../src/agents/policy-entry.js";
import { Svc } from "../../../src/index.js";
import { redisExecutions } from "../../../src/stores/redis.js";
import { emulatorWithEnvironment, start } from "../../examples/example-process.js";
import { hasRedis, NEEDS_REDIS, redisWithClients } from "../../webhooks/redis-server.js";
import { CREATE_ISSUE, USER } from "../support.js";
import { issueCall, KEY } from "./support.js";

/** The points of an approved call, how often it has run by then, and how it ends when it is resumed there. */
const POINTS = [
  ["before find", 0, "succeeded", false],
  ["after find", 0, "succeeded", false],
  ["before start", 0, "succeeded", false],
  // From here on it may have run, and only its record knows.
  ["after start", 0, "unknown", true],
  ["before send", 0, "unknown", true],
  ["after send", 1, "unknown", true],
  ["before finish", 1, "unknown", true],
  ["after finish", 1, "succeeded", true],
  ["the end", 1, "succeeded", true],
] as const;

describe.skipIf(!hasRedis)(`an approved call whose process is killed${NEEDS_REDIS}`, () => {
  const redis = redisWithClients();

  test.for(POINTS)("%s has run %i times, and resumes as %s (recorded: %s)", async (row, context) => {
    const [point, ran, status, isReplay] = row;
    const { emulator, environment } = await emulatorWithEnvironment(context);
    const prefix = `test:${crypto.randomUUID()}:`;
    const executions = () => emulator.requests.filter(({ operation }) => operation === "tools.execute").length;
    const gate = approvals({ keys: [KEY] });
    const tools = await toolset(new Svc({ ...emulator.connection, env: {} }), {
      userId: USER,
      tools: [CREATE_ISSUE],
      policy: customPolicy({ digest: "1", decide: () => ({ outcome: "ask", reason: "Issues are public." }) }),
      approvals: gate,
      executions: redisExecutions({ client: redis.ioredis, prefix }),
    });
    const [asked] = await tools.run([issueCall("call_1")]);
    if (!asked?.pendingApproval) throw new Error(asked?.text);
    const token = await gate.approve(asked.pendingApproval, { approver: "ada" });

    const variables = { REDIS_PATH: redis.server.path, PREFIX: prefix, TOKEN: token, STOP_AT: point, KEY: KEY.secret };
    const call = JSON.stringify(asked.pendingApproval.call);
    const dying = start(context, ["test/agents/dying-approval-process.ts"], {
      ...environment,
      ...variables,
      CALL: call,
    });
    await dying.line(new RegExp(`^${point}$`));
    await dying.kill();
    expect(executions()).toBe(ran);

    const resumed = await tools.run([asked.pendingApproval.call], { approvals: [token] });
    expect(resumed).toMatchObject([{ status, isReplay }]);
    const again = await tools.run([asked.pendingApproval.call], { approvals: [token] });
    expect(again).toMatchObject([{ status, isReplay: true }]);
    expect(executions()).toBe(status === "unknown" ? ran : 1);
  });
});
