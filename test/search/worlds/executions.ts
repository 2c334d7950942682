// A call of a model runs once: the same call comes to several processes that share a store of executions.
import { memoryExecutions, type ToolRecord, toolset } from "../../../src/agents/index.js";
import { Svc } from "../../../src/index.js";
import type { Definition, Faults, Process, World } from "../world.js";
import { CallTraces } from "./traced.js";

const PAY: ToolRecord = {
  slug: "PAY",
  description: "Pays an amount.",
  toolkit: "bank",
  version: "20251023_00",
  tags: [],
  input_parameters: { type: "object", properties: { to: { type: "string" } }, required: ["to"] },
  no_auth: true,
};

/** How often a turn is resumed until all of its results are recorded ones. */
const MOST_TURNS = 4;

/** A service that pays. It rejects its first requests, as one that is overloaded does. */
class Bank {
  /** Requests that may have had an effect, as the clients see it. */
  readonly open = new Map<string, number>();
  readonly #paid = new Map<string, number>();
  readonly #world: World;
  readonly #traces: CallTraces;
  #rejections: number;

  constructor(world: World, traces: CallTraces, rejections: number) {
    this.#world = world;
    this.#traces = traces;
    this.#rejections = rejections;
  }

  paid(id: string): number {
    return this.#paid.get(id) ?? 0;
  }

  /** `fetch` of a process. */
  fetchFrom(process: Process): (request: Request) => Promise<Response> {
    return async (request) => {
      const { arguments: given } = await request.json();
      const id = String(given.to);
      this.open.set(id, (this.open.get(id) ?? 0) + 1);
      const trace = this.#traces.of(id);
      const stamp = trace.held.get(process) ?? "none";
      trace.add("sendCall", stamp, process);
      const response = await process.request(`POST payment to ${id}`, `bank ${id}`, async () => this.#pay(id, stamp));
      if (response.status !== 400) return response;
      trace.add("toldRejected", stamp, process);
      this.open.set(id, (this.open.get(id) ?? 0) - 1);
      return response;
    };
  }

  #pay(id: string, stamp: string): Response {
    this.#traces.of(id).add(this.#rejections > 0 ? "serviceRejects" : "serviceRuns", stamp);
    if (this.#rejections > 0) {
      this.#rejections -= 1;
      return Response.json({ error: { message: "Not now.", slug: "Rejected", status: 400 } }, { status: 400 });
    }
    const paid = this.paid(id) + 1;
    this.#paid.set(id, paid);
    this.#world.note(`paid ${id}`, `the payment to ${id} runs`);
    if (paid > 1) this.#world.violate(`The call for ${id} has run twice.`);
    return Response.json({ data: { receipt: `${id} ${paid}` }, successful: true, error: null, log_id: "log_1" });
  }
}

/** Each process runs its calls at the same time, `atOnce` times over, and again, as a resumed conversation does. */
export function executions(
  name: string,
  calls: readonly (readonly string[])[],
  faults: Faults,
  { rejections = 0, atOnce = 1 }: { rejections?: number; atOnce?: number } = {},
): Definition {
  return {
    name,
    faults,
    start(world) {
      const store = memoryExecutions();
      const traces = new CallTraces(world);
      const bank = new Bank(world, traces, rejections);
      /** The text that a program received for each call that succeeded. */
      const texts = new Map<string, string>();
      calls.forEach((ids, index) => {
        world.spawnTwin(`P${index + 1}`, ids.join(), async (process) => {
          const svc = new Svc({
            baseUrl: "https://service.test",
            apiKey: "key",
            env: {},
            maxRetries: 1,
            fetch: bank.fetchFrom(process),
          });
          const executions = traces.through(process, store);
          const from = { formatVersion: 1, tools: [PAY] } as const;
          const toolsets = await Promise.all(
            Array.from({ length: atOnce }, () => toolset(svc, { userId: "user-1", from, executions })),
          );
          const turn = ids.map((id) => ({ callId: id, name: "PAY", arguments: { to: id } }));
          for (let turns = 0, isOpen = true; turns < MOST_TURNS && isOpen; turns += 1) {
            const results = (await Promise.all(toolsets.map((tools) => tools.run(turn)))).flat();
            isOpen = results.some(({ isReplay }) => !isReplay);
            for (const { callId, status, text } of results) {
              if (status !== "succeeded") continue;
              if (bank.paid(callId) !== 1) world.violate(`The call for ${callId} succeeded and never ran.`);
              if ((texts.get(callId) ?? text) !== text) world.violate(`The call for ${callId} has two results.`);
              texts.set(callId, text);
            }
          }
        });
      });
      world.atEnd(() => {
        for (const id of new Set(calls.flat())) {
          // Only a crash, or a request that may have arrived or may still arrive, may leave a call unknown without an effect.
          if (!world.hasCrash && !world.hasLateRequest && bank.paid(id) + (bank.open.get(id) ?? 0) === 0) {
            world.violate(`The call for ${id} never ran, and can't run anymore.`);
          }
        }
      });
    },
  };
}
