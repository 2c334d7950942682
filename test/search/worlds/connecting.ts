// A call that lacks an account goes on when its user has connected one: once, and a budget counts it once.
import { memoryExecutions, type SerializedToolset, toolset } from "../../../src/agents/index.js";
import { allow, budget, memoryBudgets, policy } from "../../../src/agents/policy-entry.js";
import { Svc } from "../../../src/index.js";
import type { Definition, Faults, Process, World } from "../world.js";

const SLUG = "PAY";
const USER = "user-1";
const parameters = { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] };
const facts = { description: "Moves an amount.", version: "20251023_00", tags: [] };
const FROM: SerializedToolset = {
  formatVersion: 1,
  tools: [{ slug: SLUG, toolkit: "bank", input_parameters: parameters, ...facts }],
};
const ACCOUNT = { id: "ca_1", status: "ACTIVE", user_id: USER, toolkit: { slug: "bank" }, is_disabled: false };

/** A service whose user connects an account while the program runs. */
class Service {
  effects = 0;
  isConnected = false;
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  connect(): void {
    if (this.isConnected) return;
    this.isConnected = true;
    this.#world.note("service", "the account is connected");
  }

  list(): Response {
    return Response.json({ items: this.isConnected ? [ACCOUNT] : [], next_cursor: null });
  }

  execute(): Response {
    if (!this.isConnected) {
      const error = { message: "No connected account found", status: 404, code: 1810 };
      return Response.json({ error }, { status: 404 });
    }
    this.effects += 1;
    this.#world.note("service", "the payment runs");
    if (this.effects > 1) this.#world.violate("The payment ran twice.");
    return Response.json({ data: { paid: true }, successful: true, error: null, log_id: "log_1" });
  }
}

function fetchOf(process: Process, service: Service): (request: Request) => Promise<Response> {
  return ({ method, url }) => {
    const isExecution = url.includes("/tools/execute/");
    const act = async () => (isExecution ? service.execute() : service.list());
    return process.request(`${method} ${isExecution ? SLUG : "accounts"}`, "service", act);
  };
}

/**
 * Each process runs the same call, waits for the event that tells that the account is connected, and runs it again.
 *
 * @param accounts - Whether the toolset looks for the account before the call, or the service picks the newest one.
 */
export function connecting(name: string, processes: number, faults: Faults, accounts?: "newest"): Definition {
  return {
    name,
    faults,
    start(world) {
      const service = new Service(world);
      const executions = memoryExecutions();
      const budgets = memoryBudgets();
      let succeeded = 0;
      for (let number = 1; number <= processes; number += 1) {
        world.spawnTwin(`P${number}`, "runner", async (process) => {
          const fetch = fetchOf(process, service);
          const svc = new Svc({ baseUrl: "https://service.test", apiKey: "key", env: {}, maxRetries: 0, fetch });
          const tools = await toolset(svc, {
            userId: USER,
            from: FROM,
            ...(accounts && { accounts }),
            policy: policy([allow({}), budget({ id: "payments", maxCalls: 1, per: "all" })], {
              budgets: process.through("budgets", budgets, () => "all"),
            }),
            executions: process.through("executions", executions, (_, [id]) => String(id)),
          });
          const run = async () => {
            const [result] = await tools.run([{ callId: "call_1", name: SLUG, arguments: { amount: 5 } }]);
            process.saw(`${result?.status} ${result?.authRequired?.reason}`);
            if (result?.status === "succeeded") succeeded += 1;
            if (result?.status === "succeeded" && service.effects === 0) {
              world.violate("The payment succeeded and never ran.");
            }
            return result;
          };
          const first = await run();
          if (!first?.authRequired) return;
          const connecting = process.request("the user connects the account", "service", async () => service.connect());
          // Without the event, the program tries when the user comes back.
          await connecting.catch(() => undefined);
          await run();
        });
      }
      world.atEnd(() => {
        const isUndisturbed = Object.keys(faults).length === 0;
        if (isUndisturbed && succeeded === 0) world.violate("No process could make the payment.");
      });
    },
  };
}
