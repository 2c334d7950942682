// Allow and deny a model's calls. Run it with: node examples/agents/control.ts
// #region decide
import { Svc } from "svc-sdk";
import { AuthRequiredError, toolset } from "svc-sdk/agents";
import { customPolicy } from "svc-sdk/agents/policy";

const svc = new Svc();
const choice = { tools: ["GITHUB_CREATE_AN_ISSUE"] };
const issue = { owner: "octo-org", repo: "hello-world", title: "From a model" };
const call = { callId: "call_1", name: "GITHUB_CREATE_AN_ISSUE", arguments: issue };

const ownRepositories = customPolicy({
  digest: "1",
  decide: ({ tool, arguments: args }) => {
    if (tool.tags.includes("readOnlyHint") || args["owner"] === "my-company") return { outcome: "allow" };
    return { outcome: "deny", reason: "Only my-company's repositories may be changed." };
  },
});
const guarded = await toolset(svc, {
  ...choice,
  userId: "user-4711",
  policy: ownRepositories,
  onEvent: (event) => console.log(event.type, event.callId),
});
const [denied] = await guarded.run([call]);
console.log(denied?.text);
// #endregion

// #region connect
const tools = await toolset(svc, { ...choice, userId: "ada", onAuthRequired: "throw" });
try {
  await tools.run([call]);
} catch (error) {
  if (!(error instanceof AuthRequiredError)) throw error;
  console.log(`${error.reason}: send ${error.userId} to ${await error.linkUrl()}`);
  // Once the user has connected: tools.run([call]) again. What ran already doesn't run twice.
}
// #endregion
