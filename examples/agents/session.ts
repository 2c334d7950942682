// The tools of an agent session. Run it with: node examples/agents/session.ts
// #region session
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";

const svc = new Svc();
const tools = await toolset(await svc.toolRouter.create({ user_id: "user-4711" }));
console.log(tools.tools.map(({ name }) => name).join(" "));
// #endregion
