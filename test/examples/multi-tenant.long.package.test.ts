import { expect, test } from "vitest";
import { Svc } from "../../src/index.js";
import { scriptedModel } from "../../src/testing/index.js";
import { CREATE_ISSUE, ISSUE } from "../agents/support.js";
import { freePort } from "../support/ports.js";
import { emulatorWithEnvironment, start } from "./example-process.js";

test("a server keeps the accounts, budgets, calls and conversations of its tenants apart", async (context) => {
  const model = scriptedModel({
    turns: ({ outputs: [output] }) => {
      if (output) return output.text.includes("budget") ? "It can't." : "Opened.";
      return { calls: [{ id: "call_1", name: CREATE_ISSUE, arguments: ISSUE }] };
    },
  });
  const { env, close } = await model.serve();
  context.onTestFinished(close);
  const { emulator, environment } = await emulatorWithEnvironment(context);
  const svc = new Svc({ ...emulator.connection, env: {} });
  const connect = async (user_id: string) => {
    const link = await svc.connectedAccounts.link({ auth_config_id: "ac_github_demo", user_id });
    emulator.accounts.activate(link.connected_account_id);
    return link.connected_account_id;
  };
  const acme = await connect("acme");
  const globex = [await connect("globex"), await connect("globex")];
  const port = await freePort();
  const tenants = {
    "Bearer of-acme": { userId: "acme", plan: "free" },
    "Bearer of-globex": { userId: "globex", plan: "team", accounts: { github: globex[0] } },
  };
  const variables = { ...environment, ...env, PORT: String(port), TENANTS: JSON.stringify(tenants) };
  await start(context, ["examples/multi-tenant/server.ts"], variables).line(/^Port /);
  const send = async (path: string, token: string, body?: string) => {
    const init = { headers: { authorization: token }, ...(body && { method: "POST", body }) };
    return fetch(`http://127.0.0.1:${port}${path}`, init);
  };
  const ask = async (token: string, body: string) => (await send("/conversations/1", token, body)).text();
  const effects = () => emulator.tools.calls(CREATE_ISSUE).map(({ accountId, userId }) => [userId, accountId]);

  // The same call with the same id, in a conversation with the same id, at the same time.
  const answers = await Promise.all(["acme", "globex"].map((name) => ask(`Bearer of-${name}`, `secret of ${name}`)));
  expect(answers).toEqual(["Opened.", "Opened."]);
  expect(effects().sort()).toEqual([
    ["acme", acme],
    ["globex", globex[0]],
  ]);
  for (const { body } of model.requests) {
    const sent = JSON.stringify(body);
    expect(sent.includes("secret of acme")).not.toBe(sent.includes("secret of globex"));
  }

  // The first tenant uses up its budget, and the second one goes on.
  expect([await ask("Bearer of-acme", "Again."), await ask("Bearer of-acme", "And again.")]).toEqual([
    "Opened.",
    "It can't.",
  ]);
  expect(await ask("Bearer of-globex", "Again.")).toBe("Opened.");
  expect(effects()).toHaveLength(4);
  const usage = await Promise.all(Object.keys(tenants).map(async (token) => (await send("/usage", token)).json()));
  expect(usage).toMatchObject([[{ left: 0 }], [{ left: 998 }]]);
  expect((await send("/usage", "Bearer unknown")).status).toBe(401);
  expect(emulator.requests.filter(({ operation }) => operation === "tools.list").length).toBeLessThanOrEqual(2);
});
