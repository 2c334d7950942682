// A budget is never passed: several processes share its store.
import { memoryExecutions, tool, toolset } from "../../../src/agents/index.js";
import { allow, budget, memoryBudgets, policy } from "../../../src/agents/policy-entry.js";
import { Svc } from "../../../src/index.js";
import type { Definition, Faults } from "../world.js";

const svc = new Svc({ baseUrl: "https://service.test", apiKey: "key", env: {} });

/** Length of the budget's period, in milliseconds. */
const PERIOD_MS = 60_000;

/** Each process makes its calls one after the other, and waits `pausesMs` before them. */
export function budgets(
  name: string,
  calls: readonly number[],
  limit: number,
  faults: Faults,
  pausesMs: readonly number[] = [],
): Definition {
  return {
    name,
    faults,
    start(world) {
      const store = memoryBudgets();
      const executions = memoryExecutions();
      const effects: number[] = [];
      calls.forEach((count, index) => {
        world.spawnTwin(`P${index + 1}`, String(count), async (process) => {
          const guardrails = policy([allow({}), budget({ maxCalls: limit, windowMs: PERIOD_MS, per: "all" })], {
            budgets: process.through("budgets", store, () => "all"),
          });
          const send = tool({
            name: "send",
            description: "Sends a message.",
            parameters: { type: "object", properties: {} },
            execute: async () => {
              const { now } = world.time;
              effects.push(now);
              world.note("effects", `a message is sent by ${process.name} at ${now} ms`);
              const within = effects.filter((time) => time > now - PERIOD_MS).length;
              if (within > limit) world.violate(`${within} calls ran within a period that allows ${limit}.`);
              await process.pause("the message's response");
              return "sent";
            },
          });
          const tools = await toolset(svc, {
            ...{ userId: "user-1", tools: [send], policy: guardrails },
            // A process doesn't know which calls run in others.
            executions: { ...executions },
          });
          for (let call = 0; call < count; call += 1) {
            const pauseMs = pausesMs[call] ?? 0;
            if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
            const [result] = await tools.run([{ callId: `${index}.${call}`, name: "send", arguments: {} }]);
            if (result?.status === "succeeded" && effects.length === 0)
              world.violate("A call succeeded and never ran.");
          }
        });
      });
    },
  };
}
