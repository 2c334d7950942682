import { Client } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import { InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type McpContext, type McpServerLike, mcpServer } from "../../../src/agents/adapters/mcp.js";
import { type ClientToolsetOptions, tool, toolset } from "../../../src/agents/index.js";
import type { Json } from "../../../src/shared/json.js";
import { gated } from "../approvals/support.js";
import { checker } from "../schema/reference.js";
import { toolSchema } from "../schema/schemas.js";
import { randomNumbers, sample } from "../schema/values.js";
import { bench, COUNT_WORDS, CREATE_ISSUE, deciding, ISSUE } from "../support.js";

interface Called {
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: Json;
  readonly isError?: boolean;
}

/** Calls a tool with a client of each generation. Both throw if a result breaks the schema that was listed. */
async function callWithBoth(tools: Parameters<typeof mcpServer>[0], name: string, args: object): Promise<Called[]> {
  const results: Called[] = [];
  for (const client of [
    new Client({ name: "test", version: "1.0.0" }),
    new OldClient({ name: "old", version: "1.0.0" }),
  ]) {
    const server = mcpServer(tools, new McpServer({ name: "tools", version: "1.0.0" }));
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(serverSide), client.connect(clientSide as never)]);
    await client.listTools();
    results.push((await client.callTool({ name, arguments: { ...args } })) as never);
  }
  return results;
}

/** The same tools, with another description of the results of one. */
async function described(output: object, options: Partial<ClientToolsetOptions> = {}) {
  const made = await bench(options);
  const { tools } = made.tools.toJSON();
  const changed = tools.map((one) => (one.slug === COUNT_WORDS ? { ...one, output_parameters: { ...output } } : one));
  const again = await bench({ ...options, from: { formatVersion: 1, tools: changed } });
  return again.tools;
}

const words = (output: object, options?: Partial<ClientToolsetOptions>) =>
  described(output, options).then((tools) => callWithBoth(tools, COUNT_WORDS, { text: "one two" }));

test("an MCP server lists open objects and lists without an empty schema, which clients warn about", async () => {
  const open = {
    type: "object",
    additionalProperties: true,
    properties: {
      labels: { type: "object", additionalProperties: {} },
      free: { type: "object", properties: { of: { type: "array" } }, additionalProperties: true },
      any: { type: "array" },
    },
  } as const;
  const own = tool({ name: "own", description: "Takes anything.", parameters: open, execute: () => "done" });
  const { tools } = await bench({ tools: [own] });
  const again = await described({ ...open, properties: { ...open.properties, items: { type: "array", items: {} } } });
  const schemas: unknown[] = [];
  const server: McpServerLike = {
    registerTool: (name, { inputSchema, outputSchema }) => {
      if (name === "own") schemas.push(inputSchema["~standard"].jsonSchema.input({ target: "draft-2020-12" }));
      if (name === COUNT_WORDS)
        schemas.push(outputSchema?.["~standard"].jsonSchema.output({ target: "draft-2020-12" }));
    },
  };
  mcpServer(tools, server);
  mcpServer(again, server);
  expect(JSON.stringify(schemas)).toContain('"additionalProperties":true');
  expect(JSON.stringify(schemas)).not.toContain("{}");
});

