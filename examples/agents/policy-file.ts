// Rules from a JSON file. Run it with: node examples/agents/policy-file.ts
// #region file
// npm install svc-sdk, save this as policy-file.mts, then: node policy-file.mts
import { readFile } from "node:fs/promises";
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { policyFromJson } from "svc-sdk/agents/policy";

const rules = JSON.parse(await readFile(new URL("policy.json", import.meta.url), "utf8"));
const tools = await toolset(new Svc(), {
  userId: "user-4711",
  tools: ["TEXTKIT_COUNT_WORDS"],
  policy: policyFromJson(rules, { allowUnknownNames: true }), // The file also has rules for other toolkits.
});
const [result] = await tools.run([{ callId: "call_1", name: "TEXTKIT_COUNT_WORDS", arguments: { text: "one two" } }]);
console.log(result?.status); // succeeded
// #endregion
