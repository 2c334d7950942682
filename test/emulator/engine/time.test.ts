import { expect, test } from "vitest";
import { createEmulator } from "../../../src/emulator/index.js";
import { testSeed } from "../fronts.js";

test("a paused clock stands still until it's advanced or resumed", async () => {
  const { clock } = createEmulator({ clock: { running: true } });
  clock.pause();
  clock.pause();
  const paused = clock.now();
  let isAwake = false;
  const sleeping = clock.sleep(5).then(() => {
    isAwake = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([clock.now(), clock.isRunning, isAwake]).toEqual([paused, false, false]);
  clock.advance(2);
  expect(clock.now()).toBe(paused + 2);
  clock.resume();
  await sleeping;
  expect(clock.now()).toBeGreaterThanOrEqual(paused + 5);
  expect(clock.isRunning).toBe(true);
});

test("a clock advances to a time, and never back", () => {
  const { clock } = createEmulator();
  clock.advanceTo("2026-03-01T00:00:00Z");
  expect(clock.iso()).toBe("2026-03-01T00:00:00.000Z");
  expect(() => clock.advanceTo("2026-02-01T00:00:00Z")).toThrow("2026-02-01T00:00:00Z has passed");
  expect(() => clock.advanceTo("tomorrow")).toThrow("expected an ISO 8601 time");
});

test("accounts are activated and revoked like a user would", () => {
  const emulator = createEmulator({ seed: testSeed });
  const status = (id: string) =>
    JSON.stringify(emulator.snapshot()["connectedAccounts"]).match(`"${id}".*?"status":"(\\w+)"`)?.[1];
  emulator.accounts.activate("ca_github_expired");
  expect(status("ca_github_expired")).toBe("ACTIVE");
  emulator.accounts.revoke("ca_github_expired");
  expect(status("ca_github_expired")).toBe("REVOKED");
  expect(() => emulator.accounts.revoke("ca_github_expired")).toThrow("is REVOKED, and it can't be revoked again");
  expect(() => emulator.accounts.activate("ca_github_expired")).toThrow("can't be activated");
  expect(() => emulator.accounts.activate("ca_github_demo")).toThrow("is ACTIVE");
  expect(() => emulator.accounts.expire("ca_github_expired")).toThrow("only ACTIVE accounts can expire");
});

test("faults are listed until they're used up, and removed one by one", async () => {
  const emulator = createEmulator({ seed: testSeed });
  emulator.faults.next("tools.enum", { status: 503 });
  emulator.faults.every(2, "tools.enum", { status: 500 });
  expect(emulator.faults.items).toMatchObject([
    { id: 1, operation: "tools.enum", remaining: 1, every: 1 },
    { id: 2, remaining: null, every: 2 },
  ]);
  await emulator.fetch("http://emulator.localhost/api/v3.1/tools/enum");
  expect(emulator.faults.items.map(({ id }) => id)).toEqual([2]);
  expect(() => emulator.faults.remove(1)).toThrow("there's no fault 1");
  emulator.faults.remove(2);
  expect(emulator.faults.items).toEqual([]);
});
