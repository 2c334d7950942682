// Run a model's call, and let a user connect an account. Run it with: node examples/agents/control.ts
// #region run
// npm install svc-sdk, save this as calls.mts, then: node calls.mts
import { Svc } from "svc-sdk";
import { AuthRequiredError, toolset } from "svc-sdk/agents";

const svc = new Svc();
const choice = { tools: ["GITHUB_CREATE_AN_ISSUE"] };
const issue = { owner: "octo-org", repo: "hello-world", title: "From a model" };
const call = { callId: "call_1", name: "GITHUB_CREATE_AN_ISSUE", arguments: issue };

const tools = await toolset(svc, { ...choice, userId: "user-4711" });
const [result] = await tools.run([call]);
console.log(result?.status); // succeeded
console.log(result?.text); // {"number":1,"title":"From a model","state":"open", …: what the model reads
const [again] = await tools.run([call]);
console.log(again?.isReplay); // true: it ran once.
// #endregion

// #region connect
const unconnected = await toolset(svc, { ...choice, userId: "ada", onAuthRequired: "throw" });
try {
  await unconnected.run([call]);
} catch (error) {
  if (!(error instanceof AuthRequiredError)) throw error;
  console.log(`${error.reason}: send ${error.userId} to ${await error.linkUrl()}`);
  // not_connected: send ada to http://127.0.0.1:4747/link/lk_…
  // Once ada has connected the account, run the same calls again. Calls that ran already don't run twice.
}
// #endregion
