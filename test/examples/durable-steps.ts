import { scriptedModel } from "../../src/testing/index.js";
import { CREATE_ISSUE, ISSUE } from "../agents/support.js";
import { startRedis } from "../webhooks/redis-server.js";
import { emulatorWithEnvironment, type Owner } from "./example-process.js";

/** The surroundings of the agent in steps, with a model that opens an issue, and gives each call a new id. */
export async function agentInSteps(owner: Owner) {
  const model = scriptedModel({
    turns: ({ outputs: [output] }) =>
      output ? `I read ${output.text.slice(0, 20)}` : { calls: [{ name: CREATE_ISSUE, arguments: ISSUE }] },
  });
  const { env, close } = await model.serve();
  owner.onTestFinished(close);
  const { emulator, environment } = await emulatorWithEnvironment(owner);
  const redis = await startRedis();
  owner.onTestFinished(() => redis.stop());
  return {
    model,
    variables: { ...environment, ...env, REDIS_URL: redis.path },
    effects: () => emulator.tools.calls(CREATE_ISSUE).length,
    /** The next call of a tool has its effect, and then no response. */
    loseResponse: () => emulator.faults.next("tools.execute", { connection: "hang", when: "after" }),
  };
}
