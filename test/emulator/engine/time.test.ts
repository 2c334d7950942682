import { expect, test } from "vitest";
import { createEmulator, type Emulator } from "../../../src/emulator/index.js";
import { eventually } from "../../support/eventually.js";
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

const nothing = undefined as never;
const nil = null as never;

test.each<[string, (emulator: Emulator) => unknown, string]>([
  ["expire", ({ accounts }) => accounts.expire(nothing), "accounts.expire: unknown account undefined."],
  ["activate", ({ accounts }) => accounts.activate(5 as never), "accounts.activate: unknown account 5."],
  ["revoke", ({ accounts }) => accounts.revoke(nil), "accounts.revoke: unknown account null."],
  ["calls", ({ tools }) => tools.calls(nothing), "tools.calls: unknown tool undefined."],
  ["next", ({ faults }) => faults.next("*", { status: 500 }, nil), "faults: options: expected an object"],
  ["every", ({ faults }) => faults.every(2, "*", { status: 500 }, nil), "faults: options: expected an object"],
  [
    "a body",
    ({ faults }) => faults.next("*", { status: 500, body: { n: 1n } }),
    "faults: body can't be written as JSON.",
  ],
  [
    "no body",
    ({ faults }) => faults.next("*", { status: 500, body: () => 1 }),
    "faults: body can't be written as JSON.",
  ],
  [
    "advance",
    ({ clock }) => clock.advance(10n as never),
    'expected milliseconds or a string like "90s" or "30d", not 10.',
  ],
  [
    "injectFaults",
    ({ deliveries }) => deliveries.injectFaults(nil),
    "deliveries.injectFaults: the value itself: expected an object",
  ],
  [
    "resend",
    ({ deliveries }) => deliveries.resend("wd_1", nil),
    "deliveries.resend: the value itself: expected an object",
  ],
])("a control rejects what an untyped program passes: %s", (_name, call, message) => {
  const emulator = createEmulator();
  const error = { name: "ConfigError", message: expect.stringContaining(message) };
  expect(() => call(emulator)).toThrow(expect.objectContaining(error));
  expect(emulator.faults.items).toEqual([]);
});

const start = "2026-01-01T00:00:00.000Z";

/** A snapshot of a running emulator an hour and some milliseconds after its start, and the time when it was taken. */
async function afterAnHour() {
  const emulator = createEmulator({ seed: testSeed, clock: { running: true, start } });
  emulator.clock.advance("1h");
  await eventually(() => expect(emulator.clock.now()).toBeGreaterThan(Date.parse(start) + 3_600_010));
  emulator.clock.pause();
  return { emulator, now: emulator.clock.now(), snapshot: JSON.parse(JSON.stringify(emulator.snapshot())) };
}

test("a snapshot of a running emulator has its time, in a stopped one with any start", async () => {
  const { now, snapshot } = await afterAnHour();
  for (const clock of [undefined, { start: "2031-01-01T00:00:00Z" }, { start: "2020-01-01T00:00:00Z" }]) {
    const other = createEmulator({ seed: testSeed, clock });
    other.restore(snapshot);
    expect(other.clock.now()).toBe(now);
    other.clock.advance("1h");
    const again = createEmulator({ seed: testSeed });
    again.restore(other.snapshot());
    expect(again.clock.now()).toBe(now + 3_600_000);
    other.reset();
    expect(other.clock.iso()).toBe(new Date(clock?.start ?? start).toISOString());
  }
});

test("a snapshot of a stopped emulator is restored at its time after the clock has run and was paused", async () => {
  const { emulator, now, snapshot } = await afterAnHour();
  emulator.clock.resume();
  await eventually(() => expect(emulator.clock.now()).toBeGreaterThan(now + 10));
  emulator.clock.pause();
  emulator.restore(snapshot);
  expect(emulator.clock.now()).toBe(now);
});

test("reset sets a clock that ran back to its start", async () => {
  const { emulator } = await afterAnHour();
  emulator.reset();
  expect([emulator.clock.iso(), emulator.clock.isRunning]).toEqual([start, false]);
  emulator.clock.resume();
  await eventually(() => expect(emulator.clock.iso()).not.toBe(start));
});

test("a clock at the real time stays there in reset and restore, and never goes before a snapshot", async () => {
  const emulator = createEmulator({ seed: testSeed, clock: { running: true } });
  const aheadMs = () => emulator.clock.now() - Date.now();
  const day = 86_400_000;
  emulator.clock.advance("1d");
  const snapshot = emulator.snapshot();
  emulator.clock.pause();
  emulator.clock.resume();
  emulator.reset();
  expect(Math.abs(aheadMs())).toBeLessThan(1_000);
  emulator.restore(snapshot);
  expect(Math.abs(aheadMs() - day)).toBeLessThan(1_000);
  emulator.restore({ ...snapshot, clock: { ms: 0, now: Date.now() + 2 * day } });
  expect(Math.abs(aheadMs() - 2 * day)).toBeLessThan(1_000);
  const stopped = createEmulator({ seed: testSeed });
  stopped.restore(snapshot);
  expect(Math.abs(stopped.clock.now() - Date.now() - day)).toBeLessThan(5_000);
});

test("a snapshot of an earlier version, without its time, has what was advanced", () => {
  const emulator = createEmulator({ seed: testSeed });
  const snapshot = emulator.snapshot();
  emulator.restore({ ...snapshot, clock: { ms: 90_000 } });
  expect(emulator.clock.iso()).toBe("2026-01-01T00:01:30.000Z");
  expect(emulator.snapshot()["clock"]).toEqual({ ms: 90_000, now: Date.parse("2026-01-01T00:01:30.000Z") });
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
  emulator.faults.next("tools.listSlugs", { status: 503 });
  emulator.faults.every(2, "tools.listSlugs", { status: 500 });
  expect(emulator.faults.items).toMatchObject([
    { id: 1, operation: "tools.listSlugs", remaining: 1, every: 1 },
    { id: 2, remaining: null, every: 2 },
  ]);
  await emulator.fetch("http://emulator.localhost/api/v3.1/tools/enum");
  expect(emulator.faults.items.map(({ id }) => id)).toEqual([2]);
  expect(() => emulator.faults.remove(1)).toThrow("there's no fault 1");
  emulator.faults.remove(2);
  expect(emulator.faults.items).toEqual([]);
});
