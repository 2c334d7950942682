// A record of calls that can be verified later. Run it with: node examples/agents/audit.ts
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// The example writes to a temporary folder.
process.chdir(mkdtempSync(join(tmpdir(), "svc-audit-")));
process.env["AUDIT_SECRET"] ??= "only for this example: 32 characters";

// #region record
// npm install svc-sdk, save this as audit.mts, then: node audit.mts
import { Svc } from "svc-sdk";
import { toolset } from "svc-sdk/agents";
import { allow, audit, policy } from "svc-sdk/agents/policy";
import { fileAudit } from "svc-sdk/stores";

const secret = process.env["AUDIT_SECRET"] ?? ""; // openssl rand -base64 32
const record = audit({
  keys: [{ id: "2026-11", secret }],
  to: fileAudit("calls.audit.jsonl"),
  program: "support-agent",
});
const tools = await toolset(new Svc(), {
  userId: "user-4711",
  toolkits: ["github"],
  policy: policy([allow({ toolkits: ["github"], name: "github" })]),
  audit: record,
});
const args = { owner: "octo-org", repo: "hello-world", title: "From a model" };
const [result] = await tools.run([{ callId: "call_1", name: "GITHUB_CREATE_AN_ISSUE", arguments: args }]);
// #endregion

console.log(result?.status);

// #region verify
// Save this as verify.mts, then: node verify.mts
import { readFileSync } from "node:fs";
import { verifyAudit } from "svc-sdk/agents/policy";

const keys = [{ id: "2026-11", secret: process.env["AUDIT_SECRET"] ?? "" }];
const text = readFileSync("calls.audit.jsonl", "utf8");
const verified = await verifyAudit(text.trimEnd().split("\n"), { keys });
if (!verified.ok) throw new Error(`Line ${verified.line}: ${verified.problem}`);
console.log(verified.lines); // 2. Keep verified.head elsewhere, and pass it the next time.
// #endregion
