import { fork } from "node:child_process";
import { once } from "node:events";

const start = (file, parameters, execArgv) => fork(new URL(file, import.meta.url), parameters, { execArgv });

/** Processes that end with the work, however it ends. */
export async function withProcesses(work) {
  const children = [];
  const opened = async (file, parameters = [], execArgv = []) => {
    const child = start(file, parameters, execArgv);
    children.push(child);
    const [greeting] = await once(child, "message");
    return { greeting, ask: (message) => answer(child, message) };
  };
  try {
    return await work(opened);
  } finally {
    for (const child of children) if (child.connected) child.disconnect();
  }
}

async function answer(child, message) {
  child.send(message);
  const [reply] = await once(child, "message");
  if (reply.error) throw new Error(reply.error);
  return reply.value;
}

/** One process per contender, as functions that have it do a task. */
export async function openWorkers(opened, names, { baseUrl = "http://127.0.0.1:9", flags = [] } = {}) {
  const workers = {};
  for (const name of names) {
    const { ask } = await opened("./worker.mjs", [name, baseUrl], ["--expose-gc", ...flags]);
    workers[name] = ask;
  }
  return workers;
}
