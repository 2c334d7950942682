import { describe, expect, onTestFinished, test } from "vitest";
import { startEmulator } from "../../src/emulator/node.js";
import { longTest } from "../support/size.js";
import { svc } from "./run.js";
import { directoryWith, httpServer } from "./setups.js";

/** More elements than arguments that fit on the stack. */
const MANY = 130_000;

/** A list as its JSON, of which each command prints at least a line. */
const many = (item: object) => `[${Array.from({ length: MANY }, () => JSON.stringify(item)).join()}]`;

describe("any number of lines is printed", () => {
  test("of a response", async () => {
    const tool = {
      ...{ slug: "MINE_LIST", name: "List", description: "Lists.", input: {}, output: { type: "object" } },
      run: () => ({ items: Array.from({ length: MANY }, (_, index) => index) }),
    };
    const mine = { slug: "mine", name: "Mine", description: "Mine.", categories: [], auth: [], tools: [tool] };
    const emulator = await startEmulator({ toolkits: [{ ...mine, versions: { "20260101_00": "First." } }] });
    onTestFinished(() => emulator.close());
    const env = { SVC_BASE_URL: emulator.url, SVC_API_KEY: "ak_emulator" };
    const line = "call tools.execute MINE_LIST --user_id user-4711 --version latest --arguments {}";
    const { code, stdout, stderr } = await svc(line, { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout).data.items).toHaveLength(MANY);
  });

  longTest("of a policy check", async () => {
    const cwd = directoryWith({ "policy.json": '{"rules":[]}', "calls.json": many({ tool: "X" }) });
    const { code, stdout } = await svc("policy check policy.json --calls calls.json", { cwd });
    expect([code, stdout.match(/^ {2}deny/gm)?.length]).toEqual([0, MANY]);
  });

  longTest("of an emulator's deliveries", async () => {
    const delivery = {
      id: "wd_1",
      type: "svc.trigger.message",
      version: "V3",
      state: "pending",
      attempts: [],
      body: "",
    };
    const list = `{"items":${many({ ...delivery, subscriptionId: "ws_1", eventId: "msg_1", dueAt: null, createdAt: "2030-01-01T00:00:00.000Z" })}}`;
    const url = await httpServer((_, response) => response.setHeader("content-type", "application/json").end(list));
    const { code, stdout } = await svc("deliveries", { env: { SVC_BASE_URL: url } });
    expect([code, stdout.match(/^wd_1/gm)?.length]).toEqual([0, MANY]);
  });
});
