import { describe, expect, test } from "vitest";
import { openai } from "../../../src/agents/adapters/openai.js";
import { structuredOf } from "../../../src/agents/adapters/structured-output.js";
import { isShortened } from "../../../src/agents/call/result-text.js";
import { shareTurn } from "../../../src/agents/call/share-turn.js";
import {
  type LocalTool,
  memoryExecutions,
  type ToolClient,
  type ToolSession,
  tool,
  toolset,
} from "../../../src/agents/index.js";
import { approvals, describeApproval } from "../../../src/agents/policy-entry.js";
import { createEmulator } from "../../../src/emulator/index.js";
import { Svc } from "../../../src/index.js";
import { asksForIssues, KEY } from "../approvals/support.js";
import { bench, COUNT_WORDS, CREATE_ISSUE, ISSUE, USER } from "../support.js";

const local = (execute: LocalTool["execute"], fields: Partial<LocalTool> = {}) =>
  tool({ name: "own", description: "Own.", parameters: { type: "object", properties: {} }, execute, ...fields });
const resultOf = async (value: unknown, options: object = {}) => {
  const { tools } = await bench({ tools: [local(() => value)], ...options });
  const [result] = await tools.run([{ callId: "1", name: "own", arguments: {} }]);
  return result;
};

describe("a local tool's result", () => {
  const circular: Record<string, unknown> = {};
  circular["self"] = circular;

  test.each<[unknown, unknown]>([
    [new Map([["a", new Map([["b", 1]])]]), { a: { b: 1 } }],
    [new Map<unknown, unknown>([[1, "one"]]), [[1, "one"]]],
    [new Set(["a", new Set(["b"])]), ["a", ["b"]]],
    [/a+/gi, "/a+/gi"],
    [{ error: new RangeError("too far") }, { error: "RangeError: too far" }],
    [
      { id: 7256535639334584321n, few: 3n },
      { id: "7256535639334584321", few: 3 },
    ],
    [new Uint8Array([1, 2]), [1, 2]],
    [new Date(0), "1970-01-01T00:00:00.000Z"],
    [undefined, null],
  ])("that JSON.stringify loses or rejects is shown to the model: %o", async (value, shown) => {
    const result = await resultOf(value);
    expect(result).toMatchObject({ status: "succeeded" });
    expect(result?.data).toBe(value);
    expect(JSON.parse(result?.text ?? "")).toEqual(shown);
    const use = [(_: unknown, next: () => Promise<never>) => next()];
    expect((await resultOf(value, { use }))?.text).toBe(result?.text);
    const replaced = [async (_: unknown, next: () => Promise<object>) => ({ ...(await next()), data: value })];
    expect((await resultOf(1, { use: replaced }))?.text).toBe(result?.text);
  });

  test("that contains itself says so, and the call has succeeded", async () => {
    expect(await resultOf(circular)).toMatchObject({
      status: "succeeded",
      text: expect.stringMatching(/own ran, but what it returned can't be written as JSON: .*circular/),
    });
  });
});

describe("a result with a field named shortened", () => {
  const schema = { type: "object", properties: { shortened: {} } };
  test.each([{ shortened: "https://sho.rt/1" }, { shortened: true }, { shortened: "x", result: 1 }, { shortened: {} }])(
    "isn't taken for a part of one: %j",
    (data) => {
      expect(structuredOf(schema, { status: "succeeded", text: JSON.stringify(data) })).toEqual(data);
      expect(isShortened(data)).toBe(false);
    },
  );

  test.each([
    ["text", "a".repeat(20_000)],
    ["a URL", `https://example.com/${"a".repeat(20_000)}`],
  ])("is one if the toolset shortened it, by how much it may be: %s", async (_, data) => {
    const result = await resultOf(data, { maxResultBytes: 1_024 });
    if (!result) throw new Error("There is no result.");
    expect(isShortened(JSON.parse(result.text))).toBe(true);
    for (const most of [500, 100, 40]) {
      const [shared] = shareTurn([result], most);
      expect(isShortened(JSON.parse(shared?.text ?? ""))).toBe(true);
    }
  });
});

test("a model reads about a failed request what it can use, not URLs and advice for developers", async () => {
  const failures: Record<string, RegExp> = {
    "connection refused": /The connection to the service failed\. Nothing ran\.$/,
    "401": /The service doesn't let the program do this\./,
    "400": /The service said: Bad things happened/,
    html: /The service's response can't be read\./,
  };
  for (const [kind, text] of Object.entries(failures)) {
    const { tools, emulator } = await bench({}, {});
    const record = tools.toJSON();
    const fetch = async (request: Request) => {
      if (!request.url.includes("/execute/")) return emulator.fetch(request);
      if (kind === "connection refused") {
        throw Object.assign(new TypeError("fetch failed"), {
          cause: Object.assign(new Error(), { code: "ECONNREFUSED" }),
        });
      }
      if (kind === "html") return new Response("<html>", { status: 200 });
      const error = { message: kind === "400" ? "Bad things happened" : "no", status: Number(kind) };
      return Response.json({ error }, { status: Number(kind) });
    };
    const svc = new Svc({ apiKey: "ak_1", baseUrl: "http://127.0.0.1:4747", fetch, env: {}, maxRetries: 0 });
    const own = await toolset(svc, { userId: USER, from: record, accounts: "newest" });
    const [result] = await own.run([{ callId: "1", name: CREATE_ISSUE, arguments: ISSUE }]);
    expect(result?.text).toMatch(text);
    expect(result?.text).not.toMatch(/127\.0\.0\.1|tools\.execute|baseUrl|[Cc]heck the key|emulator/);
    expect(result?.error).toBeInstanceOf(Error);
  }
});

test("spaces and private characters that could disguise a value are shown to the person who approves as escapes", async () => {
  const odd = "\u00a0\u1680\u2000\u2005\u200a\u202f\u205f\u3000\ue000\u{f0000}";
  const { tools } = await bench({
    policy: asksForIssues,
    approvals: approvals({ keys: [KEY] }),
    executions: memoryExecutions(),
  });
  const [result] = await tools.run([{ callId: "1", name: CREATE_ISSUE, arguments: { ...ISSUE, title: `a b${odd}` } }]);
  if (!result?.pendingApproval) throw new Error(result?.text);
  const words = describeApproval(result.pendingApproval);
  expect(words).toContain(String.raw`"a b\u00a0\u1680\u2000\u2005\u200a\u202f\u205f\u3000\ue000\udb80\udc00"`);
  expect(words).not.toMatch(/[^\P{Zs} ]|\p{Co}/u);
});

test("a program that changes its schema afterwards doesn't change the check", async () => {
  const parameters = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
  const { tools } = await bench({ tools: [local(() => 1, { parameters })] });
  parameters.properties.n.type = "string";
  parameters.required.length = 0;
  const run = async (args: object) =>
    (await tools.run([{ callId: JSON.stringify(args), name: "own", arguments: args }]))[0];
  expect(await run({ n: "x" })).toMatchObject({ status: "not_run" });
  expect(await run({})).toMatchObject({ status: "not_run" });
  expect(await run({ n: 1 })).toMatchObject({ status: "succeeded" });
  expect(openai(tools).definitions[0]).toMatchObject({ parameters: { properties: { n: { type: "number" } } } });
});

test("a program that changes a serialized toolset afterwards doesn't change the check", async () => {
  const from = structuredClone((await bench()).tools.toJSON());
  const { tools } = await bench({ from });
  for (const record of from.tools) Object.assign(record.input_parameters, { properties: {}, required: ["x"] });
  const [result] = await tools.run([{ callId: "1", name: COUNT_WORDS, arguments: { text: "a" } }]);
  expect(result).toMatchObject({ status: "succeeded" });
});

test("an empty id of a conversation is an error", async () => {
  await expect(bench({ conversationId: "" })).rejects.toThrow("conversationId must be a non-empty string");
});

test("a signal ends the reading of tools whose pages never end", async () => {
  const { svc } = await bench();
  const controller = new AbortController();
  let pages = 0;
  const list = (_: object, options: { signal?: AbortSignal } = {}) => ({
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        for (;;) {
          options.signal?.throwIfAborted();
          pages += 1;
          if (pages === 5) controller.abort(new Error("the user left"));
          await Promise.resolve();
        }
      },
    }),
  });
  const client = { ...svc, tools: Object.assign(Object.create(svc.tools), { list }) } as unknown as ToolClient;
  const reading = toolset(client, { userId: USER, toolkits: ["github"], signal: controller.signal });
  await expect(reading).rejects.toThrow("the user left");
  const session = { id: "s", tools: list, execute: svc.tools.execute, executeMeta: svc.tools.execute, link: () => "" };
  await expect(
    toolset(session as unknown as ToolSession, { signal: AbortSignal.abort(new Error("gone")) }),
  ).rejects.toThrow("gone");
  expect(pages).toBe(5);
});

test("a schema that is too deep to be written is reported beside an emulator as elsewhere", async () => {
  let schema: object = { type: "string" };
  for (let depth = 0; depth < 3_000; depth++) schema = { type: "object", properties: { a: schema } };
  const svc = new Svc({ ...createEmulator().connection, env: {} });
  const deep = local(() => 1, { parameters: schema as { type: string } });
  const tools = await toolset(svc, { userId: USER, tools: [deep] });
  expect(await tools.run([{ callId: "1", name: "own", arguments: {} }])).toMatchObject([{ status: "succeeded" }]);
});
