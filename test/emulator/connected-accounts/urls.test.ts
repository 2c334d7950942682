import { describe, expect, test } from "vitest";
import { createEmulator } from "../../../src/emulator/index.js";
import { FRONTS } from "../fronts.js";

const BAD = [
  "javascript:alert(document.domain)",
  "JavaScript:alert(1)",
  " \u0000javascript:alert(1)",
  "java\nscript:alert(1)",
  "javascript://app.example/%0aalert(1)",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:msgbox(1)",
  "file:///etc/passwd",
  "blob:https://app.example/1",
  "view-source:https://app.example",
];

const API_KEY = { status: "ACTIVE", generic_api_key: "wk_1" };

/** Every field that takes a URL: where it's sent, and a body with the URL in it. */
const FIELDS: readonly (readonly [string, string, string, (url: string) => unknown])[] = [
  [
    "body.callback_url",
    "POST",
    "/api/v3.1/connected_accounts/link",
    (callback_url) => ({ auth_config_id: "ac_github_demo", user_id: "ada", callback_url }),
  ],
  ...(["callback_url", "redirect_uri"] as const).map(
    (name) =>
      [
        `body.connection.${name}`,
        "POST",
        "/api/v3.1/connected_accounts",
        (url: string) => ({
          auth_config: { id: "ac_weather_demo" },
          connection: { user_id: "ada", state: { authScheme: "API_KEY", val: API_KEY }, [name]: url },
        }),
      ] as const,
  ),
  [
    "body.connection.state.val.base_url",
    "POST",
    "/api/v3.1/connected_accounts",
    (base_url) => ({
      auth_config: { id: "ac_weather_demo" },
      connection: { user_id: "ada", state: { authScheme: "API_KEY", val: { ...API_KEY, base_url } } },
    }),
  ],
  [
    "body.redirect_url",
    "POST",
    "/api/v3.1/connected_accounts/ca_github_demo/refresh",
    (redirect_url) => ({ redirect_url }),
  ],
  [
    "body.manage_connections.callback_url",
    "POST",
    "/api/v3.1/tool_router/session",
    (callback_url) => ({ user_id: "ada", manage_connections: { callback_url } }),
  ],
  [
    "body.experimental.link_url_overwrite",
    "POST",
    "/api/v3.1/tool_router/session",
    (link_url_overwrite) => ({ user_id: "ada", experimental: { link_url_overwrite } }),
  ],
  ["body.logo_url", "PATCH", "/api/v3/org/project/config", (logo_url) => ({ logo_url })],
  [
    "body.auth_config.proxy_config.proxy_url",
    "POST",
    "/api/v3.1/auth_configs",
    (proxy_url) => ({
      toolkit: { slug: "github" },
      auth_config: { type: "use_custom_auth", authScheme: "OAUTH2", credentials: {}, proxy_config: { proxy_url } },
    }),
  ],
  [
    "body.auth_config.credentials.oauth_redirect_uri",
    "POST",
    "/api/v3.1/auth_configs",
    (oauth_redirect_uri) => ({
      toolkit: { slug: "github" },
      auth_config: { type: "use_custom_auth", authScheme: "OAUTH2", credentials: { oauth_redirect_uri } },
    }),
  ],
  [
    "body.auth_config.credentials.redirect_uris[0]",
    "POST",
    "/api/v3.1/auth_configs",
    (uri) => ({
      toolkit: { slug: "github" },
      auth_config: { type: "use_custom_auth", authScheme: "OAUTH2", credentials: { redirect_uris: [uri] } },
    }),
  ],
  [
    "body.webhook_url",
    "POST",
    "/api/v3.1/webhook_subscriptions",
    (webhook_url) => ({ webhook_url, enabled_events: ["svc.trigger.message"] }),
  ],
];

describe.each(FRONTS)("a URL that would run in the browser, %s", (_, open) => {
  test.each(FIELDS)("is rejected as %s of %s %s", async (field, method, path, bodyWith) => {
    const { raw, emulator } = await open();
    const headers = { "x-api-key": "ak_emulator" };
    const before = { ...emulator.snapshot(), ids: undefined, log: undefined, rateLimit: undefined };
    for (const url of BAD) {
      const answer = await raw(method, path, { headers, body: bodyWith(url) });
      expect([url, answer]).toMatchObject([url, { status: 400 }]);
      expect(answer.text).toContain(`"${field}: `);
      expect(answer.text).not.toContain("alert");
    }
    expect({ ...emulator.snapshot(), ids: undefined, log: undefined, rateLimit: undefined }).toEqual(before);
    // The same request is fine with another URL.
    const { status } = await raw(method, path, { headers, body: bodyWith("https://app.example/done") });
    expect(status).toBeLessThan(400);
  });

  test("is rejected in the query of a refresh, and in a session's link", async () => {
    const { raw, svc } = await open();
    const refresh = "/api/v3.1/connected_accounts/ca_github_demo/refresh?redirect_url=javascript:alert(1)";
    expect(await raw("POST", refresh)).toMatchObject({
      status: 400,
      body: { error: { errors: ["query.redirect_url: expected the URL of a site or an app, received javascript:"] } },
    });
    const { id } = await svc.toolRouter.create({ user_id: "ada" });
    const body = { toolkit: "github", callback_url: "javascript:alert(1)" };
    const headers = { "x-api-key": "ak_emulator" };
    const answer = await raw("POST", `/api/v3.1/tool_router/session/${id}/link`, { headers, body });
    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining("body.callback_url: ") });
  });

  test("is rejected in the form of the hosted page", async () => {
    const { raw, svc } = await open();
    const { redirect_url } = await svc.connectedAccounts.link({ auth_config_id: "ac_weather_demo", user_id: "ada" });
    const path = `${new URL(redirect_url).pathname}/complete`;
    const answer = await raw("POST", path, { body: "generic_api_key=wk_1&base_url=javascript:alert(1)" });
    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining("form.base_url") });
  });

  test("is accepted in the arguments of a tool, and an app's own scheme as a callback", async () => {
    const { svc, raw } = await open();
    const run = await svc.tools.execute("GITHUB_CREATE_AN_ISSUE", {
      user_id: "user-4711",
      version: "20251023_00",
      arguments: { owner: "octo-org", repo: "hello-world", title: "t", url: "data:text/plain,x" },
    });
    expect(JSON.stringify(run)).not.toContain("expected the URL");
    const link = { auth_config_id: "ac_github_demo", user_id: "ada", callback_url: "my.app:/done" };
    const { redirect_url } = await svc.connectedAccounts.link(link);
    const done = await raw("GET", `${new URL(redirect_url).pathname}`);
    expect(done.headers.get("content-security-policy")).toContain("form-action 'self' my.app:;");
  });
});

test.each(BAD)("rejects %j as callbackVerifierUrl with a ConfigError", (callbackVerifierUrl) => {
  expect(() => createEmulator({ project: { callbackVerifierUrl } })).toThrow(
    /callbackVerifierUrl: expected the URL of a site/,
  );
});
