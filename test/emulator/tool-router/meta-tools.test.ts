import { describe, expect, test } from "vitest";
import { BadRequestError, type SessionToolResult, type Svc } from "../../../src/index.js";
import { mismatchesOfJsonSchema } from "../../../src/json-schema/check/check-json-schema.js";
import { rejectionOf } from "../../support/client.js";
import { inProcess } from "./fronts.js";

const open = async (config = {}) => {
  const { svc } = inProcess();
  return { svc, session: await svc.toolRouter.create({ user_id: "user-4711", ...config }) };
};

/** Checks a result against the output schema of the tool's record. */
async function expectPublished(svc: Svc, slug: string, { data, error }: SessionToolResult): Promise<void> {
  const { output_parameters } = await svc.tools.get(slug);
  const output = { data, error, successful: error === null };
  expect([slug, mismatchesOfJsonSchema(output_parameters, output)]).toEqual([slug, []]);
}

const ALL = { enable_wait_for_connections: true };

describe("a meta tool", () => {
  test("searches like the search operation", async () => {
    const { session } = await open();
    const { data, error } = await session.executeMeta({
      slug: "SVC_SEARCH_TOOLS",
      arguments: { queries: [{ use_case: "reverse text" }], search_strategy: "tool_search" },
    });
    expect(error).toBeNull();
    expect(data).toMatchObject({
      results: [{ index: 1, primary_tool_slugs: ["TEXTKIT_REVERSE"], reasoning: "Run the first primary tool" }],
      tool_schemas: { TEXTKIT_REVERSE: { toolkit: "textkit", input_schema: { required: ["text"] } } },
      session: { id: expect.stringMatching(/^w/), generate_id: true },
    });
  });

  test("fails to search in a session without tools", async () => {
    const { session } = await open({ toolkits: { enable: [] } });
    const { data, error } = await session.executeMeta({
      slug: "SVC_SEARCH_TOOLS",
      arguments: { queries: [{ use_case: "reverse text" }], session: { id: "gate" } },
    });
    expect(error).toBe("1 out of 1 searches failed, reasons: the session has no tools");
    expect(data).toMatchObject({ session: { id: "gate" }, results: [{ error: "the session has no tools" }] });
  });

  test.each([
    ["SVC_SEARCH_TOOLS", { queries: [{ use_case: "reverse text" }, { use_case: "open an issue" }] }],
    ["SVC_GET_TOOL_SCHEMAS", { tool_slugs: ["TEXTKIT_REVERSE", "GITHUB_NOPE"], include: ["output_schema"] }],
    [
      "SVC_MULTI_EXECUTE_TOOL",
      {
        sync_response_to_workbench: false,
        memory: { textkit: ["Texts are short."] },
        session_id: "gate",
        tools: [
          { tool_slug: "TEXTKIT_REVERSE", arguments: { text: "abc" } },
          { tool_slug: "NOPE", arguments: {} },
        ],
      },
    ],
    ["SVC_MANAGE_CONNECTIONS", { toolkits: ["textkit", "github", "weathermap", "nope"], reinitiate_all: true }],
    ["SVC_WAIT_FOR_CONNECTIONS", { toolkits: ["textkit", "github", "nope"], mode: "all", session_id: "gate" }],
    ["SVC_REMOTE_WORKBENCH", { code_to_execute: "1" }],
    ["SVC_REMOTE_BASH_TOOL", { command: "ls" }],
  ])("%s runs as a tool of the session, and returns what its record says", async (tool_slug, args) => {
    const { svc, session } = await open({ manage_connections: ALL });
    const { input_parameters, toolkit, version, available_versions, no_auth } = await svc.tools.get(tool_slug);
    expect({ toolkit: toolkit.slug, version, available_versions, no_auth }).toEqual({
      ...{ toolkit: "svc", version: "00000000_00", available_versions: ["00000000_00"], no_auth: true },
    });
    expect(mismatchesOfJsonSchema(input_parameters, args)).toEqual([]);
    const result = await session.execute({ tool_slug, arguments: args });
    await expectPublished(svc, tool_slug, result);
    const { items } = await session.tools();
    expect(items.find(({ slug }) => slug === tool_slug)).toEqual(await svc.tools.get(tool_slug));
  });

  test("isn't in the catalog's lists", async () => {
    const { svc } = await open();
    expect(await svc.tools.listSlugs()).not.toContain("SVC_SEARCH_TOOLS");
    expect((await svc.tools.list({ toolkit_slug: "svc" })).items).toEqual([]);
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
    expect(data).toMatchObject({ success: false, not_found_message: "Tools not found: NOPE" });
    expect(JSON.stringify(data)).not.toContain("output_schema");
    expect((await ask({ tool_slugs: ["NOPE"] })).error).toBe("Tools not found: NOPE");
    const { data: similar } = await ask({ tool_slugs: ["GITHUB_CREATE_ISSUES"] });
    expect(similar["suggestions"]).toMatchObject({
      GITHUB_CREATE_ISSUES: expect.arrayContaining(["GITHUB_CREATE_AN_ISSUE"]),
    });
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
          { tool_slug: "TEXTKIT_COUNT_WORDS", arguments: {} },
          { tool_slug: "SVC_SEARCH_TOOLS", arguments: {} },
        ],
      },
    });
    expect(error).toBe("3 out of 5 tools failed");
    const log = expect.stringMatching(/^log_/);
    const missing = "Invalid request data provided: following fields are missing: text";
    expect(data).toMatchObject({
      ...{ total_count: 5, success_count: 2, error_count: 3 },
      results: [
        {
          ...{ index: 0, tool_slug: "TEXTKIT_REVERSE", error: null },
          response: { data: { text: "cba" }, error: null, successful: true, log_id: log },
        },
        { index: 1, response: null, error: "Tool NOPE not found" },
        { index: 2, response: { data: { words: 2 } }, error: null },
        { index: 3, response: { error: missing, successful: false, log_id: log }, error: missing },
        { index: 4, response: null, error: "Tool SVC_SEARCH_TOOLS not found" },
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
        textkit: { status: "active", has_active_connection: true },
        github: {
          status: "initiated",
          has_active_connection: false,
          redirect_url: expect.stringContaining("/link/"),
          was_reinitiated: false,
        },
        nope: { status: "failed", error_message: "Invalid toolkit slugs: nope" },
      },
      message: "1 connected, 1 waiting for the user, 1 failed",
      summary: { total_toolkits: 3, active_connections: 1, initiated_connections: 1, failed_connections: 1 },
    });
  });

  test("reports connections without waiting for them", async () => {
    const { session } = await open({ user_id: "user-new", manage_connections: { enable_wait_for_connections: true } });
    const wait = (toolkits: string[], mode?: string) =>
      session.executeMeta({ slug: "SVC_WAIT_FOR_CONNECTIONS", arguments: { toolkits, ...(mode && { mode }) } });
    expect((await wait(["textkit"], "all")).data).toMatchObject({ results: { textkit: { status: "ACTIVE" } } });
    await session.link({ toolkit: "slack" });
    const { data, error } = await wait(["textkit", "slack", "github"], "all");
    expect(error).toBe("Not connected: slack, github");
    expect(data).toMatchObject({ results: { slack: { status: "INITIATED" }, github: { status: "NOT_FOUND" } } });
    expect((await wait(["textkit", "github"])).error).toBeNull();
    expect((await wait(["github"])).error).toBe("Not connected: github");
  });

  test("reports no connection of a toolkit that the session excludes", async () => {
    const { session } = await open({
      ...{ user_id: "user-4711", toolkits: { enable: ["github"] } },
      manage_connections: { enable_wait_for_connections: true },
    });
    const given = { arguments: { toolkits: ["github", "slack", "textkit"] } };
    const managed = await session.executeMeta({ slug: "SVC_MANAGE_CONNECTIONS", ...given });
    const waited = await session.executeMeta({ slug: "SVC_WAIT_FOR_CONNECTIONS", ...given });
    const failed = (toolkit: string) => ({
      ...{ toolkit, status: "failed", has_active_connection: false },
      error_message: `[Session Restriction] Toolkit '${toolkit}' is not allowed`,
    });
    expect(managed.data["results"]).toEqual({
      github: expect.objectContaining({ status: "active", connected_account_id: "ca_github_demo" }),
      slack: failed("slack"),
      textkit: failed("textkit"),
    });
    const missing = { status: "NOT_FOUND", has_active_connection: false, connected_account_id: null };
    expect(waited.data).toMatchObject({
      message: "Not connected: slack, textkit",
      results: { github: { status: "ACTIVE" }, slack: missing, textkit: missing },
    });
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
