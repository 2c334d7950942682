import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import client from "../../examples/workers/client.js";
import { Svc } from "../../src/index.js";
import { freePort } from "../support/ports.js";
import { hasRedis, NEEDS_REDIS, startRedis } from "../webhooks/redis-server.js";
import { emulatorWithEnvironment, type Owner, outputOf, type RunningExample, start } from "./example-process.js";

const COMMIT = { id: "c0ffee", message: "Fix the build", author: "ada" };

/** Next.js itself is not installed here: this serves the route as Next.js would call it. */
const SERVE_ROUTE = `
  import { createServer } from "node:http";
  import { toNodeHandler } from "svc-sdk/webhooks/node";
  import { POST } from "./examples/next-receiver/app/webhooks/route.ts";
  const server = createServer(toNodeHandler(POST)).listen(0, () => {
    console.log("Listening on http://127.0.0.1:" + server.address().port);
  });`;

const APPS: Readonly<Record<string, readonly string[]>> = {
  Express: ["examples/express-receiver/server.ts"],
  Fastify: ["examples/fastify-receiver/server.ts"],
  Hono: ["examples/hono-receiver/server.ts"],
  "Next.js": ["--input-type=module-typescript", "-e", SERVE_ROUTE],
};

/** An emulator with a trigger, and a way to point its deliveries at a receiver that knows the secret. */
async function listening(owner: Owner) {
  const { emulator, environment } = await emulatorWithEnvironment(owner, {
    deliveries: { delaysMs: [20, 20, 50, 100, 200] },
  });
  const svc = new Svc({ ...emulator.connection, env: {} });
  const { id, secret } = await svc.webhookSubscriptions.create({
    webhook_url: "https://not.known.yet.example",
    enabled_events: ["svc.trigger.message"],
  });
  const { trigger_id } = await svc.triggers.upsert("GITHUB_COMMIT_EVENT", {
    user_id: "user-4711",
    trigger_config: { owner: "octo-org", repo: "hello-world" },
  });
  const deliverTo = async (app: RunningExample) => {
    const origin = (await app.line(/Listening on /)).replace("Listening on ", "");
    await svc.webhookSubscriptions.update(id, { webhook_url: `${origin}/webhooks` });
  };
  const environmentOfApp = { ...environment, PORT: "0", SVC_WEBHOOK_SECRET: secret };
  return { emulator, trigger_id, deliverTo, environment: environmentOfApp };
}

