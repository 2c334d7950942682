import { expect, test } from "vitest";
import { openai } from "../../src/agents/adapters/openai.js";
import { memoryExecutions, type PreparedToolset, prepareToolset, tool, toolset } from "../../src/agents/index.js";
import { allow, budget, deny, label, policy } from "../../src/agents/policy-entry.js";
import { createEmulator } from "../../src/emulator/index.js";
import { ConfigError, Svc } from "../../src/index.js";
import { rejectionOf } from "../support/client.js";
import { COUNT_WORDS, CREATE_ISSUE, ISSUE, USER } from "./support.js";

function service() {
  const emulator = createEmulator();
  const svc = new Svc({ ...emulator.connection, env: {} });
  const paths = () => emulator.requests.map(({ path }) => path.split("?")[0]);
  return { emulator, svc, paths };
}

const ISSUE_CALL = { callId: "call_1", name: CREATE_ISSUE, arguments: ISSUE };

test("a prepared toolset makes the toolsets of its users without a request, and with the same tools", async () => {
  const { svc, paths } = service();
  const options = { toolkits: ["github", "textkit"] };
  const prepared = await prepareToolset(svc, options);
  const before = paths().length;
  const ada = await prepared.for({ userId: "ada", conversationId: "1" });
  const bob = await prepared.for({ userId: "bob" });
  expect(paths()).toHaveLength(before);
  expect(bob.tools).toBe(ada.tools);
  const own = await toolset(svc, { ...options, userId: "ada" });
  expect(openai(bob).definitions).toEqual(openai(own).definitions);
  // What a library does to its definitions is its own.
  Object.assign(openai(ada).definitions[0]?.parameters ?? {}, { type: "changed" });
  expect(openai(bob).definitions).toEqual(openai(own).definitions);
});

test("each user's calls run for that user, once per conversation", async () => {
  const { svc } = service();
  const userIds: unknown[] = [];
  const note = tool({
    name: "note",
    description: "Notes who calls.",
    parameters: { type: "object" },
    execute: (_, { userId }) => userIds.push(userId),
  });
  const executions = memoryExecutions();
  const prepared = await prepareToolset(svc, { tools: [note, CREATE_ISSUE], executions });
  const call = { callId: "call_1", name: "note", arguments: {} };
  for (const userId of ["ada", "bob", "ada"]) await (await prepared.for({ userId })).run([call]);
  await (await prepared.for({ userId: "ada", conversationId: "2" })).run([call]);
  expect(userIds).toEqual(["ada", "bob", "ada"]);
  const [connected] = await (await prepared.for({ userId: USER })).run([ISSUE_CALL]);
  const [missing] = await (await prepared.for({ userId: "user-new" })).run([ISSUE_CALL]);
  expect(connected?.status).toBe("succeeded");
  expect(missing?.authRequired?.userId).toBe("user-new");
});

test("rules, budgets, labels and bound arguments are those of each user", async () => {
  const { svc } = service();
  const rules = [
    allow({}),
    deny({ users: ["eve"] }),
    budget({ id: "calls", maxCalls: 1 }),
    label("read", { tools: [COUNT_WORDS] }),
  ];
  const bind = { [COUNT_WORDS]: { text: ({ userId }: { userId: string | undefined }) => `one two of ${userId}` } };
  const options = { tools: [COUNT_WORDS], policy: policy(rules), bind, executions: memoryExecutions() };
  const prepared = await prepareToolset(svc, options);
  const run = async (userId: string, callId: string) => {
    const tools = await prepared.for({ userId, conversationId: `of ${userId}` });
    const [result] = await tools.run([{ callId, name: COUNT_WORDS, arguments: {} }]);
    return [result?.status, result?.labels];
  };
  expect(await run("ada", "call_1")).toEqual(["succeeded", ["read"]]);
  expect(await run("ada", "call_2")).toEqual(["not_run", []]);
  expect(await run("bob", "call_1")).toEqual(["succeeded", ["read"]]);
  expect(await run("eve", "call_1")).toEqual(["not_run", []]);
});

test("labels of a user's accounts are an argument for that user's model alone", async () => {
  const { svc } = service();
  const prepared = await prepareToolset(svc, { tools: [CREATE_ISSUE] });
  const both = await prepared.for({ userId: "ada", accounts: { github: { work: "ca_1", home: "ca_2" } } });
  const one = await prepared.for({ userId: "bob", accounts: { github: "ca_3" } });
  const propertiesOf = (tools: typeof both) => Object.keys(Object(tools.tools[0]?.parameters["properties"]));
  expect(propertiesOf(both)).toContain("account");
  expect(propertiesOf(one)).not.toContain("account");
});

const forUser = (options: object) => (prepared: PreparedToolset) => prepared.for(options as { userId: string });
test.each<[string, (prepared: PreparedToolset, svc: Svc) => unknown, string]>([
  [
    "a user of all",
    (_, svc) => prepareToolset(svc, { tools: [COUNT_WORDS], userId: USER } as object),
    "pass userId to",
  ],
  [
    "a conversation of all",
    (_, svc) => prepareToolset(svc, { tools: [COUNT_WORDS], conversationId: "1" } as object),
    "",
  ],
  ["a session", (_, svc) => prepareToolset(svc.toolRouter.use("trs_1") as never, {}), "needs a client"],
  ["no user", forUser({}), "userId"],
  ["an empty user", forUser({ userId: "" }), "userId"],
  ["an option of all users", forUser({ userId: USER, policy: policy([allow({})]) }), "policy"],
])("is an error: %s", async (_, make, words) => {
  const { svc } = service();
  const prepared = await prepareToolset(svc, { tools: [COUNT_WORDS] });
  const error = await rejectionOf(ConfigError, Promise.resolve(make(prepared, svc)));
  expect(error.message).toContain(words);
});

test("labels need executions that live as long as a conversation", async () => {
  const { svc } = service();
  const rules = policy([allow({}), label("read", { tools: [COUNT_WORDS] })]);
  const prepared = await prepareToolset(svc, { tools: [COUNT_WORDS], policy: rules });
  const error = await rejectionOf(ConfigError, prepared.for({ userId: USER, conversationId: "1" }));
  expect(error.message).toContain("labels need executions");
});
