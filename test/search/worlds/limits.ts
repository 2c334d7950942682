// A call passes the limit of a budget only with an approval for exactly this call, and is counted.
import { memoryExecutions, tool, toolset } from "../../../src/agents/index.js";
import { allow, approvals, budget, memoryBudgets, policy } from "../../../src/agents/policy-entry.js";
import { Svc } from "../../../src/index.js";
import type { Definition, Faults } from "../world.js";

const svc = new Svc({ baseUrl: "https://service.test", apiKey: "key", env: {} });
const KEYS = [{ id: "key-1", secret: "an approval key for the search, 0123456789" }];

const LIMIT = 2;
const COSTS = { pay: 2, look: 1, free: 0 } as const;

const toolOf = (id: string): keyof typeof COSTS => (/\d/.test(id) ? "free" : /[A-Z]/.test(id) ? "pay" : "look");

interface Scenario {
  /** Whether a person allows payments past the limit, or denies them when the budget has room again. */
  readonly decision?: "approve" | "deny";
  /** How many calls may run, whatever was approved. */
  readonly mostCalls?: number;
}

/**
 * Each process makes its calls: a payment if the id is a capital letter, a free call if it is a digit. A person
 * decides on payments, and no one on other calls.
 */
export function limits(
  name: string,
  calls: readonly (readonly string[])[],
  faults: Faults,
  { decision = "approve", mostCalls = 4 }: Scenario = {},
): Definition {
  const windowMs = decision === "deny" ? 60_000 : undefined;
  return {
    name,
    faults,
    start(world) {
      const store = memoryBudgets();
      const executions = memoryExecutions();
      const gate = approvals({ keys: KEYS });
      /** Tokens by call, in the program's own storage. */
      const desk = new Map<string, string>();
      const ran: string[] = [];
      const costOf = (id: string) => COSTS[toolOf(id)];
      const spent = () => ran.reduce((sum, id) => sum + costOf(id), 0);
      calls.forEach((ids, index) => {
        world.spawn(`P${index + 1}`, async (process) => {
          /** The sum that had been spent when a call was run last, and whether with its approval. */
          let before = 0;
          let isApproved = false;
          const guardrails = policy(
            [
              allow({}),
              budget({ id: "cents", maxCost: LIMIT, costs: COSTS, atLimit: "ask", per: "all", windowMs }),
              budget({ id: "calls", maxCalls: mostCalls, per: "all" }),
            ],
            { budgets: process.through("budgets", store, () => "all") },
          );
          const named = (one: keyof typeof COSTS) =>
            tool({
              name: one,
              description: one,
              parameters: { type: "object" },
              execute: async (_, { callId }) => {
                world.note("effects", `${callId} runs in ${process.name}`);
                if (ran.includes(callId)) world.violate(`${callId} ran twice.`);
                ran.push(callId);
                if (ran.length > mostCalls) world.violate(`${ran.length} calls ran, and ${mostCalls} are allowed.`);
                if (decision === "deny" && desk.has(callId)) world.violate(`${callId} ran after its denial.`);
                const isOver = before + costOf(callId) > LIMIT;
                if (decision === "approve" && isOver && !isApproved) {
                  world.violate(`${callId} passed the limit without an approval: ${before} had been spent.`);
                }
                await process.pause("the response");
                return "done";
              },
            });
          const tools = await toolset(svc, {
            ...{
              userId: "user-1",
              tools: [named("pay"), named("look"), named("free")],
              policy: guardrails,
              approvals: gate,
            },
            executions: process.through("executions", executions, (_, [id]) => String(id)),
          });
          const run = async (id: string, tokens: readonly string[]) => {
            before = spent();
            isApproved = tokens.some((token) => token === desk.get(id));
            const [result] = await tools.run([{ callId: id, name: toolOf(id), arguments: {} }], { approvals: tokens });
            return result?.pendingApproval;
          };
          for (const id of ids) {
            // Tokens of other calls approve nothing.
            const others = [...desk].flatMap(([key, token]) => (key === id ? [] : [token]));
            process.saw(`${others.length} tokens`);
            const pending = await run(id, others);
            if (!pending || toolOf(id) !== "pay") continue;
            if (decision === "deny") await new Promise((resolve) => setTimeout(resolve, 90_000));
            const token = desk.get(id) ?? (await gate[decision](pending, { approver: "ada" }));
            desk.set(id, token);
            world.note("desk", `Ada decides on ${id}: ${decision}`);
            // A program that resumes a conversation need not have the token of a denial.
            if (decision === "deny") await run(id, []);
            await run(id, [token]);
          }
        });
      });
    },
  };
}
