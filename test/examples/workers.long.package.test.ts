import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, describe, expect, type TestContext, test } from "vitest";
import { signedDelivery } from "../../src/testing/index.js";
import { emulatorWithEnvironment } from "./example-process.js";

/** The part of Miniflare in use. It's installed separately: npm run runtimes. */
interface Workerd {
  dispatchFetch(url: string, init?: RequestInit): Promise<Response>;
  dispose(): Promise<void>;
}

const entry = resolve("test/programs/runtimes/node_modules/miniflare/dist/src/index.js");
const bundles = mkdtempSync(join(tmpdir(), "svc-workers-"));
afterAll(() => rmSync(bundles, { recursive: true }));

async function workerd({ onTestFinished }: TestContext, options: object): Promise<Workerd> {
  // Its main module exports the class under this name.
  const { Miniflare } = (await import(pathToFileURL(entry).href)) as { Miniflare: new (options: object) => Workerd };
  const running = new Miniflare({ compatibilityDate: "2026-01-01", ...options });
  onTestFinished(() => running.dispose());
  return running;
}

/** An example as its bundler would deploy it: without Node's modules. */
async function bundled(name: string) {
  const outfile = join(bundles, `${name}.mjs`);
  const entryPoints = [`examples/workers/${name}.ts`];
  await build({ entryPoints, outfile, bundle: true, format: "esm", platform: "browser", logLevel: "error" });
  return [{ type: "ESModule", path: `${name}.mjs`, contents: readFileSync(outfile, "utf8") }];
}

/** Runs the contract of each store in a Worker, with its Durable Objects. Returns how each case ended. */
const CONTRACT = `
  import { durableExecutions, durableStore } from "./examples/workers/durable.ts";
  import { dedupeContract } from "./src/testing/dedupe-contract.ts";
  import { executionsContract } from "./src/testing/store-contracts.ts";
  export { RecordObject } from "./examples/workers/durable.ts";
  const made = (make, objects) => () => {
    const prefix = crypto.randomUUID();
    const own = { getByName: (name) => objects.getByName(prefix + name) };
    return [make(own), make(own)];
  };
  export default {
    async fetch(_, { RECORDS }) {
      const cases = [...dedupeContract(made(durableStore, RECORDS)), ...executionsContract(made(durableExecutions, RECORDS))];
      // Each id is an object with a file of its own: workerd opens more files for ten thousand than it may.
      const chosen = cases.filter(({ name }) => !name.includes("ten thousand"));
      const ended = await Promise.allSettled(chosen.map(({ run }) => run()));
      return Response.json(ended.map(({ reason }, index) => [chosen[index].name, String(reason ?? "passed")]));
    },
  };`;

/** The consumer of the queue: reports messages to this test. */
const CONSUMER = `export default {
  async queue(batch, { REPORT }) {
    for (const { body } of batch.messages) await REPORT.fetch("http://test", { method: "POST", body: JSON.stringify(body) });
  },
};`;

test("a handler that calls a tool asks for another delivery only if the call didn't run", async (context) => {
  const secret = "whsec_of_the_worker";
  const { emulator, environment } = await emulatorWithEnvironment(context);
  const env = { ...environment, SVC_WEBHOOK_SECRET: secret };
  await bundled("tool-receiver");
  const { default: worker } = await import(pathToFileURL(join(bundles, "tool-receiver.mjs")).href);
  const deliver = async (id: string) => {
    const data = { id: "c0ffee", message: "Fix", author: "ada" };
    const { request } = signedDelivery({ secret, id, overrides: { data } });
    return (await worker.fetch(request, env)).status;
  };
  const sent = () =>
    emulator.tools.calls("SLACK_SEND_MESSAGE").flatMap(({ error, arguments: args }) => (error ? [] : args["text"]));
  expect(await deliver("msg_1")).toBe(200);
  emulator.faults.next("tools.execute", { status: 404 });
  expect([await deliver("msg_2"), await deliver("msg_2")]).toEqual([500, 200]);
  emulator.faults.next("tools.execute", { connection: "reset", when: "after" });
  expect([await deliver("msg_3"), await deliver("msg_3")]).toEqual([200, 200]);
  // A lost request: after its promise of three seconds, the log shows that the call didn't run.
  emulator.faults.next("tools.execute", { connection: "reset" });
  expect([await deliver("msg_4"), await deliver("msg_4")]).toEqual([500, 200]);
  expect(sent()).toEqual([1, 2, 3, 4].map((number) => `New commit: Fix (msg_${number})`));
});

