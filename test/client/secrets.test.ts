import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { observe, Svc, SvcError, type SvcEvent } from "../../src/index.js";
import { rejection, send } from "../support/client.js";
import { scriptedFetch } from "../support/scripted-fetch.js";
import { clientOver, echo, everythingOf, expectNoSecret, failures, keys } from "./secret-keys.js";

describe("no key appears in an error", () => {
  test.each(failures)("of %s", async (_, step) => {
    for (const repeat of ["safe", "effect"] as const) {
      const error = await rejection(send(clientOver(scriptedFetch(step)), repeat));
      expect(error).toBeInstanceOf(SvcError);
      expectNoSecret(everythingOf(error));
    }
  });

  test("about an argument, an option or a header of a call", async () => {
    const svc = clientOver(scriptedFetch(Response.json({})));
    const wrong = [
      svc.authConfigs.get("", { headers: { "x-team": "CANARY" } }),
      svc.authConfigs.get("a", { headers: { "x-team": "CANARY\n" } }),
      svc.authConfigs.get("a", { headers: { "x-api-key": "CANARY" } }),
      svc.tools.execute("A", { arguments: { secret: "CANARY" } }),
      svc.tools.execute("A", { version: "CANARY", arguments: {} }),
    ];
    for (const call of wrong) expectNoSecret(everythingOf(await rejection(call)));
  });

  test("that would quote a secret header of a single call", async () => {
    const svc = clientOver(scriptedFetch(Response.json({ error: { message: "who is one_CANARY?" } }, { status: 400 })));
    const headers = { "x-one-time-token": "one_CANARY" };
    expectNoSecret(everythingOf(await rejection(svc.authConfigs.get("a", { headers }))));
  });

  test("of a client that can't be created", () => {
    for (const option of Object.keys(keys)) {
      for (const value of ["CANARY\nCANARY", "CANARY CANARY", "CANARY\0", "CANARYé"]) {
        try {
          new Svc({ baseUrl: "https://api.example.com", env: {}, [option]: value });
          expect.unreachable("the key is wrong");
        } catch (error) {
          expectNoSecret(everythingOf(error));
        }
      }
    }
  });

  test("the rest of the service's message stays readable", async () => {
    const body = { error: { message: `Invalid API key: ${keys.apiKey}`, code: 801, slug: "APIKey_InvalidAPIKey" } };
    const error = await rejection(send(clientOver(scriptedFetch(Response.json(body, { status: 401 })))));
    expect(error).toMatchObject({
      code: 801,
      condition: "invalid_api_key",
      body: { error: { message: "Invalid API key: ***" } },
    });
  });
});

describe("no key appears in a printed object", () => {
  test("of a client and its resources", () => {
    const svc = clientOver(scriptedFetch(Response.json({})));
    for (const held of [svc, svc.tools, svc.authConfigs, svc.session, svc.toolkits, svc.integrations]) {
      expectNoSecret(everythingOf(held));
    }
    expect(Object.keys(svc).filter((name) => /key|settings|core/i.test(name))).toEqual(
      expect.not.arrayContaining(["apiKey"]),
    );
  });

  test("of a result, its meta and a promise of it", async () => {
    const call = send(clientOver(scriptedFetch(Response.json({ ok: true }))));
    expectNoSecret(inspect(call, { depth: 12, showHidden: true }));
    const result = await call.withResponse();
    expectNoSecret(everythingOf(result));
    expectNoSecret(inspect([...result.meta.headers]));
  });

  test("of an event", async () => {
    const events: SvcEvent[] = [];
    const answers = new Response(echo, { status: 500, headers: { "x-request-id": keys.apiKey } });
    await rejection(send(clientOver(scriptedFetch(answers), { use: [observe((event) => events.push(event))] })));
    expect(events.filter(({ type }) => type === "response")).toHaveLength(3);
    expectNoSecret(inspect(events, { depth: 12 }));
  });
});
