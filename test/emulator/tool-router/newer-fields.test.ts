import { describe, expect, test } from "vitest";
import { FRONTS } from "../fronts.js";

const SESSIONS = "/api/v3.1/tool_router/session";

describe.each(FRONTS)("a session, %s", (_, open) => {
  /** Sends bodies as other clients write them. */
  const sessions = async () => {
    const { raw } = await open();
    const send = async (method: string, path: string, body: object) => {
      const { status, body: data } = await raw(method, `${SESSIONS}${path}`, { body });
      return { status, data: data as { session_id: string; config: object; config_version: number; error: object } };
    };
    const { data } = await send("POST", "", { user_id: "user-4711" });
    return { send, id: data.session_id };
  };

  test("accepts, keeps and shows the fields of newer clients", async () => {
    const { send } = await sessions();
    const newer = {
      premium_usage: { toolkits: { enable: ["github"] }, return_premium_charge: true },
      instant: false,
      experimental: { fast_mode: true, submit_feedback: { enable: true }, session_config_id: "sc_1" },
    };
    const { status, data } = await send("POST", "", { user_id: "user-4711", ...newer });
    expect(status).toBe(201);
    expect(data.config).toMatchObject(newer);
    const changed = await send("PATCH", `/${data.session_id}`, { premium_usage: false, expected_config_version: 1 });
    expect(changed).toMatchObject({
      status: 200,
      data: { config_version: 2, config: { ...newer, premium_usage: false } },
    });
  });

  test("rejects a newer field with an invalid value, and a misspelled one", async () => {
    const { send, id } = await sessions();
    const problems: [object, string][] = [
      [{ premium_usage: 7 }, "body.premium_usage: "],
      [{ experimental: { session_config_id: "x" } }, "body.experimental.session_config_id: "],
      [{ experimental: { fast_mode: "yes" } }, "body.experimental.fast_mode: expected a boolean"],
      [{ expected_config_version: 1.5 }, "body.expected_config_version: "],
      [{ premium_usages: false }, "body.premium_usages: "],
      [
        { experimental: { session_config_id: "sc_1" }, tags: ["readOnlyHint"] },
        "body.experimental.session_config_id: can't be combined with tags",
      ],
    ];
    for (const [body, problem] of problems) {
      const { status, data } = await send("PATCH", `/${id}`, body);
      expect([status, JSON.stringify(data.error)]).toEqual([400, expect.stringContaining(problem)]);
    }
  });

  test("takes null for each block and field that it can reset", async () => {
    const { send, id } = await sessions();
    const atStart = (await send("PATCH", `/${id}`, {})).data.config;
    const configured = {
      toolkits: { enable: ["github"] },
      tools: { github: { enable: ["GITHUB_GET_AN_ISSUE"] } },
      tags: ["readOnlyHint"],
      auth_configs: { github: "ac_github_demo" },
      preload: { tools: ["GITHUB_GET_AN_ISSUE"] },
      search: { enable: false },
      execute: { enable_multi_execute: false },
      manage_connections: { callback_url: "https://app.example.com/" },
      multi_account: { enable: true, max_accounts_per_toolkit: 9 },
      experimental: { link_url_overwrite: "https://app.example.com/", permissions: undefined },
    };
    const set = await send("PATCH", `/${id}`, configured);
    expect(set).toMatchObject({ status: 200, data: { config: { search: { enable: false } } } });
    const reset = await send("PATCH", `/${id}`, {
      ...Object.fromEntries(Object.keys(configured).map((name) => [name, null])),
      manage_connections: { callback_url: null },
      multi_account: { max_accounts_per_toolkit: null },
      experimental: { permissions: null, link_url_overwrite: null, fast_mode: null, submit_feedback: null },
    });
    expect(reset.status).toBe(200);
    expect(reset.data.config).toEqual({ ...atStart, experimental: {} });
  });

  test("rejects a change for another version of its configuration", async () => {
    const { send, id } = await sessions();
    const { status, data } = await send("PATCH", `/${id}`, { tags: ["readOnlyHint"], expected_config_version: 2 });
    expect(status).toBe(409);
    expect(data.error).toMatchObject({ code: 4315, slug: "ToolRouterV2_Conflict" });
  });

  test("accepts a selected account in calls and links", async () => {
    const { send, id } = await sessions();
    const call = { tool_slug: "TEXTKIT_REVERSE", arguments: { text: "ab" }, instant_account: "ia_1" };
    expect((await send("POST", `/${id}/execute`, call)).status).toBe(200);
    expect((await send("POST", `/${id}/link`, { toolkit: "github", instant_account: "ia_1" })).status).toBe(201);
  });
});
