// A call that needs approval runs with one that is valid, and once.

import { memoryExecutions, tool, toolset } from "../../../src/agents/index.js";
import { approvals, ask, type PendingApproval, policy } from "../../../src/agents/policy-entry.js";
import { Svc } from "../../../src/index.js";
import type { Definition, Faults } from "../world.js";

const svc = new Svc({ baseUrl: "https://service.test", apiKey: "key", env: {} });
const KEYS = [{ id: "key-1", secret: "an approval key for the search, 0123456789" }];
const EXPIRES_MS = 600_000;

/** A person's desk: what was asked, and what was said, in the program's own storage. */
interface Desk {
  pending?: PendingApproval;
  token?: string;
}

/** The events of a world. */
interface Scenario {
  readonly runners: number;
  readonly decision: "approve" | "deny";
  /** How long a process waits before it runs the call with the token. */
  readonly waitMs?: number;
  /** Whether each process also tries the token with other arguments, and for another call. */
  readonly cheats?: boolean;
}

/** Each of `runners` processes asks, a person decides, and all run the call with the token. */
export function approvalsOnce(
  name: string,
  { runners, decision, waitMs = 0, cheats = true }: Scenario,
  faults: Faults,
): Definition {
  return {
    name,
    faults,
    start(world) {
      const store = memoryExecutions();
      const desk: Desk = {};
      let approvedAt: number | undefined;
      let effects = 0;
      const trace: string[] = [];
      world.traces.set("call_1", trace);
      const gate = approvals({ keys: KEYS });
      for (let index = 0; index < runners; index += 1) {
        world.spawnTwin(`P${index + 1}`, "runner", async (process) => {
          const pay = tool({
            name: "pay",
            description: "Pays an amount.",
            parameters: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] },
            execute: async ({ amount }) => {
              effects += 1;
              trace.push(`start({ id: 1, amount: ${amount} }, ${ranAt})`);
              trace.push(`runTool({ id: 1, amount: ${amount} }, ${ranAt})`);
              world.note("effect", `the payment of ${amount} runs in ${process.name}`);
              if (amount !== 5) world.violate(`A payment of ${amount} ran; 5 was approved.`);
              if (effects > 1) world.violate("One approval had two effects.");
              const expiresAt = (approvedAt ?? world.violate("The payment ran without an approval.")) + EXPIRES_MS;
              if (ranAt >= expiresAt) world.violate("The payment ran after its approval had expired.");
              await process.pause("the payment's response");
              return "paid";
            },
          });
          const tools = await toolset(svc, {
            userId: "user-1",
            tools: [pay],
            policy: policy([ask({})]),
            approvals: gate,
            executions: process.through("executions", store, (_, [id]) => String(id)),
          });
          /** The token on the desk. What the process does depends on it, so it is part of its history. */
          const found = () => {
            process.saw(`the token on the desk: ${desk.token?.slice(-8)}`);
            return desk.token;
          };
          const call = (amount: number) => ({ callId: "call_1", name: "pay", arguments: { amount } });
          /** The process's time when it ran a call last. Its clock may jump while the call is on its way. */
          let ranAt = 0;
          const runs = (calls: ReturnType<typeof call>[]) => {
            ranAt = Date.now();
            const token = found();
            return tools.run(calls, { approvals: token ? [token] : [] });
          };
          const [asked] = await tools.run([call(5)]);
          const pending = asked?.pendingApproval;
          if (pending && !found()) await process.pause("the desk receives the question");
          if (pending) trace.push("ask({ id: 1, amount: 5 })");
          if (pending && !found()) {
            desk.pending = pending;
            desk.token = await (decision === "approve"
              ? gate.approve(pending, { approver: "ada", expiresInMs: EXPIRES_MS })
              : gate.deny(pending, { approver: "ada" }));
            if (decision === "approve") {
              approvedAt = Math.max(approvedAt ?? 0, Date.now());
              trace.push(`approve({ id: 1, amount: 5 }, ${Date.now() + EXPIRES_MS})`);
            }
            world.note("desk", `Ada decides: ${decision}`);
          }
          if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
          const [altered, other] = cheats ? await runs([call(500), { ...call(5), callId: "call_2" }]) : [];
          if (altered?.status === "succeeded") world.violate("Altered arguments ran with a token for others.");
          if (other?.status === "succeeded") world.violate("Another call ran with the token of the first.");
          await runs([call(5)]);
        });
      }
    },
  };
}

/** Two persons decide differently: a process each runs the call with one's token, and again, as a resumed one does. */
export function contested(name: string, decisions: readonly ("approve" | "deny")[], faults: Faults): Definition {
  return {
    name,
    faults,
    start(world) {
      const store = memoryExecutions();
      const gate = approvals({ keys: KEYS });
      let effects = 0;
      /** Whether a program was told that the call was denied and didn't run. */
      let isDenied = false;
      decisions.forEach((decision, index) => {
        world.spawn(`P${index + 1}`, async (process) => {
          const pay = tool({
            name: "pay",
            description: "Pays.",
            parameters: { type: "object" },
            execute: async () => {
              effects += 1;
              world.note("effect", `the payment runs in ${process.name}`);
              if (isDenied) world.violate("The payment ran after a program was told of its denial.");
              await process.pause("the payment's response");
              return "paid";
            },
          });
          const tools = await toolset(svc, {
            userId: "user-1",
            tools: [pay],
            policy: policy([ask({})]),
            approvals: gate,
            executions: process.through("executions", store, (_, [id]) => String(id)),
          });
          const call = { callId: "call_1", name: "pay", arguments: {} };
          // A run that changes nothing: the question is the same for all.
          const [asked] = await tools.run([call], { dryRun: true });
          if (!asked?.pendingApproval) return;
          const token = await gate[decision](asked.pendingApproval, { approver: process.name });
          for (let run = 0; run < 2; run += 1) {
            const [result] = await tools.run([call], { approvals: [token] });
            if (!result?.text.includes("was not approved")) continue;
            isDenied = true;
            if (effects > 0) world.violate("A program was told of a denial, and the payment has run.");
          }
        });
      });
    },
  };
}
