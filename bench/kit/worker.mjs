// Contenders in a separate process: does what the benchmark asks of one, batch by batch, and tells what it cost.
import { setImmediate } from "node:timers/promises";
import { CONTENDERS } from "../rivals/contenders.mjs";
import { cpuSince } from "./measure.mjs";
import { answerTo, assertRead, HEADERS, lastOf, pagesOf, WIRES } from "./wire.mjs";

const [baseUrl, ...names] = process.argv.slice(2);

/** The next response of the in-memory service. */
let nextBody;
/** Takes a URL and options, like the global one: no client has to build a `Request` for it. */
const fetch = Object.assign(async () => new Response(nextBody(), { headers: HEADERS }), { acceptsInit: true });
const contenders = {};
for (const name of names) {
  const { load, create, wire = "tools", walks = "tools" } = CONTENDERS[name];
  const module = await load();
  const clients = { memory: create(module, { baseUrl: "http://127.0.0.1:9", fetch }), loopback: create(module, { baseUrl }) };
  contenders[name] = { wire, walks, clients };
}

const callOf = (client, row) => (row.startsWith("list") ? client.list : client[row]);

function prepare(wire, row) {
  const body = answerTo(wire, row);
  nextBody = () => body;
}

/** The live heap, in bytes. What the runtime cleans up after a collection, it cleans up in a later turn of its loop. */
async function liveHeap() {
  for (let turn = 0; turn < 3; turn += 1) {
    globalThis.gc();
    await setImmediate();
  }
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

const tasks = {
  /**
   * Microseconds per call, `width` of them at once: of the clock, or of processors in memory, if nothing is waited
   * for.
   */
  async time({ wire, clients }, { where, row, width, ms }) {
    if (where === "memory") prepare(wire, row);
    const call = callOf(clients[where], row);
    const startedAt = performance.now();
    const cpuBefore = process.cpuUsage();
    let calls = 0;
    const lane = async () => {
      do {
        assertRead(wire, row, await call());
        calls += 1;
      } while (performance.now() - startedAt < ms);
    };
    await Promise.all(Array.from({ length: width }, lane));
    return (where === "memory" ? cpuSince(cpuBefore) : (performance.now() - startedAt) * 1_000) / calls;
  },

  /** Bytes of heap that a call takes before anything is collected: the process runs with a nursery large enough. */
  async heap({ wire, clients }, { row, calls }) {
    prepare(wire, row);
    const call = callOf(clients.memory, row);
    globalThis.gc();
    const before = process.memoryUsage().heapUsed;
    for (let index = 0; index < calls; index += 1) assertRead(wire, row, await call());
    return (process.memoryUsage().heapUsed - before) / calls;
  },

  /** Microseconds per item of a list, and how much the live heap grew on the way, in bytes. */
  async walk({ walks, clients }, { items, watchHeap }) {
    const pages = pagesOf(walks, items);
    const encoder = new TextEncoder();
    nextBody = () => encoder.encode(pages.next().value);
    const live = [];
    let count = 0;
    let last;
    const cpuBefore = process.cpuUsage();
    for await (const item of clients.memory.walk()) {
      count += 1;
      last = item;
      if (!watchHeap || count % (items / 10) !== items / 20) continue;
      live.push(await liveHeap());
    }
    const microseconds = cpuSince(cpuBefore) / count;
    const id = WIRES[walks].read.item(last);
    if (count !== items || id !== lastOf(items)) throw new Error(`walked ${count} of ${items} items, the last ${id}`);
    return watchHeap ? Math.max(...live) - live[0] : microseconds;
  },
};

process.on("message", async ({ name, task, ...input }) => {
  try {
    process.send({ value: await tasks[task](contenders[name], input) });
  } catch (error) {
    process.send({ error: `${name}, ${task} ${JSON.stringify(input)}: ${error.stack}` });
  }
});
process.on("disconnect", () => process.exit());
process.send("ready");
