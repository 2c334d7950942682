import { describe, expect, test } from "vitest";
import { BadRequestError } from "../../src/index.js";
import { rejectionOf } from "../support/client.js";
import { inProcess } from "./fronts.js";

const open = async (config = {}) => {
  const { svc } = inProcess();
  return { svc, session: await svc.toolRouter.create({ user_id: "user-4711", ...config }) };
};

describe("a meta tool", () => {
  test("searches like the search operation", async () => {
    const { session } = await open();
    const { data, error } = await session.executeMeta({
      slug: "SVC_SEARCH_TOOLS",
      arguments: { queries: [{ use_case: "reverse text" }] },
    });
    expect(error).toBeNull();
    expect(data).toMatchObject({ success: true, results: [{ primary_tool_slugs: ["TEXTKIT_REVERSE"] }] });
  });

  test("returns schemas, and lists missing tools", async () => {
    const { session } = await open();
    const ask = (args: Record<string, unknown>) =>
      session.executeMeta({ slug: "SVC_GET_TOOL_SCHEMAS", arguments: args });
    const { data, error } = await ask({ tool_slugs: ["TEXTKIT_REVERSE", "NOPE"], include: ["input_schema"] });
    expect(error).toBeNull();
    expect(data).toMatchObject({
      tool_schemas: { TEXTKIT_REVERSE: { input_schema: { required: ["text"] } } },
      not_found: ["NOPE"],
    });
    expect(JSON.stringify(data)).not.toContain("output_schema");
    expect((await ask({ tool_slugs: ["NOPE"] })).error).toBe("Tools not found: NOPE");
  });

  test("runs several tools, even if one fails", async () => {
    const { svc, session } = await open();
    const { data, error, log_id } = await session.executeMeta({
      slug: "SVC_MULTI_EXECUTE_TOOL",
      arguments: {
        sync_response_to_workbench: false,
        tools: [
          { tool_slug: "TEXTKIT_REVERSE", arguments: { text: "abc" } },
          { tool_slug: "NOPE", arguments: {} },
          { tool_slug: "TEXTKIT_COUNT_WORDS", arguments: { text: "one two" } },
        ],
      },
    });
    expect(error).toBe("1 out of 3 tools failed");
    expect(data).toMatchObject({
      success_count: 2,
      error_count: 1,
      results: [
        { index: 0, tool_slug: "TEXTKIT_REVERSE", response: { data: { text: "cba" }, error: null } },
        { index: 1, response: { error: "Tool NOPE not found" } },
        { index: 2, response: { data: { words: 2 } } },
      ],
    });
    const inside = await svc.logs.listToolExecutions({
      filters: [{ field: "tool_slug", operator: "==", value: "TEXTKIT_REVERSE" }],
    });
    expect(inside.logs[0]?.parent).toEqual({ log_id, tool_slug: "SVC_MULTI_EXECUTE_TOOL" });
  });

  test("reports connected toolkits, and links the others", async () => {
    const { session } = await open({ user_id: "user-new" });
    const manage = (toolkits: string[]) =>
      session.executeMeta({ slug: "SVC_MANAGE_CONNECTIONS", arguments: { toolkits } });
    const { data, error } = await manage(["textkit", "github", "nope"]);
    expect(error).toBe("1 toolkits cannot be connected");
    expect(data).toMatchObject({
      results: {
        textkit: { status: "active" },
        github: { status: "initiated", redirect_url: expect.stringContaining("/link/") },
        nope: { status: "failed", error: "Invalid toolkit slugs: nope" },
      },
    });
  });

  test("reports connections without waiting for them", async () => {
    const { session } = await open({ user_id: "user-new", manage_connections: { enable_wait_for_connections: true } });
    const wait = (toolkits: string[]) =>
      session.executeMeta({ slug: "SVC_WAIT_FOR_CONNECTIONS", arguments: { toolkits } });
    expect((await wait(["textkit"])).data).toMatchObject({ all_connected: true });
    expect((await wait(["textkit", "github"])).error).toBe("Not connected: github");
  });

  test.each(["SVC_REMOTE_WORKBENCH", "SVC_REMOTE_BASH_TOOL"] as const)(
    "%s reports that there's no sandbox",
    async (slug) => {
      const { session } = await open();
      const { error } = await session.executeMeta({ slug, arguments: { command: "ls", code_to_execute: "1" } });
      expect(error).toContain("The emulator has no sandbox");
    },
  );

  test("returns an error for invalid arguments", async () => {
    const { session } = await open();
    const { data, error } = await session.executeMeta({ slug: "SVC_SEARCH_TOOLS" });
    expect({ data, error }).toEqual({
      data: {},
      error: "Invalid request data provided: following fields are missing: queries",
    });
  });

  test("is rejected if the session doesn't expose it", async () => {
    const { session } = await open({ workbench: { enable: false } });
    const call = session.executeMeta({ slug: "SVC_REMOTE_WORKBENCH", arguments: {} });
    const error = await rejectionOf(BadRequestError, call);
    expect(error.code).toBe(4325);
    expect(error.message).toContain("[Session Restriction] Tool 'SVC_REMOTE_WORKBENCH' is not allowed");
  });

  test("can't be called outside a session", async () => {
    const { svc } = await open();
    const call = svc.tools.execute("SVC_SEARCH_TOOLS", { user_id: "u", arguments: {}, version: "latest" });
    expect((await rejectionOf(BadRequestError, call)).message).toContain(
      "can only be called inside a tool-router session",
    );
  });
});
