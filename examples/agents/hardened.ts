// A toolset with the protections of the guide to security. Run it with: node examples/agents/hardened.ts
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// The example writes to a temporary folder.
process.chdir(mkdtempSync(join(tmpdir(), "svc-audit-")));
process.env["AUDIT_SECRET"] ??= "only for this example: 32 characters";

// #region toolset
// npm install svc-sdk, save this as agents/hardened.mts, below svc.lock.json, then: node agents/hardened.mts
import { Svc } from "svc-sdk";
import { memoryExecutions, toolset } from "svc-sdk/agents";
import { allow, approvals, ask, audit, budget, label, memoryApprovals, policy } from "svc-sdk/agents/policy";
import { fileAudit } from "svc-sdk/stores";
import lock from "../svc.lock.json" with { type: "json" };

const keys = [{ id: "2026-11", secret: process.env["APPROVAL_SECRET"] ?? "" }];
const auditKeys = [{ id: "2026-11", secret: process.env["AUDIT_SECRET"] ?? "" }];
const tools = await toolset(new Svc(), {
  userId: "user-4711", // From your session, never from the model.
  conversationId: "conversation-42",
  isNewConversation: true,
  tools: ["GITHUB_CREATE_AN_ISSUE", "GITHUB_LIST_REPOSITORY_ISSUES"],
  lock, // Only the tools and versions that you have reviewed.
  accounts: { github: "ca_github_demo" },
  bind: {
    GITHUB_CREATE_AN_ISSUE: { owner: "octo-org" },
    GITHUB_LIST_REPOSITORY_ISSUES: { owner: "octo-org" },
  },
  requirePolicy: true,
  policy: policy([
    allow({ tools: ["GITHUB_CREATE_AN_ISSUE", "GITHUB_LIST_REPOSITORY_ISSUES"] }),
    label("untrusted", { tools: ["GITHUB_LIST_*"] }),
    ask({ tools: ["GITHUB_CREATE_*"], after: ["untrusted"], reason: "The model has read text that anyone can write." }),
    budget({ id: "a day", maxCalls: 100, windowMs: 86_400_000 }),
  ]),
  approvals: approvals({ keys, store: memoryApprovals() }), // In production, redisApprovals({ client }).
  executions: memoryExecutions(), // In production, redisExecutions({ client }).
  audit: audit({ keys: auditKeys, to: fileAudit("calls.audit.jsonl"), program: "support-agent" }),
  maxTurnBytes: 50_000,
});
// #endregion

// #region run
const create = { name: "GITHUB_CREATE_AN_ISSUE", arguments: { repo: "hello-world", title: "From a model" } };
const read = { name: "GITHUB_LIST_REPOSITORY_ISSUES", arguments: { repo: "hello-world" } };
const elsewhere = { ...create, arguments: { ...create.arguments, owner: "mallory" } };
const [created] = await tools.run([{ callId: "call_1", ...create }]);
const [bound] = await tools.run([{ callId: "call_2", ...elsewhere }]); // Contains a bound argument.
await tools.run([{ callId: "call_3", ...read }]);
const [asked] = await tools.run([{ callId: "call_4", ...create }]); // The model has read untrusted text.
console.log(created?.status, bound?.status, asked?.status); // succeeded not_run pending
// #endregion
