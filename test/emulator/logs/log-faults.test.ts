import { expect, test } from "vitest";
import { createEmulator } from "../../../src/emulator/index.js";
import { FRONTS } from "../fronts.js";

const WORDS = { user_id: "ann", version: "latest", arguments: { text: "one two" } };

test.each(FRONTS)("the execution log shows an execution after its delay, %s", async (_, open) => {
  const { svc, emulator } = await open();
  const logged = async () => (await svc.logs.listToolExecutions()).logs.map(({ id }) => id);
  emulator.executionLog.injectFaults({ delayMs: 5_000 });
  const { log_id: id = "" } = await svc.tools.execute("TEXTKIT_COUNT_WORDS", WORDS);
  expect(await logged()).toEqual([]);
  await expect(svc.logs.getToolExecution(id)).rejects.toMatchObject({ status: 404 });
  emulator.clock.advance("5s");
  expect(await logged()).toEqual([id]);
  expect(await svc.logs.getToolExecution(id)).toMatchObject({ id });
});

test.each(FRONTS)("the execution log leaves out payloads and request ids, %s", async (_, open) => {
  const { svc, emulator } = await open();
  const { log_id: id = "" } = await svc.tools.execute("TEXTKIT_COUNT_WORDS", WORDS);
  const { context, data } = await svc.logs.getToolExecution(id);
  expect(data).toMatchObject({ arguments: WORDS.arguments, result: { words: 2 } });
  const byRequest = { field: "request_id", operator: "==", value: String(context.request_id) } as const;
  const found = async () => (await svc.logs.listToolExecutions({ filters: [byRequest] })).logs.length;
  expect(await found()).toBe(1);
  emulator.executionLog.injectFaults({ dropPayloads: true, dropRequestIds: true });
  expect(await svc.logs.getToolExecution(id)).toMatchObject({ data: {}, context: {} });
  expect((await svc.logs.getToolExecution(id)).context.request_id).toBeUndefined();
  expect(await found()).toBe(0);
  emulator.executionLog.clearFaults();
  expect((await svc.logs.getToolExecution(id)).data).toEqual(data);
});

test.each(FRONTS)("the execution log and an execution respond late, %s", async (_, open) => {
  const { svc, emulator } = await open();
  for (const operation of ["logs.listToolExecutions", "tools.execute"] as const) {
    emulator.faults.next(operation, { delayMs: 5_000 });
  }
  let responses = 0;
  const late = [svc.logs.listToolExecutions(), svc.tools.execute("TEXTKIT_COUNT_WORDS", WORDS)].map((call) =>
    call.then(() => {
      responses += 1;
    }),
  );
  await expect.poll(() => emulator.faults.items).toEqual([]);
  expect(responses).toBe(0);
  emulator.clock.advance("5s");
  await Promise.all(late);
});

test("faults of the execution log can be fields of a class, as faults of deliveries can", () => {
  const emulator = createEmulator();
  class Faults {
    get delayMs() {
      return 5_000;
    }
  }
  emulator.executionLog.injectFaults(new Faults());
  emulator.deliveries.injectFaults(new Faults());
  expect(emulator.executionLog.faults.delayMs).toBe(5_000);
  expect(emulator.deliveries.faults.delayMs).toBe(5_000);
});

test.each(FRONTS)("faults of the execution log are part of a snapshot and end with a reset, %s", async (_, open) => {
  const { emulator } = await open();
  emulator.executionLog.injectFaults({ delayMs: 5_000 });
  const snapshot = emulator.snapshot();
  emulator.reset();
  expect(emulator.executionLog.faults).toEqual({ delayMs: 0, dropPayloads: false, dropRequestIds: false });
  emulator.restore(snapshot);
  expect(emulator.executionLog.faults.delayMs).toBe(5_000);
  expect(() => emulator.executionLog.injectFaults({ delayMs: -1 })).toThrow("executionLog.injectFaults");
});
