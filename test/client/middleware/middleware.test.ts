import { describe, expect, onTestFinished, test, vi } from "vitest";
import { validateArguments } from "../../../src/contract/arguments.js";
import { checkContract } from "../../../src/contract/index.js";
import {
  ConfigError,
  type Logger,
  logCalls,
  type Middleware,
  observe,
  Svc,
  shareRetryBudget,
  type ToolLock,
  ToolVersionRequiredError,
  toolLock,
  ValidationError,
} from "../../../src/index.js";
import { traceCalls } from "../../../src/otel/index.js";
import { clientOf, rejectionOf, send } from "../../support/client.js";
import { scriptedFetch } from "../../support/scripted-fetch.js";

/** A client of a scripted service, and what it sent. */
function clientWith(use: readonly Middleware[], answer = Response.json({ ok: true })) {
  const fetch = scriptedFetch(answer);
  return { fetch, svc: clientOf(fetch, { use }) };
}

describe("invalid middleware is a ConfigError", () => {
  const lock: ToolLock = { formatVersion: 1, toolkits: {}, tools: {} };

  test.each<[string, unknown]>([
    ["a single function", observe(() => undefined)],
    ["an object", { use: [] }],
    ["null", null],
    ["a name", ["toolLock"]],
    ["nothing in its place", [undefined]],
    ["a lock in place of toolLock(lock)", [lock]],
  ])("use with %s", (_title, use) => {
    // A program without types may pass anything.
    const construct = () => new Svc({ baseUrl: "https://api.example.com", env: {}, use: use as Middleware[] });
    expect(construct).toThrow(ConfigError);
    expect(construct).toThrow("new Svc(): use must be an array of functions.");
  });

  test.each<[string, () => unknown, string]>([
    ["observe()", () => Reflect.apply(observe, undefined, []), "observe: the listener must be a function."],
    [
      "shareRetryBudget(5)",
      () => Reflect.apply(shareRetryBudget, undefined, [5]),
      "shareRetryBudget: the budget must be a RetryBudget, or an object with spend(), earn().",
    ],
    ["toolLock()", () => Reflect.apply(toolLock, undefined, []), "toolLock: lock must be the parsed content"],
    [
      "validateArguments({})",
      () => Reflect.apply(validateArguments, undefined, [{}]),
      "validateArguments: the validator must be argumentValidator(), or an object with check.",
    ],
    [
      'checkContract({ onMissmatch: "throw" })',
      () => Reflect.apply(checkContract, undefined, [{ onMissmatch: "throw" }]),
      "checkContract: Unknown option onMissmatch. Did you mean onMismatch?",
    ],
    [
      'logCalls({ logLevel: "debug" })',
      () => Reflect.apply(logCalls, undefined, [{ logLevel: "debug" }]),
      "logCalls: Unknown option logLevel.",
    ],
  ])("%s", (_title, make, message) => {
    expect(make).toThrow(ConfigError);
    expect(make).toThrow(message);
  });

  test("another function that makes one is used instead of its result", async () => {
    const make = () => (async (_, next) => next()) satisfies Middleware;
    // The compiler rejects it, a program in JavaScript may pass it.
    const { svc, fetch } = clientWith([make as unknown as Middleware]);
    expect((await rejectionOf(TypeError, send(svc))).message).toBe(
      "probe.safe: a middleware returned a function. If it makes a middleware, call it in use.",
    );
    expect(fetch.sent).toEqual([]);
  });

  test("a middleware may have the name of a function that makes one", () => {
    const mine = { observe: (async (_call, next) => next()) satisfies Middleware };
    expect(() => clientWith([mine.observe])).not.toThrow();
  });
});

describe("the optional middleware", () => {
  test("writes and prints nothing until it's added", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    onTestFinished(() => warn.mockRestore());
    const { svc } = clientWith([], Response.json({ items: null }, { headers: { deprecation: "@1" } }));
    await svc.tools.list({ search: "deprecated" });
    expect(warn).not.toHaveBeenCalled();
  });

  test("works together: lock, arguments, contract, log, events and spans", async () => {
    const lines: string[] = [];
    const line = (message: string) => void lines.push(message);
    const logger: Logger = { debug: line, info: line, warn: line };
    const types: string[] = [];
    const tool = { toolkit: "github", version: "20251023_00", hash: "sha256-x", textHash: "sha256-x" };
    const lock: ToolLock = {
      formatVersion: 1,
      toolkits: { github: { version: "20251023_00" } },
      tools: { GITHUB_A: tool },
    };
    const fetch = scriptedFetch((request) =>
      request.method === "GET"
        ? Response.json({ input_parameters: { type: "object", properties: { text: { type: "string" } } } })
        : Response.json({ successful: true, data: {}, error: null }),
    );
    const svc = clientOf(fetch, {
      use: [
        traceCalls(),
        logCalls({ logger, level: "debug" }),
        observe(({ type }) => void types.push(type)),
        toolLock(lock, { rejectUnlocked: true }),
        checkContract(),
        validateArguments(),
      ],
    });
    await rejectionOf(ValidationError, svc.tools.execute("GITHUB_A", { arguments: { text: 5 } }));
    await svc.tools.execute("GITHUB_A", { arguments: { text: "good" } });
    expect(fetch.sent.map(({ method, url }) => `${method} ${url.searchParams.get("version") ?? "-"}`)).toEqual([
      "GET 20251023_00",
      "POST -",
    ]);
    expect(fetch.sent[1]?.body).toMatchObject({ version: "20251023_00" });
    expect(types.filter((type) => type === "request")).toHaveLength(3);
    expect(lines.some((text) => text.startsWith("svc-sdk: tools.execute: call "))).toBe(true);
  });

  test("is silent about drift and skipped checks if logs are off", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    onTestFinished(() => warn.mockRestore());
    const { svc } = clientWith(
      [logCalls({ level: "off" }), checkContract(), validateArguments()],
      Response.json({ items: 5 }),
    );
    await svc.tools.list();
    await svc.tools.execute("GITHUB_A", { version: "20251023_00", arguments: {} });
    expect(warn).not.toHaveBeenCalled();
  });

  test("rejects a lock after the check of arguments with a typed error", async () => {
    const tool = { toolkit: "github", version: "20251023_00", hash: "sha256-x", textHash: "sha256-x" };
    const locked = toolLock({ formatVersion: 1, toolkits: { github: tool }, tools: { GITHUB_A: tool } });
    const { svc, fetch } = clientWith([validateArguments(), locked]);
    await rejectionOf(ToolVersionRequiredError, svc.tools.execute("GITHUB_A", { arguments: {} }));
    expect(fetch.sent).toEqual([]);
  });

  test("can be shared by several clients", async () => {
    const types: string[] = [];
    const shared = observe(({ type }) => void types.push(type));
    for (const { svc } of [clientWith([shared]), clientWith([shared])]) await send(svc);
    expect(types.filter((type) => type === "result")).toHaveLength(2);
  });

  test("is read from the list once, when the client is created", async () => {
    const use: Middleware[] = [];
    const { svc, fetch } = clientWith(use);
    use.push(async () => {
      throw new Error("added too late");
    });
    await send(svc);
    expect(fetch.sent).toHaveLength(1);
  });
});

test("a client without options takes no middleware from the environment", () => {
  const environment = { SVC_BASE_URL: "https://api.example.com", SVC_API_KEY: "ak_1", SVC_LOG: "nonsense" };
  expect(() => new Svc({ env: environment })).not.toThrow();
});
