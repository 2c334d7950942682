import { afterAll, describe, expect, test } from "vitest";
import { type OperationName, operations } from "../../src/contract/index.js";
import { handlers } from "../../src/emulator/assembly/handlers.js";
import { ApiError, Svc } from "../../src/index.js";
import { CREDENTIAL_KINDS, type CredentialKind } from "../../src/shared/credentials.js";
import { rejectionOf } from "../support/client.js";
import { checkDeclared } from "../support/declared-fields.js";
import { connections } from "./calls-connections.js";
import { events } from "./calls-events.js";
import { projects } from "./calls-projects.js";
import { sessions } from "./calls-sessions.js";
import { tools } from "./calls-tools.js";
import { type Case, type CaseContext, caseContext } from "./case.js";
import { OMITTED } from "./omitted.js";

/** An operation without a case doesn't compile. */
const cases: Readonly<Record<OperationName, Case>> = { ...connections, ...tools, ...events, ...sessions, ...projects };

/** Key of an operation, for any API version. */
const addressOf = (method: string, path: string) => `${method} ${path.replace(/^\/api\/(\{apiVersion\}|v[\d.]+)/, "")}`;
const addresses = operations.map(({ endpoint }) => addressOf(endpoint.method, endpoint.path));
const LETTERS: Readonly<Record<string, CredentialKind>> = {
  P: "apiKey",
  U: "userApiKey",
  O: "orgApiKey",
  C: "sessionCookie",
};

const coverage = new Map<OperationName, { happy?: number | undefined; error?: number | undefined }>();
const noted = (name: OperationName, part: "happy" | "error", status: number | undefined) =>
  coverage.set(name, { ...coverage.get(name), [part]: status });

afterAll(() => {
  const rows = operations.map(({ endpoint: { name, method, path } }) => {
    const { happy = "-", error = "-" } = coverage.get(name) ?? {};
    return `${name.padEnd(34)} ${method.padEnd(6)} ${path.padEnd(82)} ${happy}  ${error}`;
  });
  const whole = rows.filter((row) => !/-$|- /.test(row)).length;
  console.log(`${rows.join("\n")}\n${whole} of ${rows.length} operations work and fail as they should`);
});

const named = operations.map((operation) => [operation.endpoint.name, operation] as const);

describe("the contract", () => {
  test.each(named)("has %s as it was published", (name, { endpoint, status }) => {
    const [method, versions, path, letters, retry, ...success] = cases[name].published;
    expect(endpoint.method).toBe(method);
    expect(endpoint.path).toBe(`/api/${versions === "both" ? "{apiVersion}" : versions}${path}`);
    expect(endpoint.retry).toBe(retry);
    expect([status].flat()).toEqual(success);
    const kinds = [...letters].map((letter) => LETTERS[letter]);
    expect(CREDENTIAL_KINDS.filter((kind) => endpoint.auth.includes(kind))).toEqual(
      CREDENTIAL_KINDS.filter((kind) => kinds.includes(kind)),
    );
  });

  test("has an operation for each case, and none twice", () => {
    expect(Object.keys(cases).toSorted()).toEqual(named.map(([name]) => name).toSorted());
    expect(new Set(addresses).size).toBe(operations.length);
  });

  test("has no omitted operation", () => {
    expect(OMITTED.filter(([method, path]) => addresses.includes(addressOf(method, path)))).toEqual([]);
  });

  test("the emulator responds that an omitted operation doesn't exist, except for a session's MCP URL", async () => {
    const { emulator } = caseContext();
    const headers = { "x-api-key": "ak_emulator" };
    const answers = OMITTED.map(async ([method, path, reason]) => {
      const prefix = path.startsWith("/tool_router/") ? "" : "/api/v3.1";
      const address = `http://emulator.localhost${prefix}${path.replace(/\{\w+\}/g, "x")}`;
      const { status } = await emulator.fetch(address, { method, headers });
      return { path, reason, isUnknown: status === 404 };
    });
    const known = (await Promise.all(answers)).filter(({ isUnknown }) => !isUnknown);
    expect(known.filter(({ path, reason }) => reason !== "mcp" || !path.startsWith("/tool_router/"))).toEqual([]);
  });

  test("every operation has a handler in the emulator, and the emulator has no other", () => {
    expect(Object.keys(handlers).toSorted()).toEqual(operations.map(({ endpoint }) => endpoint.name).toSorted());
  });

  test("a case fails if a response has a field that no part of its shape declares", async () => {
    const { emulator } = caseContext();
    const leaky = async (input: string | URL | Request, init?: RequestInit) => {
      const body = await (await emulator.fetch(input, init)).json();
      body.items[0].toolkit.seededBy = "a seed";
      return Response.json(body);
    };
    const svc = new Svc({ ...emulator.connection, env: {}, fetch: leaky, use: [checkDeclared()] });
    await expect(svc.connectedAccounts.list()).rejects.toThrow(
      "items[0].toolkit.seededBy: expected a field that the response's shape declares",
    );
  });

  test("the cases reach every condition that a single operation can return", () => {
    const met = new Set(Object.values(cases).map(({ refused }) => refused.condition));
    expect([...met].filter(Boolean).toSorted()).toEqual([
      "auth_refresh_required",
      "connected_account_not_found",
      "insufficient_permissions",
      "invalid_api_key",
      "invalid_organization_key",
      "no_connected_account",
      "tool_not_found",
      "trigger_instance_deleted",
      "trigger_not_found",
    ]);
  });
});

/** The contract's requests that the emulator received, without storage and pages. */
function answered({ emulator }: CaseContext) {
  return emulator.requests.filter(({ operation }) => operation !== undefined);
}

describe("each operation", () => {
  test.each(named)("%s is sent once by its method, and succeeds", async (name, operation) => {
    const context = caseContext();
    await cases[name].happy(context);
    const requests = answered(context);
    expect(requests.filter((request) => request.operation === name)).toHaveLength(1);
    expect(requests.at(-1)).toMatchObject({ operation: name, method: operation.endpoint.method });
    expect([operation.status].flat()).toContain(requests.at(-1)?.status);
    noted(name, "happy", requests.at(-1)?.status);
  });

  test.each(named.filter(([, { status }]) => Array.isArray(status)))("%s responds 201 once, then 200", async (name) => {
    const context = caseContext();
    await cases[name].happy(context);
    await cases[name].happy(context);
    expect(answered(context).map(({ status }) => status)).toEqual([201, 200]);
  });

  test.each(named)("%s rejects with a typed error", async (name) => {
    const context = caseContext();
    const { as, status, condition } = cases[name].refused;
    const error = await rejectionOf(ApiError, cases[name].error(context));
    expect(error.constructor).toBe(as);
    expect(error).toMatchObject({ operation: name, status, condition });
    expect(answered(context).at(-1)).toMatchObject({ operation: name, status });
    noted(name, "error", error.status);
  });
});