describe.skipIf(!existsSync(entry))("in workerd, which npm run runtimes installs,", { timeout: 60_000 }, () => {
  test("the receiver queues a delivery once, and rejects one that isn't authentic", async (context) => {
    const secret = "whsec_of_the_worker";
    let report: (commit: unknown) => void = () => undefined;
    const queued = new Promise((resolve) => {
      report = resolve;
    });
    const running = await workerd(context, {
      workers: [
        {
          name: "receiver",
          modules: await bundled("receiver"),
          bindings: { SVC_WEBHOOK_SECRET: secret },
          queueProducers: { COMMITS: "commits" },
        },
        {
          name: "consumer",
          modules: [{ type: "ESModule", path: "consumer.mjs", contents: CONSUMER }],
          queueConsumers: { commits: { maxBatchTimeout: 1 } },
          serviceBindings: {
            REPORT: async (request: Request) => {
              report(await request.json());
              return new Response();
            },
          },
        },
      ],
    });
    const deliver = async ({ headers, body }: { headers: Readonly<Record<string, string>>; body: string }) =>
      (await running.dispatchFetch("https://worker.example/webhooks", { method: "POST", headers, body })).json();
    const commit = signedDelivery({ secret, overrides: { data: { id: "c0ffee", message: "Fix", author: "ada" } } });
    expect(await deliver(commit)).toEqual({ result: "handled" });
    expect(await deliver(commit)).toEqual({ result: "duplicate" });
    expect(await deliver(signedDelivery({ secret: "another" }))).toMatchObject({ error: { reason: "no_match" } });
    expect(await queued).toEqual({ id: commit.id, message: "Fix" });
  });

  /** A Worker with the example's Durable Objects. */
  const withObjects = (context: TestContext, modules: object[]) =>
    workerd(context, {
      modules,
      bindings: { SVC_WEBHOOK_SECRET: "whsec_of_the_worker" },
      durableObjects: { RECORDS: { className: "RecordObject", useSQLite: true } },
    });

  test("the stores in Durable Objects fulfill their contracts", { timeout: 300_000 }, async (context) => {
    const stdin = { contents: CONTRACT, resolveDir: ".", loader: "ts" } as const;
    const { outputFiles } = await build({ stdin, bundle: true, format: "esm", platform: "browser", write: false });
    const modules = [{ type: "ESModule", path: "contract.mjs", contents: outputFiles[0]?.text }];
    const running = await withObjects(context, modules);
    const response = await running.dispatchFetch("https://worker.example");
    const ended = (await response.json()) as [string, string][];
    expect(ended.length).toBeGreaterThan(7);
    expect(ended.filter(([, result]) => result !== "passed")).toEqual([]);
  });

  test("the receiver with Durable Objects handles a delivery once", async (context) => {
    const running = await withObjects(context, await bundled("durable"));
    const { headers, body } = signedDelivery({ secret: "whsec_of_the_worker" });
    const deliver = async () =>
      (await running.dispatchFetch("https://worker.example/webhooks", { method: "POST", headers, body })).json();
    expect([await deliver(), await deliver()]).toEqual([{ result: "handled" }, { result: "duplicate" }]);
  });

  test("the client reads its keys from the bindings", async (context) => {
    const { environment } = await emulatorWithEnvironment(context);
    const running = await workerd(context, { modules: await bundled("client"), bindings: environment });
    expect(await (await running.dispatchFetch("https://worker.example")).json()).toContain("github");
  });
});
