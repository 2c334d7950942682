import { describe, expect, test } from "vitest";
import * as svc from "../../src/index.js";
import { WebhookPayloadError, WebhookVerificationError } from "../../src/webhooks/index.js";

const facts = { operation: "probe.safe", attempts: 1, outcome: undefined };
const answer = {
  ...facts,
  status: 400,
  path: "/api/v3.1/probe",
  text: "",
  headers: {},
  rateLimit: undefined,
  retryAfterMs: undefined,
  retryAt: undefined,
  isServiceLimit: false,
};
const account = { connectedAccountId: "ca_1", status: "EXPIRED", reason: undefined } as const;

/** One error of every class, by the class's name. */
const ERRORS: Readonly<Record<string, svc.SvcError>> = {
  SvcError: new svc.SvcError("m"),
  ConfigError: new svc.ConfigError("m"),
  MissingCredentialError: new svc.MissingCredentialError("m"),
  ValidationError: new svc.ValidationError("tools.get", "m"),
  ToolVersionRequiredError: new svc.ToolVersionRequiredError("tools.execute", "A_TOOL"),
  ToolLockError: new svc.ToolLockError("tools.get", "A_TOOL", undefined),
  ContractMismatchError: new svc.ContractMismatchError("tools.get", []),
  MiddlewareError: new svc.MiddlewareError("tools.execute", new Error("m")),
  ConnectionStateError: new svc.ConnectionStateError("connectedAccounts.waitUntilActive", account),
  ConnectionError: new svc.ConnectionError("m", { ...facts, phase: "headers" }),
  TimeoutError: new svc.TimeoutError({ ...facts, phase: "headers", timeoutMs: 1, option: "timeoutMs" }),
  ResponseError: new svc.ResponseError("m", { ...facts, status: 200 }),
  ApiError: new svc.ApiError(answer),
  BadRequestError: new svc.BadRequestError(answer),
  AuthenticationError: new svc.AuthenticationError(answer),
  PermissionDeniedError: new svc.PermissionDeniedError(answer),
  NotFoundError: new svc.NotFoundError(answer),
  ConflictError: new svc.ConflictError(answer),
  UnprocessableEntityError: new svc.UnprocessableEntityError(answer),
  ServerError: new svc.ServerError(answer),
  RateLimitError: new svc.RateLimitError(answer),
  WebhookVerificationError: new WebhookVerificationError("no_match", "m"),
  WebhookPayloadError: new WebhookPayloadError("msg_1", "m"),
};

describe.each(Object.entries(ERRORS))("%s", (name, error) => {
  test('names its errors, also as strings, without an own field "name"', () => {
    expect(error.name).toBe(name);
    expect(String(error)).toBe(`${name}: ${error.message}`);
    expect(Object.keys(error)).not.toContain("name");
  });

  test("instanceof asks a value for its brand only if it has one", () => {
    const strict = new Proxy({}, { get: () => expect.fail("was asked") });
    expect(strict instanceof error.constructor).toBe(false);
  });

  test("instanceof matches the errors of this class and of its subclasses only", () => {
    for (const other of Object.values(ERRORS)) {
      const isOfIt = Object.prototype.isPrototypeOf.call(error.constructor.prototype, other);
      expect(other instanceof error.constructor, other.name).toBe(isOfIt);
    }
  });
});

test("every error class that an entry point exports is in this table", () => {
  const exported = Object.keys(svc).filter((name) => name.endsWith("Error"));
  expect(Object.keys(ERRORS).sort()).toEqual([...exported, "WebhookPayloadError", "WebhookVerificationError"].sort());
});

test("errors of another version of the package are recognized by their brand, which never changes", () => {
  const branded = (brands: unknown) => Object.defineProperty({}, Symbol.for("svc-sdk.error"), { value: brands });
  expect(branded(["TimeoutError", "ConnectionError", "SvcError"])).toBeInstanceOf(svc.ConnectionError);
  expect(branded(["TimeoutError", "ConnectionError", "SvcError"])).not.toBeInstanceOf(svc.ApiError);
  expect(branded("SvcError")).not.toBeInstanceOf(svc.SvcError);
});

test("a custom subclass has the name of our class until it sets its own, in a field or its constructor", () => {
  class Plain extends svc.ConfigError {}
  class ByField extends svc.ConfigError {
    override name = "ByField";
  }
  class InConstructor extends svc.ConfigError {
    constructor(message: string) {
      super(message);
      this.name = "InConstructor";
    }
  }
  expect([new Plain("m"), new ByField("m"), new InConstructor("m")].map(({ name }) => name)).toEqual([
    "ConfigError",
    "ByField",
    "InConstructor",
  ]);
  expect(new Plain("m")).toBeInstanceOf(svc.ConfigError);
  expect(new Plain("m")).toBeInstanceOf(svc.SvcError);
});
