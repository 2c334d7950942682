// An agent's loop for one call: client, toolset, OpenAI adapter, and with approval and store. Stands beside its node_modules.
import { Svc } from "svc-sdk";
import { memoryExecutions, toolset } from "svc-sdk/agents";
import { approvals } from "svc-sdk/agents/policy";
import { openai } from "svc-sdk/agents/openai";
import { ask, policy } from "svc-sdk/agents/policy";

async function prepared({ baseUrl, apiKey, slug, args, version }, options) {
  const svc = new Svc({ baseUrl, apiKey, env: {} });
  const { definitions, run } = openai(await toolset(svc, { userId: "user-4711", tools: [slug], versions: { github: version }, ...options }));
  const call = { type: "function_call", id: "fc_1", call_id: "call_1", name: definitions[0].name, arguments: JSON.stringify(args) };
  return { run, response: { id: "resp_1", output: [call] } };
}

/** The call waits for an approval, and then runs once. */
export async function run(input) {
  const gate = approvals({ keys: [{ id: "key-1", secret: "a secret of at least 32 characters" }] });
  const guarded = { policy: policy([ask({ tools: [input.slug] })]), approvals: gate, executions: memoryExecutions(), accounts: "newest" };
  const { run, response } = await prepared(input, guarded);
  const { results } = await run(response);
  const token = await gate.approve(results[0].pendingApproval, { approver: "ada@example.com" });
  const [output] = (await run(response, { approvals: [token] })).outputs;
  return output.output;
}

/** The call runs, as rivals run it. */
export async function runUnguarded(input) {
  const { run, response } = await prepared(input, {});
  const [output] = (await run(response)).outputs;
  return output.output;
}
