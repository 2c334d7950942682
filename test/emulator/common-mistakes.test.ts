import { describe, expect, test } from "vitest";
import { createEmulator } from "../../src/emulator/index.js";
import { startEmulator } from "../../src/emulator/node.js";
import { BadRequestError, ConfigError, Svc } from "../../src/index.js";
import { emulated, rejectionOf } from "../support/client.js";

/** Input that the compiler rejects, and a program in JavaScript passes anyway. */
const untyped = (value: unknown) => value as never;

describe("the emulator says what was meant by", () => {
  test.each(["port", "host", "allowedHosts", "data"])("the option %s of an emulator in process", (name) => {
    expect(() => createEmulator(untyped({ [name]: 4_747 }))).toThrow(
      new ConfigError(
        `createEmulator: ${name} is an option of an emulator on a port. createEmulator runs in this process: use startEmulator from svc-sdk/emulator/node.`,
      ),
    );
  });

  test("startEmulator without await", async () => {
    const starting = startEmulator();
    expect(() => new Svc(untyped(Reflect.get(starting, "connection")))).toThrow(
      new ConfigError("startEmulator: the emulator is still starting. Await it: await startEmulator()."),
    );
    await (await starting).close();
  });

  test.each([
    ["localhost:3000/webhooks?token=s3", "the scheme is missing: write http://localhost:3000"],
    ["app.example:8443", "the scheme is missing: write https://app.example:8443"],
    ["app.example/webhooks", "expected an absolute URL, such as https://app.example, received another string"],
    ["127.0.0.1:3000/webhooks", "expected an absolute URL, such as https://app.example, received another string"],
    ["ftp://app.example", "expected an https URL"],
    ["https://ada:pw@app.example", "expected an https URL without user name and password"],
  ])("the webhook URL %s", async (webhook_url, problem) => {
    const { webhookSubscriptions } = new Svc(createEmulator().connection);
    const body = { webhook_url, enabled_events: ["svc.trigger.message"] };
    const message = expect.stringContaining(`(body.webhook_url: ${problem}). Correct the fields`);
    expect(await rejectionOf(BadRequestError, webhookSubscriptions.create(body))).toMatchObject({ message });
    const { id } = await webhookSubscriptions.create({ ...body, webhook_url: "http://localhost:3000/webhooks" });
    expect(await rejectionOf(BadRequestError, webhookSubscriptions.update(id, { webhook_url }))).toMatchObject({
      message,
    });
  });

  test.each([
    ["GITHUB_COMMIT_EVENT", "GITHUB_COMMIT_EVENT is a trigger type. Its events are svc.trigger.message: enable that"],
    ["svc.trigger.messages", "there is no event type svc.trigger.messages (did you mean svc.trigger.message?)"],
    ["SVC.TRIGGER.MESSAGE", "there is no event type SVC.TRIGGER.MESSAGE (did you mean svc.trigger.message?)"],
    ["commits", "there is no event type commits"],
  ])("the event %s", async (event, problem) => {
    const { webhookSubscriptions } = emulated().svc;
    const body = { webhook_url: "https://app.example", enabled_events: ["svc.trigger.message", event] };
    const error = await rejectionOf(BadRequestError, webhookSubscriptions.create(body));
    expect(error.message).toContain(`(body.enabled_events[1]: ${problem}). Correct the fields`);
  });

  test("a misspelled toolkit of a session", async () => {
    const { toolRouter } = emulated().svc;
    const misspelled = toolRouter.create({ user_id: "ada", toolkits: { enable: ["githb"] } });
    const error = await rejectionOf(BadRequestError, misspelled);
    expect(error.message).toContain("400 Invalid toolkit slugs: githb. Did you mean github?");
    const { mcp } = new Svc(createEmulator().connection);
    const server = await rejectionOf(BadRequestError, mcp.createCustom({ name: "tools", toolkits: ["slak", "githb"] }));
    expect(server.message).toContain("400 Invalid toolkit slugs: slak, githb. Did you mean slack, github?");
  });
});
