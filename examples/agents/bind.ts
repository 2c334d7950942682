// Set arguments and change results in your program. Run it with: node examples/agents/bind.ts
// #region bind
// npm install svc-sdk, save this as bind.mts, then: node bind.mts
import { Svc } from "svc-sdk";
import { type ToolMiddleware, toolset } from "svc-sdk/agents";

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

// #region use
const short: ToolMiddleware = async (call, next) => {
  if (call.tool.name === "TEXTKIT_REVERSE") return { status: "not_run", text: "Reverse it yourself." };
  call.arguments = { ...call.arguments, text: String(call.arguments["text"]).trim() };
  const result = await next();
  return { ...result, data: { words: Object(result.data).words } };
};
const wrapped = await toolset(new Svc(), { userId: "user-4711", toolkits: ["textkit"], use: [short] });
const [counted] = await wrapped.run([{ callId: "call_2", name: "TEXTKIT_COUNT_WORDS", arguments: { text: " a b " } }]);
console.log(counted?.text); // {"words":2}
// #endregion
