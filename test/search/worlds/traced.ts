// Writes what happens to each call in the words of docs/models/executions.qnt.
import type { ExecutionStore } from "../../../src/agents/index.js";
import type { Process, World } from "../world.js";

/** The trace of one call. The model numbers its stamps. */
class CallTrace {
  readonly #world: World;
  readonly #actions: string[] = [];
  readonly #stamps: string[] = [];
  /** The stamps that processes hold. */
  readonly held = new Map<Process, string>();

  constructor(world: World, id: string) {
    this.#world = world;
    world.traces.set(id, this.#actions);
  }

  add(action: string, stamp: string, process?: Process): void {
    if (!this.#stamps.includes(stamp)) this.#stamps.push(stamp);
    const by = process ? `${this.#world.processes.indexOf(process) + 1}, ` : "";
    this.#actions.push(`${action}(${by}${this.#stamps.indexOf(stamp) + 1})`);
  }
}

/** The traces of a world's calls, by id. */
export class CallTraces {
  readonly #world: World;
  readonly #traces = new Map<string, CallTrace>();

  constructor(world: World) {
    this.#world = world;
  }

  /** The trace of a call, by its id. */
  of(id: string): CallTrace {
    const trace = this.#traces.get(id) ?? new CallTrace(this.#world, id);
    this.#traces.set(id, trace);
    return trace;
  }

  /** The trace of a call, by its key in the store: scope and id. */
  #ofKey(key: string): CallTrace {
    return this.of(String(JSON.parse(key).at(-1)));
  }

  /** A store as a process sees it. Its requests, their arrivals and their replies are traced. */
  through(process: Process, store: ExecutionStore): ExecutionStore {
    const reached: ExecutionStore = {
      find: store.find,
      start: (id, stamp) => {
        this.#ofKey(id).add("storeStart", stamp);
        return store.start(id, stamp);
      },
      finish: (id, stamp, result) => {
        this.#ofKey(id).add(result === undefined ? "storeDrop" : "storeEnd", stamp);
        return store.finish(id, stamp, result);
      },
    };
    const { find, start, finish } = process.through("executions", reached, (_, [id]) => String(id));
    return {
      find,
      start: async (id, stamp) => {
        const trace = this.#ofKey(id);
        trace.add("sendStart", stamp, process);
        const record = await start(id, stamp);
        const isFirst = record === undefined || record.stamp === stamp;
        if (isFirst) trace.held.set(process, stamp);
        trace.add(isFirst ? "toldStarted" : "toldOther", stamp, process);
        return record;
      },
      finish: (id, stamp, result) => {
        this.#ofKey(id).add(result === undefined ? "sendDrop" : "sendEnd", stamp, process);
        return finish(id, stamp, result);
      },
    };
  }
}
