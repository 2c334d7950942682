import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, onTestFinished, test } from "vitest";
import { toolset } from "../../../src/agents/index.js";
import { controlEndpoints } from "../../../src/emulator/control-plane/endpoints.js";
import { demoSeed, startEmulator } from "../../../src/emulator/node.js";
import { Svc } from "../../../src/index.js";
import { mismatchesOfJsonSchema } from "../../../src/json-schema/check/check-json-schema.js";
import { eventually } from "../../support/eventually.js";

async function started() {
  const emulator = await startEmulator();
  onTestFinished(() => emulator.close());
  const send = (method: string, path: string, body?: unknown) =>
    fetch(`${emulator.url}/_emulator${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return { emulator, send, svc: new Svc(emulator.connection) };
}

interface Described {
  readonly operationId: string;
  readonly responses: { readonly 200: { readonly content: Record<string, { readonly schema: object }> } };
}

test("the control plane serves a valid OpenAPI document of itself", async () => {
  const { send } = await started();
  // The document is checked right away.
  const document = (await (await send("GET", "/openapi.json")).json()) as {
    readonly paths: Record<string, Record<string, Described>>;
  };
  expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true });
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => `${operationId}: ${method.toUpperCase()} ${path}`),
  );
  const served = controlEndpoints.map(({ name, method, path }) => `${name}: ${method} /_emulator${path}`);
  expect(described.toSorted()).toEqual(served.toSorted());
  expect(new Set(controlEndpoints.map(({ name }) => name)).size).toBe(served.length);
});

test("every response of the control plane that is a list or a record matches the document", async () => {
  const { send, svc, emulator } = await started();
  const { id } = await svc.webhookSubscriptions.create({
    webhook_url: "http://127.0.0.1:1/none",
    enabled_events: ["svc.trigger.message"],
  });
  const trigger = await svc.triggers.upsert("GITHUB_COMMIT_EVENT", {
    connected_account_id: "ca_github_demo",
    trigger_config: { owner: "octo-org", repo: "hello-world" },
  });
  const payload = { id: "abc", message: "m", url: "https://example.com", author: "a", timestamp: "t" };
  const fired = await send("POST", `/triggers/${trigger.trigger_id}/fire`, payload);
  await fetch(`${emulator.url}/nowhere`);
  const tools = await toolset(svc, { userId: "ada", tools: ["TEXTKIT_REVERSE"] });
  await tools.run([{ callId: "1", name: "TEXTKIT_REVERSE", arguments: { text: "abc" } }]);
  await eventually(() => expect(emulator.runs).toHaveLength(1));
  emulator.faults.every(2, "tools.list", { status: 503 });
  const document = (await (await send("GET", "/openapi.json")).json()) as {
    readonly paths: Record<string, Record<string, Described>>;
  };
  expect(id).toBeDefined();
  expect(fired.status).toBe(200);
  for (const [path, { get }] of Object.entries(document.paths)) {
    const { schema } = get?.responses[200].content["application/json"] ?? {};
    if (!schema || path.includes("{")) continue;
    const body: unknown = await (await send("GET", path.replace("/_emulator", ""))).json();
    expect({ path, mismatches: mismatchesOfJsonSchema(schema, body) }).toEqual({ path, mismatches: [] });
    const { items }: { items?: unknown[] } = Object(body);
    expect([path, items?.length ?? 1]).not.toEqual([path, 0]);
  }
});

test.each([
  [{ status: 500, body: "<html>" }, 200, { status: 500, body: "<html>" }],
  [{ status: 204 }, 200, { status: 204, body: null }],
  [{ connection: "reset" }, 400, { message: "The request got no response: a fault broke its connection (reset)." }],
  [{ connection: "hang" }, 400, { message: "The request got no response: a fault broke its connection (hang)." }],
] as const)("sending a request again reports what the fault %j does to it", async (fault, status, body) => {
  const { emulator, send } = await started();
  emulator.faults.next("tools.execute", fault);
  const path = "/api/v3.1/tools/execute/TEXTKIT_REVERSE";
  const response = await send("POST", "/replay", { method: "POST", path, body: '{"arguments":{}}' });
  expect([response.status, await response.json()]).toEqual([status, body]);
});

test.each([
  ["GET", "{}", "Request with GET/HEAD method cannot have body."],
  ["HEAD", "{}", "Request with GET/HEAD method cannot have body."],
  ["CONNECT", "", "'CONNECT' HTTP method is unsupported."],
  ["TRACE", "", "'TRACE' HTTP method is unsupported."],
  ["GE T", "", "'GE T' is not a valid HTTP method."],
])("sending a %s with the body %j gets 400 with the reason", async (method, body, reason) => {
  const { send } = await started();
  const response = await send("POST", "/replay", { method, path: "/api/v3.1/tools", body });
  expect([response.status, await response.json()]).toEqual([400, { message: `The request can't be sent: ${reason}` }]);
});

test("the state has the link of a waiting account, under the host of the request", async () => {
  const connectedAccounts = [
    { id: "ca_1", userId: "ada", authConfigId: "ac_github_demo", status: "INITIALIZING" as const },
  ];
  const emulator = await startEmulator({ seed: { ...demoSeed, connectedAccounts } });
  onTestFinished(() => emulator.close());
  const url = emulator.url.replace("127.0.0.1", "localhost");
  const state = await (await fetch(`${url}/_emulator/state`)).json();
  expect(state).toMatchObject({ accounts: [{ linkUrl: `${url}/link/lk_1` }] });
});

test("a body that the document doesn't allow gets 400 with the place", async () => {
  const { send } = await started();
  const response = await send("POST", "/deliveries/faults", { copies: "many" });
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({ message: expect.stringContaining("copies") });
});
