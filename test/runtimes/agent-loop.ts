// The whole loop of an agent whose call waits for a person. Only names of the package and the web platform may be used
// here.
import { Svc, type SvcOptions } from "svc-sdk";
import { type ExecutionRecord, type ExecutionStore, toolset } from "svc-sdk/agents";
import { openai } from "svc-sdk/agents/openai";
import { allow, approvals, ask, describeApproval, policy } from "svc-sdk/agents/policy";

const TOOL = "GITHUB_CREATE_AN_ISSUE";

/** Keeps records as text, as a key-value store of an edge platform does. */
function textStore(): ExecutionStore {
  const texts = new Map<string, string>();
  const find = async (id: string): Promise<ExecutionRecord | undefined> =>
    JSON.parse(texts.get(id) ?? "null") ?? undefined;
  return {
    find,
    start: async (id, stamp) => {
      const earlier = await find(id);
      if (!earlier) texts.set(id, JSON.stringify({ stamp }));
      return earlier;
    },
    finish: async (id, stamp, result) => {
      if ((await find(id))?.stamp !== stamp) return;
      if (result === undefined) texts.delete(id);
      else texts.set(id, JSON.stringify({ stamp, result }));
    },
  };
}

/** A model that calls a tool once, and then says what it read. */
function answerOf(input: readonly object[]) {
  const output = input.find((item) => "output" in item && "call_id" in item);
  if (output) return { id: "resp_2", output: [], output_text: "It is opened." };
  const parameters = JSON.stringify({ owner: "octo-org", repo: "hello-world", title: "The build is broken" });
  const call = { type: "function_call" as const, id: "fc_1", call_id: "call_1", name: TOOL, arguments: parameters };
  return { id: "resp_1", output: [call], output_text: "" };
}

/** Runs the loop with a client of this connection, and `send` as its fetch. */
export async function agentLoop(connection: SvcOptions, send: (request: Request) => Promise<Response>) {
  let executions = 0;
  const store = textStore();
  const gate = approvals({ keys: [{ id: "key-1", secret: "a secret of at least 32 characters" }] });
  // An edge platform may continue a conversation in another isolate: the store is all that both know.
  const toolsOfIsolate = async () => {
    const fetch = (request: Request) => {
      if (request.url.includes("/tools/execute/")) executions += 1;
      return send(request);
    };
    const tools = await toolset(new Svc({ ...connection, fetch }), {
      userId: "user-4711",
      tools: [TOOL],
      accounts: "newest",
      policy: policy([allow({ tags: ["readOnlyHint"] }), ask({ tools: [TOOL] })]),
      approvals: gate,
      executions: store,
    });
    return openai(tools);
  };

  const { definitions, run } = await toolsOfIsolate();
  const input: object[] = [{ role: "user", content: "Open an issue in octo-org/hello-world: the build is broken." }];
  const response = answerOf(input);
  const asked = await run(response);
  const [pending] = asked.results.flatMap((result) => result.pendingApproval ?? []);
  if (!pending) throw new Error(asked.results[0]?.text);
  const description = describeApproval(pending);
  const token = await gate.approve(pending, { approver: "ada@example.com" });
  const elsewhere = await toolsOfIsolate();
  const approved = await elsewhere.run(response, { approvals: [token] });
  const again = await run(response, { approvals: [token] });
  input.push(...approved.items);
  const last = answerOf(input);
  return {
    offered: definitions.map(({ name, strict }) => ({ name, strict })),
    statuses: [asked, approved, again].map(({ results }) => results[0]?.status),
    description: description.split("\n")[0],
    isReplay: again.results[0]?.isReplay,
    executions,
    hasCalls: (await run(last)).hasCalls,
    text: last.output_text,
  };
}
