import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { build } from "esbuild";
import type { RedisServer } from "./redis-server.js";
import { TRIGGER_V3 } from "./samples.js";

/** The event that the receivers handle. */
export const EVENT = { ...TRIGGER_V3, metadata: { ...TRIGGER_V3.metadata, trigger_slug: "SHARED_EVENT" } };

/** How a receiver's handler sometimes fails, or that it waits for a message after it has sent one. */
export type Fault = "none" | "throw" | "kill" | "wait";

/** A running receiver. */
export interface ReceiverProcess {
  readonly process: ChildProcess;
  readonly url: string;
}

/** Bundles receiver-process.ts, so that Node can run it. */
export async function buildReceiver() {
  // Inside node_modules, so that the program finds its packages.
  mkdirSync("node_modules/.cache", { recursive: true });
  const folder = mkdtempSync("node_modules/.cache/svc-receiver-");
  const program = `${folder}/receiver-process.mjs`;
  const entryPoints = ["test/webhooks/receiver-process.ts"];
  await build({ entryPoints, outfile: program, bundle: true, platform: "node", format: "esm", packages: "external" });
  return {
    async start(redis: RedisServer, fault: Fault): Promise<ReceiverProcess> {
      const child = fork(program, { env: { ...process.env, REDIS_PATH: redis.path, FAULT: fault } });
      const [port] = await once(child, "message");
      return { process: child, url: `http://127.0.0.1:${port}/hook` };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export type ReceiverProgram = Awaited<ReturnType<typeof buildReceiver>>;
