// Run a model's call. Run it with: node examples/agents/control.ts
// #region run
// npm install svc-sdk, save this as calls.mts, then: node calls.mts
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";

const tools = await toolset(new Svc(), { userId: "user-4711", tools: ["GITHUB_CREATE_AN_ISSUE"] });
const issue = { owner: "octo-org", repo: "hello-world", title: "From a model" };
const call = { callId: "call_1", name: "GITHUB_CREATE_AN_ISSUE", arguments: issue };

const [result] = await tools.run([call]);
console.log(result?.status); // succeeded
console.log(result?.text); // {"number":1,"title":"From a model","state":"open", …: what the model reads
const [again] = await tools.run([call]);
console.log(again?.isReplay); // true: it ran once.
const [wrong] = await tools.run([{ ...call, callId: "call_2", arguments: {} }]);
console.log(wrong?.status); // not_run
console.log(wrong?.text); // The arguments of GITHUB_CREATE_AN_ISSUE don't match its schema, so nothing ran. …
// #endregion
