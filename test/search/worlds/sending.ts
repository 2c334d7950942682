// How calls are sent: what arrives at the service, and what a model reads of a call that failed.
import {
  type CallResult,
  type ExecutionStore,
  memoryExecutions,
  type ToolRecord,
  tool,
  toolset,
} from "../../../src/agents/index.js";
import { allow, policy } from "../../../src/agents/policy-entry.js";
import { Svc } from "../../../src/index.js";
import type { Definition } from "../world.js";
import { toolOf } from "./decisions.js";
import { scripted } from "./scripted.js";

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

type Next = () => Promise<never>;
type Options = Partial<Parameters<typeof toolset>[1]>;

/** A client with middleware, and a toolset of it. `sent` has what arrived at the service. */
async function sending(use: (next: Next) => Promise<unknown>, options: Options = {}, tools = [toolOf("PAY")]) {
  const sent: unknown[] = [];
  /** Takes the place of the response. */
  const answers: Response[] = [];
  const svc = new Svc({
    ...{ baseUrl: "https://service.test", apiKey: "key", env: {}, maxRetries: 0 },
    use: [(_call, next) => use(next as Next) as Promise<never>],
    fetch: async (request) => {
      const { arguments: args, connected_account_id: account } = await request.json();
      sent.push(account === undefined ? args : { ...args, through: account });
      return answers.shift() ?? Response.json({ data: {}, successful: true, error: null, log_id: "log_1" });
    },
  });
  const from = { formatVersion: 1, tools } as const;
  const made = await toolset(svc, { userId: "user-1", from, executions: memoryExecutions(), ...options });
  const run = async (callId: string, args: object = { to: callId }, name = "PAY", limits: object = {}) => {
    const [result] = await made.run([{ callId, name, arguments: args }], limits);
    return result as CallResult;
  };
  return { sent, answers, run };
}

const READ: ToolRecord = { ...toolOf("READ"), tags: ["readOnlyHint"] };
const failure = (status: number, more: object = {}) => {
  return Response.json({ error: { message: "It failed.", status, ...more } }, { status });
};

