// Tests of waits, which take no time.
// #region waits
import { Svc } from "svc-sdk";
import { createEmulator } from "svc-sdk/emulator";
import { instantClock } from "svc-sdk/testing";
import { expect, test } from "vitest";
import { reportBug } from "./report-bug.js";

const emulator = createEmulator();
const clock = instantClock(emulator);
const svc = new Svc({ ...emulator.connection, clock });

test("waits as long as a 429 asks", async () => {
  emulator.faults.next("tools.execute", { status: 429, retryAfterSeconds: 40 });
  await reportBug(svc, "user-4711", "It broke");
  expect(clock.waits).toEqual([40_000]);
});
// #endregion
