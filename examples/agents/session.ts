// The tools of an agent session. Run it with: node examples/agents/session.ts
// #region session
// npm install svc-sdk, save this as session.mts, then: node session.mts
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";

const svc = new Svc();
const tools = await toolset(await svc.toolRouter.create({ user_id: "user-4711" }));
console.log(tools.tools.map(({ name }) => name).join(" "));
// SVC_SEARCH_TOOLS SVC_GET_TOOL_SCHEMAS SVC_MULTI_EXECUTE_TOOL SVC_MANAGE_CONNECTIONS SVC_REMOTE_WORKBENCH …
// #endregion