describe("a result of an MCP server over a toolset", () => {
  test("is structured as the tool's output schema lists it", async () => {
    const { tools } = await bench();
    for (const { structuredContent, content } of await callWithBoth(tools, CREATE_ISSUE, ISSUE)) {
      expect(structuredContent).toMatchObject({ number: expect.any(Number), title: ISSUE.title });
      expect(JSON.parse(content[0]?.text ?? "")).toEqual(structuredContent);
    }
  });

  test("has no structure if the tool has no output schema", async () => {
    const own = tool({
      name: "own",
      description: "Returns an object.",
      parameters: { type: "object", properties: {} },
      execute: () => ({ a: 1 }),
    });
    const { tools } = await bench({ tools: [own] });
    for (const result of await callWithBoth(tools, "own", {})) expect(result).not.toHaveProperty("structuredContent");
  });

  test("isn't an error if it doesn't match the output schema, because the call ran", async () => {
    for (const result of await words({ type: "object", properties: { words: { type: "string" } } })) {
      expect(result).not.toHaveProperty("isError");
      expect(result.structuredContent).toEqual({ no_result: result.content[0]?.text });
      expect(result.content[0]?.text).toContain('"words":2');
    }
  });

  test("isn't the shortened one, even if that has the listed structure", async () => {
    const { tools } = await bench({ tools: ["TEXTKIT_REVERSE"], maxResultBytes: 1_024 });
    for (const result of await callWithBoth(tools, "TEXTKIT_REVERSE", { text: "long ".repeat(1_000) })) {
      expect(result).not.toHaveProperty("isError");
      expect(result.structuredContent).toEqual({ no_result: expect.stringMatching(/^Shortened from \d+ bytes/) });
    }
  });

  test("says that a call waits for approval, or was a dry run", async () => {
    const pending = await gated();
    for (const { structuredContent } of await callWithBoth(pending.tools, CREATE_ISSUE, ISSUE)) {
      expect(structuredContent).toEqual({ no_result: expect.stringContaining("needs the approval of a person") });
    }
    const dry = await bench({ policy: deciding(() => ({ outcome: "dry_run", reason: "Try it first." })) });
    for (const { structuredContent } of await callWithBoth(dry.tools, CREATE_ISSUE, ISSUE)) {
      expect(structuredContent).toEqual({ no_result: expect.stringContaining("nothing was sent") });
    }
  });

  test("has only text if the call failed or was denied", async () => {
    const { tools } = await bench();
    const denying = await bench({ policy: deciding(() => ({ outcome: "deny", reason: "Frozen." })) });
    for (const result of [
      ...(await callWithBoth(tools, CREATE_ISSUE, { ...ISSUE, repo: "nowhere" })),
      ...(await callWithBoth(denying.tools, CREATE_ISSUE, ISSUE)),
    ]) {
      expect(result).toMatchObject({ isError: true });
      expect(result).not.toHaveProperty("structuredContent");
    }
  });

  test("has handles instead of the signed URLs that its output schema describes", async () => {
    const openFile = () => ({ content: new Uint8Array(8), filename: "a.txt", mimetype: "text/plain" });
    const { tools } = await bench({ tools: ["DRIVE_DOWNLOAD_FILE", "DRIVE_UPLOAD_FILE"], openFile });
    await tools.run([{ callId: "up", name: "DRIVE_UPLOAD_FILE", arguments: { file: "a.txt" } }]);
    for (const { structuredContent } of await callWithBoth(tools, "DRIVE_DOWNLOAD_FILE", { file_id: "file-1" })) {
      expect(structuredContent).not.toHaveProperty("no_result");
      expect(JSON.stringify(structuredContent)).toContain("/file_1");
      expect(JSON.stringify(structuredContent)).not.toContain("s3url");
    }
  });

  const nested = { type: "object", properties: { words: { type: "integer" }, child: { $ref: "#" } } };
  const wordsAre = (schema: unknown, rest: object = {}) => ({ type: "object", properties: { words: schema }, ...rest });
  test.each<[string, object]>([
    ["an exclusive bound of draft 4", wordsAre({ type: "integer", minimum: 1, exclusiveMinimum: true })],
    ["a pattern that isn't one", { ...wordsAre({ type: "integer" }), patternProperties: { "(": false } }],
    ["the declaration of draft 7", { $schema: "http://json-schema.org/draft-07/schema#", ...nested }],
    ["an id that other schemas have", { $id: "https://example.com/output", ...nested }],
    ["a schema in itself", nested],
    ["a definition that is only itself", wordsAre({ $ref: "#/$defs/a" }, { $defs: { a: { $ref: "#/$defs/a" } } })],
    ["a reference to nothing", wordsAre({ $ref: "#/$defs/none" })],
    ["a reference at its root", { $ref: "#/$defs/a", $defs: { a: nested } }],
    ["types that don't exist", wordsAre({ type: "long" })],
    ["a nullable enum", wordsAre({ type: "integer", enum: [2], nullable: true })],
    ["no type and an empty enum", wordsAre({ enum: [] })],
    ["a property that is true", wordsAre(true)],
    ["names that any object has", { ...nested, properties: { ...nested.properties, constructor: { type: "string" } } }],
    ["alternatives of which one fits", wordsAre({ oneOf: [{ type: "string" }, { const: 2 }], anyOf: [{}] })],
    ["fewer properties than the result", { ...wordsAre({}), additionalProperties: false }],
  ])("fits what is listed for an output schema with %s", async (_, output) => {
    for (const { structuredContent } of await words(output)) expect(structuredContent).toMatchObject({ words: 2 });
  });

  test.each<[string, object]>([
    ["anything", {}],
    ["an array", { type: "array", items: {} }],
    ["an object without properties", { type: "object" }],
    ["a property with the name of ours", { type: "object", properties: { no_result: {} } }],
  ])("has no structure if the output schema describes %s", async (_, output) => {
    for (const result of await words(output)) expect(result).not.toHaveProperty("structuredContent");
  });
});

