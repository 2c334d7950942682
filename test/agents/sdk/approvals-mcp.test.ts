import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createMcpHandler, InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { describe, expect, test } from "vitest";
import { type McpInputRequired, mcpServer } from "../../../src/agents/adapters/mcp.js";
import { digestOf } from "../../../src/shared/canonical-json.js";
import { type Gated, gated } from "../approvals/support.js";
import { CREATE_ISSUE, deciding, ISSUE } from "../support.js";

type Action = "accept" | "decline" | "cancel";
const call = { name: CREATE_ISSUE, arguments: ISSUE };

const textOf = (result: object) => JSON.stringify(result);

/** A client whose user answers each question, and what they were asked. */
function clientOf(action: Action, mode?: "auto"): { readonly client: Client; readonly asked: string[] } {
  const asked: string[] = [];
  const client = new Client(
    { name: "test", version: "1.0.0" },
    { capabilities: { elicitation: {} }, ...(mode && { versionNegotiation: { mode } }) },
  );
  client.setRequestHandler("elicitation/create", ({ params }) => {
    asked.push(params.message);
    return action === "accept" ? { action, content: {} } : { action };
  });
  return { client, asked };
}

async function serverOf({ tools, gate }: Gated) {
  const make = () =>
    mcpServer(tools, new McpServer({ name: "tools", version: "1.0.0" }), { approvals: gate, approver: "user-4711" });
  return make;
}

/** A client, what its user was asked, and the requests that it sent over HTTP. */
interface Connected {
  readonly client: Client;
  readonly asked: readonly string[];
  readonly sent?: readonly string[];
}

const ERAS: [string, (made: Gated, action: Action) => Promise<Connected>][] = [
  [
    "elicitation during the call (2025-11-25)",
    async (made, action) => {
      const { client, asked } = clientOf(action);
      const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
      await Promise.all([(await serverOf(made))().connect(serverSide), client.connect(clientSide)]);
      return { client, asked };
    },
  ],
  [
    "input_required with our token as requestState (2026-07-28)",
    async (made, action) => {
      const { client, asked } = clientOf(action, "auto");
      const handler = createMcpHandler(await serverOf(made));
      const sent: string[] = [];
      const fetch = (input: URL | string, init?: RequestInit) => {
        sent.push(String(init?.body));
        return handler.fetch(new Request(input, init));
      };
      await client.connect(new StreamableHTTPClientTransport(new URL("http://mcp.localhost/"), { fetch }));
      return { client, asked, sent };
    },
  ],
];

describe.each(ERAS)("approvals of an MCP client by %s", (_, connect) => {
  test("ask its user in words, and run once they accept", async () => {
    const made = await gated();
    const { client, asked, sent } = await connect(made, "accept");
    expect(textOf(await client.callTool(call))).toContain("From a model");
    expect(asked).toEqual([expect.stringContaining('title: "From a model"')]);
    expect(made.executions()).toBe(1);
    // Today's clients bring the token back, with the answer in the same request.
    if (sent) expect(sent.at(-1)).toMatch(/"inputResponses":.*"requestState":"v1\.[\w-]+\.[\w-]{43}"/);
    // Another request is another call, and asks again.
    await client.callTool(call);
    expect(asked).toHaveLength(2);
    expect(made.executions()).toBe(2);
    await client.close();
  });

  test.each(["decline", "cancel"] as const)("run nothing if they %s", async (action) => {
    const made = await gated();
    const { client } = await connect(made, action);
    const result = await client.callTool(call);
    expect(result).toMatchObject({ isError: true });
    expect(textOf(result)).toContain("was not approved");
    expect(made.executions()).toBe(0);
    await client.close();
  });
});

