import { describe, expect, test } from "vitest";
import { BadRequestError, NotFoundError } from "../../../src/index.js";
import { rejectionOf } from "../../support/client.js";
import { FRONTS, type Front, inProcess } from "../tool-router/fronts.js";

const WORDS = { version: "latest", arguments: { text: "one two" } };

/** A success and a failure outside a session, and a success inside one, an hour apart. */
async function busy(front: Front) {
  const { svc, emulator } = front;
  await svc.tools.execute("TEXTKIT_COUNT_WORDS", { ...WORDS, user_id: "ann" });
  emulator.clock.advance("1h");
  await svc.tools.execute("TEXTKIT_REVERSE", { version: "latest", user_id: "bob", arguments: { text: " " } });
  emulator.clock.advance("1h");
  const session = await svc.toolRouter.create({ user_id: "ann" });
  await session.execute({ tool_slug: "TEXTKIT_COUNT_WORDS", arguments: WORDS.arguments });
  return session;
}

describe.each(FRONTS)("the execution log %s", (_, open) => {
  test("lists executions, newest first and by page, and returns each with details", async () => {
    const front = await open();
    const session = await busy(front);
    const { logs } = front.svc;
    const all = [];
    for await (const log of logs.listToolExecutions({ limit: 1 })) all.push(log);
    expect(all.map(({ status, level, metadata }) => [metadata["tool_slug"], status, level])).toEqual([
      ["TEXTKIT_COUNT_WORDS", "success", "info"],
      ["TEXTKIT_REVERSE", "failed", "error"],
      ["TEXTKIT_COUNT_WORDS", "success", "info"],
    ]);
    expect(all[1]?.message).toBe("There is nothing to reverse");
    const detail = await logs.getToolExecution(all[0]?.id ?? "");
    expect(detail).toMatchObject({
      timestamp: "2026-01-01T02:00:00.000Z",
      context: { session_id: session.id },
      data: { arguments: { text: "one two" }, result: { words: 2 } },
    });
    await front.close();
  });
});

test("an execution that names only its account is logged with the account's user", async () => {
  const { svc } = inProcess();
  const { user_id } = await svc.connectedAccounts.get("ca_github_demo");
  await svc.tools.execute("GITHUB_LIST_REPOSITORY_ISSUES", {
    version: "latest",
    connected_account_id: "ca_github_demo",
    arguments: { owner: "octo-org", repo: "hello-world" },
  });
  const filters = [{ field: "user_id", operator: "==", value: user_id }] as const;
  expect((await svc.logs.listToolExecutions({ filters })).logs).toHaveLength(1);
});

describe("a filter of the execution log", () => {
  const filters = [
    ["tool_slug", "==", "TEXTKIT_REVERSE", 1],
    ["tool_slug", "!=", "TEXTKIT_REVERSE", 2],
    ["tool_slug", "contains", "COUNT", 2],
    ["tool_slug", "not_contains", "COUNT", 1],
    ["status", "==", "failed", 1],
    ["user_id", "==", "ann", 2],
    ["session_id", "contains", "trs_", 1],
    ["session_id", "not_contains", "trs_", 2],
    ["connected_account_id", "!=", "ca_1", 3],
    ["sandbox_id", "==", "x", 0],
  ] as const;

  test.each(filters)("%s %s %s finds %i", async (field, operator, value, count) => {
    const front = inProcess();
    await busy(front);
    const { logs } = await front.svc.logs.listToolExecutions({ filters: [{ field, operator, value }] });
    expect(logs).toHaveLength(count);
  });

  test("must match together with others, in the time range", async () => {
    const front = inProcess();
    await busy(front);
    const start = Date.UTC(2026, 0, 1);
    const { logs } = await front.svc.logs.listToolExecutions({
      filters: [
        { field: "user_id", operator: "==", value: "ann" },
        { field: "status", operator: "==", value: "success" },
      ],
      time_range: { from: start, to: start + 1 },
    });
    expect(logs).toHaveLength(1);
  });
});

