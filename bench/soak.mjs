// Leaks and crowds: heap, sockets and listeners over thousands of good and failing calls, 10,000 calls at once, and how
// soon a process ends after its last call. Prints a table and exits with 1 where a line is over its bound.
//
//   npm run bench:soak [seconds of the soak, 20 by default]
import { spawn } from "node:child_process";
import { getEventListeners, once } from "node:events";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { endpoint, Svc, SvcError, typed } from "../dist/index.js";

const probe = endpoint({
  name: "probe",
  method: "GET",
  path: "/api/{apiVersion}/probe/{n}",
  auth: ["apiKey"],
  retry: "safe",
  response: type(),
});

/** A server that answers by what the path asks for, and counts its connections. */
async function startServer() {
  let connections = 0;
  const server = createServer((request, response) => {
    const what = request.url?.split("/").at(-1) ?? "";
    if (what.startsWith("reset")) return void request.socket.destroy();
    if (what.startsWith("silent")) return;
    if (what.startsWith("cut")) {
      response.writeHead(200, { "content-length": "100" });
      response.write('{"n":');
      return void setImmediate(() => response.destroy());
    }
    const status = what.startsWith("status") ? Number(what.slice(6, 9)) : 200;
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(status === 200 ? { n: what } : { error: { message: what } }));
  });
  server.on("connection", () => {
    connections += 1;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, baseUrl: `http://127.0.0.1:${server.address().port}`, connections: () => connections };
}

if (process.argv[2] === "--one-call") {
  const svc = new Svc({ baseUrl: process.argv[3], apiKey: "ak_bench", env: {} });
  await svc.call(probe, { params: { n: "1" } }, { deadlineMs: 60_000, signal: new AbortController().signal });
  process.stdout.write("done\n");
} else {
  await main(Number(process.argv[2] ?? 20));
}

async function main(soakSeconds) {
  if (!globalThis.gc) throw new Error("Run with --expose-gc: npm run bench:soak does.");
  const { server, baseUrl, connections } = await startServer();
  const unhandled = [];
  process.on("unhandledRejection", (reason) => unhandled.push(reason));
  const svc = new Svc({ baseUrl, apiKey: "ak_bench", env: {}, maxRetries: 0 });
  const call = (n, options) =>
    svc.call(probe, { params: { n } }, { ...options, ...(n.startsWith("silent") && { timeoutMs: 50 }) });
  const rows = [];
  const row = (what, value, bound, unit) => rows.push({ what, value, bound, unit, good: value <= bound });

  await crowd(200, (n) => call(`warm${n}`));
  const { signal } = new AbortController();
  row("heap after 4,000 good calls", await growth(() => crowd(4_000, (n) => call(`good${n}`, { signal }))), 8, "MiB");
  row("listeners left on one signal", getEventListeners(signal, "abort").length, 0, "");
  const kinds = ["status400", "status500", "reset", "cut", "silent"];
  const failing = (count) =>
    crowd(count, async (n) => {
      const error = await call(`${kinds[n % kinds.length]}-${n}`, { signal }).catch((failure) => failure);
      if (!(error instanceof SvcError)) throw new Error(`an untyped failure: ${error}`);
    });
  row("heap after 2,500 failing calls", await growth(() => failing(2_500)), 8, "MiB");
  row("listeners left after failures", getEventListeners(signal, "abort").length, 0, "");
  const before = connections();
  for (let n = 0; n < 120; n += 1) await call(`status500-${n}`).catch(() => undefined);
  row("connections for 120 failures in turn", connections() - before, 12, "");

  // In memory: so many connections at once would measure the server's backlog.
  const fetch = async (request) => {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 50));
    return Response.json({ n: new URL(request.url).pathname.split("/").at(-1) });
  };
  const inMemory = new Svc({ baseUrl, apiKey: "ak_bench", env: {}, fetch });
  const answers = await crowd(10_000, (n) => inMemory.call(probe, { params: { n: `own${n}` } }), 10_000);
  row("wrong answers of 10,000 calls at once", answers.filter((answer, n) => answer.n !== `own${n}`).length, 0, "");

  row(`heap after a soak of ${soakSeconds} s, 5 % faults`, await growth(() => soak(call, soakSeconds, kinds)), 8, "MiB");
  row("unhandled rejections", unhandled.length, 0, "");
  row("a process ends after its last call", await timeToEnd(baseUrl), 1_500, "ms");

  for (const { what, value, bound, unit, good } of rows) {
    console.log(`${good ? "ok  " : "OVER"} ${what.padEnd(48)} ${String(Math.round(value * 10) / 10).padStart(8)} ${unit} (at most ${bound})`);
  }
  server.closeAllConnections();
  server.close();
  process.exitCode = rows.every(({ good }) => good) ? 0 : 1;
}

/** Runs `work` for each number, so many at once. */
async function crowd(count, work, width = 64) {
  const results = [];
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const n = next;
      next += 1;
      results[n] = await work(n);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, count) }, worker));
  return results;
}

/** How much the heap is larger afterwards, in MiB. */
async function growth(work) {
  const heap = async () => {
    // Sockets let go of their buffers in later turns.
    for (let turn = 0; turn < 5; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      globalThis.gc();
    }
    return process.memoryUsage().heapUsed / 2 ** 20;
  };
  const before = await heap();
  await work();
  return (await heap()) - before;
}

/** Fifty calls a second, one in twenty of them failing. */
async function soak(call, seconds, kinds) {
  const running = new Set();
  for (let n = 0; n < seconds * 50; n += 1) {
    const what = n % 20 === 0 ? kinds[(n / 20) % kinds.length] : "good";
    const one = call(`${what}-${n}`).catch(() => undefined);
    running.add(one);
    one.then(() => running.delete(one));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await Promise.all(running);
}

async function timeToEnd(baseUrl) {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), "--one-call", baseUrl], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  const doneAt = performance.now();
  await once(child, "exit");
  return performance.now() - doneAt;
}
