// A suspended turn is resumed by several processes: its calls run once, and only as they were suspended.

import { openai } from "../../../src/agents/adapters/openai.js";
import { memoryExecutions, TicketRejectedError, type TurnTicket, tool, toolset } from "../../../src/agents/index.js";
import { allow, approvals, ask, policy } from "../../../src/agents/policy-entry.js";
import { Svc } from "../../../src/index.js";
import { digestOf } from "../../../src/shared/canonical-json.js";
import type { Definition, Faults } from "../world.js";

const svc = new Svc({ baseUrl: "https://service.test", apiKey: "key", env: {} });
const KEYS = [{ id: "key-1", secret: "an approval key for the search, 0123456789" }];
// Services may write no ids. Then the ticket has those under which the calls are recorded.
const item = (name: string, amount: number) => {
  return { type: "function_call", call_id: "", name, arguments: JSON.stringify({ amount }) };
};
const parameters = { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] };

interface Scenario {
  /** The processes, each of which runs the turn and resumes its ticket. */
  readonly runners: number;
  /** Whether each process tries edited tickets, too. The turn then has a call that needs no approval. */
  readonly cheats?: boolean;
  /** How often a process resumes the ticket at the same time. */
  readonly clicks?: number;
}

/** The program's storage. */
interface Desk {
  ticket?: TurnTicket<object>;
  token?: string;
}

/** A ticket that says to pay more: as its owner's storage was edited, and with a digest that fits. */
async function edited(ticket: TurnTicket<object>): Promise<TurnTicket<object>[]> {
  const forged: TurnTicket<object> = JSON.parse(JSON.stringify(ticket).replaceAll('"amount\\":1}', '"amount\\":500}'));
  const { digest: _, ...facts } = forged;
  return [forged, { ...forged, digest: await digestOf(facts) }];
}

/** Each of `runners` processes runs a turn, a person approves its payment, and all resume the first ticket. */
export function tickets(name: string, { runners, cheats = false, clicks = 1 }: Scenario, faults: Faults): Definition {
  return {
    name,
    faults,
    start(world) {
      const store = memoryExecutions();
      const desk: Desk = {};
      const effects = new Map<string, number>();
      const answers = new Set<string>();
      /** A process that starts again after its end runs another turn. */
      let turns = 0;
      const gate = approvals({ keys: KEYS });
      const isAlone = runners === 1 && Object.keys(faults).length === 0;
      for (let index = 0; index < runners; index += 1) {
        world.spawnTwin(`P${index + 1}`, "runner", async (process) => {
          const local = (name: string) =>
            tool({
              name,
              description: "Moves an amount.",
              parameters,
              execute: async ({ amount }: { amount?: unknown }) => {
                const count = (effects.get(name) ?? 0) + 1;
                effects.set(name, count);
                world.note("effect", `${name} of ${amount} runs in ${process.name}`);
                if (name === "pay" && !desk.token) world.violate("The payment ran without an approval.");
                if (amount !== 5 && amount !== 1) world.violate("A call of an edited ticket ran.");
                // Each process's own turn is another one, whose calls without ids are its own.
                if (name === "pay" && count > 1) world.violate("The payment of one ticket ran twice.");
                if (name === "note" && count > turns) world.violate("A call beside it ran again.");
                await process.pause(`the response to ${name}`);
                return "done";
              },
            });
          const tools = await toolset(svc, {
            userId: "user-1",
            tools: [local("pay"), local("note")],
            policy: policy([ask({ tools: ["pay"] }), allow({ tools: ["note"] })]),
            approvals: gate,
            executions: process.through("executions", store, (_, [id]) => String(id)),
          });
          const { run, resume } = openai(tools);
          if (!desk.ticket) {
            const output = cheats ? [item("pay", 5), item("note", 1)] : [item("pay", 5)];
            // Without the response's id, only the ticket has the ids of the calls.
            turns += 1;
            const turn = await run(cheats ? { output } : { id: `resp_${index}`, output });
            const [pending] = turn.pendingApprovals;
            // The program keeps no ticket that the store may not know.
            const ticket = await turn.suspend([]).catch(() => undefined);
            if (pending && ticket && !desk.ticket) {
              desk.ticket = JSON.parse(JSON.stringify(ticket));
              desk.token = await gate.approve(pending, { approver: "ada" });
            }
          }
          const { ticket, token } = desk;
          process.saw(`the ticket on the desk: ${ticket?.digest} ${token?.slice(-8)}`);
          if (!ticket || !token) return;
          for (const forged of cheats ? await edited(ticket) : []) {
            const rejected = await resume(forged, { decisions: [token] }).catch((error: unknown) => error);
            if (rejected instanceof TicketRejectedError || rejected instanceof Error) continue;
            world.violate("An edited ticket was resumed.");
          }
          const resuming = Array.from({ length: clicks }, () => resume(ticket, { decisions: [token] }));
          for (const ended of await Promise.allSettled(resuming)) {
            if (ended.status === "rejected") continue;
            const { results } = ended.value;
            process.saw(results.map(({ status }) => status).join());
            const isWhole = results.every(({ status }) => status === "succeeded");
            if (isWhole) answers.add(results.map(({ callId, text }) => callId + text).join());
            if (answers.size > 1) world.violate("Two resumes of a ticket have different answers.");
            if (isAlone && !isWhole) world.violate("A second click wasn't answered like the first.");
          }
        });
      }
    },
  };
}
