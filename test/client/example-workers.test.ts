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

const entry = resolve("tools/runtimes/node_modules/miniflare/dist/src/index.js");
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

/** The consumer of the queue: reports messages to this test. */
const CONSUMER = `export default {
  async queue(batch, { REPORT }) {
    for (const { body } of batch.messages) await REPORT.fetch("http://test", { method: "POST", body: JSON.stringify(body) });
  },
};`;

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

  test("the client reads its keys from the bindings", async (context) => {
    const { environment } = await emulatorWithEnvironment(context);
    const running = await workerd(context, { modules: await bundled("client"), bindings: environment });
    expect(await (await running.dispatchFetch("https://worker.example")).json()).toContain("github");
  });
});
