// Requests that wait in a store until a person decides. Run it with: node examples/agents/approval-inbox.ts
// #region setup
// npm install svc-sdk, save this as inbox.mts, then: node inbox.mts
import { Svc } from "svc-sdk";
import { memoryExecutions, toolset } from "svc-sdk/agents";
import { approvals, ask, describeApproval, memoryApprovals, policy } from "svc-sdk/agents/policy";

const gate = approvals({
  keys: [{ id: "2026-11", secret: process.env["APPROVAL_SECRET"] ?? "" }],
  store: memoryApprovals(), // Several processes, or days: redisApprovals({ client }), postgresApprovals({ client }).
  onRequest: async (pending) => {
    const url = `https://example.com/approvals/${pending.id}`;
    await postMessage(`${describeApproval(pending)}\n${url}`);
  },
});
const tools = await toolset(new Svc(), {
  userId: "user-4711",
  conversationId: "chat-1",
  tools: ["GITHUB_CREATE_AN_ISSUE"],
  policy: policy([ask({ tools: ["GITHUB_CREATE_AN_ISSUE"] })]),
  approvals: gate,
  executions: memoryExecutions(),
});

/** In your program: Slack, a mail, a push message. */
async function postMessage(text: string) {
  console.log(text);
}
// #endregion

// #region decide
const issue = { owner: "octo-org", repo: "hello-world", title: "The build is broken" };
const call = { callId: "call_1", name: "GITHUB_CREATE_AN_ISSUE", arguments: issue };
const [asked] = await tools.run([call]);
console.log(asked?.status); // pending

// The page of the person who decides, in any process:
for await (const { pending } of gate.list({ userId: "user-4711" })) console.log(describeApproval(pending));
const id = asked?.pendingApproval?.id ?? ""; // From the URL.
await gate.decide(id, { approved: true, approver: "ada@example.com" });

// The call finds the decision in the store.
const [result] = await tools.run([call]);
console.log(result?.status, (await gate.get(id))?.approver); // succeeded ada@example.com
// #endregion

// #region withdraw
const [obsolete] = await tools.run([{ ...call, callId: "call_2" }]);
await gate.withdraw(obsolete?.pendingApproval?.id ?? "", { approver: "user-4711", reason: "It is fixed already." });
const [withdrawn] = await tools.run([{ ...call, callId: "call_2" }]);
console.log(withdrawn?.status); // not_run
// #endregion

// #region standing
const [third] = await tools.run([{ ...call, callId: "call_3" }]);
const standing = await gate.standing.approve(third?.pendingApproval?.id ?? "", {
  approver: "ada@example.com",
  maxUses: 3,
  expiresInMs: 3_600_000,
  when: { owner: { is: "octo-org" }, repo: { is: "hello-world" } }, // Any title. By default, the same arguments.
});
const titled = (title: string) => ({ ...call, callId: title, arguments: { ...issue, title } });
const later = await tools.run([{ ...call, callId: "call_3" }, titled("One"), titled("Two")]);
console.log(later.map(({ status }) => status).join(" ")); // succeeded succeeded succeeded
await gate.standing.revoke(standing.id, { approver: "ada@example.com" });
const [after] = await tools.run([titled("Three")]);
console.log(after?.status); // pending
// #endregion
