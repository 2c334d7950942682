import { memoryExecutions, tool, toolset } from "../../../src/agents/index.js";
import { Svc } from "../../../src/index.js";
import type { Definition } from "../world.js";
import { Logging } from "./looking-up.js";
import { scripted, thrown } from "./scripted.js";

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const local = (name: string, execute: () => Promise<string>) =>
  tool({ name, description: "Pays.", parameters: { type: "object", properties: {} }, execute });

/** Two features at the same time. Other worlds have each alone. */
export const together: readonly Definition[] = [
  scripted("executions: 1 process, an aborted turn with a handler that continues", async (_, see) => {
    const svc = new Svc({ baseUrl: "https://service.test", apiKey: "key", env: {} });
    const stop = new AbortController();
    let open = 0;
    const slow = local("slow", async () => {
      open += 1;
      await wait(1_000);
      open -= 1;
      return "paid";
    });
    const fast = local("fast", async () => {
      await wait(100);
      stop.abort(new Error("stop"));
      throw new Error("It failed.");
    });
    const tools = await toolset(svc, { userId: "user-1", tools: [slow, fast], executions: memoryExecutions() });
    const calls = [slow, fast].map(({ name }) => ({ callId: name, name, arguments: {} }));
    const ended = await thrown(() => tools.run(calls, { signal: stop.signal }));
    see("no handler runs after the turn", [ended, open], ["stop", 0]);
  }),
  scripted("rate limit: 1 client, a 429 while beforeSend runs", async (_, see, world) => {
    const sent: string[] = [];
    const fetch = async (request: Request) => {
      const label = request.headers.get("x-label") ?? "";
      sent.push(`${label} ${Math.floor(world.time.now / 1_000)}`);
      if (label !== "a") return Response.json({ data: {}, successful: true, error: null, log_id: "log_1" });
      await wait(50);
      const headers = { "retry-after": "20" };
      return Response.json({ message: "Too many requests" }, { status: 429, headers });
    };
    const svc = new Svc({ baseUrl: "https://service.test", apiKey: "key", env: {}, maxRetries: 0, fetch });
    const call = (label: string, more: object = {}) => {
      const body = { user_id: "user-1", version: "20251023_00", arguments: {} };
      return svc.tools.execute("PAY", body, { headers: { "x-label": label }, ...more });
    };
    await Promise.all([thrown(() => call("a")), call("b", { beforeSend: () => wait(200) })]);
    see("the second waits", sent, ["a 0", "b 20"]);
  }),
  scripted("settling: 1 process, an execution inside of another with its id", async (_, see, world) => {
    const log = new Logging(world);
    log.add({ requestId: "req-1", parent: "log_1" });
    log.add({ requestId: "req-1", status: "error" });
    const startedAfter = new Date(Date.now() - 1_000);
    const execution = { toolSlug: "PAY", arguments: { to: "a" }, userId: "user-1", startedAfter, requestId: "req-1" };
    see("the outer one", (await log.looked(execution)).slice(0, 2), ["failed", "It failed."]);
  }),
];