describe("the requestState of an approval", () => {
  /** The handler of a tool, without a client that would be honest. */
  async function handled(made: Gated, name = CREATE_ISSUE) {
    const handlers = new Map<string, (args: unknown, context: never) => Promise<object>>();
    mcpServer(
      made.tools,
      { registerTool: (registered, _, handler) => handlers.set(registered, handler) },
      { approvals: made.gate },
    );
    return (args: unknown, state?: unknown, action: Action = "accept") => {
      const mcpReq = {
        signal: new AbortController().signal,
        requestState: () => state,
        ...(state !== undefined && { inputResponses: { approval: { action } } }),
      };
      return handlers.get(name)?.(args, { mcpReq } as never) as Promise<McpInputRequired>;
    };
  }

  test("runs its call once, however often it is sent", async () => {
    const made = await gated();
    const send = await handled(made);
    const { requestState, resultType } = await send(ISSUE);
    expect(resultType).toBe("input_required");
    const results = await Promise.all([send(ISSUE, requestState), send(ISSUE, requestState)]);
    await send(ISSUE, requestState);
    expect(results.filter((result) => textOf(result).includes("From a model")).length).toBeGreaterThan(0);
    expect(made.executions()).toBe(1);
  });

  test.each([
    ["other arguments", { ...ISSUE, title: "Other" }, (state: string) => state],
    ["a changed state", ISSUE, (state: string) => `${state.slice(0, -2)}${state.at(-2) === "A" ? "B" : "A"}A`],
    ["no state", ISSUE, () => ""],
  ])("is useless with %s: its user is asked again", async (_, args, change) => {
    const made = await gated();
    const send = await handled(made);
    const { requestState } = await send(ISSUE);
    expect(await send(args, change(requestState))).toMatchObject({ resultType: "input_required" });
    expect(made.executions()).toBe(0);
  });

  test("isn't an approval by itself", async () => {
    const made = await gated();
    const { requestState } = await (await handled(made))(ISSUE);
    const [claims] = requestState.split(".").slice(1);
    const { call: callId } = JSON.parse(Buffer.from(claims ?? "", "base64url").toString());
    const [result] = await made.tools.run([{ callId, ...call }], { approvals: [requestState] });
    expect(result).toMatchObject({ status: "pending", error: { reason: "not_approved" } });
    expect(made.executions()).toBe(0);
  });

  describe("and its question", () => {
    const bind = { [CREATE_ISSUE]: { body: "7391" } };
    test("have no argument that the program sets, also not as a digest", async () => {
      const made = await gated({ bind });
      const send = await handled(made);
      const question = await send(ISSUE);
      const claims = Buffer.from(question.requestState.split(".")[1] ?? "", "base64url").toString();
      // Ids and signatures are random, and may contain the digits.
      expect(textOf(question) + claims).not.toMatch(/(?<![\w-])7391(?![\w-])/);
      // A client that knows all arguments but a short number could try each number.
      expect(claims).not.toContain(await digestOf([{ ...ISSUE, body: "7391" }, []]));
      const { message } = question.inputRequests["approval"]?.params ?? {};
      expect(message).toContain('title: "From a model"');
      expect(message).toContain("The program sets more arguments, which aren't shown here.");
      await send(ISSUE, question.requestState);
      expect(made.emulator.requests.at(-1)?.body).toContain("7391");
    });

    test("have none of those that the call had before", async () => {
      let pin = 7390;
      const made = await gated({ bind: { [CREATE_ISSUE]: { body: () => String(++pin) } } });
      const send = await handled(made);
      await send(ISSUE, (await send(ISSUE)).requestState, "decline");
      expect(textOf(await send({ ...ISSUE, title: "Now" }))).not.toMatch(/(?<![\w-])739\d(?![\w-])/);
    });

    test("have no file that only such an argument names", async () => {
      const name = "DRIVE_UPLOAD_FILE";
      const openFile = async ({ source: filename }: { readonly source: string }) => ({
        content: new Uint8Array(3),
        filename,
        mimetype: "text/plain",
      });
      const policy = deciding(() => ({ outcome: "ask", reason: "Files leave the house." }));
      const made = await gated({ tools: [name], policy, openFile, bind: { [name]: { file: "/secret/payroll.csv" } } });
      const question = await (await handled(made, name))({});
      expect(question.resultType).toBe("input_required");
      expect(textOf(question)).not.toContain("payroll");
    });
  });
});
