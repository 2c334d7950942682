import { expect, test } from "vitest";
import { checkContract } from "../../src/contract/index.js";
import { createEmulator, type Faults } from "../../src/emulator/index.js";
import {
  ConfigError,
  ContractMismatchError,
  type Middleware,
  mayHaveRun,
  Svc,
  ValidationError,
} from "../../src/index.js";

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

test("mayHaveRun() of an execution whose response doesn't match the contract is true, and of a read false", async () => {
  const emulator = createEmulator();
  const fetch = async (request: Request) => {
    const { data: _, items: __, ...others } = await (await emulator.fetch(request)).json();
    return Response.json(others);
  };
  const svc = new Svc({ ...emulator.connection, fetch, use: [checkContract({ onMismatch: "throw" })] });
  const error: unknown = await svc.tools.execute("GITHUB_CREATE_AN_ISSUE", ISSUE).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ContractMismatchError);
  expect([mayHaveRun(error), emulator.tools.calls("GITHUB_CREATE_AN_ISSUE").length]).toEqual([true, 1]);
  const read: unknown = await svc.toolkits.list().catch((thrown: unknown) => thrown);
  expect(read).toBeInstanceOf(ContractMismatchError);
  expect(mayHaveRun(read)).toBe(false);
});

test("mayHaveRun() of an execution whose middleware then fails to read something is true", async () => {
  const emulator = createEmulator();
  const reader = new Svc(emulator.connection);
  const reading: Middleware = async (_call, next) => {
    const result = await next();
    await reader.toolkits.get("missing");
    return result;
  };
  const svc = new Svc({ ...emulator.connection, use: [reading] });
  const error: unknown = await svc.tools.execute("GITHUB_CREATE_AN_ISSUE", ISSUE).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: "MiddlewareError", cause: { name: "NotFoundError" } });
  expect([mayHaveRun(error), emulator.tools.calls("GITHUB_CREATE_AN_ISSUE").length]).toEqual([true, 1]);
});
