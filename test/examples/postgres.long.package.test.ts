import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { Svc } from "../../src/index.js";
import { hasClients } from "../stores/postgres-clients.js";
import { hasPostgres, NEEDS_CLIENTS, NEEDS_POSTGRES, postgresServer } from "../stores/postgres-server.js";
import { emulatorWithEnvironment, outputOf, start } from "./example-process.js";

const program = (name: string) => ["--import", "./test/programs/resolve.mjs?databases", `examples/postgres/${name}.ts`];

describe.skipIf(!hasPostgres)(`the example with PostgreSQL${NEEDS_POSTGRES}`, { timeout: 60_000 }, () => {
  const server = postgresServer();
  const url = () => `postgresql://postgres@/postgres?host=${server.host}`;

  test("receiver stores each commit once in two processes, however often it is delivered", async (context) => {
    await server.pool.query("CREATE TABLE commits (message text)");
    const { emulator, environment } = await emulatorWithEnvironment(context, {
      deliveries: { delaysMs: [20, 20, 50, 100, 200] },
    });
    const svc = new Svc({ ...emulator.connection, env: {} });
    const subscription = await svc.webhookSubscriptions.create({
      webhook_url: "https://not.known.yet.example",
      enabled_events: ["svc.trigger.message"],
    });
    const { trigger_id } = await svc.triggers.upsert("GITHUB_COMMIT_EVENT", {
      user_id: "user-4711",
      trigger_config: { owner: "octo-org", repo: "hello-world" },
    });
    const variables = { ...environment, DATABASE_URL: url(), PORT: "0", SVC_WEBHOOK_SECRET: subscription.secret };
    emulator.deliveries.injectFaults({ copies: 3 });
    for (const app of [1, 2].map(() => start(context, program("receiver"), variables))) {
      const origin = (await app.line(/Listening on /)).replace("Listening on ", "");
      await svc.webhookSubscriptions.update(subscription.id, { webhook_url: `${origin}/webhooks` });
      emulator.triggers.fire(trigger_id, { id: "c0ffee", message: "Fix the build", author: "ada" });
      await emulator.waitForDeliveries();
    }
    const states = emulator.deliveries.items.map(({ state }) => state);
    expect(states.sort()).toEqual([...Array(2).fill("delivered"), ...Array(4).fill("duplicate")]);
    expect((await server.pool.query("SELECT message FROM commits")).rows).toHaveLength(2);
  });

  test("order runs a call once, and returns its recorded result", async (context) => {
    await server.pool.query("CREATE TABLE orders (item text)");
    const { environment } = await emulatorWithEnvironment(context);
    const lines = await outputOf(program("order"), { ...environment, DATABASE_URL: url() });
    expect(lines).toEqual(['first: "ordered" now', 'second: "ordered" again']);
    expect((await server.pool.query("SELECT item FROM orders")).rows).toEqual([{ item: "lamp" }]);
  });
});

test("the example with PostgreSQL, migration, prints the tables", async () => {
  const lines = await outputOf(["examples/postgres/migration.ts"], {});
  expect(lines.filter((line) => line.startsWith("CREATE TABLE"))).toHaveLength(6);
});

test.skipIf(!hasClients)(
  `the examples with PostgreSQL compile with the types of pg${NEEDS_CLIENTS}`,
  async () => {
    const compiler = "node_modules/@typescript/native/bin/tsc";
    await promisify(execFile)(process.execPath, [compiler, "-p", "test/programs/databases"]);
  },
  60_000,
);