export const sendings: readonly Definition[] = [
  scripted("executions: 1 process, middleware of a client that doesn't wait", async (_, see) => {
    const memory = memoryExecutions();
    const start: typeof memory.start = async (...args) => {
      await wait(1_000);
      return memory.start(...args);
    };
    const late = async () => {
      await wait(100);
      throw new Error("It takes too long.");
    };
    const { sent, run } = await sending((next) => Promise.race([next(), late()]), {
      executions: { ...memory, start },
    });
    // Its start is recorded after the client has ended it.
    see("it says that it may have run", (await run("a")).status, "unknown");
    const again = await run("a");
    see("it says the same then", [again.status, again.isReplay, sent], ["unknown", true, []]);
  }),
  scripted("executions: 1 process, middleware of a client that sends nothing", async (_, see) => {
    const memory = memoryExecutions();
    const requests: string[] = [];
    const executions: ExecutionStore = {
      find(...args) {
        requests.push("find");
        return memory.find(...args);
      },
      start(...args) {
        requests.push("start");
        return memory.start(...args);
      },
      finish(...args) {
        requests.push("finish");
        return memory.finish(...args);
      },
    };
    const stopped = async () => {
      throw Object.assign(new Error("The program stops it."), { outcome: "not_sent" });
    };
    const { run, sent } = await sending(stopped, { executions });
    see("it records nothing", [(await run("a")).status, requests, sent], ["not_run", ["find"], []]);
  }),
  scripted("executions: 1 process, middleware of a client that throws errors of others", async (_, see) => {
    const { sent, run } = await sending(async (next) => {
      await next();
      throw Object.assign(new Error("Not here."), { condition: "no_connected_account", status: 404 });
    });
    const { status, authRequired } = await run("a");
    see("a call that ran", [status, authRequired, sent], ["unknown", undefined, [{ to: "a" }]]);
  }),
  scripted("executions: 1 process, what a model reads of failures", async (_, see) => {
    const tools = [toolOf("PAY"), READ];
    const { answers, run } = await sending((next) => next(), { trustHints: true }, tools);
    const reported = () => Response.json({ data: {}, successful: false, error: "No.", log_id: "log_1" });
    const advice: readonly (readonly [string, () => Response, string, string])[] = [
      ["PAY", () => failure(500), "unknown", "Check what it did"],
      ["READ", () => failure(500), "failed", "It only reads"],
      ["PAY", reported, "failed", "Change the arguments"],
      ["READ", reported, "failed", "Change the arguments"],
      ["PAY", () => failure(400), "not_run", "Nothing ran."],
      ["READ", () => failure(500, { code: 1810 }), "failed", "It only reads"],
      ["READ", () => failure(404, { code: 1810 }), "not_run", "did not run"],
    ];
    for (const [index, [name, answer, status, words]] of advice.entries()) {
      answers.push(answer());
      const result = await run(`${index}`, undefined, name);
      see(`${name} ${index}`, [result.status, result.text.includes(words)], [status, true]);
    }
  }),
  scripted("executions: 1 process, odd tools of the service", async (_, see) => {
    const nameless = {
      ...toolOf("PAY").input_parameters,
      properties: { to: { type: "string" }, "": { type: "number" } },
    };
    const { toolkit: _toolkit, ...loose } = toolOf("LOOSE");
    const tools = [{ ...toolOf("PAY"), input_parameters: nameless }, loose as ToolRecord];
    const { answers, sent, run } = await sending((next) => next(), {}, tools);
    see("an argument without a name", (await run("a", { to: "a", "": 1 })).status, "succeeded");
    see("it is sent", sent, [{ to: "a", "": 1 }]);
    answers.push(failure(404, { code: 1810 }));
    const { status, authRequired, text } = await run("b", undefined, "LOOSE");
    see("without a toolkit", [status, authRequired, text.includes("It failed.")], ["not_run", undefined, true]);
  }),
  scripted("executions: 1 process, a deadline while a start is recorded", async (_, see) => {
    const memory = memoryExecutions();
    let isDown = true;
    let isSlow = true;
    const start: typeof memory.start = async (...args) => {
      if (isDown) throw new Error("It is down.");
      if (isSlow) await wait(1_000);
      return memory.start(...args);
    };
    const { sent, run } = await sending((next) => next(), { executions: { ...memory, start } });
    see("another call under its id can't start", (await run("a", { to: "b" })).status, "not_run");
    isDown = false;
    const { status } = await run("a", undefined, undefined, { deadlineMs: 500 });
    see("it doesn't run", [status, sent], ["not_run", []]);
    await wait(2_000);
    isSlow = false;
    see("later, it does", [(await run("a")).status, sent], ["succeeded", [{ to: "a" }]]);
  }),
  scripted("executions: 1 process, middleware of a client that hides what the store said", async (_, see) => {
    const memory = memoryExecutions();
    let start: typeof memory.start = () => Promise.reject(new Error("It is down."));
    const hidden = async (next: Next) => {
      try {
        return await next();
      } catch {
        throw Object.assign(new Error("It was stopped."), { outcome: "not_sent" });
      }
    };
    const executions: ExecutionStore = { ...memory, start: (...args) => start(...args) };
    const { sent, run } = await sending(hidden, { executions });
    const down = await run("a", { to: "a" });
    see("no start", [down.status, down.text.includes("the program had a problem")], ["not_run", true]);
    start = async (...args) => {
      await memory.start(...args);
      throw new Error("Its reply is lost.");
    };
    see("a start of another call that is lost", (await run("a", { to: "b" })).status, "not_run");
    start = memory.start;
    see("it is its own", [(await run("a", { to: "b" })).status, sent], ["succeeded", [{ to: "b" }]]);
  }),
  scripted("accounts: 1 process, an account that the model names", async (_, see) => {
    const accounts = { bank: { work: "ca_1", home: "ca_2" } };
    const tools = [toolOf("PAY", "20251023_00", false)];
    const { sent, run } = await sending((next) => next(), { accounts }, tools);
    see("one of them", (await run("a", { to: "a", account: "home" })).status, "succeeded");
    see("no other one", (await run("b", { to: "b", account: "other" })).status, "not_run");
    see("none", (await run("c")).status, "not_run");
    see("the service has its id only", sent, [{ to: "a", through: "ca_2" }]);
  }),
  scripted("executions: 1 process, a schema that changes what a model wrote", async (_, see) => {
    const ran: unknown[] = [];
    const input = { type: "object", properties: { to: { type: "string" } } };
    const standard = {
      ...{ version: 1, vendor: "search", jsonSchema: { input: () => input, output: () => input } },
      validate: (value: unknown) => ({ value: { to: String(Object(value).to).toUpperCase() } }),
    };
    const parameters = { "~standard": standard } as never;
    const own = tool({ name: "pay", description: "Pays.", parameters, execute: (args: unknown) => ran.push(args) });
    const rules = policy([allow({ tools: ["pay"], when: { to: { oneOf: ["A"] } } })]);
    const { run } = await sending((next) => next(), { from: undefined, tools: [own], policy: rules });
    see(
      "the policy and the tool get its output",
      [(await run("a", { to: "a" }, "pay")).status, ran],
      [...["succeeded", [{ to: "A" }]]],
    );
    see("another one isn't allowed", [(await run("b", { to: "b" }, "pay")).status, ran.length], ["not_run", 1]);
  }),
  scripted("executions: 1 process, a local tool that makes other calls", async (_, see) => {
    const ran: string[] = [];
    const statuses: unknown[] = [];
    const parameters = { type: "object", properties: { to: { type: "string" } } };
    const own = tool({
      ...{ name: "both", description: "Makes another call.", parameters },
      execute: async ({ to }) => {
        ran.push(String(to));
        if (to === "a") statuses.push((await run("b", { to: "b" }, "both")).status);
        return "done";
      },
    });
    const { run } = await sending((next) => next(), { from: undefined, tools: [own] });
    see(
      "both run",
      [(await run("a", { to: "a" }, "both")).status, ...statuses, ran],
      [...["succeeded", "succeeded", ["a", "b"]]],
    );
  }),
  scripted("executions: 1 process, a local tool with the name of one that runs others", async (_, see) => {
    const name = "SVC_MULTI_EXECUTE_TOOL";
    const ran: string[] = [];
    const parameters = { type: "object", properties: { to: { type: "string" } } };
    const own = tool({ name, description: name, parameters, execute: ({ to }) => ran.push(String(to)) });
    const { run } = await sending((next) => next(), { from: undefined, tools: [own], policy: policy([allow({})]) });
    see("it runs", [(await run("a", { to: "a" }, name)).status, ran], ["succeeded", ["a"]]);
  }),
];
