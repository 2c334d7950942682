import { describe, expect, test } from "vitest";
import { type ToolMiddleware, tool } from "../../../src/agents/index.js";
import { ConfigError, type Middleware, Svc } from "../../../src/index.js";
import { rejection } from "../../support/client.js";
import { bench, CREATE_ISSUE, ISSUE, USER } from "../support.js";

const issue = (callId: string) => ({ callId, name: CREATE_ISSUE, arguments: ISSUE });

describe("a call that may have run is never reported as not run", () => {
  test.each(["not_run", "pending", "dry_run"] as const)(
    "not if middleware returns %s after an abort",
    async (status) => {
      let effects = 0;
      const aborting = new AbortController();
      const pay = tool({
        name: "pay",
        description: "Pays.",
        parameters: { type: "object", properties: {} },
        execute: (_, { signal }) => {
          effects++;
          aborting.abort(new Error("the user left"));
          signal?.throwIfAborted();
        },
      });
      const fallback: ToolMiddleware = async (_, next) => {
        try {
          return await next();
        } catch {
          return { status, text: "The tool isn't available." };
        }
      };
      const { tools } = await bench({ tools: [pay], use: [fallback] });
      const call = { callId: "pay_1", name: "pay", arguments: {} };
      expect(await tools.run([call], { signal: aborting.signal })).toMatchObject([{ status: "unknown" }]);
      expect(await tools.run([call])).toMatchObject([{ status: "unknown", isReplay: true }]);
      expect(effects).toBe(1);
    },
  );

  test.each([
    [500, "tools[1] failed: subscription is in EXPIRED state"],
    [502, "No connected account found for user u"],
  ])("not by the words of a %s: %s", async (status, message) => {
    const { tools, emulator, executions } = await bench();
    emulator.faults.next("tools.execute", { status, body: { error: { message } } });
    const [result] = await tools.run([issue("1")]);
    expect(result).toMatchObject({ status: "unknown", authRequired: undefined });
    expect(await tools.run([issue("1")])).toMatchObject([{ status: "unknown", isReplay: true }]);
    expect(executions()).toBe(1);
  });

  test.each([
    ["of its configuration", () => Promise.reject(new ConfigError("audit: no file is configured."))],
    [
      "of another execution",
      (svc: Svc) => svc.tools.execute("NO_SUCH_TOOL", { user_id: USER, version: "20250101_00", arguments: {} }),
    ],
  ])("not by the error of the client's middleware %s", async (_, audit) => {
    const { emulator, svc } = await bench();
    const audited: Middleware = async (call, next) => {
      const result = await next();
      if (call.endpoint.name === "tools.execute") await audit(svc);
      return result;
    };
    const connection = { ...emulator.connection, env: {}, use: [audited] };
    const { toolset } = await import("../../../src/agents/index.js");
    const tools = await toolset(new Svc(connection), { userId: USER, tools: [CREATE_ISSUE] });
    const [result] = await tools.run([issue("1")]);
    expect(result).toMatchObject({ status: "unknown", error: { cause: expect.any(Error) } });
    expect(await tools.run([issue("1")])).toMatchObject([{ status: "unknown", isReplay: true }]);
  });
});

test("an error of the client's middleware before the call says that it didn't run", async () => {
  const { emulator } = await bench();
  const refusing: Middleware = () => Promise.reject(new ConfigError("no budget is configured."));
  const svc = new Svc({ ...emulator.connection, env: {}, use: [refusing] });
  const error = await rejection(svc.tools.execute(CREATE_ISSUE, { user_id: USER, arguments: ISSUE }));
  expect(error).toBeInstanceOf(ConfigError);
});

test("the state of a pull request isn't the state of an account", async () => {
  const { tools, emulator } = await bench();
  emulator.faults.next("tools.execute", {
    status: 422,
    body: { error: { message: "Pull request 7 is in DRAFT state" } },
  });
  expect(await tools.run([issue("1")])).toMatchObject([{ status: "not_run", authRequired: undefined }]);
});
