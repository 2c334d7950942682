import { describe, expect, test } from "vitest";
import { gated, issueCall } from "./support.js";
test("x", async () => {
  const { tools, gate, ask, executions } = await gated();
  const pending = await ask();
  console.log(JSON.stringify(pending, null, 1));
  const token = await gate.approve(pending, { approver: "ada" });
  console.log(token.length, await tools.run([pending.call], { approvals: [token] }), executions());
});
