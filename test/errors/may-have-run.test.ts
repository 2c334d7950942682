import { expect, test } from "vitest";
import { createEmulator, type Faults } from "../../src/emulator/index.js";
import { ConfigError, mayHaveRun, Svc, ValidationError } from "../../src/index.js";

const ISSUE = {
  user_id: "user-4711",
  version: "20251023_00",
  arguments: { owner: "octo-org", repo: "hello-world", title: "It broke" },
};

test.each<[string, Parameters<Faults["next"]>[1], boolean]>([
  ["lost its response", { connection: "reset", when: "after" }, true],
  ["got a 500", { status: 500 }, true],
  ["was rejected with 404", { status: 404 }, false],
  ["was rejected with 401", { status: 401 }, false],
])("mayHaveRun() of an execution that %s", async (_what, fault, expected) => {
  const emulator = createEmulator();
  emulator.faults.next("tools.execute", fault);
  const svc = new Svc({ ...emulator.connection, maxRetries: 0 });
  const error: unknown = await svc.tools.execute("GITHUB_CREATE_AN_ISSUE", ISSUE).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Error);
  expect(mayHaveRun(error)).toBe(expected);
});

test("mayHaveRun() of an execution that was aborted, and of one that wasn't sent", async () => {
  const emulator = createEmulator();
  const svc = new Svc(emulator.connection);
  const reason = new Error("the handler's time is over");
  const error: unknown = await svc.tools
    .execute("GITHUB_CREATE_AN_ISSUE", ISSUE, { signal: AbortSignal.abort(reason) })
    .catch((thrown: unknown) => thrown);
  expect([error, mayHaveRun(error)]).toEqual([reason, true]);
  expect(mayHaveRun(new ConfigError("no key"))).toBe(false);
  // The types require the body.
  const invalid: unknown = await svc.tools
    .execute("GITHUB_CREATE_AN_ISSUE", {} as never)
    .catch((thrown: unknown) => thrown);
  expect(invalid).toBeInstanceOf(ValidationError);
  expect(mayHaveRun(invalid)).toBe(false);
});

test("mayHaveRun() of a call that only reads is false", async () => {
  const emulator = createEmulator();
  emulator.faults.next("toolkits.list", { connection: "reset", when: "after" });
  const svc = new Svc({ ...emulator.connection, maxRetries: 0 });
  expect(mayHaveRun(await svc.toolkits.list().catch((error: unknown) => error))).toBe(false);
});
