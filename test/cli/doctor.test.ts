import { describe, expect, test } from "vitest";
import { examine } from "../../src/cli/doctor.js";
import { Svc } from "../../src/index.js";
import { FAULTS_OF_THE_SERVICE } from "./faults.js";
import { FAULTS_OF_THE_PROJECT, withReceiver } from "./project-faults.js";
import * as setups from "./setups.js";

const { service, setupOf } = setups;
const FAULTS = Object.entries({ ...FAULTS_OF_THE_SERVICE, ...FAULTS_OF_THE_PROJECT });

describe("svc-sdk doctor", () => {
  test.each(FAULTS)("names %s, and what fixes it", async (_name, { id, fix, plant }) => {
    const setup = await plant();
    const findings = (await examine(setup)).flatMap((result) => result.findings);
    expect(findings).toEqual([
      {
        id,
        problem: expect.any(String),
        why: expect.stringMatching(/\.$/),
        fix: typeof fix === "string" ? expect.stringContaining(fix) : expect.stringMatching(fix),
      },
    ]);
    const shown = JSON.stringify(findings);
    for (const secret of secretsIn(setup.environment)) expect(shown).not.toContain(secret);
  });

  test("says which variables aren't set", async () => {
    const results = await examine(setupOf("", { SVC_API_KEY: undefined }));
    expect(results.slice(0, 3).map(({ check, state, detail }) => [check, state, detail])).toEqual([
      ["base URL", "failed", "not set"],
      ["service", "skipped", "fix the base URL first"],
      ["key", "failed", "not set"],
    ]);
  });

  test.each([
    ["not set", undefined],
    ["invalid", '"ak_emulator"'],
  ])("says that the key is %s, whether the service responds or not", async (detail, SVC_API_KEY) => {
    for (const url of [(await service()).url, "http://127.0.0.1:1"]) {
      const results = await examine(setupOf(url, { SVC_API_KEY }));
      expect(results.find(({ check }) => check === "key")).toMatchObject({ state: "failed", detail });
    }
  });

  test("shows no key, however a response encodes it", async () => {
    const { url } = await service();
    const svc = new Svc({ apiKey: "ak_emulator", baseUrl: url });
    const hooks = ["%61k_emulator", btoa("ak_emulator"), "whsec_of_the_receiver"].join("/");
    const webhook_url = `https://app.example.com/${hooks}`;
    await svc.webhookSubscriptions.create({ webhook_url, enabled_events: ["svc.trigger.message"] });
    const results = await examine(setupOf(url, { SVC_WEBHOOK_SECRET: "whsec_of_the_receiver•" }));
    const { detail = "" } = results.find(({ check }) => check === "webhook subscription") ?? {};
    expect(detail).toMatch(/^https:\/\/app\.example\.com\/\*\*\*\/[^/]*\*\*\*[^/]*\/whsec_of_the_receiver$/);
    expect(detail).not.toContain(btoa("ak_emulator").slice(2, -2));
  });

  test("is tried with more than thirty faults", () => {
    expect(FAULTS.length).toBeGreaterThan(30);
  });
});

function secretsIn(environment: Readonly<Record<string, string | undefined>>): string[] {
  const { SVC_API_KEY, SVC_USER_API_KEY, SVC_ORG_API_KEY, SVC_WEBHOOK_SECRET } = environment;
  const secrets = [SVC_API_KEY, SVC_USER_API_KEY, SVC_ORG_API_KEY, SVC_WEBHOOK_SECRET, "hunter2"];
  return secrets.filter((secret) => secret !== undefined).filter((secret) => secret !== "");
}

const keys = { SVC_USER_API_KEY: "uak_emulator", SVC_ORG_API_KEY: "oak_emulator" };

/** Ways in which people work that are right. */
const HEALTHY = {
  "an emulator and a project key": async () => setupOf((await service()).url),
  "all three kinds of keys": async () => setupOf((await service()).url, keys),
  "a user's key alone": async () =>
    setupOf((await service()).url, { SVC_API_KEY: undefined, SVC_USER_API_KEY: "uak_emulator" }),
  "a base URL with a slash at its end": async () => setupOf(`${(await service()).url}/`),
  "an emulator in another container": async () =>
    setupOf((await service()).remoteUrl, { SVC_ALLOW_INSECURE_HTTP: "true" }),
  "a proxy that Node doesn't need": async () =>
    setupOf((await service()).url, {
      HTTPS_PROXY: "http://proxy.invalid:3128",
      HTTP_PROXY: "http://proxy.invalid:3128",
    }),
  "a proxy that isn't for loopback": async () =>
    setupOf((await service()).url, {
      HTTP_PROXY: "http://proxy.invalid",
      NO_PROXY: "127.0.0.1",
      NODE_USE_ENV_PROXY: "1",
    }),
  "a proxy that passes requests on": async () => {
    const environment = {
      HTTP_PROXY: await setups.proxyWith(200),
      NODE_USE_ENV_PROXY: "1",
      SVC_ALLOW_INSECURE_HTTP: "true",
    };
    return setupOf((await service()).remoteUrl, environment);
  },
  "a subscription and its receiver": () => withReceiver(setups.receiver),
  "a subscription that has another name for this machine than the receiver": async () => {
    const setup = await withReceiver(async (secret) =>
      (await setups.receiver(secret)).replace("127.0.0.1", "localhost"),
    );
    return { ...setup, receiver: setup.receiver?.replace("localhost", "127.0.0.1") };
  },
  "a receiver behind a tunnel": async () => {
    const setup = await withReceiver(setups.receiver);
    const { url, emulator } = await service();
    const { webhookSubscriptions } = new Svc(emulator.connection);
    const webhook_url = "https://tunnel.example.com/webhooks";
    const { secret } = await webhookSubscriptions.create({ webhook_url, enabled_events: ["svc.trigger.message"] });
    const receiver = await setups.receiver(secret);
    const remote = { SVC_BASE_URL: url.replace("127.0.0.1", "0.0.0.0"), SVC_ALLOW_INSECURE_HTTP: "true" };
    return { ...setup, receiver, environment: { ...setup.environment, ...remote, SVC_WEBHOOK_SECRET: secret } };
  },
  "a clock half a minute off": async () => setupOf((await service()).url, {}, { now: () => Date.now() - 30_000 }),
};

describe("svc-sdk doctor finds nothing wrong with", () => {
  test.each(Object.entries(HEALTHY))("%s", async (_name, start) => {
    const results = await examine(await start());
    expect(results.flatMap(({ findings }) => findings)).toEqual([]);
    expect(results.filter(({ state }) => state === "ok").length).toBeGreaterThan(3);
  });

  test("the service's state, which it leaves as it was", async () => {
    const { url, emulator } = await service();
    const before = emulator.snapshot();
    await examine(setupOf(url, keys));
    expect(new Set(emulator.requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
    expect(Object.keys(before)).toEqual(Object.keys(emulator.snapshot()));
  });
});