describe("a log entry", () => {
  test("isn't found if it doesn't exist", async () => {
    const { svc } = inProcess();
    expect((await rejectionOf(NotFoundError, svc.logs.getToolExecution("log_nope"))).status).toBe(404);
  });

  test("contains no data if the project disables it", async () => {
    const front = inProcess();
    await busy(front);
    await front.svc.projects.updateConfig({ log_visibility_setting: "dont_store_data" });
    const { logs } = await front.svc.logs.listToolExecutions();
    expect((await front.svc.logs.getToolExecution(logs[0]?.id ?? "")).data).toEqual({});
  });

  test("is visible to its project only", async () => {
    const front = inProcess();
    await busy(front);
    const { api_key } = await front.svc.projects.create({ name: "other-project", should_create_api_key: true });
    expect((await front.clientWith(api_key ?? "").logs.listToolExecutions()).logs).toEqual([]);
  });
});

describe("usage", () => {
  test("counts executions and new sessions", async () => {
    const front = inProcess();
    await busy(front);
    const { svc, emulator } = front;
    expect(await svc.usage.getProjectSummary()).toEqual({
      entities: {
        tool_calls: { unit: "calls", total_quantity: "3", event_count: 3 },
        sessions: { unit: "sessions", total_quantity: "1", event_count: 1 },
      },
    });
    const filtered = await svc.usage.getOrganizationSummary({
      entity_types: ["tool_calls"],
      filters: { user_id: ["ann"], project_id: ["pr_emulator"] },
    });
    expect(filtered.entities["tool_calls"]?.event_count).toBe(2);
    emulator.clock.advance("31d");
    expect((await svc.usage.getProjectSummary()).entities["tool_calls"]?.event_count).toBe(0);
  });

  test("groups by a field, in the requested order", async () => {
    const front = inProcess();
    await busy(front);
    const { usage } = front.svc;
    const byTool = await usage.getProject("tool_calls", { group_by: "tool_slug" });
    expect(byTool).toMatchObject({ entity_type: "tool_calls", unit: "calls", total_quantity: "3", event_count: 3 });
    expect(byTool.groups).toEqual([
      { key: "TEXTKIT_COUNT_WORDS", total_quantity: "2", event_count: 2 },
      { key: "TEXTKIT_REVERSE", total_quantity: "1", event_count: 1 },
    ]);
    const byUser = await usage.getOrganization("tool_calls", {
      group_by: "user_id",
      order_by: "key",
      order_direction: "desc",
      limit: 1,
    });
    expect(byUser.groups.map(({ key }) => key)).toEqual(["bob"]);
    expect((await usage.getProject("sessions", {})).groups).toEqual([]);
  });

  test("doesn't count meta tools, but the tools they run", async () => {
    const { svc } = inProcess();
    const session = await svc.toolRouter.create({ user_id: "ann" });
    const tools = [{ tool_slug: "TEXTKIT_REVERSE", arguments: { text: "a" } }];
    const slug = "SVC_MULTI_EXECUTE_TOOL";
    await session.executeMeta({ slug, arguments: { tools, sync_response_to_workbench: false } });
    expect((await svc.usage.getProjectSummary()).entities["tool_calls"]?.event_count).toBe(1);
  });

  test("rejects an unknown field, and a range with its end before its start", async () => {
    const { svc } = inProcess();
    const unknown = svc.usage.getProject("sessions", { group_by: "tool_slug" });
    expect((await rejectionOf(BadRequestError, unknown)).errors[0]).toContain("body.group_by: expected user_id");
    const backwards = svc.usage.getProjectSummary({ from: 2, to: 1 });
    expect((await rejectionOf(BadRequestError, backwards)).errors[0]).toContain("body.from");
  });

  test("rejects a range that is too long up to now, as one whose end is given", async () => {
    const { svc, emulator } = inProcess();
    const daysAgo = (days: number) => emulator.clock.now() - days * 24 * 60 * 60 * 1_000;
    await svc.usage.getProjectSummary({ from: daysAgo(366) });
    const { errors } = await rejectionOf(BadRequestError, svc.usage.getProjectSummary({ from: daysAgo(366) - 1 }));
    expect(errors).toEqual(["body.from: expected a time at most 366 days before to"]);
  });
});
