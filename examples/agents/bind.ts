// Set arguments of calls in your program. Run it with: node examples/agents/bind.ts
// #region bind
// npm install svc-sdk, save this as bind.mts, then: node bind.mts
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";

const tools = await toolset(new Svc(), {
  userId: "user-4711",
  tools: ["GITHUB_CREATE_AN_ISSUE"],
  bind: {
    GITHUB_CREATE_AN_ISSUE: {
      owner: "octo-org",
      repo: ({ userId }) => (userId === "user-4711" ? "hello-world" : "none"),
    },
  },
});
console.log(Object.keys(Object(tools.tools[0]?.parameters["properties"])).join(" ")); // title body labels
const call = { callId: "call_1", name: "GITHUB_CREATE_AN_ISSUE", arguments: { title: "The build is broken" } };
const [created] = await tools.run([call]);
console.log(created?.status); // succeeded
// #endregion
