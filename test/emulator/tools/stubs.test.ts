import { describe, expect, test } from "vitest";
import { createEmulator, ProviderError } from "../../../src/emulator/index.js";
import { startEmulator } from "../../../src/emulator/node.js";
import { ConfigError, Svc } from "../../../src/index.js";

const ISSUE = "GITHUB_CREATE_AN_ISSUE";
const given = { owner: "octo-org", repo: "hello-world", title: "It works" };

function started() {
  const emulator = createEmulator();
  const svc = new Svc(emulator.connection);
  const run = (args: Record<string, unknown> = given) =>
    svc.tools.execute(ISSUE, { user_id: "user-4711", version: "latest", arguments: args });
  return { emulator, svc, run };
}

describe("a stub", () => {
  test("returns its data until it is removed", async () => {
    const { emulator, run } = started();
    emulator.tools.stub(ISSUE, { number: 7 });
    expect(await run()).toMatchObject({ successful: true, data: { number: 7 } });
    emulator.tools.unstub(ISSUE);
    expect((await run()).data).toMatchObject({ title: "It works" });
  });

  test("rejects data that JSON can't have", async () => {
    const { emulator, run } = started();
    const circular: Record<string, unknown> = {};
    circular["self"] = circular;
    expect(() => emulator.tools.stub(ISSUE, circular)).toThrow(ConfigError);
    expect(await run()).toMatchObject({ successful: true, data: { title: "It works" } });
    expect(() => emulator.snapshot()).not.toThrow();
  });

  test("with a function gets the call, and may throw a provider's error", async () => {
    const { emulator, run } = started();
    emulator.tools.stub(ISSUE, ({ arguments: { title }, userId }) => ({ title, userId }));
    expect((await run()).data).toEqual({ title: "It works", userId: "user-4711" });
    emulator.tools.stub(ISSUE, () => {
      throw new ProviderError(422, "Unprocessable");
    });
    expect(await run()).toMatchObject({ successful: false, error: "Unprocessable" });
  });

  test("with a provider's error fails the execution", async () => {
    const { emulator, run } = started();
    emulator.tools.stub(ISSUE, new ProviderError(404, "Not Found"));
    expect(await run()).toMatchObject({
      successful: false,
      error: "Not Found",
      data: { status_code: 404, message: "Not Found" },
    });
  });

  test("isn't called with arguments that the tool's schema rejects", async () => {
    const { emulator, run } = started();
    emulator.tools.stub(ISSUE, { number: 7 });
    expect(await run({ owner: "octo-org" })).toMatchObject({ successful: false });
    expect(emulator.tools.calls(ISSUE)).toMatchObject([
      { arguments: { owner: "octo-org" }, error: expect.any(String) },
    ]);
  });

  test("answers a session's executions too", async () => {
    const { emulator, svc } = started();
    emulator.tools.stub(ISSUE, { number: 7 });
    const { id: session_id } = await svc.toolRouter.create({ user_id: "user-4711" });
    const { data } = await svc.toolRouter.use(session_id).execute({ tool_slug: ISSUE, arguments: given });
    expect(data).toEqual({ number: 7 });
    expect(emulator.tools.calls(ISSUE)).toMatchObject([{ sessionId: session_id, source: "stub" }]);
  });

  test("ends with reset and restore, and one with fixed data is part of a snapshot", async () => {
    const { emulator, run } = started();
    const before = emulator.snapshot();
    emulator.tools.stub(ISSUE, { number: 7 });
    const stubbed = emulator.snapshot();
    emulator.reset();
    expect((await run()).data).not.toEqual({ number: 7 });
    emulator.tools.stub(ISSUE, () => ({ number: 8 }));
    emulator.restore(before);
    expect((await run()).data).not.toEqual({ number: 8 });
    emulator.restore(stubbed);
    expect((await run()).data).toEqual({ number: 7 });
  });

  test("of an unknown tool is an error that names the closest one", () => {
    const { emulator } = started();
    for (const act of ["stub", "unstub", "calls"] as const) {
      expect(() => emulator.tools[act]("GITHUB_CREATE_AN_ISSEU", {})).toThrow(
        `tools.${act}: unknown tool GITHUB_CREATE_AN_ISSEU. Did you mean ${ISSUE}?`,
      );
    }
  });

  test("with data that isn't an object is an error", () => {
    const { emulator } = started();
    // @ts-expect-error A tool's data is an object.
    expect(() => emulator.tools.stub(ISSUE, "text")).toThrow(`tools.stub(${ISSUE}): `);
  });
});

test("emulator.tools.calls lists the arguments that a tool was called with, stubbed or not", async () => {
  const { emulator, run } = started();
  const first = await run();
  emulator.tools.stub(ISSUE, { number: 7 });
  await run({ ...given, title: "Again" });
  const calls = emulator.tools.calls(ISSUE);
  expect(calls).toMatchObject([
    { logId: first.log_id, source: "tool", userId: "user-4711", arguments: given, error: null },
    { source: "stub", arguments: { ...given, title: "Again" }, result: { number: 7 } },
  ]);
  expect(emulator.tools.calls("SLACK_SEND_MESSAGE")).toEqual([]);
});

test("a call is logged with the arguments that were sent, even if the tool changes them", async () => {
  const { emulator, run } = started();
  emulator.tools.stub(ISSUE, (call) => {
    call.arguments["title"] = "Changed";
    return {};
  });
  await run();
  expect(emulator.tools.calls(ISSUE)).toMatchObject([{ arguments: given }]);
});

test("the control plane stubs a tool and lists its calls", async () => {
  const emulator = await startEmulator();
  try {
    const send = async (method: string, path: string, body?: object) => {
      const init = { method, ...(body && { body: JSON.stringify(body) }) };
      const response = await fetch(`${emulator.url}/_emulator/tools/${path}`, init);
      return { status: response.status, body: (await response.json()) as unknown };
    };
    const svc = new Svc(emulator.connection);
    const run = () => svc.tools.execute(ISSUE, { user_id: "user-4711", version: "latest", arguments: given });
    expect(await send("PUT", `${ISSUE}/stub`, { data: { number: 7 } })).toEqual({ status: 200, body: {} });
    expect((await run()).data).toEqual({ number: 7 });
    await send("PUT", `${ISSUE}/stub`, { error: { status: 404, message: "Not Found" } });
    expect((await run()).error).toBe("Not Found");
    expect(await send("DELETE", `${ISSUE}/stub`)).toEqual({ status: 200, body: {} });
    expect((await run()).data).toMatchObject({ title: "It works" });
    const { body } = await send("GET", `${ISSUE}/calls`);
    expect(body).toMatchObject({ items: [{ source: "stub" }, { error: "Not Found" }, { source: "tool" }] });
    expect(await send("PUT", `${ISSUE}/stub`, { data: 7 })).toMatchObject({ status: 400 });
    expect(await send("PUT", "NOPE/stub", { data: {} })).toMatchObject({
      status: 400,
      body: { message: "tools.stub: unknown tool NOPE." },
    });
  } finally {
    await emulator.close();
  }
});
