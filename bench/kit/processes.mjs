import { fork } from "node:child_process";
import { once } from "node:events";

const start = (file, parameters, execArgv) => fork(new URL(file, import.meta.url), parameters, { execArgv });

/** Processes that end with the work, however it ends. */
export async function withProcesses(work) {
  const children = [];
  const opened = async (file, parameters = [], execArgv = []) => {
    const child = start(file, parameters, execArgv);
    children.push(child);
    const greeting = await messageOf(child);
    return { greeting, ask: (message) => answer(child, message) };
  };
  try {
    return await work(opened);
  } finally {
    for (const child of children) if (child.connected) child.disconnect();
  }
}

/** The next message; a process that ends without one has said why on its standard error. */
async function messageOf(child) {
  const waiting = new AbortController();
  const died = once(child, "exit", waiting).then(([code]) => {
    throw new Error(`${child.spawnargs.join(" ")} ended with ${code} and no result.`);
  });
  try {
    const [message] = await Promise.race([once(child, "message", waiting), died]);
    return message;
  } finally {
    died.catch(() => undefined);
    waiting.abort();
  }
}

async function answer(child, message) {
  child.send(message);
  const reply = await messageOf(child);
  if (reply.error) throw new Error(reply.error);
  return reply.value;
}

/** One process per contender, as functions that have it do a task. */
export async function openWorkers(opened, names, options) {
  const workers = {};
  for (const name of names) Object.assign(workers, await openTogether(opened, [name], options));
  return workers;
}

/** The same in one process for all: whatever the machine does to it, it does to them alike. */
export async function openTogether(opened, names, { baseUrl = "http://127.0.0.1:9", flags = [] } = {}) {
  const { ask } = await opened("./worker.mjs", [baseUrl, ...names], ["--expose-gc", ...flags]);
  return Object.fromEntries(names.map((name) => [name, (task) => ask({ name, ...task })]));
}
