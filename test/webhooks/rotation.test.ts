import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createEmulator } from "../../src/emulator/index.js";
import { Svc } from "../../src/index.js";
import { signedDelivery } from "../../src/testing/index.js";
import type { Receiver } from "../../src/webhooks/index.js";

/** The program of the guide. */
interface Program {
  readonly receiver: Receiver;
  save(stored: { secrets: readonly string[]; isRotating: boolean }): Promise<void>;
  rotate(svc: Svc, subscriptionId: string): Promise<void>;
  finishRotation(svc: Svc, subscriptionId: string): Promise<void>;
}

let folder: string;
beforeAll(async () => {
  mkdirSync("node_modules/.cache", { recursive: true });
  folder = mkdtempSync("node_modules/.cache/svc-rotation-");
  await build({
    entryPoints: ["examples/rotate-secret/rotate.ts"],
    outfile: join(folder, "rotate.mjs"),
    bundle: true,
    platform: "node",
    format: "esm",
    alias: { "svc-sdk/webhooks": resolve("src/webhooks/index.ts") },
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function setUp() {
  const emulator = createEmulator();
  const svc = new Svc({ ...emulator.connection, maxRetries: 0 });
  const { id, secret } = await svc.webhookSubscriptions.ensure({
    webhook_url: "https://app.example/webhooks",
    enabled_events: ["svc.trigger.message"],
  });
  const file = join(folder, `${crypto.randomUUID()}.json`);
  /** Starts the program, as a new process would. */
  const start = async (): Promise<Program> => {
    process.env["SECRETS_FILE"] = file;
    const program: Program = await import(`${pathToFileURL(join(folder, "rotate.mjs")).href}?${crypto.randomUUID()}`);
    delete process.env["SECRETS_FILE"];
    return program;
  };
  const program = await start();
  await program.save({ secrets: [secret], isRotating: false });
  /** The status of a delivery that the service signs now, after a second in which the function may not be called. */
  const deliver = async ({ receiver }: Program, signed?: string) => {
    vi.advanceTimersByTime(1_000);
    const current = (await svc.webhookSubscriptions.get(id)).secret;
    return (await receiver(signedDelivery({ secret: signed ?? current }).request)).status;
  };
  return { emulator, svc, id, secret, start, program, deliver };
}

beforeAll(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
  vi.spyOn(console, "log").mockImplementation(() => {});
  vi.spyOn(console, "warn").mockImplementation(() => {});
});
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("a rotation takes effect without a restart, and deliveries signed before it are still accepted", async () => {
  const { svc, id, secret, program, deliver } = await setUp();
  expect(await deliver(program)).toBe(200);
  await program.rotate(svc, id);
  expect([await deliver(program), await deliver(program, secret)]).toEqual([200, 200]);
  expect(await deliver(program, "forged")).toBe(401);
  await program.rotate(svc, id);
  expect([await deliver(program), await deliver(program, secret)]).toEqual([200, 401]);
});

test("a rotation whose response was lost is repeated by the next start", async () => {
  const { emulator, svc, id, secret, program, start, deliver } = await setUp();
  emulator.faults.next("webhookSubscriptions.rotateSecret", { connection: "reset", when: "after" });
  await expect(program.rotate(svc, id)).rejects.toThrow();
  expect(await deliver(program)).toBe(401);
  const restarted = await start();
  await restarted.finishRotation(svc, id);
  expect([await deliver(restarted), await deliver(program), await deliver(restarted, secret)]).toEqual([200, 200, 200]);
});

test("a process that dies before it stores the new secret leaves a rotation that the next start repeats", async () => {
  const { emulator, svc, id, program, start, deliver } = await setUp();
  let hasRotated = () => {};
  const rotated = new Promise<void>((resolve) => (hasRotated = resolve));
  // The service rotates, and the process never reads its answer.
  const dying = new Svc({
    ...emulator.connection,
    fetch: async (...args) => {
      await emulator.connection.fetch(...args);
      hasRotated();
      return await new Promise(() => {});
    },
  });
  // A dead process has no timeout either. Here, it ends a minute later.
  program.rotate(dying, id).catch(() => undefined);
  await rotated;
  const restarted = await start();
  expect(await deliver(restarted)).toBe(401);
  await restarted.finishRotation(svc, id);
  expect(await deliver(restarted)).toBe(200);
  await restarted.finishRotation(svc, id);
  expect(await deliver(restarted)).toBe(200);
});
