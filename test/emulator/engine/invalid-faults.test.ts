import { describe, expect, test } from "vitest";
import { createEmulator, type InjectedFault } from "../../../src/emulator/index.js";
import { startEmulator } from "../../../src/emulator/node.js";
import { testSeed } from "../fronts.js";

describe("invalid faults", () => {
  const { faults } = createEmulator({ seed: testSeed });

  test.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])("rejects times %d", (times) => {
    expect(() => faults.next("tools.list", { status: 500 }, { times })).toThrow(
      "options.times: expected a positive integer",
    );
    expect(() => faults.every(2, "*", { status: 500 }, { times })).toThrow(
      "options.times: expected a positive integer",
    );
  });

  test.each([0, -1, 1.5, Number.NaN])("rejects every %d", (nth) => {
    expect(() => faults.every(nth, "tools.list", { status: 500 })).toThrow("n: expected a positive integer");
  });

  test("rejects a misspelled option", () => {
    const options: object = { time: 2 };
    const message = "faults: options.time: no such field (did you mean times?)";
    expect(() => faults.next("tools.list", { status: 500 }, options)).toThrow(message);
    expect(() => faults.every(2, "tools.list", { status: 500 }, options)).toThrow(message);
    expect(faults.items).toEqual([]);
  });

  test.each([...["tools.exec", "tools", "", "constructor"], ...[undefined, null, 5, {}]])(
    "rejects the operation %j",
    (operation) => {
      // @ts-expect-error the compiler rejects these operations too
      const add = () => faults.next(operation, { status: 500 });
      const message = expect.stringContaining(`unknown operation ${operation}.`);
      expect(add).toThrow(expect.objectContaining({ name: "ConfigError", message }));
    },
  );

  test.each<[InjectedFault, string]>([
    [{}, "Set status, connection, or delayMs"],
    [{ when: "after" }, "Set status, connection, or delayMs"],
    [{ status: 100 }, "status: expected at least 200"],
    [{ status: 600 }, "status: expected at most 599"],
    [{ status: Number.NaN }, "status: expected a number, received NaN"],
    [{ status: 500, connection: "reset" }, "can't be combined"],
    [{ delayMs: -1 }, "delayMs: expected at least 0"],
    [{ delayMs: Number.NaN }, "delayMs: expected a number, received NaN"],
    [{ status: 429, retryAfterSeconds: -1 }, "retryAfterSeconds: expected at least 0"],
    [{ delayMs: 5, body: {} }, "require a status"],
    [{ connection: "hang", headers: { a: "b" } }, "require a status"],
    [{ status: 500, headers: { "bad header": "x" } }, "valid HTTP headers"],
  ])("rejects %j", (fault, message) => {
    const add = () => faults.next("tools.list", fault);
    expect(add).toThrow(expect.objectContaining({ name: "ConfigError", message: expect.stringContaining(message) }));
  });
});

test.each([
  ["an unknown connection fault", { connection: "drop" }, 'connection: expected "hang" or "reset" or "truncate"'],
  ["a misspelled field", { status: 503, retryafterSeconds: 2 }, "did you mean retryAfterSeconds?"],
  ["a delay that is a string", { delayMs: "5" }, "delayMs: expected a number, received string"],
  ["an invalid when", { status: 503, when: "afterwards" }, 'when: expected "before" or "after"'],
])("rejects %s immediately", (_, fault, complaint) => {
  // What a JavaScript program may hand over, whatever the types say.
  expect(() => createEmulator().faults.next("tools.listSlugs", fault as never)).toThrow(complaint);
});

test.each([
  [{ rateLimt: { limit: 2 } }, "rateLimt: no such field (did you mean rateLimit?)"],
  [{ rateLimit: { limt: 2 } }, "rateLimit.limt: no such field (did you mean limit?)"],
  [{ clock: { runing: true } }, "clock.runing: no such field (did you mean running?)"],
  [{ deliveries: { attemps: 1 } }, "deliveries.attemps: no such field (did you mean attempts?)"],
  [{ project: { subscriptions: 2 } }, "project.subscriptions: no such field"],
])("rejects the misspelled option of the emulator in %o", (options, message) => {
  expect(() => createEmulator(options as never)).toThrow(`The emulator's options are invalid: ${message}`);
});

test.each<[object | null | number, string]>([
  [5, "the value itself: expected an object"],
  [null, "the value itself: expected an object"],
  [{ clock: 5 }, "clock: expected an object"],
  [{ clock: null }, "clock: expected an object"],
  [{ rateLimit: [] }, "rateLimit: expected an object"],
  [{ clock: { running: "yes" } }, "clock.running: expected a boolean"],
  [{ deliveries: { fetch: "https://app.example" } }, "deliveries.fetch: expected a function"],
  [{ deliveries: { delaysMs: 5 } }, "deliveries.delaysMs: expected an array"],
  [{ onRequest: 5 }, "onRequest: expected a function"],
  [{ toolkits: {} }, "toolkits: expected an array"],
])("rejects the emulator's options %j, in process and on a port", async (options, problem) => {
  const error = {
    name: "ConfigError",
    message: expect.stringContaining(`The emulator's options are invalid: ${problem}`),
  };
  expect(() => createEmulator(options as never)).toThrow(expect.objectContaining(error));
  if (options !== null && options !== 5) await expect(startEmulator(options as never)).rejects.toMatchObject(error);
});

test("rejects misspelled options of deliveries", () => {
  const { deliveries } = createEmulator();
  expect(() => deliveries.injectFaults({ cpoies: 2 } as never)).toThrow(
    "deliveries.injectFaults: cpoies: no such field (did you mean copies?)",
  );
  expect(() => deliveries.resend("wd_1", { signed: true } as never)).toThrow(
    "deliveries.resend: signed: no such field (did you mean sign?)",
  );
});

test("a fault for a misspelled operation is rejected with the operation that was probably meant", () => {
  const { faults } = createEmulator();
  // @ts-expect-error the compiler finds it first
  expect(() => faults.next("tools.exectue", { status: 503 })).toThrow(
    "faults: unknown operation tools.exectue. Did you mean tools.execute?",
  );
  // @ts-expect-error as above
  expect(() => faults.next("nothing like it", { status: 503 })).toThrow(
    'Pass a name like tools.execute, or "*" for all.',
  );
});
