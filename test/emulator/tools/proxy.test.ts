import { describe, expect, test } from "vitest";
import type { ProxiedCall, ToolkitDefinition } from "../../../src/emulator/index.js";
import type { ProxyRequestBody } from "../../../src/index.js";
import { FRONTS } from "../fronts.js";

const account = { connected_account_id: "ca_github_demo", method: "GET" } as const;

/** Takes Slack's place and keeps what reaches it. */
function recordingSlack(calls: ProxiedCall[]): ToolkitDefinition {
  return {
    slug: "slack",
    name: "Slack",
    description: "Records.",
    categories: [],
    auth: [{ scheme: "OAUTH2", isManaged: true }],
    versions: {},
    tools: [],
    baseUrl: "https://slack.example.com/api",
    proxy: (call) => {
      calls.push(call);
      return { status: 201, data: ["any", "JSON"] };
    },
  };
}

describe.each(FRONTS)("tools.proxy %s", (_, open) => {
  test.each(["/repos/octo-org/hello-world", "repos/octo-org/hello-world"])(
    "resolves a relative endpoint to %s",
    async (endpoint) => {
      const { svc } = await open();
      expect(await svc.tools.proxy({ ...account, endpoint })).toEqual({
        status: 200,
        data: { full_name: "octo-org/hello-world", stargazers_count: 3 },
        headers: { "content-type": "application/json" },
      });
    },
  );

  test("accepts an absolute endpoint on the account's registrable domain", async () => {
    const { svc } = await open();
    for (const host of ["api.github.example.com", "uploads.example.com"]) {
      const endpoint = `https://${host}/repos/octo-org/hello-world`;
      expect(await svc.tools.proxy({ ...account, endpoint })).toMatchObject({ status: 200 });
    }
  });

  test.each([
    "https://api.github.test/repos",
    "http://api.github.example.com/repos",
    "https://example.com.evil.test/",
    "javascript:alert(1)",
    "https://[broken/",
  ])("rejects an endpoint elsewhere as OriginMismatch: %s", async (endpoint) => {
    const { svc } = await open();
    await expect(svc.tools.proxy({ ...account, endpoint })).rejects.toMatchObject({
      name: "BadRequestError",
      errorSlug: "OriginMismatch",
    });
  });

  test("returns MissingAuthContext without an account", async () => {
    const { svc } = await open();
    await expect(svc.tools.proxy({ endpoint: "/repos", method: "GET" })).rejects.toMatchObject({
      status: 400,
      errorSlug: "MissingAuthContext",
    });
  });

  test("accepts credentials in the call instead of an account", async () => {
    const { svc } = await open();
    const custom_connection_data = { authScheme: "API_KEY", toolkitSlug: "weathermap", val: { api_key: "k" } } as const;
    const parameters: ProxyRequestBody["parameters"] = [{ name: "city", value: "Oslo", type: "query" }];
    const body = { endpoint: "/weather", method: "GET", custom_connection_data } as const;
    const answer = await svc.tools.proxy({ ...body, parameters });
    expect(answer).toMatchObject({ status: 200, data: { sky: expect.any(String) } });
  });

  test.each(["textkit", "nope"])("returns 400 for toolkit %s, which has no base URL", async (toolkitSlug) => {
    const { svc } = await open();
    const custom_connection_data = { authScheme: "NO_AUTH", toolkitSlug, val: {} } as const;
    const call = svc.tools.proxy({ endpoint: "/x", method: "GET", custom_connection_data });
    await expect(call).rejects.toMatchObject({ status: 400, errorSlug: "MissingBaseUrl" });
  });

  test("returns the provider's error status as data", async () => {
    const { svc } = await open();
    const { data, meta } = await svc.tools.proxy({ ...account, endpoint: "/repos/octo-org/nope" }).withResponse();
    expect(meta.status).toBe(200);
    expect(data).toMatchObject({ status: 404, data: { message: "Not Found" } });
    const refused = await svc.tools.proxy({
      connected_account_id: "ca_weather_demo",
      method: "GET",
      endpoint: "/weather?city=Atlantis",
    });
    expect(refused).toMatchObject({ status: 404, data: { message: "city not found" } });
  });

  test("passes on method, path below the base URL, query, and body", async () => {
    const calls: ProxiedCall[] = [];
    const { svc } = await open({ toolkits: [recordingSlack(calls)] });
    const answer = await svc.tools.proxy({
      connected_account_id: "ca_slack_demo",
      endpoint: "/chat.post?as=me",
      method: "POST",
      body: { text: "hi" },
      parameters: [
        { name: "as", value: "you", type: "query" },
        { name: "x-test", value: "1", type: "header" },
      ],
    });
    expect(answer).toMatchObject({ status: 201, data: ["any", "JSON"] });
    expect(calls).toMatchObject([{ method: "POST", path: "/chat.post", body: { text: "hi" } }]);
    expect(calls[0]?.query.getAll("as")).toEqual(["me", "you"]);
  });

  test("rejects an unusable account like an execution", async () => {
    const { svc } = await open();
    const send = (connected_account_id: string) =>
      svc.tools.proxy({ endpoint: "/repos", method: "GET", connected_account_id });
    await expect(send("ca_github_expired")).rejects.toMatchObject({ status: 410, condition: "auth_refresh_required" });
    await expect(send("ca_github_inactive")).rejects.toMatchObject({ status: 422 });
    await expect(send("ca_unknown")).rejects.toMatchObject({ status: 404, condition: "no_connected_account" });
  });

  test("isn't a tool's slug, accepts only the project key, and is also served under v3", async () => {
    const { raw } = await open();
    const body = { ...account, endpoint: "/repos/octo-org/hello-world" };
    const headers = { "x-api-key": "ak_emulator" };
    expect(await raw("POST", "/api/v3/tools/execute/proxy", { headers, body })).toMatchObject({
      body: { status: 200 },
    });
    const user = { "x-user-api-key": "uak_emulator" };
    expect(await raw("POST", "/api/v3.1/tools/execute/proxy", { headers: user, body })).toMatchObject({ status: 401 });
  });

  test.each([
    [{ endpoint: "/x", method: "TRACE" }, /^body\.method: expected "GET" or .*, received another string$/],
    [{ method: "GET" }, /^body\.endpoint: expected a string, received missing$/],
    [
      { endpoint: "/x", method: "PUT", binary_body: { base64: "" } },
      /^body\.binary_body\.base64: expected at least 1 character, received fewer$/,
    ],
    [
      { endpoint: "/x", method: "PUT", binary_body: { base64: "AA==", contentType: "x/y" } },
      /^body\.binary_body\.contentType: no such field \(did you mean content_type\?\)$/,
    ],
    [
      { endpoint: "/x", method: "GET", parameters: [{ name: "a", value: "b", in: "query" }] },
      /^body\.parameters\[0\]\.(type|in): /,
    ],
  ])("rejects the body %j with 400", async (body, complaint) => {
    const { raw } = await open();
    const headers = { "x-api-key": "ak_emulator" };
    const answer = await raw("POST", "/api/v3.1/tools/execute/proxy", { headers, body });
    expect(answer).toMatchObject({ status: 400, body: { error: { errors: { 0: expect.stringMatching(complaint) } } } });
  });
});
