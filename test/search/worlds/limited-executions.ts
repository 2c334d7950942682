// A call that waits for the rate limit isn't recorded as started, so that it can run if its process dies.
import { type ExecutionStore, memoryExecutions, type ToolRecord, toolset } from "../../../src/agents/index.js";
import { Svc } from "../../../src/index.js";
import type { Definition, Faults, World } from "../world.js";

const WAIT_SECONDS = 10;
const SEND: ToolRecord = {
  slug: "SEND",
  description: "Sends a message.",
  toolkit: "mail",
  version: "20251023_00",
  tags: [],
  input_parameters: { type: "object", properties: { to: { type: "string" } }, required: ["to"] },
  no_auth: true,
};
const callOf = (id: string) => ({ callId: id, name: SEND.slug, arguments: { to: id } });

/** A service whose limiter rejects the first request, and asks for a wait. */
class Service {
  readonly runs = new Map<string, number>();
  #isLimited = true;
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  answer(id: string): Response {
    if (this.#isLimited) {
      this.#isLimited = false;
      const headers = { "retry-after": String(WAIT_SECONDS) };
      return Response.json({ message: "Too many requests" }, { status: 429, headers });
    }
    const runs = (this.runs.get(id) ?? 0) + 1;
    this.runs.set(id, runs);
    this.#world.note(`ran ${id}`, `the call for ${id} runs`);
    if (runs > 1) this.#world.violate(`The call for ${id} has run twice.`);
    return Response.json({ data: { id }, successful: true, error: null, log_id: "log_1" });
  }
}

/** Each process makes a call, and another one as soon as a 429 has asked it to wait. */
export function limitedExecutions(name: string, processes: number, faults: Faults): Definition {
  return {
    name,
    faults,
    start(world) {
      const store = memoryExecutions();
      const service = new Service(world);
      for (let number = 1; number <= processes; number += 1) {
        world.spawnTwin(`P${number}`, "", async (process) => {
          let waitsUntil = 0;
          let onWait = (): void => undefined;
          const isWaiting = new Promise<void>((resolve) => {
            onWait = resolve;
          });
          const svc = new Svc({
            baseUrl: "https://service.test",
            apiKey: "key",
            env: {},
            maxRetries: 1,
            fetch: async (request) => {
              const { now } = world.time;
              if (now < waitsUntil) world.violate(`${process.name} sent a request at ${now} ms, in a wait.`);
              const id = String((await request.json()).arguments.to);
              const response = await process.request(`POST to ${id}`, "service", async () => service.answer(id));
              if (response.status === 429) waitsUntil = world.time.now + WAIT_SECONDS * 1_000;
              if (response.status === 429) onWait();
              return response;
            },
          });
          const begun = new Set<string>();
          const remote = process.through("executions", store, (_, [id]) => String(id));
          const executions: ExecutionStore = {
            ...remote,
            start: (id, stamp) => {
              if (!begun.has(id) && world.time.now < waitsUntil) world.violate(`${id} is started, and waits.`);
              begun.add(id);
              return remote.start(id, stamp);
            },
          };
          const from = { formatVersion: 1, tools: [SEND] } as const;
          const tools = await toolset(svc, { userId: "user-1", from, executions });
          const first = tools.run([callOf("a")]);
          await Promise.race([isWaiting, first]);
          const results = (await Promise.all([first, tools.run([callOf("b")])])).flat();
          for (const { callId, status } of results) {
            if (status === "succeeded" && !service.runs.has(callId))
              world.violate(`${callId} succeeded, and never ran.`);
          }
        });
      }
      world.atEnd(() => {
        if (world.hasCrash || faults.lostReplies) return;
        for (const id of ["a", "b"]) if (!service.runs.has(id)) world.violate(`The call for ${id} never ran.`);
      });
    },
  };
}
