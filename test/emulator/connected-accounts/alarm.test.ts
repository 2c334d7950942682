import { expect, onTestFinished, test } from "vitest";
import { createEmulator } from "../../../src/emulator/index.js";
import { startEmulator } from "../../../src/emulator/node.js";
import { testSeed } from "../fronts.js";

const headers = { "x-api-key": "ak_emulator", "content-type": "application/json" };

/** An emulator on a port whose clock runs, and the first event that it delivers. */
async function running() {
  let arrive: (event: unknown) => void = () => undefined;
  const arrived = new Promise<unknown>((resolve) => {
    arrive = resolve;
  });
  const receive = async (request: Request) => {
    arrive(await request.json());
    return new Response();
  };
  const emulator = await startEmulator({ seed: testSeed, deliveries: { fetch: receive } });
  onTestFinished(() => emulator.close());
  const post = async (path: string, body: object) => {
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    return (await fetch(`${emulator.url}/api/v3.1${path}`, init)).json();
  };
  await post("/webhook_subscriptions", {
    webhook_url: "https://app.example/hooks",
    enabled_events: ["svc.connected_account.expired"],
  });
  const link = () => post("/connected_accounts/link", { auth_config_id: "ac_github_demo", user_id: "ada" });
  return { emulator, link, arrived };
}

test("expires an unfinished flow on time, with a running clock and without a request", async () => {
  const { emulator, link, arrived } = await running();
  const { expires_at } = await link();
  emulator.clock.advance("9m");
  emulator.clock.advance(59_900);
  expect(await arrived).toMatchObject({ type: "svc.connected_account.expired", timestamp: expires_at });
});

test("expires a flow restored from a snapshot on time", async () => {
  const { emulator, link, arrived } = await running();
  const { expires_at } = await link();
  emulator.clock.advance(599_900);
  const snapshot = emulator.snapshot();
  emulator.reset();
  // With this request it sees that nothing is to be waited for.
  await fetch(emulator.url);
  emulator.restore(snapshot);
  expect(await arrived).toMatchObject({ timestamp: expires_at });
});

test("restarts the ten minutes of a seeded flow on reset, with a running clock", async () => {
  const account = { id: "ca_1", userId: "ada", authConfigId: "ac_github_demo", status: "INITIATED" } as const;
  const seed = { ...testSeed, connectedAccounts: [account] };
  const emulator = createEmulator({ seed, clock: { running: true } });
  await emulator.clock.sleep(5);
  const now = emulator.clock.now();
  emulator.reset();
  const { flow }: { flow?: { endsAt: number } } = Object(
    new Map(Object(emulator.snapshot()["connectedAccounts"])).get("ca_1"),
  );
  expect(flow?.endsAt).toBeGreaterThanOrEqual(now + 600_000);
});

test("doesn't keep the process alive while a flow is pending", () => {
  const waits = () => process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;
  const account = { id: "ca_1", userId: "ada", authConfigId: "ac_github_demo", status: "INITIATED" } as const;
  const before = waits();
  createEmulator({ seed: { ...testSeed, connectedAccounts: [account] }, clock: { running: true } });
  expect(waits()).toBe(before);
});