describe.concurrent("an application", { timeout: 60_000 }, () => {
  test.for(Object.entries(APPS))(
    "with %s handles a commit once, however often it is delivered",
    async ([, program], context) => {
      const { emulator, trigger_id, deliverTo, environment } = await listening(context);
      const app = start(context, program, environment);
      await deliverTo(app);
      emulator.deliveries.injectFaults({ copies: 3 });
      emulator.triggers.fire(trigger_id, COMMIT);
      await emulator.waitForDeliveries();
      const states = emulator.deliveries.items.map(({ state }) => state);
      expect(states.sort()).toEqual(["delivered", "duplicate", "duplicate"]);
      expect((await app.stop()).filter((line) => line === "commit: Fix the build")).toHaveLength(1);
    },
  );

  test("of one file subscribes, listens and receives", async (context) => {
    const { emulator, environment } = await emulatorWithEnvironment(context);
    const app = start(context, ["examples/webhook-receiver.ts"], { ...environment, PORT: String(await freePort()) });
    const [trigger = ""] = (await app.line(/ listens for commits$/)).split(" ");
    emulator.triggers.fire(trigger, COMMIT);
    expect(await app.line(/^A commit /)).toBe("A commit for user-4711: Fix the build");
  });

  test.skipIf(!hasRedis)(`in two processes stores each commit once${NEEDS_REDIS}`, async (context) => {
    const redis = await startRedis();
    const { emulator, trigger_id, deliverTo, environment } = await listening(context);
    const program = ["examples/redis-receiver.ts"];
    const apps = [1, 2].map(() => start(context, program, { ...environment, REDIS_URL: redis.path }));
    emulator.deliveries.injectFaults({ copies: 2 });
    for (const app of apps) {
      await deliverTo(app);
      emulator.triggers.fire(trigger_id, COMMIT);
      await emulator.waitForDeliveries();
    }
    const states = emulator.deliveries.items.map(({ state }) => state);
    expect(states.sort()).toEqual(["delivered", "delivered", "duplicate", "duplicate"]);
    expect(await redis.client.hLen("commits")).toBe(2);
    const printed = await Promise.all(apps.map((app) => app.stop()));
    expect(printed.map((lines) => lines.filter((line) => line.startsWith("stored")).length)).toEqual([1, 1]);
    await redis.stop();
  });

  test.skipIf(!hasRedis)(`shares its rate limit with others through Redis${NEEDS_REDIS}`, async (context) => {
    const redis = await startRedis();
    const { emulator, environment } = await emulatorWithEnvironment(context, {
      rateLimit: { limit: 20, windowSeconds: 1 },
    });
    const lines = await outputOf(["examples/share-rate-window.ts"], { ...environment, REDIS_URL: redis.path });
    expect(lines).toEqual(["shared: true"]);
    expect(emulator.requests.filter(({ status }) => status === 429)).toEqual([]);
    await redis.stop();
  });

  test("in a Worker reads its keys from the bindings", async (context) => {
    const { environment } = await emulatorWithEnvironment(context);
    const answer = await client.fetch(new Request("https://worker.example"), {
      SVC_BASE_URL: environment["SVC_BASE_URL"] ?? "",
      SVC_API_KEY: environment["SVC_API_KEY"] ?? "",
    });
    expect(await answer.json()).toContain("github");
  });

  test("tests its own code with the emulator, MSW, recorded responses and a scripted model", async (context) => {
    const program = ["node_modules/vitest/vitest.mjs", "run", "--root", "examples/vitest-project"];
    const project = start(context, program, { NO_COLOR: "1" });
    expect(await project.line(/Tests +\d+/)).toMatch(/Tests +15 passed \(15\)/);
  });

  test("records the responses of a service with MSW", async (context) => {
    const { environment } = await emulatorWithEnvironment(context);
    const file = join(mkdtempSync(join(tmpdir(), "recorded-")), "issues.json");
    const program = "node_modules/vitest/vitest.mjs run recorded --root examples/vitest-project".split(" ");
    const project = start(context, program, { ...environment, RECORD: pathToFileURL(file).href, NO_COLOR: "1" });
    expect(await project.line(/Tests +\d+/)).toMatch(/Tests +2 passed \(2\)/);
    const [recorded, kept] = [file, "examples/vitest-project/issues.json"].map((path) =>
      JSON.parse(readFileSync(path, "utf8")),
    );
    const withoutIds = (text: unknown) => JSON.stringify(text).replaceAll(/"(log_id|request_id)":"[^"]+"/g, "$1");
    expect(withoutIds(recorded)).toBe(withoutIds(kept));
  });
});

test.for([
  ["express-receiver/server.ts", "node examples/express-receiver/server.ts"],
  ["fastify-receiver/server.ts", "node examples/fastify-receiver/server.ts"],
  ["hono-receiver/server.ts", "node examples/hono-receiver/server.ts"],
  ["web-app/server.ts", "node examples/web-app/server.ts"],
  ["next-receiver/app/webhooks/route.ts", "npx next dev"],
  ["workers/receiver.ts", "npx wrangler deploy"],
  ["workers/client.ts", "npx wrangler dev client.ts"],
  ["vitest-project/emulator.test.ts", "npx vitest run --root examples/vitest-project"],
])("the comment at the top of %s says what to install, and runs it with %s", ([file, command]) => {
  const head = readFileSync(`examples/${file}`, "utf8").split("// #region")[0] ?? "";
  expect(head).toMatch(/\bnpm(\n\/\/)? install /);
  expect(head.split("\n")).toContain(`// ${command}`);
});