/** What an MCP server lists and returns for a tool of a service that returns this value. */
async function listedAndReturned(output: object, data: unknown): Promise<[listed: Json, returned: unknown]> {
  const record = { slug: "T", description: "", toolkit: "t", version: "1", tags: [], input_parameters: {} };
  const client = {
    tools: { list: () => [], execute: async () => ({ data, successful: true, error: null }) },
  } as unknown as Parameters<typeof toolset>[0];
  const from = { formatVersion: 1, tools: [{ ...record, output_parameters: output }] } as const;
  const tools = await toolset(client, { userId: "ada", accounts: "newest", from } as ClientToolsetOptions);
  let registered: Parameters<McpServerLike["registerTool"]> | undefined;
  mcpServer(tools, { registerTool: (...given) => (registered = given) });
  const [, config, handler] = registered ?? [];
  const context = { mcpReq: { signal: new AbortController().signal } } as McpContext;
  const schema = config?.outputSchema?.["~standard"].jsonSchema.output({}) ?? {};
  return [schema, Object(await handler?.({}, context)).structuredContent];
}

test("a result with a declared name that every object inherits is structured", async () => {
  const counts = {
    type: "object",
    properties: { constructor: { type: "string" } },
    additionalProperties: { type: "number" },
  };
  const output = { type: "object", properties: { counts } };
  const data = { counts: { constructor: "x", a: 1 } };
  const [listed, returned] = await listedAndReturned(output, data);
  expect(returned).toEqual(data);
  expect(checker(listed)(returned)).toEqual([]);
});

test("what is listed for any output schema holds for any result, in validators of draft 7 and 2020-12", async () => {
  const numRuns = 2_000;
  let results = 0;
  await fc.assert(
    fc.asyncProperty(toolSchema, fc.nat(), async (output, seed) => {
      // A value of the schema, and one of another type.
      for (const data of [sample(output, output, randomNumbers(seed)), { value: [seed, "x", null] }]) {
        const [listed, returned] = await listedAndReturned(Object(output), data);
        if (Object.keys(listed).length === 0) {
          expect(returned).toBeUndefined();
          continue;
        }
        expect(new AjvJsonSchemaValidator().getValidator(listed)(returned)).toMatchObject({ valid: true });
        expect(checker(listed)(returned)).toEqual([]);
        if (!Object.hasOwn(Object(returned), "no_result")) results += 1;
      }
    }),
    { numRuns, seed: 1 },
  );
  expect(results).toBeGreaterThan(numRuns / 2);
});
