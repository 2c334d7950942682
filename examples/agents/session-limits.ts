// Limits of an agent session. Run it with: node examples/agents/session-limits.ts
// #region session
// npm install svc-sdk, save this as session-tools.mts, then: node session-tools.mts
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { allow, deny, policy } from "svc-sdk/agents/policy";

const svc = new Svc();
const guardrails = policy([
  allow({ toolkits: ["github"] }),
  allow({ tools: ["SVC_SEARCH_TOOLS", "SVC_GET_TOOL_SCHEMAS", "SVC_MULTI_EXECUTE_TOOL"] }),
  deny({ tags: ["destructiveHint"] }),
]);
const known = [];
for await (const tool of svc.tools.list({ toolkit_slug: "github,calendar" })) known.push(tool);

const session = await svc.toolRouter.create({ user_id: "user-4711", ...guardrails.forSession(known) });
const tools = await toolset(session, { policy: guardrails, catalog: svc });
// #endregion

const call = (tool_slug: string, args: object) => ({ tool_slug, arguments: args });
const issue = { owner: "octo-org", repo: "hello-world", title: "From a model" };
const several = (callId: string, ...calls: object[]) => {
  const args = { tools: calls, sync_response_to_workbench: false, session_id: "s" };
  return { callId, name: "SVC_MULTI_EXECUTE_TOOL", arguments: args };
};
const results = await tools.run([
  several("call_1", call("GITHUB_CREATE_AN_ISSUE", issue)),
  several("call_2", call("GITHUB_CREATE_AN_ISSUE", issue), call("CALENDAR_DELETE_EVENT", { event_id: "event_1" })),
]);
for (const { callId, status } of results) console.log(callId, status);
